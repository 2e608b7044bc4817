/* subx_tune.h - how plans are chosen: explanations, wisdom, and the calibration of the cost model.
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

/* Free wisdom. Local. *wisdom becomes SUBX_FFT_WISDOM_NULL. */
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
 * could not be used, or not as a whole. Local. Arguments and errors are those of subx_type_print. */
SUBX_EXPORT int subx_fft_wisdom_print(subx_fft_wisdom wisdom, size_t len, char *text, size_t *needed);

#ifdef __cplusplus
}
#endif

#endif
