"""The functions and constants of the C libraries, as they are in the headers, for ctypes.

Written by bindings/generate.py from the public headers; changes here are lost. A function whose result in C is an error
raises _error.Error. Pointers to data are addresses or ctypes objects. Handles are addresses. Handles of MPI are ctypes
objects, which _mpi.handle makes from objects of mpi4py.
"""
from ctypes import CFUNCTYPE, POINTER, c_char_p, c_double, c_int, c_size_t, c_ssize_t, c_void_p

from ._error import check as _check
from ._library import load as _load
from ._mpi import MPI_Aint, MPI_Comm, MPI_Count, MPI_Datatype, MPI_Info


def _declare(function, *argtypes):
    function.argtypes = argtypes
    function.restype = c_int
    return function


def _checked(function, *argtypes):
    function.errcheck = _check
    return _declare(function, *argtypes)


VERSION = "0.8.0"
_subx = _load("subx", VERSION)
_subx_fft = _load("subx_fft", VERSION)
_subx_io = _load("subx_io", VERSION)

# subx.h: subarrays in any storage order, process grids, and the exchanges built from them.
SUBX_VERSION_MAJOR = 0
SUBX_VERSION_MINOR = 8
SUBX_VERSION_PATCH = 0
SUBX_NDIMS_MAX = 32
SUBX_ERR_NONE = 0
SUBX_ERR_ARG = 1
SUBX_ERR_NDIMS = 2
SUBX_ERR_SIZE = 3
SUBX_ERR_ORDER = 4
SUBX_ERR_TYPE = 5
SUBX_ERR_NOT_STRIDED = 6
SUBX_ERR_NOT_SUBARRAY = 7
SUBX_ERR_TRUNCATE = 8
SUBX_ERR_TOO_LARGE = 9
SUBX_ERR_NO_MEM = 10
SUBX_ERR_COMM = 11
SUBX_ERR_GRID = 12
SUBX_ERR_HINT = 13
SUBX_ERR_UNAVAILABLE = 14
SUBX_ERR_DIFFERS = 15
SUBX_ERR_MISMATCH = 16
SUBX_ERR_ACTIVE = 17
SUBX_ERR_ALIAS = 18
SUBX_ERR_PROBLEM = 19
SUBX_ERR_SERIAL = 20
SUBX_ERR_PEER = 21
SUBX_ERR_GAP = 22
SUBX_ERR_OVERLAP = 23
SUBX_ERR_FACTOR = 24
SUBX_ERR_FILE = 25
SUBX_ERR_FILE_END = 26
SUBX_ERR_FILE_ARRAY = 27
SUBX_ERR_FILE_KIND = 28
SUBX_ERR_DEVICE = 29
subx_version_get = _checked(_subx.subx_version_get, POINTER(c_int), POINTER(c_int), POINTER(c_int))
subx_error_get_kind = _declare(_subx.subx_error_get_kind, c_int)
subx_error_get_code = _declare(_subx.subx_error_get_code, c_int)
subx_type_create_subarray = _checked(_subx.subx_type_create_subarray, c_int, POINTER(c_int), POINTER(c_int),
                                     POINTER(c_int), c_int, POINTER(c_int), MPI_Datatype, POINTER(MPI_Datatype))
subx_type_create_subarray_c = _checked(_subx.subx_type_create_subarray_c, c_int, POINTER(MPI_Count), POINTER(MPI_Count),
                                       POINTER(MPI_Count), c_int, POINTER(c_int), MPI_Datatype, POINTER(MPI_Datatype))
subx_type_get_subarray = _checked(_subx.subx_type_get_subarray, MPI_Datatype, c_int, POINTER(c_int), POINTER(MPI_Count),
                                  POINTER(MPI_Count), POINTER(MPI_Count), POINTER(c_int), POINTER(c_int),
                                  POINTER(MPI_Datatype))
