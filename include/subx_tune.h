/* subx_tune.h - how plans are chosen: hints for experts, kept plans, GPU streams, stages, explanations,
 * predictions, wisdom.
 *
 * Part of subarray_x. BSD-3-Clause; see LICENSE. The conventions of subx.h hold here too.
 *
 * The library chooses a plan by its hints (subx_fft.h), by wisdom, by measurement, or by a cost model, in
 * this order. Wisdom is a text file with results of earlier measurements, one entry per line:
 *
 *     subarray_x wisdom 1
 *     checksum TAB kind TAB key TAB value
 *
 * The hint subx_wisdom names the file: "auto" (default) is $XDG_CACHE_HOME/subarray_x/wisdom or
 * $HOME/.cache/subarray_x/wisdom, "none" is no file, anything else is a path. With auto there is no file if
 * the variable is no absolute path, or if there is no home folder. Rank 0 reads the file when a plan is
 * created, and writes it after a measurement. Any number of jobs may use a file at the same time. A file that
 * is damaged, or of another version, is never an error: entries that cannot be used are ignored, and
 * explanations say why.
 */
#ifndef SUBX_TUNE_H
#define SUBX_TUNE_H

#include <subx_fft.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---------------------------------------------------------------------------- hints for experts
 *
 * Hints of subx_fft_plan_create besides those in subx_fft.h. A search above effort estimate finds good values
 * of most of them.
 *   subx_effort    the effort of the search for the fastest values of all hints that the caller does not
 *                  give:
 *                    estimate    (default) the cost model chooses; nothing is executed
 *                    measure     the library executes plans with different strategies, engines and serial
 *                                backends, and with the best grids of the cost model: about a hundred
 *                                executions altogether. For arrays of the host that are much larger than the
 *                                caches, it tries only fused
 *                    patient     also more grids, all engines, fewer threads; then the engine of each
 *                                exchange; then numbers such as slices, widths and cache sizes, by the method
 *                                of Nelder and Mead (Song & Hollingsworth 2014)
 *                  Efforts above estimate need memory for two more arrays and another plan during the search
 *   subx_ranks     how many ranks of comm the plan works on: "all" (default), a number of 1 .. size, or
 *                  "auto". With auto the library takes fewer ranks if the cost model predicts a clear gain
 *                  (Guarrasi and others, CINECA) or, with an effort above estimate, if measurement finds
 *                  fewer ranks faster. auto keeps all ranks if the problem has boxes, or if the caller gives
 *                  subx_grid. For a transform of one axis, the cost model alone decides. The plan works on
 *                  the first ranks of comm; the others are idle: they have no data, and calls for the plan do
 *                  nothing there. A plan with idle ranks has a communicator of its own, and MPI has a limited
 *                  number of communicators. Boxes need all ranks: fewer are UNAVAILABLE
 *   subx_sequence  the order in which forward transforms the axes, such as "2,0,1": each transformed axis
 *                  once, the axis of R2C first. The sequence of axes in subx_fft.h is the reverse of this
 *                  order. "auto" (default): from the last axis to the first. But if the plan uses the grid of
 *                  the problem's boxes, the axes that the boxes divide come last, and subx_fft_plan_get_info
 *                  tells the order
 *   subx_time_limit  seconds that the search may take, approximately; 0 (default) for no limit. After the
 *                  search FFTW's own time limit (fftw_set_timelimit) is reset to none
 *   subx_engine    as for subx_exch_create (subx.h); with strategy fused, all but types and alltoallw. The
 *                  value may be a list such as "node/kway": a word per dimension of the process grid; the
 *                  last word is also for all further dimensions. With alltoallv and persistent, executions by
 *                  subx_fft_start send point to point: collective calls of MPI need a common order on all
 *                  ranks, which plans in flight do not have
 *   subx_input_array    "preserve" (default): executions leave their input unchanged; "destroy": backward may
 *                  destroy its input, which saves an array in some plans of real data. A plan with "destroy"
 *                  does not execute in place (ALIAS), unless the physical side is padded
 *   subx_memory    limit of the work space of each rank (subx_fft_plan_get_work), bytes; 0 (default) for no
 *                  limit. If fused needs more, it runs without overlap. If a plan still needs more, the error
 *                  is NO_MEM. During creation a plan may exceed the limit for a moment
 *   subx_keep      bytes that each rank may keep in freed plans; 0 (default): nothing is kept.
 *                  subx_fft_plan_free then keeps a plan for the next equal request of the same ranks, which
 *                  gets the plan within microseconds. A plan counts as its work space plus 64 KiB. If the
 *                  bytes do not suffice, the oldest plans are freed. A request is equal if the problem, the
 *                  hints, their order, and the environment variables SUBX_* are the same; the communicator
 *                  may be another one with the same ranks in the same order. A plan that was kept ignores
 *                  wisdom that is newer than the plan. A plan on a GPU counts its bytes there and on the
 *                  host; it keeps them until it is freed or the process ends. It is taken again only while
 *                  its GPU is current, and without the stream that it had. Nothing is kept under
 *                  MPI_THREAD_MULTIPLE. subx_fft_free_kept frees the kept plans
 *   subx_memory_kind   where the arrays of executions are, as for subx_exch_create (subx.h). The error is
 *                  UNAVAILABLE if there is no GPU or no support for it, if the precision is neither float nor
 *                  double, and in the cases of the word strategy. Executions return when the result is
 *                  complete, unless the plan has a stream (subx_fft_plan_set_stream). With strategy device
 *                  (default), exchanges also reorder the axes, so that the next axis to transform is
 *                  contiguous; with device_natural they do not. A search executes its candidates on arrays of
 *                  its own in the GPU's memory
 *   subx_verbose   "yes": rank 0 of comm writes the text of subx_fft_plan_print to stderr, once, when the
 *                  plan has been created. "progress": the rank also shows the progress of the search, if the
 *                  search takes longer than a second and stderr is a terminal. "no" (default): nothing. The
 *                  library never prints anything else
 *   subx_wire      what messages carry; for strategies fused, device and device_natural:
 *                    full   (default) all digits
 *                    float  reals rounded to float: half the bytes of double. If some rank sends messages in
 *                           an exchange, all blocks of this exchange are rounded, also the blocks that stay
 *                           in a node or on a rank. Exchanges without messages keep all digits. So float has
 *                           no effect without messages, on one rank, and with precision float. For arrays of
 *                           a GPU, messages are the data that a device carrier brings. UNAVAILABLE with
 *                           strategies stride1 and natural, and with engines types and alltoallw
 *                  Each real is rounded once per exchange. If all axes are c2c, and E exchanges carry floats,
 *                  the error is at most E * 2^-24 times the result (both as 2-norms), and usually half of
 *                  that; E is 1 for slabs and 2 for pencils. subx_fft_plan_print tells the bound of any plan,
 *                  per direction, relative to its input. The numbers in messages must be in the range of
 *                  floats, as for subx_exch_create; the error of a value below 1.2e-38 is at most 7e-46. An
 *                  operation on spectra may enlarge errors
 *   subx_tune      words for experts. The words of an MPI_Info win over those of the variable SUBX_TUNE, word
 *                  by word:
 *   strategy       how axes are transformed and exchanged:
 *                    fused     in tiles that fit into the caches: a tile is gathered (from the memory of
 *                              other ranks, or from memory where messages arrive), transformed, and written
 *                              once
 *                    stride1   exchanges also reorder the axes, so that the next axis to transform is
 *                              contiguous (Yan)
 *                    natural   the axes stay in C order, and serial transforms stride through memory (Dalcin,
 *                              Mortensen & Keyes 2019)
 *                    device, device_natural   on a GPU: only with subx_memory_kind (subx_tune.h), and then no
 *                                             others
 *                  Strategies stride1, natural and device are UNAVAILABLE with boxes, bricks, and one axis on
 *                  several ranks; stride1 and natural also with block sizes, strides, operations, orthonormal
 *                  scaling, or fewer points or modes than sizes. "auto" (default): fused; but stride1 if
 *                  subx_engine is types or alltoallw, which fused cannot use. With an effort above estimate:
 *                  the fastest in measurements
 *   serial         the serial backend: "auto" (default), the best one for each transform; "simd", our own
 *                  kernels, and other backends for precisions that the kernels lack (long double, quad);
 *                  "fftw3", if it was built in; "naive", which evaluates the definition. auto takes simd for
 *                  lengths up to 2048 whose prime factors are small, if the processor has AVX2 or AVX-512;
 *                  with an effort above estimate it compares the times of the backends
 *   rigor          the effort for serial transforms alone: a word of subx_effort, or "exhaustive". It is
 *                  FFTW's planning rigor, and decides whether serial = auto compares times. "auto" (default):
 *                  estimate; but at the end of a search, the library also tries the best two candidates with
 *                  all rigors from measure up to subx_effort. With effort measure, this step is left out for
 *                  large arrays that our own kernels transform
 *   reorder        "yes": the plan numbers the ranks of comm node by node, in the order of the nodes' lowest
 *                  ranks. Rows of the last grid dimension then lie within nodes where this is possible. (The
 *                  word node_ranks changes what a node is.) subx_fft_plan_get_local tells which block a rank
 *                  has; boxes stay with the ranks that set them. "no" (default): the plan numbers ranks as
 *                  comm does
 *   between, window, radix, node_ranks   as for subx_exch_create_realign (subx.h); but with strategy fused,
 *                  between is pairwise by default, and window is the largest number of slices whose receives
 *                  pairwise posts ahead. between may be a list, as subx_engine
 *   check, permute   with stride1 and natural, as for subx_exch_create_realign
 *   device_carrier, device_reader   for plans on a GPU's memory, as for subx_exch_create (subx.h); "auto"
 *                  (default) is also the fastest one that a search finds
 * For strategy fused; device and device_natural read only slices:
 *   overlap        whether messages of one slice travel while another slice is transformed. Names in
 *                  parentheses are from Song & Hollingsworth 2014
 *                    none      no: there is only one slice (NEW-0, TH-0)
 *                    send      each slice is sent as soon as it is transformed; the transforms of the
 *                              received data begin when all slices have come (TH, after Hoefler)
 *                    receive   slices are sent when all are transformed; each received slice is transformed
 *                              as soon as it has come
 *                    both      send and receive; with a grid of one dimension this costs another pass through
 *                              memory (NEW)
 *                  "auto" (default): both if this needs no other pass, else receive
 *   slices         slices of an exchange, 0 .. 65536. Two consecutive passes alternate if each slice goes
 *                  through both passes before the next slice does, and so stays in the caches. The library
 *                  lets passes alternate if all ranks share memory, both passes leave a common axis
 *                  untransformed, and slices is neither 1 nor 2.
 *                  0 (default): slices of about 1 MiB if passes alternate, else up to 4 slices, with messages
 *                  of at least 64 KiB. With the strategies stride1 and natural, the word has the same meaning
 *                  as for subx_exch_create
 *   progress       how often per slice the library lets messages make progress, >= 0 (default 16)
 *   width          largest number of pencils side by side in a tile, >= 0; the last tile of an axis may have
 *                  up to 1.5 times as many. 0 (default): the library chooses
 *   pencils        how pencils lie in a tile: "contiguous", "interleaved", or "auto" (default)
 *   cache          largest number of bytes of a tile, >= 1 (default 1310720, about a second-level cache). A
 *                  tile may have up to four times as many bytes if this saves a pass through memory */

