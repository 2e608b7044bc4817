"""write_fortran_raw.py - write the raw layer of the Fortran modules.

It has a module per header, such as subx_fft_c for subx_fft.h, with an interface body per function. All is as in C.
"""
import headers

FOLDER = "bindings/fortran"
KINDS = {"int": "integer(c_int)", "ptrdiff_t": "integer(c_ptrdiff_t)", "size_t": "integer(c_size_t)",
         "MPI_Count": "integer(c_int64_t)", "MPI_Aint": "integer(c_intptr_t)", "double": "real(c_double)"}
MPI_HANDLES = {"MPI_Comm": "comm", "MPI_Datatype": "datatype", "MPI_Info": "info"}
RAW_HEAD = """\
! {module}.f90 - the functions of {header} as they are in C.
!
! Written by bindings/generate.py from the header; changes here are lost. Axes, orders and indices count from 0, and texts
! end with c_null_char. An argument that may be NULL in C is optional, or it is a c_ptr that may be c_null_ptr. Most programs
! use the modules subx, subx_fft and subx_io instead, which have the same functions with Fortran's arrays and texts.
module {module}
  use, intrinsic :: iso_c_binding
  use subx_mpi, only: subx_mpi_comm, subx_mpi_datatype, subx_mpi_info
{uses}  implicit none
  private :: subx_mpi_comm, subx_mpi_datatype, subx_mpi_info
"""


def get_module(header):
    return header.name[:-2] + "_c"


def wrap(line):
    """Cut a line of Fortran that is too long into continued lines."""
    indent = " " * (len(line) - len(line.lstrip()) + 4)
    lines = []
    while len(line) > 118:
        cut = line.rfind(", ", 0, 116) + 1 or line.rfind(" ", 0, 116)
        lines.append(line[:cut] + " &")
        line = indent + line[cut:].lstrip()
    return lines + [line]


def list_names(keyword, names):
    """Get a statement with a list of names."""
    return wrap(f"  {keyword} {', '.join(names)}")


def raw_declaration(p, handles):
    """Get the declaration of a parameter in an interface body."""
    optional = ", optional" if p.is_optional or p.name.endswith("order") else ""
    intent = {"in": "in", "out": "out", "in,out": "inout"}[p.direction]
    if p.base in handles or p.base in MPI_HANDLES:
        spelt = f"type({p.base})" if p.base in handles else f"type(subx_mpi_{MPI_HANDLES[p.base]})"
    elif p.base.endswith("_function"):
        return f"type(c_funptr), value :: {p.name}"
    elif p.base == "char" and p.stars + p.is_array == 1:
        spelt = "intent(in)" if p.is_const else "intent(inout), optional"
        return f"character(kind=c_char), {spelt} :: {p.name}(*)"
    elif p.base in ("char", "void"):
        if p.stars + p.is_array == 1:
            return f"type(c_ptr), value :: {p.name}"
        return f"type(c_ptr), intent({intent}){optional} :: {p.name}" + ("(*)" if p.is_array else "")
    else:
        spelt = KINDS[p.base]
    if p.stars + p.is_array == 0:
        return f"{spelt}, value :: {p.name}"
    if p.base in handles:
        optional = ", optional" if p.is_optional else ""
    return f"{spelt}, intent({intent}){optional} :: {p.name}" + ("(*)" if p.is_array else "")


def raw_function(f, handles):
    names = ", ".join(p.name for p in f.parameters)
    lines = wrap(f"    integer(c_int) function {f.name}({names}) bind(C, name=\"{f.name}\")") + ["      import"]
    lines += ["      " + raw_declaration(p, handles) for p in f.parameters]
    return lines + ["    end function"]


def raw_handle(handle):
    return [f"  type, bind(C) :: {handle.name}", "    type(c_ptr) :: handle = c_null_ptr", "  end type",
            f"  type({handle.name}), parameter :: {handle.null} = {handle.name}(c_null_ptr)"]


# Handles can be compared, with null handles and with each other.
OPERATORS = [("==", "equals"), ("/=", "differs")]


def raw_operators(handle):
    return f"""
  logical function {handle}_equals(a, b)
    type({handle}), intent(in) :: a, b
    {handle}_equals = transfer(a, 0_c_intptr_t) == transfer(b, 0_c_intptr_t)
  end function

  logical function {handle}_differs(a, b)
    type({handle}), intent(in) :: a, b
    {handle}_differs = .not. {handle}_equals(a, b)
  end function""".split("\n")


def raw_module(header, handles):
    included = [name for name in header.includes if name.startswith("subx")]
    uses = "".join(f"  use {name[:-2]}_c\n" for name in included)
    lines = RAW_HEAD.format(module=get_module(header), header=header.name, uses=uses).splitlines()
    for constant in header.select(headers.Constant):
        lines.append(f"  integer(c_int), parameter :: {constant.name} = {constant.value}")
    for enum in header.select(headers.Enum):
        lines += [f"  integer(c_int), parameter :: {e.name} = {e.value}" for e in enum.enumerators]
    for handle in header.select(headers.Handle):
        lines += raw_handle(handle)
    own = [h.name for h in header.select(headers.Handle)]
    for operator, word in OPERATORS:
        if own:
            lines += [f"  interface operator({operator})"] + list_names("  procedure", [f"{h}_{word}" for h in own]) + \
                     ["  end interface"]
    lines.append("  interface")
    for f in header.select(headers.Function):
        lines += raw_function(f, handles)
    lines.append("  end interface")
    if own:
        lines += ["", "contains"] + [line for h in own for line in raw_operators(h)]
    return "\n".join(lines + ["end module"]) + "\n"


def files(model):
    handles = {h.name for h in model.select(headers.Handle)}
    return {f"{FOLDER}/{get_module(h)}.f90": raw_module(h, handles) for h in model.headers}