subx_type_get_layout = _checked(_subx.subx_type_get_layout, MPI_Datatype, c_int, POINTER(c_int), POINTER(MPI_Count),
                                POINTER(MPI_Aint), POINTER(MPI_Count), POINTER(MPI_Aint))
subx_type_print = _checked(_subx.subx_type_print, MPI_Datatype, c_size_t, c_char_p, POINTER(c_size_t))
subx_type_query_match = _checked(_subx.subx_type_query_match, MPI_Datatype, MPI_Datatype, POINTER(c_int),
                                 POINTER(MPI_Count), POINTER(MPI_Datatype), POINTER(MPI_Datatype))
subx_type_query_fileview = _checked(_subx.subx_type_query_fileview, MPI_Datatype, POINTER(c_int))
subx_type_pack = _checked(_subx.subx_type_pack, c_void_p, MPI_Count, MPI_Datatype, c_void_p, MPI_Count,
                          POINTER(MPI_Count))
subx_type_unpack = _checked(_subx.subx_type_unpack, c_void_p, MPI_Count, POINTER(MPI_Count), c_void_p, MPI_Count,
                            MPI_Datatype)
subx_block_get = _checked(_subx.subx_block_get, c_ssize_t, c_int, c_int, POINTER(c_ssize_t), POINTER(c_ssize_t))
subx_block_get_owner = _checked(_subx.subx_block_get_owner, c_ssize_t, c_int, c_ssize_t, POINTER(c_int))
subx_grid_get_dims = _checked(_subx.subx_grid_get_dims, c_int, c_int, c_int, POINTER(c_ssize_t), POINTER(c_int))
subx_grid_create = _checked(_subx.subx_grid_create, MPI_Comm, c_int, POINTER(c_int), POINTER(c_void_p))
subx_grid_get = _checked(_subx.subx_grid_get, c_void_p, c_int, POINTER(c_int), POINTER(c_int), POINTER(c_int))
subx_grid_get_comm = _checked(_subx.subx_grid_get_comm, c_void_p, c_int, POINTER(MPI_Comm))
subx_grid_free = _checked(_subx.subx_grid_free, POINTER(c_void_p))
subx_mem_alloc = _checked(_subx.subx_mem_alloc, MPI_Comm, c_ssize_t, MPI_Info, POINTER(c_void_p))
subx_mem_free = _checked(_subx.subx_mem_free, POINTER(c_void_p))
subx_mem_get_info = _checked(_subx.subx_mem_get_info, c_void_p, POINTER(MPI_Info))
subx_exch_create = _checked(_subx.subx_exch_create, MPI_Comm, POINTER(MPI_Datatype), POINTER(MPI_Datatype), MPI_Info,
                            POINTER(c_void_p))
subx_exch_create_realign = _checked(_subx.subx_exch_create_realign, MPI_Comm, c_int, POINTER(c_ssize_t), c_int, c_int,
                                    POINTER(c_int), POINTER(c_int), MPI_Datatype, MPI_Info, POINTER(c_void_p))
subx_exch_execute = _checked(_subx.subx_exch_execute, c_void_p, c_void_p, c_void_p)
subx_exch_start = _checked(_subx.subx_exch_start, c_void_p, c_void_p, c_void_p)
subx_exch_test = _checked(_subx.subx_exch_test, c_void_p, POINTER(c_int))
subx_exch_wait = _checked(_subx.subx_exch_wait, c_void_p)
subx_exch_get = _checked(_subx.subx_exch_get, c_void_p, POINTER(c_char_p), POINTER(c_ssize_t), POINTER(c_ssize_t),
                         POINTER(c_ssize_t))
subx_exch_get_info = _checked(_subx.subx_exch_get_info, c_void_p, POINTER(MPI_Info))
subx_exch_query_engine = _checked(_subx.subx_exch_query_engine, c_int, POINTER(c_char_p))
subx_exch_free = _checked(_subx.subx_exch_free, POINTER(c_void_p))

