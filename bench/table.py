#!/usr/bin/env python3
"""Turns what a benchmark wrote with --json into a table in Markdown: table.py NAME FILE"""

import json
import sys


def mesh(rows):
    yield ["case", "leaves", "threads", "seconds", "ns per leaf", "million leaves/s",
           "uniform, ns per cell", "ratio", "bytes per leaf"]
    for r in rows:
        n, s, u = r["leaves"], r["seconds"], r["uniform_seconds"]
        yield [r["case"], n, r["threads"], f"{s:.4f}", f"{s / n * 1e9:.1f}", f"{n / s / 1e6:.1f}",
               f"{u / n * 1e9:.1f}", f"{s / u:.2f}", f"{r['bytes_per_leaf']:.0f}"]


def total(row):
    """Set-up and solve together; None if there is no solution."""
    return None if row["solve_seconds"] is None else row["setup_seconds"] + row["solve_seconds"]


def pressure(rows):
    yield ["case", "leaves", "threads", "solver", "iterations to 1e-6", "to 1e-10", "set-up, s",
           "solve, s", "ns per leaf", "times multigrid", "bytes per leaf"]

    def key(row):
        return row["case"], row["leaves"], row["threads"]

    multigrid = {key(r): total(r) for r in rows if r["solver"] == "multigrid"}

    def known(value, pattern="{}"):
        return "" if value is None else pattern.format(value)

    for r in rows:
        n, t, ours = r["leaves"], total(r), multigrid.get(key(r))
        yield [r["case"], n, r["threads"], r["solver"], known(r["iterations_1e6"]),
               known(r["iterations_1e10"]), f"{r['setup_seconds']:.4f}",
               known(r["solve_seconds"], "{:.4f}"), known(t and t / n * 1e9, "{:.0f}"),
               known(t and ours and t / ours, "{:.1f}"), known(r["bytes_per_leaf"], "{:.0f}")]


def contour(rows):
    yield ["case", "leaves", "surface leaves", "triangles", "threads", "find, ns per leaf", "volumes, ns per leaf",
           "bodies, ns per leaf", "volumes, ns per surface leaf", "contour, ns per surface leaf",
           "normals, ns per vertex", "bytes per leaf"]
    for r in rows:
        yield [r["case"], r["leaves"], r["surface_leaves"], r["triangles"], r["threads"],
               *(f"{r[key]:.0f}" for key in ("find_ns_per_leaf", "volume_ns_per_leaf", "bodies_ns_per_leaf",
                                             "volume_ns_per_surface_leaf", "contour_ns_per_surface_leaf",
                                             "normals_ns_per_vertex", "bytes_per_leaf"))]

def level_set(rows):
    yield ["case", "leaves", "threads", "distances, ns per leaf", "per node of the band", "losasso04, ns per leaf",
           "extrapolation, ns per leaf", "curvature, ns per surface leaf", "losasso04, ns per leaf",
           "bytes per leaf"]
    for r in rows:
        yield [r["case"], r["leaves"], r["threads"]] + [
            f"{r[key]:.0f}" for key in (
                "second_order_ns_per_leaf", "second_order_ns_per_band_node", "losasso04_ns_per_leaf",
                "extrapolation_ns_per_leaf", "curvature_ns_per_surface_leaf",
                "losasso04_curvature_ns_per_leaf", "bytes_per_leaf")]


def smoke(rows):
    yield ["case", "leaves", "threads", "steps", "seconds", "million leaf steps/s", "bytes per leaf",
           "mesh, %", "pressure, %", "advection, %"]
    for r in rows:
        yield [r["case"], r["leaves"], r["threads"], r["steps"], f"{r['seconds']:.3f}",
               f"{r['leaf_steps_per_second'] / 1e6:.2f}", f"{r['bytes_per_leaf']:.0f}",
               f"{100 * r['mesh_share']:.0f}", f"{100 * r['pressure_share']:.0f}",
               f"{100 * r['advection_share']:.0f}"]


def figure2(rows):
    yield ["size", "refined by", "CFL", "frames", "steps", "leaves at the end", "seconds", "MiB",
           "seconds, last frame", "uniform: seconds", "MiB", "times faster", "times smaller",
           "difference at half time, %", "at the end, %"]

    def known(row, key, scale=1, pattern="{:.1f}"):
        return pattern.format(row[key] * scale) if key in row else ""

    for r in rows:
        bound = f", at most {r['max_leaves'] / 1e6:g} million leaves" if r["max_leaves"] else ""
        yield [r["size"], r["rules"] + bound, r["cfl"], r["frames"], r["steps"], r["leaves"],
               f"{r['seconds']:.1f}", f"{r['bytes'] / 2**20:.0f}", f"{r['last_frame_seconds']:.2f}",
               known(r, "uniform_seconds"), known(r, "uniform_bytes", 2**-20, "{:.0f}"),
               known(r, "times_faster"), known(r, "times_smaller"),
               known(r, "difference_at_half_time", 100), known(r, "difference_at_end", 100)]


