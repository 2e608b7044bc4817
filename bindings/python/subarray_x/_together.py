"""Errors that one rank finds alone, in calls that all ranks make together.

The other ranks are in a function of C, which waits for all ranks. So a rank with wrong arguments must not only raise an
exception. It calls the function, too, with arguments that C refuses. Then C returns an error on all ranks, the ranks exchange
their exceptions, and all raise the exception of the lowest wrong rank. If no rank is wrong, the ranks exchange nothing.

Executions do not compare ranks, because a comparison would cost a message each time. A wrong rank executes without arrays,
and raises its own exception. Its partners get the error PEER.
"""
from __future__ import annotations

import contextlib
import ctypes
import pickle
from typing import Any, Callable, Iterable, Optional

import numpy as np
from mpi4py import MPI

from ._error import Error
from ._mpi import MPI_Comm, MPI_Datatype, MPI_Info, communicator, handle

# The kinds of errors that C returns for the arguments of _refused.
_REFUSALS = ("ARG", "NDIMS", "SIZE", "TYPE")


def _refused(function: Any) -> list[Any]:
    """Get the arguments behind the communicator with which a function of C returns an error: null handles, null addresses,
    zeros."""
    null = {MPI_Datatype: MPI.DATATYPE_NULL, MPI_Info: MPI.INFO_NULL}
    numbers = (ctypes.c_int, ctypes.c_ssize_t, ctypes.c_size_t, ctypes.c_double)
    return [handle(null[kind]) if kind in null else 0 if kind in numbers else None for kind in function.argtypes[1:]]


def together(comm: MPI.Intracomm, function: Any, prepare: Callable[[Callable[[Any], Any]], Iterable[Any]]) -> None:
    """Call a function of C with a communicator, and with the other arguments, which prepare(hold) returns. hold(thing) keeps an
    object alive until the call ends, and returns it; of a context it returns the value. If prepare fails on a rank, all ranks
    raise its exception. Collective."""
    assert function.argtypes[0] is MPI_Comm
    communicator(comm)
    failure: Optional[BaseException] = None
    caught: Optional[Error] = None
    held = []
    with contextlib.ExitStack() as stack:
        def hold(thing: Any) -> Any:
            held.append(thing)
            return stack.enter_context(thing) if hasattr(thing, "__enter__") else thing

        try:
            arguments = list(prepare(hold))
        except Exception as error:  # pylint: disable=broad-except
            failure, arguments = error, _refused(function)
        try:
            function(handle(comm), *arguments)
        except Error as error:
            caught = error
        except ctypes.ArgumentError as error:  # C has not been called
            failure = error
            with contextlib.suppress(Error):
                function(handle(comm), *_refused(function))
    if failure is not None or caught is not None and caught.kind in _REFUSALS:
        raise_together(comm, failure)
    if caught is not None:
        raise caught


def agree(comm: MPI.Intracomm, prepare: Callable[[], Any], number: Callable[[Any], int] = lambda result: 0) -> Any:
    """Get the result of prepare(). If prepare fails on a rank, all ranks raise its exception. If number(result) differs between
    ranks, all raise Error. For calls in which C does not compare ranks; costs a reduction. Collective."""
    communicator(comm)
    if comm.size == 1:
        return prepare()
    failure, result, known = None, None, 0
    try:
        result = prepare()
        known = number(result)
    except Exception as error:  # pylint: disable=broad-except
        failure = error
    told = np.array([failure is not None, known, -known], dtype=np.int64)
    comm.Allreduce(MPI.IN_PLACE, told, MPI.MAX)
    if told[0]:
        raise_together(comm, failure)
    if told[1] != -told[2]:
        raise Error.of_kind("DIFFERS")
    return result


def raise_together(comm: MPI.Intracomm, failure: Optional[BaseException]) -> None:
    """Raise the exception of the lowest rank that gives one; its text names the rank, unless all ranks give the same. Do nothing
    if no rank gives one. Collective."""
    if comm.size == 1 and failure is not None:
        raise failure
    told = comm.allgather(None if failure is None else _pack(failure))
    first = next((rank for rank, packed in enumerate(told) if packed is not None), None)
    if first is None:
        return
    if failure is not None and (first == comm.rank or told[comm.rank] == told[first]):
        raise failure if told.count(told[first]) == comm.size else _name(failure, first)
    raise _name(pickle.loads(told[first]), first) from failure


def _pack(failure: BaseException) -> bytes:
    try:
        packed = pickle.dumps(failure)
        pickle.loads(packed)
    except Exception:  # pylint: disable=broad-except
        packed = pickle.dumps(RuntimeError(f"{type(failure).__name__}: {failure}"))
    return packed


def _name(error: BaseException, rank: int) -> BaseException:
    """Put a rank into the text of an exception."""
    words = f"on rank {rank} of this call"
    if isinstance(error, Error):
        error.text = f"{error.text} ({words})"
    elif len(error.args) == 1 and isinstance(error.args[0], str):
        error.args = (f"{error.args[0]} ({words})",)
    elif hasattr(error, "add_note"):  # Python 3.11
        error.add_note(words)
    return error


def give_up(function: Any, *arguments: Any) -> None:
    """Execute without arrays, because this rank's arguments are wrong. Arguments that are left out are null addresses."""
    with contextlib.suppress(Error):
        function(*arguments, *[None] * (len(function.argtypes) - len(arguments)))


def try_find(find: Callable[..., Any], *arguments: Any) -> tuple[Any, Optional[Exception]]:
    """Get find(*arguments) and None, or None and the exception, which the wait for the execution raises."""
    try:
        return find(*arguments), None
    except Exception as error:  # pylint: disable=broad-except
        return None, error


def end(failure: Optional[BaseException], wait: Any, pointer: Any) -> None:
    """Wait for the end of an execution; then raise `failure`, if the execution was started without arrays because of it."""
    try:
        wait(pointer)
    except Error:
        if failure is None:
            raise
    if failure is not None:
        raise failure
