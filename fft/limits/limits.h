/* limits.h - the constants of libsubx_fft that measurements have set, each with what it decides. Those of
 * libsubx: lib/base/limits.h. The costs of radices stand with the kernels of their instruction set
 * (fft/simd/avx512.c, avx2.c, vector128.c); the parameters of the cost model in fft/machine/parameters.c. */
#ifndef SX_LIMITS_H
#define SX_LIMITS_H

/* ---- the caches of a rank */

/* The default of the hint cache: about a second-level cache, bytes. */
enum { SX_CACHE_BYTES = 5 << 18 };
/* A rank's share of the last-level cache in second levels. Larger arrays are written past the caches, and
 * their blocks have gaps. Tiles of this size save a pass: in two passes two axes of 128 took 1.6 times as
 * long, 64^4 1.2 times. */
enum { SX_CACHE_RATIO = 4 };

/* ---- kernels (fft/simd) */

/* The doubles of the longest registers (AVX-512), which are more than others: FFTW is faster with others, and
 * tiles have multiples of so many pencils. */
enum { SX_MANY_LANES = 8 };
/* Butterflies of this radix and of larger ones prefetch. */
enum { SX_SIMD_RADIX_PREFETCH = 8 };
/* Rows that the last step stores crowd a few cache sets if this power of two divides their distance. */
enum { SX_SIMD_CROWDED_POWER = 16 };
/* Lines of so many rows are transformed without a transposition: complex ones of 4 k rows; those of long
 * registers, whose groups exceed the first level; reals of 16 k rows; reals in long registers. More than MOST
 * rows were not measured. */
enum { SX_SIMD_LINE_ROWS = 24, SX_SIMD_LINE_MANY_ROWS = 30, SX_SIMD_LINE_REAL_ROWS = 48 };
enum { SX_SIMD_LINE_LONG_REALS = 384, SX_SIMD_LINE_MOST_ROWS = 512 };
/* Our kernels serve these lengths and registers of so many doubles: longer ones exceed the second level. */
enum { SX_SIMD_SHORTEST = 4, SX_SIMD_LONGEST = 2048, SX_SIMD_LEAST_LANES = 4 };
/* FFTW's codelets are faster for lines of these lengths: all up to SHORTEST; transposed ones up to SHORT, of
 * CODELET (AVX2: up to CODELET), and powers of two below POWER; reals up to REAL; real transforms of odd
 * lengths up to ODD. */
enum { SX_FFTW_SHORTEST = 8, SX_FFTW_SHORT = 16, SX_FFTW_CODELET = 20, SX_FFTW_POWER = 96 };
enum { SX_FFTW_REAL = 12, SX_FFTW_ODD = 15 };

/* ---- serial backends (fft/serial) */

/* Kernels transform so many pencils per call: they fill the registers, and the list of addresses is short. */
enum { SX_SIMD_GROUP = 64 };
/* Kernels are a bad choice for fewer pencils: some lanes stay empty. */
enum { SX_GROUP_LEAST = 6 };
/* The backend auto takes the least of so many measurements, of so many executions each. */
enum { SX_AUTO_ROUNDS = 8, SX_AUTO_TIMES = 3 };
/* The part of our kernel's time below which the next backend is clearly faster, and replaces it. */
#define SX_AUTO_CLEARLY 0.95

/* ---- passes (fft/pass) */

/* Kernels read rows of arrays up to this size although they collide: they are in a near cache. */
enum { SX_PASS_NEAR = 1 << 20 };
/* Rows collide only if this power of two divides their distance: else 128 lines of rows fit into the sets. */
enum { SX_PASS_LEAST_POWER = 512 };
/* The largest tile that is prefetched as a whole: a larger one keeps the present tile waiting. */
enum { SX_PASS_PREFETCH_BYTES = 64 << 10 };
/* The largest tile that kernels prefetch in parts: two fit into a second-level cache of 1 MiB. */
enum { SX_PASS_AHEAD_BYTES = 512 << 10 };
/* The most rows of a tile that kernels prefetch, and the most lines after a butterfly. */
enum { SX_AHEAD_MAX = 512, SX_AHEAD_MOST_LINES = 16 };
/* Copies prefetch shorter rows themselves: 1000 rows of 384 bytes took 1.06 times as long by kernels. */
enum { SX_AHEAD_LEAST_BYTES = 512 };
/* The shortest parts of divided lines that a kernel loads and stores. */
enum { SX_PASS_LEAST_PART = 16 };
/* Axes are merged until the batch axis has so many tiles: more make a pass no faster. */
enum { SX_PASS_ENOUGH_TILES = 4 };

/* ---- tiles and slices of fused plans (fft/fused) */

/* The least pencils side by side, for runs in memory, if a pass does not transform the innermost axis. */
enum { SX_LEAST_PENCILS = 4 };
/* Pencils of a tile without a hint, at least and at most; tiles per thread. */
enum { SX_TILE_FEW_PENCILS = 16, SX_TILE_MOST_PENCILS = 192, SX_TILE_ENOUGH = 4 };
/* Bytes of a tile: below SHORT 64^4 took 6 % longer and 32x40x48 12 % (one Zen 5); LONG stays in the second
 * level; COPIED: without transformed axes. */