/* Query a hint of subx_fft_plan_create. Local. For programs that list the hints, such as subx-fft --help.
 *   i       [in]   which hint, from 0
 *   name    [out]  the key, such as "subx_grid", a constant string; NULL if there are no more than i hints
 *   len     [in]   size of the buffer text, bytes
 *   text    [out]  the meaning of the hint, its values, and its default, cut to len-1 bytes and always
 *                  terminated: "Threads of each rank. Values: a number, at least 1; default 1"; may be NULL
 *                  if len is 0
 *   needed  [out]  bytes of the whole text without the terminator (may be NULL)
 * Errors: ARG. */
SUBX_EXPORT int subx_fft_query_hint(int i, const char **name, size_t len, char *text, size_t *needed);

/* --------------------------------------------------------------------- plans that are kept */

/* Free the kept plans (hint subx_keep) of all communicators that have the same ranks as comm, in the same
 * order. Collective on comm. Before MPI_Finalize this is not necessary.
 *   comm  [in]  any communicator with these ranks
 * Errors: ARG (comm is MPI_COMM_NULL). */
SUBX_EXPORT int subx_fft_free_kept(MPI_Comm comm);

/* Query the bytes of all plans that this rank keeps, as the hint subx_keep counts them. Local.
 *   bytes  [out]  the sum over all kept plans; a plan counts 64 KiB and the largest work space among its
 *                 ranks
 * Errors: ARG. */
