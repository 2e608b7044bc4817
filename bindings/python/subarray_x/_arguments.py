"""Small helpers: checks of arguments, lists as C arrays, and the texts that C functions print."""
from __future__ import annotations

import ctypes
import operator
import reprlib
from typing import Any, Callable, Iterable, Optional

import numpy as np


def array(kind: Any, values: Optional[Iterable[Any]]) -> Any:
    """Make a C array of values; NULL if values is None."""
    if values is None:
        return None
    values = [kind(value).value for value in values]
    return (kind * max(1, len(values)))(*values)


def integer(name: str, value: Any, least: Optional[int] = None) -> int:
    """Get an argument that is an integer; a float is refused, even 16.0."""
    try:
        number = operator.index(value)
    except TypeError:
        raise TypeError(f"{name} is an integer, not {reprlib.repr(value)}") from None
    if least is not None and number < least:
        raise ValueError(f"{name} is {number}; it must be at least {least}")
    return number


def integers(name: str, values: Any, n: Optional[int] = None, least: Any = None,
             number: Callable[[Any], Any] = operator.index) -> tuple[Any, ...]:
    """Get an argument that is a list of integers, or of other numbers; n is its length, and least the least number allowed."""
    what = "integers" if number is operator.index else "numbers"
    try:
        found = tuple(map(number, () if isinstance(values, (str, bytes)) else values))
    except (TypeError, ValueError):
        found = None
    if found is None or isinstance(values, (str, bytes)):
        also = f"; for one axis it is ({values!r},)" if isinstance(values, int) and n in (None, 1) else ""
        raise TypeError(f"{name} is a list of {what}, one per axis, not {reprlib.repr(values)}{also}")
    if n is not None and len(found) != n:
        raise ValueError(f"{name} has {len(found)} entries, not {n}: {reprlib.repr(found)}")
    if least is not None and any(value < least for value in found):
        raise ValueError(f"{name} is {reprlib.repr(found)}; its entries must be at least {least}")
    return found


def exactly(n: int, number: Callable[[Any], Any] = operator.index, **lists: Any) -> None:
    """Check that each list has n numbers, because C cannot see their lengths. Lists that are None are not checked."""
    for name, values in lists.items():
        if values is not None:
            integers(name, values, n, number=number)


def axis_of(axis: Any, ndims: int) -> int:
    """Get the number of an axis; negative numbers count from the last axis."""
    axis = integer("axis", axis)
    if not -ndims <= axis < ndims:
        raise IndexError(f"axis is {axis}; an array of {ndims} axes has axes {-ndims} to {ndims - 1}")
    return axis % ndims


def encoded(name: str, words: Any) -> bytes:
    """Get a text as C reads it: up to the first zero byte, so there must be none."""
    data = words if isinstance(words, bytes) else words.encode("utf-8", "surrogateescape")
    if b"\0" in data:
        raise ValueError(f"{name} has a zero byte: {reprlib.repr(words)}")
    return data


def check_ndarray(data: Any, what: str, writes: bool = False) -> None:
    """Check that an argument is an ndarray with elements that a function of C can read or write."""
    if not isinstance(data, np.ndarray):
        raise TypeError(f"the array that is {what} is an ndarray, not {reprlib.repr(data)} ({type(data).__name__})")
    if isinstance(data, np.ma.MaskedArray):
        raise TypeError(f"the array that is {what} has a mask, which would be ignored; its filled(value) has none")
    if writes and not data.flags.writeable:
        raise ValueError(f"the array that is {what} is read-only; it must be writeable")


def ints(values: Optional[Iterable[int]]) -> Any:
    return array(ctypes.c_int, values)


def sizes(values: Optional[Iterable[int]]) -> Any:
    return array(ctypes.c_ssize_t, map(operator.index, values) if values is not None else None)


def result(call: Callable[..., Any], kind: Any, *before: Any, after: int = 0) -> Any:
    """Get the value that a function of C writes to the address behind `before`; `after` more addresses are null."""
    value = kind()
    call(*before, value, *[None] * after)
    return value.value


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
