/* subx_tune.h - how plans are chosen: hints for experts, explanations, wisdom, and the calibration of the cost model.
 *
 * Part of subarray_x. BSD-3-Clause; see LICENSE. The conventions of subx.h hold here too.
 *
 * A plan is chosen by its hints (subx_fft.h), by wisdom, by measurement, or by a cost model, in this order. Wisdom is what
 * earlier jobs have learnt: a text file with an entry per line,
 *
 *     subarray_x wisdom 1
 *     checksum TAB kind TAB key TAB value
 *
 * The hint subx_wisdom names the file: "auto" (default) is $XDG_CACHE_HOME/subarray_x/wisdom or $HOME/.cache/subarray_x/wisdom,
 * "none" is no file, anything else is a path. Rank 0 reads it when a plan is created, and writes it when a plan was measured. Any
 * number of jobs may use a file at the same time. A file that is damaged, or of another version, is never an error: what cannot be
 * used is ignored, and explanations say why. */
#ifndef SUBX_TUNE_H
#define SUBX_TUNE_H

#include <subx_fft.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---------------------------------------------------------------------------- hints for experts
 *
 * Hints of subx_fft_plan_create besides those in subx_fft.h. A search above effort estimate finds good values of most of them.
 *   subx_reorder   "yes": the plan numbers the ranks of comm node by node, in the order of the nodes' lowest ranks, so
 *                  that rows of the last grid dimension lie within nodes where they can. Nodes are those of
 *                  subx_node_ranks, too. subx_fft_plan_get_local tells which block a rank then has; boxes stay with
 *                  the ranks that named them. "no" (default): in the order of comm
 *   subx_sequence  the order in which forward transforms the axes, such as "2,0,1": each transformed axis once, the axis
 *                  of R2C first. "auto" (default): from the last to the first; but if the grid is that of the problem's boxes, the
 *                  axes that they divide come last, and subx_fft_plan_get_info tells the order
 *   subx_serial    the serial backend: "auto" (default), the best one for each transform; "simd", our own kernels, and
 *                  others for what they do not serve (long double, quad, DCT-I, DCT-IV, DHT and others); "fftw3", if it
 *                  was built in; "naive", the definition. auto takes simd for lengths of small primes up to 2048, if
 *                  the processor has AVX2 or AVX-512; with an effort above estimate it compares the times
 *   subx_rigor     the words of subx_effort, for the serial transforms alone: FFTW's planning rigor, and whether subx_serial
 *                  = auto compares times. "auto" (default): estimate; at the end of a search, the best two candidates are also
 *                  tried with rigor measure and with all words up to the effort
 *   subx_time_limit  seconds that the search may take, about; 0 (default) for no limit. Afterwards FFTW has no time limit of
 *                  its own (fftw_set_timelimit)
 *   subx_engine, subx_between, subx_window, subx_node_ranks   for fused as for subx_pipe_create (subx_lowlevel.h),
 *                  else as for subx_exch_create_realign (subx.h). subx_engine and subx_between may be lists such as
 *                  "node/kway": a word per dimension of the process grid, the last word for all dimensions that follow
 *   subx_radix, subx_check, subx_permute   for stride1 and natural, as for subx_exch_create_realign
 *
 * For strategy fused:
 *   subx_overlap   where messages travel, whether transforms go on at the same time, slice by slice:
 *                    none      they do not: there is one slice (Song & Hollingsworth 2014: NEW-0, TH-0)
 *                    send      each slice is sent as soon as it is transformed; received slices are waited for (their
 *                              TH, after Hoefler)
 *                    receive   all slices are sent; each is transformed as soon as it has come
 *                    both      both, at the price of another pass through memory on slabs (their NEW)
 *                  "auto" (default): as both where that needs no other pass, else as receive
 *   subx_slices    slices of an exchange, 0 .. 1024; 0 (default) for up to 4, of messages of at least 64 KiB. Where all
 *                  ranks share memory: two passes take turns if they have a common axis that neither transforms, so that
 *                  slices stay in the caches; 0 for slices of about 1 MiB, 1 and 2 for none.
 *                  For stride1 and natural as for subx_exch_create
 *   subx_progress  how often per slice messages are given time to make progress, >= 0 (default 16)
 *   subx_width     most pencils side by side in a tile, and up to half as many more at the end of an axis; >= 0, 0
 *                  (default) for a choice
 *   subx_pencils   how pencils lie in a tile: "contiguous", "interleaved", or "auto" (default)
 *   subx_cache     bytes that a tile may take, >= 1 (default 1310720, about a second-level cache); up to four times
 *                  that where it saves a pass through memory */