SUBX_EXPORT int subx_fft_query_kept(ptrdiff_t *bytes);

/* ------------------------------------------------------------------------------------ devices */

/* Set the stream in which further executions of a plan on device memory are ordered. Local. Each rank may set
 * a stream or none.
 *
 * An execution begins after the work that is in the stream when the execution is called. Work that the caller
 * puts into the stream afterwards begins after the execution, so this work may read `to` and overwrite
 * `from`. When subx_fft_execute or subx_fft_wait returns, this rank has sent and received all messages of the
 * execution, and the device has finished the work that these messages needed. The transforms and the scaling
 * after the last exchange may still run. An execution without exchanges only puts work into streams. The host
 * and other streams must wait for the stream before they read `to` or write `from`.
 *
 * An execution sends messages only when all work that was in the stream before it is done. If this work waits
 * for something that another rank does, that rank must do it before its own execution, not after it.
 *
 * If the device fails after an execution has returned, the stream reports the failure, or a later execution
 * returns DEVICE. An execution that returns an error leaves no work running. The times of
 * subx_fft_plan_get_stage do not include work that runs after the execution has returned.
 *   plan    [in]  the plan, not in flight
 *   stream  [in]  a stream of the device that was current when the plan was created, such as a cudaStream_t.
 *                 It belongs to the caller, who must not destroy it before the plan gets another stream or is
 *                 freed. For CUDA's default stream give cudaStreamLegacy. NULL (default): executions return
 *                 when the result is complete
 * Errors: ARG, UNAVAILABLE (the plan is not on a device), ACTIVE (the plan is in flight), DEVICE (the device
 * does not know the stream; the plan keeps the stream it had). If a stream has been destroyed, executions
 * return DEVICE, and launch nothing; ranks that need data of this rank get PEER. The device may fail to
 * notice that a stream was destroyed; CUDA's documentation calls the use of such a stream undefined. */
