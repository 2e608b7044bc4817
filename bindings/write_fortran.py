"""write_fortran.py - write the friendly layer of the Fortran modules, as far as it follows from the headers.

These are the modules subx, subx_fft and subx_io, above the raw layer (write_fortran_raw.py). A parameter's type and name
decide how it looks in Fortran, by the tables below: lists of axes are reversed, indices count from 1, flags are logical,
texts are allocatable. For a function with lengths there is a procedure with default integers and one with integers of 64
bits. If a function has handles of MPI, each of these procedures exists for the module mpi and for mpi_f08. The procedure with
64 bits for mpi calls C; the others call this one. Procedures that the tables cannot describe are written by hand, in
fortran/subx_fft_extra.f90.
"""
import re

import headers
from write_fortran_raw import FOLDER, KINDS, MPI_HANDLES, OPERATORS, get_module, list_names, wrap

# ---- what parameters mean

INDEX = {"ptrdiff_t", "MPI_Count", "MPI_Aint"}
# Lists with an entry per axis or dimension of a grid: reversed, because the first axis in Fortran is the last one in C.
PER_AXIS = {"sizes", "subsizes", "starts", "start", "len", "below", "above", "periodic", "stride", "strides", "kinds", "modes",
            "points", "shape", "lengths", "orders", "dims", "coords"}
FROM_ONE = {"starts", "start", "i", "first"}
ORDERS = {"order", "sorder", "rorder"}
AXES = {"v", "w", "axis", "dim"}
FLAGS = {"match", "ok", "flag", "equal", "is_strided", "must_cover", "interleaved", "padded", "has_operation", "is_conjugate",
         "periodic"}
# The lists of these functions are in the order of memory, innermost first, in C and in Fortran.
INNERMOST_FIRST = {"subx_type_get_layout"}
# Numbers of bytes are always of 64 bits.
BYTES = {"bytes", "send_bytes", "recv_bytes", "work_bytes", "block_bytes", "alloc_bytes"}
# Functions of C for which no procedure of the same name is written here: the procedure is written by hand, or a procedure for
# another function of C has the name.
BY_HAND = {"subx_type_create_subarray", "subx_fft_plan_get_frequencies", "subx_fft_operation_create_function",
           "subx_fft_operation_create_table", "subx_fft_operation_free"}
RENAMED = {"subx_type_create_subarray_c": "subx_type_create_subarray"}
# What the procedures for these functions do in their own way.
NOTES = {"subx_type_get_subarray": "Axes are those of the Fortran array: axis 1 is contiguous unless order says otherwise, "
                                   "even if the type was created with MPI_ORDER_C.",
         "subx_grid_get_comm": "If dim is 1 .. g, the communicator has the ranks whose coordinates equal this rank's, except "
                               "coordinate dim; if dim is 0, it has all ranks."}
# The names that each module exports from the modules that are written by hand.
EXTRA = {"subx": ["SUBX_INDEX_KIND"],
         "subx_fft": ["subx_fft_plan_get_frequencies", "subx_fft_plan_allocate", "subx_fft_plan_get_array", "subx_fft_free",
                      "subx_fft_operation_create_function", "subx_fft_operation_create_table", "subx_fft_operation_free"],
         "subx_io": []}
MODULES = {"subx": ["subx.h", "subx_boxes.h"], "subx_fft": ["subx_fft.h", "subx_tune.h"], "subx_io": ["subx_io.h"]}
TITLES = {"subx": "datatypes, process grids, exchanges, boxes, halos", "subx_fft": "transforms of distributed arrays",
          "subx_io": "files of distributed arrays"}
