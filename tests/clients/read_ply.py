"""Opens the surfaces of make_ply with VTK's own reader and checks what it finds.

    /usr/bin/python3 read_ply.py FOLDER

Each is a closed manifold that encloses the volume that the .json beside it says, with normals that point outwards.
"""

import json
import pathlib
import sys

import vtk
from vtk.util.numpy_support import vtk_to_numpy


class Failure(Exception):
    pass


def expect(condition, *what):
    if not condition:
        raise Failure(" ".join(map(str, what)))


def open_mesh(path):
    errors = []
    reader = vtk.vtkPLYReader()
    reader.AddObserver("ErrorEvent", lambda *_: errors.append("error"))
    reader.SetFileName(str(path))
    reader.Update()
    expect(not errors, "VTK reports an error")
    return reader.GetOutput()


def with_shared_vertices(mesh):
    """Vertices at edges of caps are there once for each side; here they become one."""
    clean = vtk.vtkCleanPolyData()
    clean.SetInputData(mesh)
    clean.SetTolerance(0)
    clean.Update()
    return clean.GetOutput()


def open_edges(mesh):
    edges = vtk.vtkFeatureEdges()
    edges.SetInputData(mesh)
    edges.FeatureEdgesOff()
    edges.ManifoldEdgesOff()
    edges.BoundaryEdgesOn()
    edges.NonManifoldEdgesOn()
    edges.Update()
    return edges.GetOutput().GetNumberOfCells()


def check(path):
    wanted = json.loads(path.with_suffix(".json").read_text())
    mesh = open_mesh(path)
    expect(mesh.GetNumberOfPolys() == wanted["triangles"], mesh.GetNumberOfPolys(), "triangles")
    closed = with_shared_vertices(mesh)
    expect(closed.GetNumberOfPolys() == wanted["triangles"], "triangles vanish when vertices are joined")
    expect(open_edges(closed) == 0, "edges that do not have two triangles")

    points = vtk_to_numpy(mesh.GetPoints().GetData()).astype(float)
    normals = vtk_to_numpy(mesh.GetPointData().GetNormals())
    corners = vtk_to_numpy(mesh.GetPolys().GetData()).reshape(-1, 4)[:, 1:]
    a, b, c = (points[corners[:, i]] for i in range(3))
    across = ((b - a)[:, [1, 2, 0]] * (c - a)[:, [2, 0, 1]] - (b - a)[:, [2, 0, 1]] * (c - a)[:, [1, 2, 0]])
    volume = (a * across).sum() / 6
    expect(abs(volume - wanted["volume"]) < 1e-6 * wanted["volume"], "volume", volume, wanted["volume"])
    area = (across * across).sum(axis=1) ** 0.5
    mean = normals[corners].sum(axis=1)
    outwards = (across * mean).sum(axis=1) > 0.5 * area
    expect(area[~outwards].sum() < 1e-3 * area.sum(), "normals that do not point outwards")

    header = path.read_bytes().split(b"end_header")[0].decode()
    expect("property float vx\nproperty float vy\nproperty float vz\n" in header, "no velocities")
    print(f"{path.name}: {wanted['triangles']} triangles, volume {volume:.6f}")


def main():
    paths = sorted(pathlib.Path(sys.argv[1]).glob("*.ply"))
    expect(len(paths) == 4, len(paths), "files")
    for path in paths:
        try:
            check(path)
        except Failure as failure:
            sys.exit(f"{path.name}: {failure}")


if __name__ == "__main__":
    main()