def output(rows):
    yield ["case", "leaves", "threads", "frames", "steps", "seconds", "without files", "share, %",
           "volume, MB a frame", "bytes per leaf", "dense, MB a frame", "times smaller",
           "grid, MB a frame", "checkpoint, MB", "s"]
    for r in rows:
        yield [r["case"], f"{r['leaves']:.0f}", r["threads"], r["frames"], r["steps"], f"{r['seconds']:.2f}",
               f"{r['seconds_without']:.2f}", f"{100 * r['share']:.1f}", f"{r['volume_bytes'] / 1e6:.1f}",
               f"{r['volume_bytes'] / r['leaves']:.0f}", f"{r['dense_bytes'] / 1e6:.0f}",
               f"{r['dense_bytes'] / r['volume_bytes']:.1f}", f"{r['grid_bytes'] / 1e6:.1f}",
               f"{r['checkpoint_bytes'] / 1e6:.1f}", f"{r['checkpoint_seconds']:.2f}"]


def render_smoke(rows):
    yield ["case", "leaves", "pixels", "samples", "threads", "light volume, s", "picture, s", "together, s",
           "volume, MB", "renderer, MB", "part of it"]
    for r in rows:
        yield [r["case"], r["leaves"], f"{r['width']} x {r['height']}", r["samples"], r["threads"],
               f"{r['light_seconds']:.2f}", f"{r['trace_seconds']:.2f}", f"{r['seconds']:.2f}",
               f"{r['volume_bytes'] / 1e6:.0f}", f"{r['render_bytes'] / 1e6:.1f}",
               f"{r['render_bytes'] / r['volume_bytes']:.2f}"]


def render_surfaces(rows):
    yield ["case", "triangles", "pixels", "samples", "threads", "build, s", "trace, s", "million paths/s",
           "denoise, s"]
    for r in rows:
        yield [r["case"], r["triangles"], f"{r['width']} x {r['height']}", r["samples"], r["threads"],
               f"{r['build_seconds']:.2f}", f"{r['trace_seconds']:.2f}", f"{r['paths_per_second'] / 1e6:.2f}",
               f"{r['denoise_seconds']:.2f}"]


def views(rows):
    yield ["domain", "grid", "frames/s", "leaves", "nodes", "times as fast", "% faster", "paper's % faster", "least PSNR, dB",
           "largest drop, dB", "work off, %", "height off, %"]

    def known(row, key, pattern):
        return pattern.format(row[key]) if key in row else ""

    for r in rows:
        faster = r["speed_up_percent"]
        yield [r["domain"], r["case"], f"{r['frames_per_second']:.3f}", f"{r['mean_leaves']:.0f}", f"{r['mean_nodes']:.0f}",
               f"{1 + faster / 100:.2f}", f"{faster:.1f}", known(r, "paper_speed_up_percent", "{:.1f}"),
               known(r, "least_psnr_db", "{:.1f}"), known(r, "largest_psnr_drop_db", "{:.2f}"),
               f"{100 * r['work_difference']:.2f}", f"{100 * r['height_difference']:.2f}"]


def markdown(cells):
    return "| " + " | ".join(map(str, cells)) + " |"


def is_number(cell):
    """Or empty."""
    return not str(cell) or str(cell).replace(".", "", 1).removeprefix("-").isdigit()


def main(name, path):
    heading, *lines = {"mesh": mesh, "pressure": pressure, "smoke": smoke, "level_set": level_set, "figure2": figure2, "output": output,
                        "render_smoke": render_smoke, "render_surfaces": render_surfaces,
                        "bunlutangtum-table-1": views, "view-dependence": views}[name](
        [json.loads(line) for line in open(path)])
    numeric = [all(is_number(line[i]) for line in lines) for i in range(len(heading))]
    print(markdown(heading))
    print("|" + "|".join("--:" if n else "---" for n in numeric) + "|")
    for line in lines:
        print(markdown(line))


if __name__ == "__main__":
    main(*sys.argv[1:])