HEAD = """\
! {module}.f90 - {title}
!
! Written by bindings/generate.py from the headers; changes here are lost. The rules, which hold for all procedures:
!
!   - Names and arguments are as in C, but arguments that tell the length of another argument are left out. Optional
!     arguments come last, and the very last one is ierror. If ierror is absent, an error goes to the error handler of the
!     communicator, or of MPI_COMM_WORLD if the call has no communicator: by default the program stops with the error's text.
!   - Arrays are Fortran's: the first axis is contiguous unless an order says otherwise. Transforms of real data halve the
!     first axis. Axes, elements and the entries of lists are counted from 1; ranks, coordinates and offsets from 0.
!   - Texts are the same in all languages: problems, hints and files name the axes as C does, the last one contiguous. The
!     array u(40,48,64) is r2c:64x48x40 in a text, and has the shape (64, 48, 40) in a file. A grid 2x3 divides the last
!     axis among 2 ranks, and the last but one among 3.
!   - Handles of MPI are those of mpi_f08 or of mpi. Lengths and indices are default integers, or integers of kind
!     SUBX_INDEX_KIND; in a call, all of them have the same kind. Numbers of bytes are always of kind SUBX_INDEX_KIND.
!   - Buffers are arrays of any type, kind and rank. They must be contiguous. There is one exception: executions of plans also
!     take the pointers of subx_fft_plan_get_array, which may have gaps.
module {module}
  use, intrinsic :: iso_c_binding
  use mpi_f08, only: MPI_SUCCESS, MPI_COMM_NULL, MPI_DATATYPE_NULL, MPI_INFO_NULL, MPI_Comm, MPI_Datatype, MPI_Info, &
    MPI_ORDER_C, MPI_ORDER_FORTRAN
  use subx_support
"""


class Argument:
    """A dummy argument of a friendly procedure."""

    def __init__(self, p, spelt, array=False, optional=False, intent=None):
        self.name = p.name
        self.spelt = spelt  # the type; "index" and MPI's handles are different types in the variants of a procedure
        self.array, self.optional = array, optional
        self.intent = intent or {"in": "in", "out": "out", "in,out": "inout"}[p.direction]

    def declare(self, wide, f08):
        spelt = self.spelt
        if spelt == "index":
            spelt = "integer(SUBX_INDEX_KIND)" if wide else "integer"
        elif spelt in MPI_HANDLES:
            spelt = f"type({spelt})" if f08 else "integer"
        intent = f", intent({self.intent})" if self.intent else ""
        optional = ", optional" if self.optional else ""
        dimension = "(:)" if self.array is True else self.array or ""
        return f"    {spelt}{intent}{optional} :: {self.name}{dimension}"