# subx_boxes.h: boxes of a global array, redistribution between any boxes, and halo exchange.
subx_boxes_create = _checked(_subx.subx_boxes_create, c_int, POINTER(c_ssize_t), POINTER(c_void_p))
subx_boxes_create_type = _checked(_subx.subx_boxes_create_type, MPI_Datatype, c_int, POINTER(c_ssize_t), MPI_Datatype,
                                  POINTER(c_void_p))
subx_boxes_add = _checked(_subx.subx_boxes_add, c_void_p, POINTER(c_ssize_t), POINTER(c_ssize_t))
subx_boxes_add_ordered = _checked(_subx.subx_boxes_add_ordered, c_void_p, POINTER(c_ssize_t), POINTER(c_ssize_t),
                                  POINTER(c_int))
subx_boxes_add_strided = _checked(_subx.subx_boxes_add_strided, c_void_p, POINTER(c_ssize_t), POINTER(c_ssize_t),
                                  c_ssize_t, POINTER(c_ssize_t))
subx_boxes_get = _checked(_subx.subx_boxes_get, c_void_p, POINTER(c_int), POINTER(c_ssize_t), POINTER(c_int),
                          POINTER(c_int), POINTER(c_ssize_t))
subx_boxes_get_box = _checked(_subx.subx_boxes_get_box, c_void_p, c_int, POINTER(c_ssize_t), POINTER(c_ssize_t),
                              POINTER(c_ssize_t), POINTER(c_ssize_t))
subx_boxes_free = _checked(_subx.subx_boxes_free, POINTER(c_void_p))
subx_boxes_check = _checked(_subx.subx_boxes_check, MPI_Comm, c_void_p, c_int)
subx_exch_create_boxes = _checked(_subx.subx_exch_create_boxes, MPI_Comm, c_void_p, c_void_p, MPI_Datatype, MPI_Info,
                                  POINTER(c_void_p))
subx_halo_create = _checked(_subx.subx_halo_create, MPI_Comm, c_int, POINTER(c_ssize_t), POINTER(c_ssize_t),
                            POINTER(c_ssize_t), POINTER(c_ssize_t), POINTER(c_ssize_t), POINTER(c_int), POINTER(c_int),
                            MPI_Datatype, MPI_Info, POINTER(c_void_p))
subx_halo_execute = _checked(_subx.subx_halo_execute, c_void_p, c_void_p)
subx_halo_start = _checked(_subx.subx_halo_start, c_void_p, c_void_p)
subx_halo_test = _checked(_subx.subx_halo_test, c_void_p, POINTER(c_int))
subx_halo_wait = _checked(_subx.subx_halo_wait, c_void_p)
subx_halo_free = _checked(_subx.subx_halo_free, POINTER(c_void_p))

# subx_fft.h: distributed transforms of arrays of one and more axes.
SUBX_FFT_NONE = 0
SUBX_FFT_C2C = 1
SUBX_FFT_R2C = 2
SUBX_FFT_C2R = 3
SUBX_FFT_DCT1 = 4
SUBX_FFT_DCT2 = 5
SUBX_FFT_DCT3 = 6
SUBX_FFT_DCT4 = 7
SUBX_FFT_DST1 = 8
SUBX_FFT_DST2 = 9
SUBX_FFT_DST3 = 10
SUBX_FFT_DST4 = 11
SUBX_FFT_DHT = 12
SUBX_FFT_R2HC = 13
SUBX_FFT_HC2R = 14
SUBX_FFT_FLOAT = 1
SUBX_FFT_DOUBLE = 2
SUBX_FFT_LONG_DOUBLE = 3
SUBX_FFT_QUAD = 4
SUBX_FFT_FORWARD = -1
SUBX_FFT_BACKWARD = 1
SUBX_FFT_PHYSICAL = 0
SUBX_FFT_SPECTRAL = 1
subx_fft_operation_function = CFUNCTYPE(None, c_void_p, c_int, POINTER(c_ssize_t), POINTER(c_ssize_t),
                                        POINTER(c_ssize_t), c_void_p)