SUBX_EXPORT int subx_fft_plan_set_stream(subx_fft_plan plan, void *stream);

/* ------------------------------------------------------------------------------------- stages */

/* What a stage does: serial transforms, an exchange, or scaling. */
enum { SUBX_FFT_STAGE_SERIAL = 1, SUBX_FFT_STAGE_EXCHANGE = 2, SUBX_FFT_STAGE_SCALE = 3 };

/* Get the number of stages of a direction. Local.
 *   count      [out]  the number of stages
 * Errors: ARG. */
SUBX_EXPORT int subx_fft_plan_get_nstages(subx_fft_plan plan, int direction, int *count);

/* Get a stage and the time that it took on this rank. Local; any output may be NULL.
 *   i          [in]   which stage, in order of execution, from 0
 *   kind       [out]  SUBX_FFT_STAGE_*
 *   name       [out]  a description of the stage, for people; the string belongs to the plan
 *   last       [out]  seconds that the stage took in the latest execution, 0 if there was none
 *   total      [out]  seconds over all executions since the plan was created or subx_fft_plan_set_times_zero
 *                     was called
 * Errors: ARG. */
SUBX_EXPORT int subx_fft_plan_get_stage(subx_fft_plan plan, int direction, int i, int *kind,
                                        const char **name, double *last, double *total);

/* Set the times of all stages back to 0. Local.
 * Errors: ARG. */
SUBX_EXPORT int subx_fft_plan_set_times_zero(subx_fft_plan plan);

/* Query the names of the serial backends. Local.
 * Errors: ARG. */
SUBX_EXPORT int subx_fft_query_serial(int i, const char **name);

/* ------------------------------------------------------------------------------- explanations */