class Procedure:
    """The procedures that stand for a function of C: collected by read_*, written by write_*."""

    def __init__(self, f, handles, model):
        self.f, self.handles = f, handles
        self.text = next(g.text for g in model.select(headers.Function) if g.name == RENAMED.get(f.name, f.name))
        self.name = RENAMED.get(f.name, f.name)
        self.specific = self.name.replace("subx_", "", 1)  # the variants of a procedure add suffixes
        self.call = f.name.replace("subx_", "c_", 1)
        self.arguments, self.actual, self.local, self.before, self.after = [], [], [], [], []
        self.always, self.checked, self.length = [], [], ""
        names = {p.name for p in f.parameters}
        self.is_storage = any(p.name == "storage" and p.direction == "in" for p in f.parameters)
        # is_stored: C tells the storage order, and the lists of axes are turned accordingly.
        self.is_stored = f.name == "subx_type_get_subarray"
        self.is_execution = {"from", "to"} <= names and f.library == "subx_fft"
        # has_axes: lists of axes are translated. owner: the object that knows the number of axes, if no argument does.
        self.has_axes = any(p.name in PER_AXIS | ORDERS | AXES and (p.is_array or p.name in AXES) for p in f.parameters)
        owners = "subx_grid", "subx_boxes", "subx_fft_problem", "subx_fft_plan"
        self.owner = next((p for p in f.parameters if p.base in owners and not p.stars), None) \
            if not names & {"ndims", "maxdims", "g"} else None
        for p in f.parameters:
            self.read(p)
        self.arguments.sort(key=lambda a: a.name in ORDERS if self.is_stored else a.optional)
        if self.is_execution:
            self.check_arrays(names)

    # -- from the parameters of C to arguments

    def read(self, p):
        out = p.direction != "in"
        if p.name in ("ndims", "g") and not out:
            self.actual.append("nd" if p.name == "ndims" else "size(dims)")
        elif p.name == "maxdims":
            self.actual.append("SUBX_NDIMS_MAX")
        elif p.name in ("len", "needed") and p.base == "size_t":
            self.actual.append("needed" if p.name == "needed" else "room")
        elif p.name == "storage":
            self.read_storage(p)
        elif p.base == "char":
            self.read_text(p)
        elif p.base == "void":
            self.read_memory(p)
        elif p.base.endswith("_function"):
            self.take(Argument(p, "type(c_funptr)"), p.name)
        elif p.base in MPI_HANDLES:
            self.read_mpi_handle(p)
        elif p.base in self.handles:
            self.take(Argument(p, f"type({p.base})", optional=p.is_optional), p.name)
        elif p.is_array:
            self.read_list(p)
        else:
            self.read_scalar(p)

    def take(self, argument, actual):
        self.arguments.append(argument)
        self.actual.append(actual)

    def keep(self, p, kind, dimension=""):
        """Let C write an output into a local variable of the procedure."""
        self.local.append(f"{kind} :: c_{p.name}{dimension}")
        self.actual.append(f"c_{p.name}")

    def present(self, p, statement):
        return f"if (present({p.name})) {statement}" if p.is_optional else statement

    def read_storage(self, p):
        if p.direction == "in":
            self.actual.append("MPI_ORDER_FORTRAN")
            return
        if self.is_stored:
            self.keep(p, "integer(c_int)")
            return
        self.arguments.append(Argument(p, "integer", optional=p.is_optional))
        self.keep(p, "integer(c_int)")
        self.after.append(self.present(p, f"storage = merge(MPI_ORDER_FORTRAN, MPI_ORDER_C, c_{p.name} == MPI_ORDER_C)"))

    def read_text(self, p):
        if p.direction == "in":
            self.take(Argument(p, "character(*)"), f"c_text({p.name})")
        elif p.stars == 2:
            self.arguments.append(Argument(p, "character(:), allocatable", optional=p.is_optional))
            self.keep(p, "type(c_ptr)")
            self.after.append(self.present(p, f"{p.name} = text_at(c_{p.name})"))
        else:
            self.arguments.append(Argument(p, "character(:), allocatable"))
            self.length = p.name
            self.actual.append("buffer")

    def read_memory(self, p):
        if p.stars == 2 or p.name in ("mem", "context", "stream"):
            self.take(Argument(p, "type(c_ptr)"), p.name)
        else:
            intent = "in" if p.direction == "in" else "inout"
            spelt = "type(*), target" + ", asynchronous" * self.is_start()
            actual = f"fitting({p.name}, wrong)" if self.is_execution else f"address({p.name})"
            self.take(Argument(p, spelt, "(..)", intent=intent), actual)

    def is_start(self):
        return self.is_execution and "_start" in self.f.name

    def check_arrays(self, names):
        """Let an execution check its arrays. If one does not fit, C gets none; afterwards the check sets its error again, because
        C has replaced the text. After a start, subx_fft_wait returns an error."""
        direction = ", direction" if "direction" in names else ""
        self.local.append("integer(c_int) :: wrong")
        self.before.append(f"call check_arrays(plan, from, to, wrong{direction})")
        if not self.is_start():
            self.always.append(f"if (wrong /= MPI_SUCCESS) call check_arrays(plan, from, to, code{direction})")

    def read_mpi_handle(self, p):
        word = MPI_HANDLES[p.base]
        if p.direction == "in":
            self.take(Argument(p, p.base, p.is_array), f"{word}_c({p.name})")
        else:
            self.arguments.append(Argument(p, p.base))
            self.keep(p, f"type(subx_mpi_{word})")
            self.before.append(f"c_{p.name} = {word}_c({p.base.upper()}_NULL%MPI_VAL)")
            self.always.append(f"{p.name} = {word}_f(c_{p.name})")

    def is_first_index(self):
        """Query whether the next index is the first one. The first one is never optional: its kind selects the variant."""
        return not any(a.spelt == "index" for a in self.arguments)

    def is_reversed(self, p):
        return p.name in PER_AXIS and not self.is_storage and self.f.name not in INNERMOST_FIRST

    def read_list(self, p):
        index = p.base in INDEX
        spelt = "logical" if p.name in FLAGS else "index" if index else "real(c_double)" if p.base == "double" else "integer"
        if p.direction == "in":
            self.read_input_list(p, spelt, p.is_optional and not index or p.name in ORDERS)
        else:
            optional = p.direction == "out" and p.is_optional and not (index and self.is_first_index())
            self.read_output_list(p, spelt, optional or p.direction == "out" and p.name in ORDERS)

    def read_input_list(self, p, spelt, optional):
        self.arguments.append(Argument(p, spelt, True, optional))
        expression = f"flag({p.name})" if p.name in FLAGS else p.name
        if p.name in ORDERS:
            expression = f"{p.name} - 1" if self.is_storage else f"nd - {p.name}"
        elif self.is_reversed(p):
            expression = f"reversed({expression})"
        if p.name in FROM_ONE:
            expression += " - 1"
        if p.name != "dims":
            self.checked.append((p.name, optional))
        if optional:
            self.local.append(f"{KINDS[p.base]}, allocatable :: c_{p.name}(:)")
            self.before.append(f"if (present({p.name})) allocate(c_{p.name}, source={expression})")
            expression = f"c_{p.name}"
        self.actual.append(expression)

    def read_output_list(self, p, spelt, optional):
        self.arguments.append(Argument(p, spelt, True, optional, "inout"))
        if p.direction == "in,out":  # numbers of ranks; 0 where the library chooses
            self.keep(p, KINDS[p.base], "(size(dims))")
            self.before.append(f"c_{p.name} = reversed({p.name})")
            section = f"c_{p.name}"
        else:
            self.keep(p, KINDS[p.base], "(SUBX_NDIMS_MAX)")
            section = f"c_{p.name}(1:{'g' if any(q.name == 'g' for q in self.f.parameters) else 'nd'})"
        if self.is_stored and p.name in ORDERS:
            value = f"merge(nd - {section}, {section} + 1, c_storage == MPI_ORDER_C)"
        elif self.is_stored:
            value = f"stored({section}, c_storage)"
        else:
            value = f"nd - {section}" if p.name in ORDERS else f"reversed({section})" if self.is_reversed(p) else section
        if p.name in FROM_ONE:
            value += " + 1"
        self.after.append(f"call put({value}, {p.name}, code)")

    def read_scalar(self, p):
        out = p.direction != "in"
        index = p.base in INDEX
        if p.name in FLAGS:
            self.arguments.append(Argument(p, "logical", optional=p.is_optional))
            if not out:
                self.actual.append(f"flag({p.name})")
                return
            self.keep(p, "integer(c_int)")
            self.after.append(self.present(p, f"{p.name} = c_{p.name} /= 0"))
            return
        if p.name == "ndims" or p.name == "g":
            self.arguments.append(Argument(p, "integer", optional=p.is_optional and self.f.name != "subx_fft_plan_get"))
            self.actual.append("nd" if p.name == "ndims" else p.name)
            if p.name == "ndims":
                self.after.append(self.present(p, "ndims = nd"))
            return
        spelt = "real(c_double)" if p.base == "double" else "integer"
        if index:
            spelt = "integer(SUBX_INDEX_KIND)" if p.name in BYTES else "index"
        optional = p.is_optional and not (spelt == "index" and self.is_first_index())
        argument = Argument(p, spelt, optional=optional, intent="inout" if spelt == "index" and out else None)
        if out and p.name in FROM_ONE:
            self.arguments.append(argument)
            self.keep(p, KINDS[p.base])
            self.before.append(f"c_{p.name} = -1")
            statement = f"{p.name} = c_{p.name} + 1"
            self.after.append(f"if (present({p.name})) {statement}" if optional else statement)
            return
        self.take(argument, f"{p.name} - 1" if p.name in FROM_ONE else "dimension_c(dim, nd)" if p.name == "dim"
                  else f"nd - {p.name}" if p.name in AXES else p.name)

    # -- the texts of the procedures

    def variants(self):
        """Get (suffix, wide, f08) of the specific procedures; the first one calls C."""
        wide = [True] + [False] * any(a.spelt == "index" for a in self.arguments)
        f08 = [False] + [True] * any(a.spelt in MPI_HANDLES for a in self.arguments)
        both = [(w, h) for w in wide for h in f08]
        if len(both) == 1:
            return [("", True, False)]
        return [(("_64" if w else "_32") * (len(wide) > 1) + ("_f08" if h else "_mpi") * (len(f08) > 1), w, h) for w, h in both]

    def heading(self, suffix, wide, f08):
        names = ", ".join([a.name for a in self.arguments] + ["ierror"])
        lines = wrap(f"  subroutine {self.specific}{suffix}({names})")
        lines += [a.declare(wide, f08) for a in self.arguments]
        return lines + ["    integer, intent(out), optional :: ierror"]

    def ending(self):
        comm = next((a.name for a in self.arguments if a.spelt == "MPI_Comm" and a.intent == "in"), "")
        return [f"    call finish(code, ierror{', ' + comm if comm else ''})", "  end subroutine"]

    def write_axes(self):
        """Write the statements that set nd, the number of axes, and check the lengths of lists. If there is no owner, and lists
        have different lengths, nd is 0: C then returns an error, in a collective call on all ranks."""
        lists = [f"size({name})" for name, optional in self.checked if not optional]
        may_be_absent = [name for name, optional in self.checked if optional]
        if self.owner:
            lines = [f"call get_ndims({self.owner.name}, nd, code)"]
            return lines + [f"{f'if (present({name})) ' if optional else ''}call check_size({name}, nd, code)"
                            for name, optional in self.checked]
        lines = [f"nd = common_size([{', '.join(lists)}])" if len(lists) > 1 else f"nd = {lists[0]}"] if lists else []
        return lines + [f"if (present({name})) nd = common_size([nd, size({name})])" for name in may_be_absent]

    def uses_nd(self):
        return "nd" in self.actual or self.owner and self.has_axes

    def write_first(self, suffix):
        """Write the variant that calls C."""
        lines = self.heading(suffix, True, False)
        uses_nd = self.uses_nd()
        has_input = any(q.name == "ndims" and q.direction == "in" for q in self.f.parameters) or self.owner
        lines += ["    integer(c_int) :: code" + (", nd" if uses_nd else "")] + ["    " + one for one in self.local]
        if self.length:
            lines += ["    character(:), allocatable :: buffer", "    integer(c_size_t) :: room" +
                      (", needed" if "needed" in self.actual else "")]
        lines.append("")
        axes = self.write_axes() if uses_nd and has_input else []
        lines += [w for one in axes + self.before for w in wrap("    " + one)]
        guard = "if (code == MPI_SUCCESS) " if any("code" in one for one in axes) else ""
        call = f"{self.call}({', '.join(self.actual)})"
        if self.length:
            lines += self.write_text_calls(call)
        else:
            lines += wrap(f"    {guard}code = {call}") + ["    " + one for one in self.always]
        if len(self.after) == 1 and not self.after[0].startswith("if"):
            guard = "" if self.after[0].startswith("call put") else "if (code == MPI_SUCCESS) "
            return lines + wrap(f"    {guard}{self.after[0]}") + self.ending()
        if self.after:
            lines += ["    if (code == MPI_SUCCESS) then"]
            lines += [w for one in self.after for w in wrap("      " + one)] + ["    end if"]
        return lines + self.ending()

    def write_text_calls(self, call):
        """Write the calls of a function that returns a text. If the function can tell the length, the first call asks for it."""
        if "needed" in self.actual:
            asked = call.replace("buffer, needed", "needed=needed").replace("room", "0_c_size_t")
            lines = wrap(f"    code = {asked}") + ["    room = merge(needed, 0_c_size_t, code == MPI_SUCCESS) + 1"]
            again = "if (code == MPI_SUCCESS) "
        else:
            lines, again = ["    room = 1024"], ""
        lines += ["    allocate(character(room) :: buffer)", "    buffer(1:1) = c_null_char"]
        lines += wrap(f"    {again}code = {call}")
        return lines + [f"    {self.length} = buffer(1:index(buffer, c_null_char) - 1)"]

    def write_other(self, suffix, wide, f08, first):
        """Write a variant that calls the first one, with other kinds or handles."""
        lines, before, after, actual = self.heading(suffix, wide, f08), [], [], []
        for a in self.arguments:
            if a.spelt in MPI_HANDLES and f08:
                actual.append(f"{a.name}%MPI_VAL")
            elif a.spelt == "index" and not wide and a.intent == "in":
                actual.append(f"int({a.name}, SUBX_INDEX_KIND)")
            elif a.spelt == "index" and not wide:
                lines.append(f"    integer(SUBX_INDEX_KIND), allocatable :: wide_{a.name}" + ("(:)" if a.array else ""))
                before.append(f"    call widen({a.name}, wide_{a.name})")
                after.append(f"    call narrow(wide_{a.name}, {a.name}, ierror)")
                actual.append(f"wide_{a.name}")
            else:
                actual.append(a.name)
        if before:
            lines.append("")
        lines += before + wrap(f"    call {self.specific}{first}({', '.join(actual + ['ierror'])})") + after
        return lines + ["  end subroutine"]

    def write(self):
        variants = self.variants()
        lines = ["", f"  ! {self.summary()}"] + self.write_first(variants[0][0])
        for suffix, wide, f08 in variants[1:]:
            lines += [""] + self.write_other(suffix, wide, f08, variants[0][0])
        return lines

    def summary(self):
        text = " ".join(self.text.split()).replace("in C order", "in the order of Fortran")
        sentence = re.match(r".*?(?<!\.)[.:](?= |$)", text).group(0)
        return "\n  ! ".join(fill(sentence.rstrip(":.") + ". " + NOTES.get(self.name, "")))


