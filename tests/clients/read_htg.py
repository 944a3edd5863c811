"""Opens the grid files of make_htg with VTK's own reader and checks what it finds.

    /usr/bin/python3 read_htg.py FOLDER

Every cell that VTK shows is visited. Leaves must be exactly those of the .json beside the file, with
the right position, size and values; branches must carry the mean of their children.
"""

import json
import pathlib
import sys

import vtk


class Failure(Exception):
    pass


def expect(condition, *what):
    if not condition:
        raise Failure(" ".join(map(str, what)))


def open_grid(path):
    errors = []
    reader = vtk.vtkXMLHyperTreeGridReader()
    reader.AddObserver("ErrorEvent", lambda *_: errors.append("error"))
    reader.SetFileName(str(path))
    reader.Update()
    expect(not errors, "VTK reports an error")
    return reader.GetOutput()


def visit(cursor, f):
    f(cursor)
    if cursor.IsLeaf():
        return
    for child in range(cursor.GetNumberOfChildren()):
        cursor.ToChild(child)
        visit(cursor, f)
        cursor.ToParent()


def for_each_cell(grid, f):
    cursor = vtk.vtkHyperTreeGridNonOrientedGeometryCursor()
    for tree in range(grid.GetMaxNumberOfTrees()):
        grid.InitializeNonOrientedGeometryCursor(cursor, tree, False)
        visit(cursor, f)


def check_frame(grid, truth):
    """Counts, dimension and the box."""
    dim, roots, size = truth["dim"], truth["roots"], truth["root_size"]
    leaves, branches = len(truth["leaves"]), truth["branch_count"]
    trees = 1
    for count in roots:
        trees *= count
    expect(grid.GetDimension() == dim, "dimension", grid.GetDimension())
    expect(grid.GetMaxNumberOfTrees() == trees, "trees", grid.GetMaxNumberOfTrees())
    expect(grid.GetNumberOfLeaves() == leaves, "leaves", grid.GetNumberOfLeaves(), "not", leaves)
    expect(grid.GetNumberOfVertices() == leaves + branches, "cells", grid.GetNumberOfVertices())
    box = []
    for axis in range(dim):
        box += [truth["origin"][axis], truth["origin"][axis] + roots[axis] * size]
    box += [0.0, 0.0] * (3 - dim)
    bounds = grid.GetBounds()
    expect(all(abs(a - b) < 1e-9 for a, b in zip(bounds, box)), "bounds", bounds, "not", box)


def check_cells(grid, truth):
    dim, origin = truth["dim"], truth["origin"]
    unit = truth["root_size"] / truth["root_lattice"]
    data = grid.GetCellData()
    names = ["level", "linear", "precise", "number", 'is <odd> & "quoted"']
    level, linear, precise, number, odd = (data.GetArray(name) for name in names)
    expect(None not in (level, linear, precise, number, odd), "a field is missing")
    expect(data.GetNumberOfArrays() == 5, data.GetNumberOfArrays(), "fields")
    kinds = [a.GetDataTypeAsString() for a in (level, linear, precise, number, odd)]
    expect(kinds == ["unsigned char", "float", "double", "int", "unsigned char"], kinds)

    expected = {tuple(row): i for i, row in enumerate(truth["leaves"])}
    seen = set()

    def check(cursor):
        bounds = [0.0] * 6
        cursor.GetBounds(bounds)
        where = cursor.GetGlobalNodeIndex()
        size = truth["root_size"] / 2 ** cursor.GetLevel()
        for axis in range(dim):
            extent = bounds[2 * axis + 1] - bounds[2 * axis]
            expect(abs(extent - size) < 1e-3 * unit, "size", extent, "not", size)
        center = [(bounds[2 * a] + bounds[2 * a + 1]) / 2 for a in range(dim)]
        value = sum(2**a * x for a, x in enumerate(center))
        expect(level.GetValue(where) == cursor.GetLevel(), "level", level.GetValue(where))
        expect(abs(precise.GetValue(where) - value) < 1e-10, precise.GetValue(where), value)
        expect(abs(linear.GetValue(where) - value) < 1e-5, linear.GetValue(where), "not", value)
        if not cursor.IsLeaf():
            return
        corner = [round((bounds[2 * a] - origin[a]) / unit) for a in range(dim)]
        leaf = expected.get((*corner, cursor.GetLevel()))
        expect(leaf is not None, "no leaf at", corner, "of level", cursor.GetLevel())
        expect(number.GetValue(where) == leaf, "number", number.GetValue(where), "not", leaf)
        expect(odd.GetValue(where) == leaf % 2, "odd", odd.GetValue(where))
        seen.add(leaf)

    for_each_cell(grid, check)
    expect(len(seen) == len(expected), len(seen), "of", len(expected), "leaves found")


def main(folder):
    files = sorted(pathlib.Path(folder).glob("*.htg"))
    if len(files) < 9:
        sys.exit(f"only {len(files)} grid files in {folder}")
    failures = 0
    for path in files:
        truth = json.loads(path.with_suffix(".json").read_text())
        try:
            grid = open_grid(path)
            check_frame(grid, truth)
            check_cells(grid, truth)
            print(f"{path.name}: {len(truth['leaves'])} leaves as written")
        except Failure as failure:
            failures += 1
            print(f"{path.name}: {failure}")
    sys.exit(1 if failures else 0)


if __name__ == "__main__":
    main(sys.argv[1])