subx_fft_problem_create = _checked(_subx_fft.subx_fft_problem_create, c_int, POINTER(c_int), POINTER(c_ssize_t),
                                   POINTER(c_void_p))
subx_fft_problem_create_copy = _checked(_subx_fft.subx_fft_problem_create_copy, c_void_p, POINTER(c_void_p))
subx_fft_problem_free = _checked(_subx_fft.subx_fft_problem_free, POINTER(c_void_p))
subx_fft_problem_parse = _checked(_subx_fft.subx_fft_problem_parse, c_char_p, POINTER(c_void_p))
subx_fft_problem_print = _checked(_subx_fft.subx_fft_problem_print, c_void_p, c_size_t, c_char_p, POINTER(c_size_t))
subx_fft_problem_query_equal = _checked(_subx_fft.subx_fft_problem_query_equal, c_void_p, c_void_p, POINTER(c_int))
subx_fft_problem_set_precision = _checked(_subx_fft.subx_fft_problem_set_precision, c_void_p, c_int)
subx_fft_problem_set_batch = _checked(_subx_fft.subx_fft_problem_set_batch, c_void_p, c_ssize_t, c_int)
subx_fft_problem_set_modes = _checked(_subx_fft.subx_fft_problem_set_modes, c_void_p, POINTER(c_ssize_t))
subx_fft_problem_set_points = _checked(_subx_fft.subx_fft_problem_set_points, c_void_p, POINTER(c_ssize_t))
subx_fft_problem_set_order = _checked(_subx_fft.subx_fft_problem_set_order, c_void_p, c_int, POINTER(c_int))
subx_fft_problem_set_padded = _checked(_subx_fft.subx_fft_problem_set_padded, c_void_p, c_int)
subx_fft_problem_set_strides = _checked(_subx_fft.subx_fft_problem_set_strides, c_void_p, c_int, POINTER(c_ssize_t),
                                        c_ssize_t)
subx_fft_problem_set_block = _checked(_subx_fft.subx_fft_problem_set_block, c_void_p, c_int, c_int, c_ssize_t)
subx_fft_problem_set_boxes = _checked(_subx_fft.subx_fft_problem_set_boxes, c_void_p, c_int, c_void_p, c_ssize_t)
subx_fft_problem_set_operation = _checked(_subx_fft.subx_fft_problem_set_operation, c_void_p, c_int)
subx_fft_problem_get = _checked(_subx_fft.subx_fft_problem_get, c_void_p, POINTER(c_int), POINTER(c_int),
                                POINTER(c_ssize_t), POINTER(c_ssize_t), POINTER(c_ssize_t))
subx_fft_problem_get_precision = _checked(_subx_fft.subx_fft_problem_get_precision, c_void_p, POINTER(c_int))
subx_fft_problem_get_batch = _checked(_subx_fft.subx_fft_problem_get_batch, c_void_p, POINTER(c_ssize_t),
                                      POINTER(c_int))
subx_fft_problem_get_direction = _checked(_subx_fft.subx_fft_problem_get_direction, c_void_p, POINTER(c_int))
subx_fft_plan_create = _checked(_subx_fft.subx_fft_plan_create, MPI_Comm, c_int, c_int, POINTER(c_ssize_t), MPI_Info,
                                POINTER(c_void_p))
subx_fft_plan_create_problem = _checked(_subx_fft.subx_fft_plan_create_problem, MPI_Comm, c_void_p, MPI_Info,
                                        POINTER(c_void_p))
subx_fft_plan_get_local = _checked(_subx_fft.subx_fft_plan_get_local, c_void_p, c_int, POINTER(c_ssize_t),
                                   POINTER(c_ssize_t), POINTER(c_int), POINTER(c_ssize_t))
