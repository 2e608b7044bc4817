"""Small helpers: lists as C arrays, and the texts that C functions print."""
from __future__ import annotations

import ctypes
from typing import Any, Callable, Iterable, Optional


def array(kind: Any, values: Optional[Iterable[Any]]) -> Any:
    """Make a C array of values; NULL if values is None."""
    if values is None:
        return None
    values = [kind(value).value for value in values]
    return (kind * max(1, len(values)))(*values)


def exactly(n: int, **lists: Any) -> None:
    """Check that each list has n entries, because C cannot see their lengths. Lists that are None are not checked."""
    for name, values in lists.items():
        if values is not None and len(values) != n:
            raise ValueError(f"{name} has {len(values)} entries, not {n}")


def ints(values: Optional[Iterable[int]]) -> Any:
    return array(ctypes.c_int, values)


def sizes(values: Optional[Iterable[int]]) -> Any:
    return array(ctypes.c_ssize_t, map(int, values) if values is not None else None)


def text(call: Callable[..., Any], *before: Any) -> str:
    """Get the whole text that a function of C prints; its last arguments are len, text and needed."""
    needed = ctypes.c_size_t()
    call(*before, 0, None, ctypes.byref(needed))
    buffer = ctypes.create_string_buffer(needed.value + 1)
    call(*before, len(buffer), buffer, ctypes.byref(needed))
    return buffer.value.decode("utf-8", "replace")


def names(call: Callable[..., Any]) -> list[str]:
    """Get the names that a function of the form query(i, &name) lists."""
    found: list[str] = []
    name = ctypes.c_char_p()
    while True:
        call(len(found), ctypes.byref(name))
        if name.value is None:
            return found
        found.append(name.value.decode())