/* Formats of explanations. SUBX_FFT_TEXT is for people, and may change. SUBX_FFT_JSON is one object with
 * these members; others may be added. Times are in seconds, sizes in bytes; a value that is not known is
 * null.
 *
 *   problem, grid, strategy   texts
 *   layout                    a text: how ranks lie on nodes
 *   ranks, nodes              numbers
 *   source                    who chose: "hints", "model", "measured", "wisdom"
 *   hints                     object: the hints in effect without subx_, as texts
 *   stages                    array of objects in the order of forward:
 *     name, kind                kind is "serial", "exchange" or "scale"
 *     axes                      transformed axes; for an exchange, the axis that becomes divided and the axis
 *                               that becomes whole
 *     from_order, to_order      axes as they are stored before and after the stage, innermost first; empty
 *                               for the caller's boxes
 *     engine, slices            only for an exchange
 *     bytes_inside, bytes_between   bytes that a rank sends inside its node and to other nodes: the mean, by
 *                                   the model
 *     bytes_sent                bytes that this rank sends
 *     memory_bytes              bytes that the busiest rank reads and writes, by the model; not for an
 *                               exchange
 *     predicted_s, last_s       time by the model; time of the last execution on this rank
 *   predicted_s, last_s       the sums of all stages
 *   events                    object: forward, backward: what an execution does, as texts such as
 *                             "pass 1; post 2.1; start 2.1; pass 3", with the numbers of stages and slices
 *   candidates                array of objects: name, predicted_s, measured_s, ratio (its time / the first
 *                             candidate's time), outcome ("untried", "measured", "stopped", "failed",
 *                             "unconfirmed"), executions, chosen
 *   planning                  object: seconds, executions
 *   machine                   object, empty if there is no model:
 *     calibrated                whether the values were measured on this machine
 *     flops                     flop/s of a core
 *     memory, cache, across     bytes/s of a rank from memory, from its caches, from another NUMA domain
 *     cache_bytes               bytes of the caches
 *     latency_inside, latency_between, bandwidth_inside, bandwidth_between   of messages inside a node,
 *                                                                            between nodes
 *     stage                     seconds that every stage takes in addition
 *     device_memory, device_launch, device_host, device_link   only for a GPU's memory: as in
 *                                                              subx_fft_machine_calibrate
 *   wire                      object:
 *     exchanges                 how many exchanges carry floats (subx_wire)
 *     forward, forward_least    the 2-norm of the error of forward is at most `forward` times the 2-norm of
 *                               the input, plus `forward_least`
 *     backward, backward_least  the same for backward
 *   warnings, wisdom          arrays of sentences
 *   lost                      as subx_lost of subx_fft_plan_get_info
 *   no_effect                 the caller's hints without effect on this plan, such as "slices 8, permute
 *                             send", and the environment variables that the plan ignores; empty if there are
 *                             none
 *   work_bytes                work space of this rank */
enum { SUBX_FFT_TEXT = 0, SUBX_FFT_JSON = 1 };

/* Explain a plan. Local. The text for people tells what the members of SUBX_FFT_JSON tell.
 *   format  [in]   SUBX_FFT_TEXT or SUBX_FFT_JSON
 * Errors: ARG. */
SUBX_EXPORT int subx_fft_plan_explain(subx_fft_plan plan, int format, size_t len, char *text, size_t *needed);

/* -------------------------------------------------------------------------------- calibration */

/* Measure the parameters of the cost model on the ranks of a communicator, and put them into wisdom. Later
 * plans use them if the number of ranks per node, the processor, MPI and the version of this library are the
 * same. Collective on comm. With the hint subx_memory_kind, the GPUs of the ranks are measured, too; later
 * plans in such memory use the result if also the GPU and the versions of its software are the same:
 *   device_memory   bytes/s, read plus written, of a copy in a GPU's memory
 *   device_launch   seconds of a kernel that has hardly any work, one of 16 in a row
 *   device_host     bytes/s of copies from a GPU to the host's memory and back, one after the other
 *   device_link     bytes/s that a rank sends from its GPU to the GPU of another rank of its node, by an
 *                   exchange
 * All ranks measure at the same time. If several ranks use a GPU, each has its share.
 *   comm     [in]   the ranks; an intra-communicator. Use all cores of a node, and several nodes
 *   hints    [in]   subx_wisdom, subx_memory_kind, node_ranks in subx_tune; MPI_INFO_NULL for none
 *   seconds  [in]   how long the measurement may take, about; > 0
 *   len      [in]   size of the buffer text, bytes
 *   text     [out]  the parameters, such as "flops 2.1e+10, memory 1.2e+10, ..", the same on all ranks; may
 *                   be NULL if len is 0
 * Errors: COMM, HINT, DIFFERS, ARG, NO_MEM, UNAVAILABLE and DEVICE (of a GPU), FILE (the file cannot be
 * written; the text is valid). */