# Interfaces of the functions of C that make arrays for plans: each function exists for these types.
ARRAYS = {"real32": "real(c_float)", "real64": "real(c_double)", "complex32": "complex(c_float_complex)",
          "complex64": "complex(c_double_complex)"}
ALLOCATE = """\
  ! Allocate a new array of a side of a plan, real or complex, in single or double precision:
  !
  !     real(c_double), allocatable :: u(:,:,:)
  !     call subx_fft_plan_allocate(plan, SUBX_FFT_PHYSICAL, u)
  !
  ! The type, kind and rank of the array must fit the side of the plan, else the error is SUBX_ERR_ARG. The bounds become global
  ! indices: u(i,j,k) is element i, j, k of the whole array. Dimensions are in storage order: dimension k is axis order(k) of
  ! subx_fft_plan_get_local, which usually is k, but not with transposed output. Several fields need one dimension more, the first
  ! one if they are interleaved, else the last one. SUBX_ERR_UNAVAILABLE if the side is padded, or has strides or several boxes.
  !
  ! With a type(c_ptr), and without a side: allocate memory for an array of either side, which may be padded.
  ! subx_fft_plan_get_array gives the memory a shape, subx_fft_free frees it.
  interface subx_fft_plan_allocate
"""
GET = """\
  ! Make a pointer to memory that has the shape of an array of a side of a plan:
  !
  !     real(c_double), pointer :: u(:,:,:)
  !     complex(c_double_complex), pointer :: uh(:,:,:)
  !     call subx_fft_plan_allocate(plan, memory)
  !     call subx_fft_plan_get_array(plan, SUBX_FFT_PHYSICAL, memory, u)
  !     call subx_fft_plan_get_array(plan, SUBX_FFT_SPECTRAL, memory, uh)
  !     call subx_fft_execute(plan, SUBX_FFT_FORWARD, u, uh)
  ! This example transforms in place. Types and bounds are as for subx_fft_plan_allocate. If the side is padded, the array does
  ! not include the padding, which then is a gap between its columns.
  interface subx_fft_plan_get_array
"""