/* Query a hint of subx_fft_plan_create, for lists of them such as that of subx-fft --help. Local.
 *   i       [in]   which, from 0
 *   name    [out]  its key, such as "subx_grid", a string of the library; NULL if it is not wanted
 *   size    [in]   room for the text, bytes; 0 to ask for its length
 *   text    [out]  what it decides, what it may be, and its default:
 *                  "Threads of each rank. Values: a number, at least 1; default 1"
 *   needed  [out]  the length of the text without the null character; NULL if it is not wanted
 * Errors: ARG (also if there are no more than i hints). */
SUBX_EXPORT int subx_fft_query_hint(int i, const char **name, size_t size, char text[], size_t *needed);

/* ------------------------------------------------------------------------------- explanations */

/* Formats of explanations. SUBX_FFT_TEXT is for people, and may change. SUBX_FFT_JSON is one object with these members; others
 * may be added. Times are in seconds, sizes in bytes; what is not known is null.
 *
 *   problem, grid, strategy   texts; layout: how ranks lie on nodes
 *   ranks, nodes              numbers
 *   source                    who chose: "hints", "model", "measured", "wisdom"
 *   hints                     object: the hints in effect without subx_, as texts
 *   stages                    array of objects in the order of forward:
 *     name, kind                kind is "serial", "exchange" or "scale"
 *     axes                      transformed axes; of an exchange the axis that it divides and the one that it makes whole
 *     from_order, to_order      axes as they are stored, innermost first; empty for the caller's boxes
 *     engine, slices            of an exchange
 *     bytes_inside, bytes_between   what a rank sends inside its node and to other nodes: the model's mean
 *     bytes_sent                what this rank sends
 *     memory_bytes              what the busiest rank reads and writes in a stage that is no exchange: the model's
 *     predicted_s, last_s       by the model; the last execution on this rank
 *   predicted_s, last_s       the sums of all stages
 *   candidates                array of objects: name, predicted_s, measured_s, ratio (of its time to that of the first one),
 *                             outcome ("untried", "measured", "stopped", "failed"), executions, chosen
 *   planning                  object: seconds, executions
 *   machine                   object: calibrated, flops, memory, across, cache, cache_bytes, latency_inside,
 *                             latency_between, bandwidth_inside, bandwidth_between, stage; empty if there is no model
 *   warnings, wisdom          arrays of sentences
 *   lost                      as subx_lost of subx_fft_plan_get_info
 *   no_effect                 the hints that the caller gives, and that have no effect on this plan: "slices 8, permute send"; and
 *                             environment variables that it ignores; empty for none
 *   work_bytes                work space of this rank */
enum { SUBX_FFT_TEXT = 0, SUBX_FFT_JSON = 1 };

/* Explain a plan: who chose it; a line per stage of forward with its axes, storage orders, engine, the bytes that travel inside
 * nodes and between them, memory, predicted time and time of the last execution on this rank; all candidates with their
 * predicted and measured times and what became of them; how ranks lie on nodes, and what is wrong with that; what became of
 * wisdom. Local.
 *   plan    [in]   the plan
 *   format  [in]   SUBX_FFT_TEXT, or SUBX_FFT_JSON: one object
 *   len     [in]   room in text, bytes
 *   text    [out]  the text, cut to len-1 bytes and always terminated; may be NULL if len is 0
 *   needed  [out]  bytes of the whole text without the terminator (may be NULL)
 * Errors: ARG. */
SUBX_EXPORT int subx_fft_plan_explain(subx_fft_plan plan, int format, size_t len, char *text, size_t *needed);

/* -------------------------------------------------------------------------------- calibration */