enum { SX_TILE_SHORT = 32 << 10, SX_TILE_LONG = 256 << 10, SX_TILE_COPIED = 64 << 10 };
/* Tiles have all fields up to so many, if the fields of an element are adjacent. */
enum { SX_TILE_FIELDS = 16 };
/* From so many pencils on, those of a tile of several axes are interleaved. */
enum { SX_TILE_INTERLEAVED = 16 };
/* Rows of a block from so many cache lines on have gaps that align them; gaps lengthen shorter rows too much.
 * Rows whose distance is a multiple of SX_SET_BYTES cost 9 cycles more per stored line (Zen 5). */
enum { SX_BLOCK_ROW_LINES = 8 };
/* The most slices of a pipe, and their least message, bytes. */
enum { SX_SLICES_ENOUGH = 4, SX_SLICES_LEAST_MESSAGE = 64 << 10 };
/* Bytes of a slice of a ring per thread, and the most slices: shorter ones wait more often, longer ones leave
 * the second level. */
enum { SX_RING_SLICE = 1 << 20, SX_RING_MOST_SLICES = 256 };

/* ---- devices (fft/offload), operations (fft/operation) */

/* How many bytes more a device copies in the time of one more call. */
enum { SX_OFFLOAD_CALL_BYTES = 16 << 20 };
/* Elements of a row whose factors are computed together, on the stack; bytes of factors copied together. */
enum { SX_OPERATION_PIECE = 64, SX_OPERATION_COPIED = 8 << 10 };

/* ---- the model (fft/model) and its measurement (fft/machine) */

/* A price is clearly lower below this part of the other: smaller differences may be errors of the model. */
#define SX_CLEARLY 0.9
/* The most prices of grids, and of numbers of ranks, that are compared. */
enum { SX_MODEL_GRIDS = 64, SX_RANKS_MAX = 64 };
/* An exchange by MPI's datatypes takes so many times as long: between several times (short runs) and less. */
enum { SX_MODEL_DATATYPES = 2 };
/* Seconds of a round of measurements at least, the rounds of a measurement, and the calls of a round. */
#define SX_MACHINE_LEAST_ROUND 1e-3
enum { SX_MACHINE_LEAST_ROUNDS = 3, SX_MACHINE_MOST_ROUNDS = 50, SX_MACHINE_MOST_TIMES = 1 << 20 };
/* Bytes of the largest array that is copied: two of them fit into no cache; and of the first one: two fit. */
enum { SX_MACHINE_LARGEST = 64 << 20, SX_MACHINE_LEAST_COPY = 256 << 10 };
/* Bytes of a tile whose transforms are measured. */
enum { SX_MACHINE_TILE_BYTES = 128 << 10 };
/* Bytes that measure latency, the bandwidth between ranks, and the bandwidth of devices. */
enum { SX_MACHINE_SMALL = 64, SX_MACHINE_MESSAGE = 8 << 20, SX_MACHINE_DEVICE_MESSAGE = 16 << 20 };
/* The most partners of a measurement, for thousands of nodes; launches of a device measured together. */
enum { SX_MACHINE_MOST_PARTNERS = 8, SX_MACHINE_LAUNCHES = 16 };
/* Nodes are not asked whether they have the memory of a plan up to this size. */
enum { SX_PLAN_UNCHECKED = 16 << 20 };

/* ---- the search (fft/search, fft/tune) */

/* Prices up to so many times the least are tried by a short search, and by a longer one. */
#define SX_SEARCH_NEAR 1.5
#define SX_SEARCH_WIDE 3.0
/* Grids that a search lists, engines per dimension, and points of the simplex method. */
enum { SX_GRIDS_MAX = 32, SX_SEARCH_ENGINES = 8, SX_SEARCH_POINTS = 60 };
/* Arrays of more caches: a short search tries only fused, the fastest in all measurements with exchanges. */
enum { SX_SEARCH_MANY_TILES = 16 };
/* A candidate is tried with more rigor up to so many times the best: FFTW rarely gains more by measuring. */
#define SX_SEARCH_RIGOR 1.3
/* The part of the limits that comparing and tuning may use; a confirmation has the rest. */
#define SX_SEARCH_FIRST_SHARE 0.8
/* The executions that a search with effort measure may take, and the seconds that any search may take. */
enum { SX_SEARCH_EXECUTIONS = 45 };
#define SX_SEARCH_FREE_SECONDS 0.1
/* The least gain that is no noise. */
#define SX_SEARCH_LEAST_GAIN 0.02
/* Seconds of a burst of executions, and of an execution at least, for coarse clocks. */
#define SX_TUNE_BURST 1e-3
#define SX_TUNE_TICK 1e-9
/* The ratio to the best at which a candidate is stopped: after its first execution, and after each round. */
#define SX_TUNE_AFTER_FIRST 2.0
#define SX_TUNE_AFTER_ROUND 1.5
/* The executions of a comparison at least; its share of the time left is 1/SHARES. */
enum { SX_TUNE_LEAST_EXECUTIONS = 3, SX_TUNE_SHARES = 8 };
/* Steps of the simplex method per allowed evaluation: no proof exists that the method ends. */
enum { SX_TUNE_STEPS = 16 };
/* Seconds that a writer of wisdom waits while nobody replaces the file (a busy disk), and in all; the longest
 * pause that counts, as a process may be stopped; attempts to replace the file. */
#define SX_WISDOM_PATIENCE 10.0
#define SX_WISDOM_MOST_PATIENCE 60.0
#define SX_WISDOM_LONGEST_PAUSE 10e-3
enum { SX_WISDOM_ATTEMPTS = 50 };

#endif