def array_interface(text, word, memory, attribute):
    lines = text.splitlines()
    for suffix, spelt in ARRAYS.items():
        lines += [f"    subroutine {word}_{suffix}(plan, side, {memory}array, ierror) bind(C, name=\"subx_f_{word}_{suffix}\")",
                  "      import", "      type(subx_fft_plan), value :: plan", "      integer(c_int), value :: side"]
        lines += ["      type(c_ptr), value :: memory"] * bool(memory)
        lines += [f"      {spelt}, {attribute}, intent(inout) :: array(..)",
                  "      integer(c_int), intent(out), optional :: ierror", "    end subroutine"]
    return lines + ["  end interface"]


def fill(text):
    lines, line = [], ""
    for word in text.split():
        if len(line) + len(word) > 110:
            lines.append(line)
            line = ""
        line = f"{line} {word}".strip()
    return lines + [line]


def own_names(header):
    """Get the names of a header that a module exports unchanged: constants, handles, their null values, and
    functions that return no error code."""
    names = [c.name for c in header.select(headers.Constant)]
    for enum in header.select(headers.Enum):
        names += [e.name for e in enum.enumerators]
    for handle in header.select(headers.Handle):
        names += [handle.name, handle.null]
    return names + [f.name for f in header.select(headers.Function) if not f.returns_code]