subx_fft_plan_get_frequencies = _checked(_subx_fft.subx_fft_plan_get_frequencies, c_void_p, c_int, POINTER(c_ssize_t))
subx_fft_plan_get = _checked(_subx_fft.subx_fft_plan_get, c_void_p, POINTER(c_void_p), POINTER(c_int), POINTER(c_int))
subx_fft_plan_get_info = _checked(_subx_fft.subx_fft_plan_get_info, c_void_p, POINTER(MPI_Info))
subx_fft_plan_get_work = _checked(_subx_fft.subx_fft_plan_get_work, c_void_p, POINTER(c_ssize_t))
subx_fft_plan_print = _checked(_subx_fft.subx_fft_plan_print, c_void_p, c_size_t, c_char_p, POINTER(c_size_t))
subx_fft_execute = _checked(_subx_fft.subx_fft_execute, c_void_p, c_int, c_void_p, c_void_p)
subx_fft_start = _checked(_subx_fft.subx_fft_start, c_void_p, c_int, c_void_p, c_void_p)
subx_fft_test = _checked(_subx_fft.subx_fft_test, c_void_p, POINTER(c_int))
subx_fft_wait = _checked(_subx_fft.subx_fft_wait, c_void_p)
subx_fft_plan_free = _checked(_subx_fft.subx_fft_plan_free, POINTER(c_void_p))
subx_fft_operation_create_function = _checked(_subx_fft.subx_fft_operation_create_function, subx_fft_operation_function,
                                              c_void_p, POINTER(c_void_p))
subx_fft_operation_create_table = _checked(_subx_fft.subx_fft_operation_create_table, c_void_p, c_void_p, c_int,
                                           POINTER(c_void_p))
subx_fft_operation_create_derivative = _checked(_subx_fft.subx_fft_operation_create_derivative, c_void_p,
                                                POINTER(c_double), POINTER(c_int), POINTER(c_void_p))
subx_fft_operation_create_laplacian = _checked(_subx_fft.subx_fft_operation_create_laplacian, c_void_p,
                                               POINTER(c_double), c_int, POINTER(c_void_p))
subx_fft_operation_free = _checked(_subx_fft.subx_fft_operation_free, POINTER(c_void_p))
subx_fft_execute_operation = _checked(_subx_fft.subx_fft_execute_operation, c_void_p, c_int, c_void_p, c_void_p,
                                      c_void_p)
subx_fft_execute_convolution = _checked(_subx_fft.subx_fft_execute_convolution, c_void_p, c_void_p, c_void_p, c_void_p)
subx_fft_start_operation = _checked(_subx_fft.subx_fft_start_operation, c_void_p, c_int, c_void_p, c_void_p, c_void_p)
subx_fft_start_convolution = _checked(_subx_fft.subx_fft_start_convolution, c_void_p, c_void_p, c_void_p, c_void_p)

# subx_io.h: reading and writing distributed arrays in parallel: NumPy's .npy files, raw files, HDF5.
subx_file_write = _checked(_subx_io.subx_file_write, MPI_Comm, c_char_p, c_int, POINTER(c_ssize_t), POINTER(c_ssize_t),
                           POINTER(c_ssize_t), POINTER(c_int), MPI_Datatype, c_void_p, MPI_Info)
subx_file_query_writable = _checked(_subx_io.subx_file_query_writable, MPI_Comm, c_char_p, MPI_Info)
subx_file_read = _checked(_subx_io.subx_file_read, MPI_Comm, c_char_p, c_int, POINTER(c_ssize_t), POINTER(c_ssize_t),
                          POINTER(c_ssize_t), POINTER(c_int), MPI_Datatype, c_void_p, MPI_Info)