SUBX_EXPORT int subx_fft_machine_calibrate(MPI_Comm comm, MPI_Info hints, double seconds, size_t len,
                                           char *text);

/* ------------------------------------------------------------------------------- predictions */

/* A format of predictions besides SUBX_FFT_TEXT and SUBX_FFT_JSON: a line of column names, and a line for
 * each number of ranks. */
enum { SUBX_FFT_CSV = 2 };

/* Predict the time of one forward transform on a machine that is only described, by the cost model. For each
 * number of ranks the prediction has the cheapest process grid; the time with this grid, and its parts in
 * passes and exchanges; the limit, which is the time that the busiest node's link needs for the bytes that
 * leave the node; the share limit / time; and whether the links of nodes or the links of groups are the
 * slowest ones. Ranks fill the nodes one after the other, and nodes fill the groups one after the other. In
 * the model nothing overlaps: messages do not overlap with passes, and the exchanges of a transform do not
 * overlap with each other. Local.
 *
 * The description of the machine has a line `name = value` per value, in any order; # begins a comment. Sizes
 * are bytes, rates bytes/s, times seconds:
 *   ranks_per_node, cores_per_node   whole numbers
 *   flops              flop/s of a core in transforms; N complex points count as 5 N log2 N
 *   memory_bandwidth   rate of a node, read plus written; its ranks and their threads share it
 *   calibrated         instead of the two lines before, or in addition: the line that subx-fft --calibrate
 *                      prints
 *   link_bandwidth     rate of a node's link to the network, one direction
 *   latency            time of a message between nodes; counts once per exchange
 *   overhead           time that a rank needs per message to another node
 *   topology           switch: only the links of nodes limit the rate
 *                      fat_tree: a group is the nodes of a leaf switch, whose links upwards are loaded
 *                      equally dragonfly: messages between two groups take the links between these two
 *                      (minimal routing)
 *   nodes_per_group, tapering   not for switch. tapering, at least 1, is a quotient: the rate of the links of
 *                      all nodes of a group / the rate of all links from this group to other groups
 *   cache_bandwidth, cache_bytes   rate and size of a core's caches; may be left out
 *   overhead_inside, bandwidth_inside   as overhead, and rate of a rank, for messages inside a node; may be
 *                                       left out
 *   stage              time that each stage takes in addition; may be left out
 *
 *   problem  [in]   the problem; without boxes, and with more than one axis
 *   hints    [in]   as for subx_fft_plan_create_problem; a brick cannot be predicted. MPI_INFO_NULL for none
 *   machine  [in]   the description
 *   n        [in]   how many numbers of ranks, at least 1
 *   nranks   [in]   the numbers of ranks, n of them, each from 1 to 2^24
 *   format   [in]   SUBX_FFT_TEXT, SUBX_FFT_JSON: one object, or SUBX_FFT_CSV
 * Errors: ARG, HINT (the text of the error tells what is wrong, also in the description), GRID, UNAVAILABLE,
 * NO_MEM. */
SUBX_EXPORT int subx_fft_predict(subx_fft_problem problem, MPI_Info hints, const char *machine, int n,
                                 const int nranks[], int format, size_t len, char *text, size_t *needed);

/* ------------------------------------------------------------------------------------- wisdom */

/* Wisdom in memory: the entries of a file. For programs that edit wisdom; plans read and write the file
 * themselves. All functions of this section are local. */
typedef struct subx_fft_wisdom_s *subx_fft_wisdom;
#define SUBX_FFT_WISDOM_NULL ((subx_fft_wisdom)0)

/* Create wisdom without entries. Local.
 * Errors: ARG, NO_MEM. */
SUBX_EXPORT int subx_fft_wisdom_create(subx_fft_wisdom *wisdom);

