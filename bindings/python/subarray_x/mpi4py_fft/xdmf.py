"""XDMF: descriptions of HDF5 files that mpi4py_fft.io writes, for ParaView and VisIt. Needs h5py."""
from __future__ import annotations

import os
import re
import xml.etree.ElementTree as xml
from typing import Any, NamedTuple, Sequence

import numpy as np

# NAME/3D/STEP, NAME/2D/slice_4_slice/STEP
_DATASET = re.compile(r"(?P<group>[^/]+)/(?P<ndims>[23])D/(?:(?P<slices>[a-z0-9_]+)/)?(?P<step>\d+)$")


class _Axis(NamedTuple):
    """An axis of a picture: equal steps, or coordinates."""
    length: int
    origin: float
    step: float
    coordinates: Any = None


def _add(parent: Any, tag: str, text: Any = None, **attributes: Any) -> Any:
    element = xml.SubElement(parent, tag, {key: str(value) for key, value in attributes.items()})
    if text is not None:
        element.text = str(text)
    return element


def _find_axis(group: Any, axis: int, whole: int, index: Any, is_periodic: bool) -> _Axis:
    """Get an axis of an array. If a slice of the array has one index along the axis, the axis has only this point."""
    if "mesh" in group and f"x{axis}" in group["mesh"]:
        x = np.asarray(group["mesh"][f"x{axis}"])
        x = x if index is None else x[index:index + 1]
        return _Axis(len(x), float(x[0]), 1.0, x)
    origin, length = (float(v) for v in group["domain"][f"x{axis}"])
    step = length / max(1, whole - (0 if is_periodic else 1))
    return _Axis(whole, origin, step) if index is None else _Axis(1, origin + index * step, step)


def _shape(group: Any) -> list[int]:
    """Get the shape of the arrays of a group. In files of mpi4py-fft it is an attribute; [] if there is none."""
    return [int(n) for n in (group["shape"][...] if "shape" in group else group.attrs.get("shape", []))]


def _find_axes(group: Any, slices: Any, periodic: Sequence[bool]) -> list[_Axis]:
    """Get the three axes of a picture. An axis that a slice leaves out has one point; arrays of two axes get a third axis."""
    shape = _shape(group)
    chosen = [None if s == "slice" else int(s) for s in slices.split("_")] if slices else [None] * len(shape)
    axes = [_find_axis(group, a, n, index, periodic[a]) for a, (n, index) in enumerate(zip(shape, chosen))
            if index is None or len(shape) == 3]
    return [_Axis(1, 0.0, 1.0)] * (3 - len(axes)) + axes


def _add_mesh(grid: Any, axes: Sequence[_Axis]) -> str:
    """Add topology and geometry, and get the lengths as a text."""
    lengths = " ".join(str(a.length) for a in axes)
    if all(a.coordinates is None for a in axes):
        _add(grid, "Topology", TopologyType="3DCoRectMesh", Dimensions=lengths)
        geometry = _add(grid, "Geometry", GeometryType="ORIGIN_DXDYDZ")
        for values in ([a.origin for a in axes], [a.step for a in axes]):
            _add(geometry, "DataItem", " ".join(map(repr, values)), Format="XML", NumberType="Float", Precision=8, Dimensions=3)
    else:
        _add(grid, "Topology", TopologyType="3DRectMesh", Dimensions=lengths)
        geometry = _add(grid, "Geometry", GeometryType="VXVYVZ")
        for a in reversed(axes):  # the innermost axis is x
            x = a.coordinates if a.coordinates is not None else a.origin + a.step * np.arange(a.length)
            _add(geometry, "DataItem", " ".join(repr(float(v)) for v in x), Format="XML", NumberType="Float", Precision=8,
                 Dimensions=a.length)
    return lengths


def _describe(file: Any, steps: dict[int, list[str]], periodic: Sequence[bool]) -> bytes:
    """Get the text of a description: an XDMF grid for each step, with all arrays of that step."""
    root = xml.Element("Xdmf", Version="2.1")
    series = _add(_add(root, "Domain"), "Grid", Name="Steps", GridType="Collection", CollectionType="Temporal")
    for step in sorted(steps):
        grid = _add(series, "Grid", Name=f"Step {step}", GridType="Uniform")
        _add(grid, "Time", Value=step)
        lengths = ""
        for key in steps[step]:
            found = _DATASET.match(key)
            assert found is not None
            if not lengths:
                lengths = _add_mesh(grid, _find_axes(file[found["group"]], found["slices"], periodic))
            attribute = _add(grid, "Attribute", Name=found["group"], AttributeType="Scalar", Center="Node")
            _add(attribute, "DataItem", f"{os.path.basename(file.filename)}:/{key}", Format="HDF", NumberType="Float",
                 Precision=file[key].dtype.itemsize, Dimensions=lengths)
    return xml.tostring(root, encoding="utf-8", xml_declaration=True)


def _is_scalar(file: Any, key: str) -> bool:
    """Query whether a dataset has an array of real numbers that is no tensor."""
    found = _DATASET.match(key)
    if found is None or not hasattr(file[key], "dtype") or not _shape(file[found["group"]]):
        return False
    if len(file[key].shape) != int(found["ndims"]):
        return False
    if file[key].dtype.kind != "f":
        raise TypeError(f"{key} has complex numbers, which viewers do not show")
    return True


def generate_xdmf(h5filename: str, periodic: Any = True, order: str = "paraview") -> None:
    """Describe the arrays of two and three axes in an HDF5 file for ParaView and VisIt. Call it on one rank.

    FILE.xdmf describes whole arrays; FILE_slice_4_slice.xdmf describes the slices of this name. periodic tells, for all axes or
    for each axis, whether the length of the domain includes the step from the last point to the first. order is accepted and
    ignored: both viewers read the same description."""
    import h5py  # type: ignore[import-not-found,import-untyped]

    if order.lower() not in ("paraview", "visit"):
        raise ValueError(f"the order is paraview or visit, not {order}")
    all_periodic = [bool(periodic)] * 32 if np.ndim(periodic) == 0 else [bool(p) for p in periodic]
    keys: list[str] = []
    with h5py.File(h5filename, "r") as file:
        file.visit(keys.append)
        pictures: dict[str, dict[int, list[str]]] = {}
        for key in keys:
            found = _DATASET.match(key)
            if found is not None and _is_scalar(file, key):
                steps = pictures.setdefault(found["slices"] or f"{found['ndims']}D", {})
                steps.setdefault(int(found["step"]), []).append(key)
        for name, steps in pictures.items():
            suffix = "_" + name if "slice" in name else ""
            with open(os.path.splitext(h5filename)[0] + suffix + ".xdmf", "wb") as out:
                out.write(_describe(file, steps, all_periodic))