subx_file_get = _checked(_subx_io.subx_file_get, MPI_Comm, c_char_p, MPI_Info, c_int, POINTER(c_int),
                         POINTER(c_ssize_t), POINTER(c_int), POINTER(MPI_Datatype))
subx_file_query_format = _checked(_subx_io.subx_file_query_format, c_int, POINTER(c_char_p))

# subx_tune.h: how plans are chosen: hints for experts, kept plans, GPU streams, stages, explanations, predictions, wisdom.
SUBX_FFT_STAGE_SERIAL = 1
SUBX_FFT_STAGE_EXCHANGE = 2
SUBX_FFT_STAGE_SCALE = 3
SUBX_FFT_TEXT = 0
SUBX_FFT_JSON = 1
SUBX_FFT_CSV = 2
subx_fft_query_hint = _checked(_subx_fft.subx_fft_query_hint, c_int, POINTER(c_char_p), c_size_t, c_char_p,
                               POINTER(c_size_t))
subx_fft_free_kept = _checked(_subx_fft.subx_fft_free_kept, MPI_Comm)
subx_fft_query_kept = _checked(_subx_fft.subx_fft_query_kept, POINTER(c_ssize_t))
subx_fft_plan_set_stream = _checked(_subx_fft.subx_fft_plan_set_stream, c_void_p, c_void_p)
subx_fft_plan_get_nstages = _checked(_subx_fft.subx_fft_plan_get_nstages, c_void_p, c_int, POINTER(c_int))
subx_fft_plan_get_stage = _checked(_subx_fft.subx_fft_plan_get_stage, c_void_p, c_int, c_int, POINTER(c_int),
                                   POINTER(c_char_p), POINTER(c_double), POINTER(c_double))
subx_fft_plan_set_times_zero = _checked(_subx_fft.subx_fft_plan_set_times_zero, c_void_p)
subx_fft_query_serial = _checked(_subx_fft.subx_fft_query_serial, c_int, POINTER(c_char_p))
subx_fft_plan_explain = _checked(_subx_fft.subx_fft_plan_explain, c_void_p, c_int, c_size_t, c_char_p,
                                 POINTER(c_size_t))
subx_fft_machine_calibrate = _checked(_subx_fft.subx_fft_machine_calibrate, MPI_Comm, MPI_Info, c_double, c_size_t,
                                      c_char_p)
subx_fft_predict = _checked(_subx_fft.subx_fft_predict, c_void_p, MPI_Info, c_char_p, c_int, POINTER(c_int), c_int,
                            c_size_t, c_char_p, POINTER(c_size_t))
subx_fft_wisdom_create = _checked(_subx_fft.subx_fft_wisdom_create, POINTER(c_void_p))
subx_fft_wisdom_free = _checked(_subx_fft.subx_fft_wisdom_free, POINTER(c_void_p))
subx_fft_wisdom_get_path = _checked(_subx_fft.subx_fft_wisdom_get_path, c_char_p, c_size_t, c_char_p, POINTER(c_size_t))
subx_fft_wisdom_import = _checked(_subx_fft.subx_fft_wisdom_import, c_void_p, c_char_p, POINTER(c_int))
subx_fft_wisdom_export = _checked(_subx_fft.subx_fft_wisdom_export, c_void_p, c_char_p)
subx_fft_wisdom_forget = _checked(_subx_fft.subx_fft_wisdom_forget, c_void_p, c_char_p, POINTER(c_int))
subx_fft_wisdom_print = _checked(_subx_fft.subx_fft_wisdom_print, c_void_p, c_size_t, c_char_p, POINTER(c_size_t))
subx_fft_plan_get_wisdom = _checked(_subx_fft.subx_fft_plan_get_wisdom, c_void_p, c_char_p, c_char_p, c_size_t,
                                    c_char_p, POINTER(c_size_t))
subx_fft_plan_set_wisdom = _checked(_subx_fft.subx_fft_plan_set_wisdom, c_void_p, c_char_p, c_char_p, c_char_p)