def friendly_module(module, model, handles):
    of_module = [h for h in model.headers if h.name in MODULES[module]]
    functions = [f for h in of_module for f in h.select(headers.Function) if f.returns_code and f.name not in BY_HAND]
    procedures = [Procedure(f, handles, model) for f in functions]
    lines = HEAD.format(module=module, title=TITLES[module]).splitlines()
    public = []
    for header in of_module:
        names = own_names(header)
        public += names
        renamed = [f"c_{f.name[5:]} => {f.name}" for f in header.select(headers.Function) if f.returns_code and f in functions]
        operators = [f"operator({o})" for o, _ in OPERATORS] if header.select(headers.Handle) else []
        lines += list_names(f"use {get_module(header)}, only:", names + operators + renamed)
    if module != "subx":
        lines.append("  use subx")
    if module == "subx_fft":
        lines.append("  use subx_fft_extra")
    lines += ["  implicit none", "  private"]
    public += EXTRA[module] + [f"operator({o})" for o, _ in OPERATORS]
    lines += list_names("public ::", public + [p.name for p in procedures])
    if module != "subx":
        lines += list_names("public ::", public_names("subx", model))
    lines.append("")
    for p in procedures:
        lines += [f"  interface {p.name}"] + list_names("  procedure", [p.specific + v[0] for v in p.variants()])
        lines.append("  end interface")
    if module == "subx_fft":
        lines += array_interface(ALLOCATE, "allocate", "", "allocatable") + array_interface(GET, "get", "memory, ", "pointer")
    lines += ["", "contains"]
    for p in procedures:
        lines += p.write()
    return "\n".join(lines + ["end module"]) + "\n"


def public_names(module, model):
    """Get all names that a module exports."""
    names = []
    for header in model.headers:
        if header.name in MODULES[module]:
            names += own_names(header)
            names += [RENAMED.get(f.name, f.name) for f in header.select(headers.Function)
                      if f.returns_code and f.name not in BY_HAND]
    return names + EXTRA[module]


def files(model):
    handles = {h.name for h in model.select(headers.Handle)}
    return {f"{FOLDER}/{module}.f90": friendly_module(module, model, handles) for module in MODULES}
