#!/usr/bin/env python3
"""Every scene is in the gallery with a picture, every picture of the documents is there, and none is large."""

import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
LARGEST = 150_000  # bytes


def mistakes():
    gallery = (ROOT / "docs/gallery.md").read_text()
    for scene in sorted((ROOT / "scenes").glob("*/*.toml")):
        name = f"{scene.parent.name}-{scene.stem}"
        if f"(../scenes/{scene.parent.name}/{scene.name})" not in gallery:
            yield f"docs/gallery.md does not speak of {scene.relative_to(ROOT)}"
        if f"(images/gallery/{name}.jpg)" not in gallery:
            yield f"docs/gallery.md has no picture {name}.jpg"
    for page in [ROOT / "README.md", *(ROOT / "docs").glob("*.md")]:
        for picture in re.findall(r"!\[[^\]]*\]\(([^)]+)\)", page.read_text()):
            if not (page.parent / picture).exists():
                yield f"{page.relative_to(ROOT)} shows {picture}, which is not there"
    for picture in (ROOT / "docs/images").rglob("*.*"):
        if picture.stat().st_size > LARGEST:
            yield f"{picture.relative_to(ROOT)} has {picture.stat().st_size} bytes, more than {LARGEST}"


found = list(mistakes())
print("\n".join(found) or "the gallery is complete")
sys.exit(1 if found else 0)