/* Free wisdom. Local. Errors: none. */
SUBX_EXPORT int subx_fft_wisdom_free(subx_fft_wisdom *wisdom);

/* Get the file that a value of the hint subx_wisdom names. Local.
 *   hint    [in]   "auto", "none", or a path
 *   len     [in]   size of the buffer path, bytes
 *   path    [out]  the path, cut to len-1 bytes and always terminated; empty if there is no file. May be NULL
 *                  if len is 0
 *   needed  [out]  bytes of the whole path without the terminator (may be NULL)
 * Errors: ARG, HINT (the path is longer than 1023 bytes). */
SUBX_EXPORT int subx_fft_wisdom_get_path(const char *hint, size_t len, char *path, size_t *needed);

/* Import the entries of a file. They replace entries with the same kind and key. Local.
 *   hint     [in]   a path, "auto", or "none", as for the hint subx_wisdom
 *   ignored  [out]  number of lines that could not be used; subx_fft_wisdom_print tells why (may be NULL)
 * Errors: ARG, HINT (the path is too long), FILE (the file does not exist, is empty, cannot be read, is of
 * another version, or is not wisdom), NO_MEM. */
SUBX_EXPORT int subx_fft_wisdom_import(subx_fft_wisdom wisdom, const char *hint, int *ignored);

/* Export wisdom to a file. The file is read again and merged with this wisdom: for equal kind and key, the
 * entry of this wisdom is kept, and forgotten entries are removed. The new file replaces the old one in one
 * step. Local.
 *   hint    [in]  as for subx_fft_wisdom_import
 * Errors: ARG, HINT (the path is too long), FILE (the file cannot be written; or it is of another version or
 * not wisdom, and is left unchanged), NO_MEM. */
SUBX_EXPORT int subx_fft_wisdom_export(subx_fft_wisdom wisdom, const char *hint);

/* Forget the entries whose kind or key contains a text. Local.
 *   text    [in]   the text; "" forgets all entries
 *   count   [out]  number of forgotten entries (may be NULL)
 * Errors: ARG. */
SUBX_EXPORT int subx_fft_wisdom_forget(subx_fft_wisdom wisdom, const char *text, int *count);

/* Print wisdom: a line per entry with its kind, key and value, separated by TABs; then, for each file with
 * lines that could not be used, a line that begins with #. Local.
 * Errors: ARG. */
SUBX_EXPORT int subx_fft_wisdom_print(subx_fft_wisdom wisdom, size_t len, char *text, size_t *needed);

/* Get an entry that a caller has made about a plan, in the file of the plan's hint subx_wisdom. The entry's
 * key is that of the plan's own entry (problem, ranks, hints, version of this library, processor, MPI, FFTW),
 * followed by the caller's text `what`. So an entry is found only for an equal plan on an equal machine.
 * Local; call it on one rank and send the value to the others.
 *   kind    [in]   the kind of the entry, such as the caller's name; not "plan", "machine" or "fftw"
 *   what    [in]   what the entry is about, on one line
 *   len     [in]   size of the buffer value, bytes
 *   value   [out]  the value, cut to len-1 bytes and always terminated; empty if there is no entry that can
 *                  be used. May be NULL if len is 0
 *   needed  [out]  bytes of the whole value without the terminator (may be NULL)
 * Errors: ARG (also if the key is too long), NO_MEM. */
SUBX_EXPORT int subx_fft_plan_get_wisdom(subx_fft_plan plan, const char *kind, const char *what, size_t len,
                                         char *value, size_t *needed);

/* Set an entry about a plan, which replaces the earlier one with the same kind and key. Does nothing if the
 * plan's hint subx_wisdom is "none". Local; call it on one rank.
 *   kind   [in]  as for subx_fft_plan_get_wisdom
 *   what   [in]  as for subx_fft_plan_get_wisdom
 *   value  [in]  the value, on one line
 * Errors: ARG (also if a text has control characters), FILE (the file cannot be written), NO_MEM. */
SUBX_EXPORT int subx_fft_plan_set_wisdom(subx_fft_plan plan, const char *kind, const char *what,
                                         const char *value);

#ifdef __cplusplus
}
#endif

#endif