/* Measure the parameters of the cost model on the ranks of a communicator, and put them into wisdom: plans of the same number of
 * ranks per node on the same processor, MPI and version of this library use them. Collective on comm.
 *   comm     [in]   the ranks; an intra-communicator. Use all cores of a node, and several nodes
 *   hints    [in]   subx_wisdom, subx_node_ranks; MPI_INFO_NULL for none
 *   seconds  [in]   how long it may take, about; > 0
 *   len      [in]   room in text, bytes
 *   text     [out]  the parameters, such as "flops 2.1e+10, memory 1.2e+10, ..", the same on all ranks; may be NULL if len is 0
 * Errors: COMM, HINT, DIFFERS, ARG, NO_MEM, FILE (the file cannot be written; the text is valid). */
SUBX_EXPORT int subx_fft_machine_calibrate(MPI_Comm comm, MPI_Info hints, double seconds, size_t len,
                                           char *text);

/* ------------------------------------------------------------------------------------- wisdom */

/* Wisdom in memory: the entries of a file. For programs that look after wisdom; plans need none of this. All functions of this
 * section are local and need no MPI_Comm. */
typedef struct subx_fft_wisdom_s *subx_fft_wisdom;
#define SUBX_FFT_WISDOM_NULL ((subx_fft_wisdom)0)

/* Create wisdom without entries. Local.
 *   wisdom  [out]  the wisdom; the caller owns it and frees it with subx_fft_wisdom_free
 * Errors: ARG, NO_MEM. */
SUBX_EXPORT int subx_fft_wisdom_create(subx_fft_wisdom *wisdom);

/* Free wisdom. Local. *wisdom becomes SUBX_FFT_WISDOM_NULL.
 *   wisdom  [in,out]  the wisdom */
SUBX_EXPORT int subx_fft_wisdom_free(subx_fft_wisdom *wisdom);

/* Get the file that a value of the hint subx_wisdom names. Local.
 *   hint    [in]   "auto", "none", or a path
 *   len     [in]   room in path, bytes
 *   path    [out]  the path, cut to len-1 bytes and always terminated; empty if there is no file. May be NULL if len is 0
 *   needed  [out]  bytes of the whole path without the terminator (may be NULL)
 * Errors: ARG, HINT (the path is longer than 1023 bytes). */
SUBX_EXPORT int subx_fft_wisdom_get_path(const char *hint, size_t len, char *path, size_t *needed);

/* Import the entries of a file. They replace those with the same kind and key. Local.
 *   wisdom   [in]   the wisdom
 *   hint     [in]   a path, "auto", or "none", as for the hint subx_wisdom
 *   ignored  [out]  lines that could not be used; subx_fft_wisdom_print tells why (may be NULL)
 * Errors: ARG, HINT (the path is too long), FILE (there is no such file, it is empty, cannot be read, or is of another version
 * or not wisdom), NO_MEM. */
SUBX_EXPORT int subx_fft_wisdom_import(subx_fft_wisdom wisdom, const char *hint, int *ignored);

/* Export to a file: what it has is read again and merged with this wisdom, whose entries count; the file is replaced at once.
 * What was forgotten is removed. Local.
 *   wisdom  [in]  the wisdom
 *   hint    [in]  as for subx_fft_wisdom_import
 * Errors: ARG, HINT (the path is too long), FILE (it cannot be written, or it is of another version or not wisdom, and is left
 * alone), NO_MEM. */
SUBX_EXPORT int subx_fft_wisdom_export(subx_fft_wisdom wisdom, const char *hint);

/* Forget entries. Local.
 *   wisdom  [in]   the wisdom
 *   text    [in]   entries are forgotten whose kind or key contains it; "" is all
 *   count   [out]  how many (may be NULL)
 * Errors: ARG. */
SUBX_EXPORT int subx_fft_wisdom_forget(subx_fft_wisdom wisdom, const char *text, int *count);

/* Print wisdom: a line per entry with its kind, key and value, separated by TABs; then a line that begins with # per file that
 * could not be used, or not as a whole. Local. Arguments and errors are those of subx_type_print.
 *   wisdom  [in]   the wisdom
 *   len     [in]   room in text, bytes
 *   text    [out]  the text, cut to len-1 bytes and always terminated; may be NULL if len is 0
 *   needed  [out]  bytes of the whole text without the terminator (may be NULL) */
SUBX_EXPORT int subx_fft_wisdom_print(subx_fft_wisdom wisdom, size_t len, char *text, size_t *needed);

#ifdef __cplusplus
}
#endif

#endif
