/* limits.h - the constants of the drop-in for FFTW that measurements have set, each with what it decides. */
#ifndef SX_FFTW_LIMITS_H
#define SX_FFTW_LIMITS_H

/* The planner compares our plan with FFTW's: executions of each at least and at most, and seconds of each. */
enum { SX_FFTW_LEAST_EXECUTIONS = 3, SX_FFTW_MOST_EXECUTIONS = 50 };
#define SX_FFTW_SECONDS 0.01
/* The execution of a program at which a comparison begins, as creating FFTW's plan takes time, too; at which
 * it ends if our plan is much faster; and at which it ends. */
enum { SX_FFTW_FIRST = 6, SX_FFTW_LOOK = SX_FFTW_FIRST + 4, SX_FFTW_LAST = SX_FFTW_FIRST + 10 };
/* The part of the other's time below which our plan is much faster, and FFTW's clearly faster. */
#define SX_FFTW_MUCH 0.7
#define SX_FFTW_CLEARLY 0.95
/* Plans share their work space from so many bytes on. */
enum { SX_FFTW_LEAST_SHARED = 1 << 20 };
/* MiB that plans may keep on a rank, without the environment variable. */
enum { SX_FFTW_KEPT_MEBIBYTES = 256 };

#endif
