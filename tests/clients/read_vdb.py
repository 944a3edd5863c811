"""Opens the volume files of make_vdb with OpenVDB's own Python module and checks what it finds.

    /usr/bin/python3 read_vdb.py FOLDER

Names, classes, transforms and metadata must be those of the .json beside the file, and the values of voxels
those of the simulator at their centres, within the volume's tolerance and the rounding of half numbers.
"""

import json
import pathlib
import sys

import pyopenvdb as vdb

HALF_ROUNDING = 2.0**-11


class Failure(Exception):
    pass


def expect(condition, *what):
    if not condition:
        raise Failure(" ".join(map(str, what)))


def components(value):
    return list(value) if isinstance(value, (list, tuple)) else [value]


def is_near(value, expected, tolerance):
    pairs = list(zip(components(value), components(expected), strict=True))
    return all(abs(a - b) <= tolerance + 1e-6 for a, b in pairs)


def check_frame(grid, truth):
    """What is said about the grid as a whole."""
    vector = isinstance(truth["background"], list)
    kind = vdb.GridClass.STAGGERED if truth["staggered"] else vdb.GridClass.UNKNOWN if vector \
        else vdb.GridClass.FOG_VOLUME
    expect(grid.gridClass == kind, "class", grid.gridClass)
    expect(grid.valueTypeName == ("vec3s" if vector else "float"), "type", grid.valueTypeName)
    if vector:
        expect(grid.vectorType == vdb.VectorType.CONTRAVARIANT_RELATIVE, "vector type", grid.vectorType)
    expect(grid.saveFloatAsHalf == truth["half"], "half", grid.saveFloatAsHalf)
    expect(is_near(grid.background, truth["background"], 0), "background", grid.background)
    expect(grid.activeVoxelCount() == truth["active"], grid.activeVoxelCount(), "not", truth["active"])
    size = truth["voxel_size"]
    expect(is_near(grid.transform.voxelSize(), [size] * 3, 0), "voxel size", grid.transform.voxelSize())
    center = [x + size / 2 for x in truth["origin"]]
    expect(is_near(grid.transform.indexToWorld((0, 0, 0)), center, 0), "first voxel at",
           grid.transform.indexToWorld((0, 0, 0)), "not", center)
    if "unit" in truth:
        expect(grid.metadata.get("unit") == truth["unit"], "metadata", grid.metadata)


def check_values(grid, truth):
    values = grid.getConstAccessor()
    present = 0
    for sample in truth["samples"]:
        voxel = tuple(sample["voxel"])
        world = grid.transform.indexToWorld(voxel)
        expect(is_near(world, sample["center"], 0), voxel, "is at", world, "not", sample["center"])
        value, active = values.probeValue(voxel)
        largest = max(map(abs, components(sample["stored"])))
        rounding = HALF_ROUNDING * largest if truth["half"] else 0
        expect(is_near(value, sample["stored"], rounding), voxel, value, "not", sample["stored"])
        present += active
        if active or not truth.get("masked"):
            expect(is_near(value, sample["exact"], rounding + truth["tolerance"]), voxel, value,
                   "but the simulator says", sample["exact"])
    expect(present > 50, "only", present, "of the samples are active")


def check_file(path, truth):
    grids, metadata = vdb.readAll(str(path))
    expect(metadata == truth["metadata"], "metadata", metadata)
    expect([grid.name for grid in grids] == ["density", "v", "velocity"], [grid.name for grid in grids])
    for grid in grids:
        try:
            check_frame(grid, truth["grids"][grid.name])
            check_values(grid, truth["grids"][grid.name])
        except Failure as failure:
            raise Failure(f"{grid.name}: {failure}")

    # A single grid can be read without the others, its metadata without its values.
    one = vdb.read(str(path), "velocity")
    expect(one.activeVoxelCount() == truth["grids"]["velocity"]["active"], "velocity alone differs")
    expect(vdb.readGridMetadata(str(path), "v").name == "v", "metadata alone")


def main(folder):
    files = sorted(pathlib.Path(folder).glob("*.vdb"))
    if len(files) < 3:
        sys.exit(f"only {len(files)} volume files in {folder}")
    failures = 0
    for path in files:
        truth = json.loads(path.with_suffix(".json").read_text())
        try:
            check_file(path, truth)
            print(f"{path.name}: as written")
        except Failure as failure:
            failures += 1
            print(f"{path.name}: {failure}")
    sys.exit(1 if failures else 0)


if __name__ == "__main__":
    main(sys.argv[1])
