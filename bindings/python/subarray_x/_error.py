"""Errors of the C libraries as exceptions."""
from __future__ import annotations

from typing import Any, Optional

from mpi4py import MPI


class Error(MPI.Exception):
    """An error of a C function. `kind` is the name of its kind in subx.h without SUBX_ERR_, such as "SIZE"; it is "MPI" for
    an error of MPI's own.

    >>> import subarray_x as subx
    >>> try:
    ...     subx.Problem("c2c:0x8")
    ... except subx.Error as error:
    ...     print(error.kind)
    PROBLEM
    """

    def __init__(self, code: int, text: Optional[str] = None):
        super().__init__(code)
        self.code = code
        self.kind = _kind(code)
        # The text is read now: errors of one kind share a code, and the next error of the kind may change the text of the code.
        is_alive = MPI.Is_initialized() and not MPI.Is_finalized()
        self.text = text or (MPI.Get_error_string(code) if is_alive else f"an error of kind {self.kind}; MPI, which has its "
                             "text, is not running: before MPI.Init or after MPI.Finalize")

    def __str__(self) -> str:
        return self.text

    @classmethod
    def of_kind(cls, kind: str, text: Optional[str] = None) -> Error:
        """Make an error of a kind; its text is by default the one of C."""
        from . import _raw

        error = cls(_raw.subx_error_get_code(getattr(_raw, "SUBX_ERR_" + kind)) if kind != "MPI" else MPI.ERR_OTHER)
        error.text = text or error.text
        return error

    def __reduce__(self) -> Any:
        return Error.of_kind, (self.kind, self.text)  # the ranks of a program may have different codes for a kind


def _kind(code: int) -> str:
    from . import _raw

    number = _raw.subx_error_get_kind(code)
    for name, value in vars(_raw).items():
        if name.startswith("SUBX_ERR_") and value == number and number:
            return name[len("SUBX_ERR_"):]
    return "MPI"


def check(code: int, function: Any = None, arguments: Any = None) -> int:
    """Raise Error if a function of C returned an error code; ctypes calls this with each result."""
    if code:
        freed = next((a.name for a in arguments or () if getattr(a, "name", None) and a.value is None), None)
        raise Error(code, freed and f"this {freed} has been freed, by free() or by MPI.Finalize")
    return code
