"""Time for a frame, time and memory for a photograph of a hundred million pixels."""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
import time
from argparse import Namespace
from pathlib import Path
from statistics import median
from typing import Any

import numpy as np
from resumable import PROJECT

from costs_parts.roads import ROAD, UNLABELLED, folder, paths_of
from miter import LinearMachineTreeClassifier, PixelClassifier
from miter.data.costs import focus
from miter.pixels import read_classes

N_REPEATS = 9


def measure(arguments: Namespace) -> dict[str, Any]:
    """Classify one frame several times; then a large photograph in a process of its own."""
    frames = sorted(path.stem for path in (folder() / "images").glob("*.png"))
    model = PixelClassifier(
        LinearMachineTreeClassifier(costs=focus(ROAD, 5), random_state=0),
        class_names=read_classes(folder() / "classes.csv"),
        ignore=[UNLABELLED],
        random_state=0,
    ).fit(*paths_of(frames[:6]))
    [[photograph], _] = paths_of(frames[-1:])
    seconds = []
    for _ in range(N_REPEATS):
        begin = time.perf_counter()
        model.mask(photograph, ROAD)
        seconds.append(time.perf_counter() - begin)
    side = 2_000 if arguments.quick else 10_000
    with tempfile.TemporaryDirectory() as name:
        model.save(Path(name) / "road.miter")
        command = [sys.executable, "-m", "costs_parts.large", name, photograph.resolve(), str(side)]
        done = subprocess.run(
            command, stdout=subprocess.PIPE, check=True, cwd=PROJECT / "experiments"
        )
    return {"frame_s": median(seconds), "side": side, **json.loads(done.stdout)}


def classify_large(name: str, photograph: str, side: int) -> None:
    """Tile a photograph, write it, and classify it from the file."""
    from PIL import Image

    tile = np.asarray(Image.open(photograph))
    times = -(-side // tile.shape[0]), -(-side // tile.shape[1]), 1
    large = Path(name) / "large.png"
    Image.fromarray(np.tile(tile, times)[:side, :side]).save(large, compress_level=1)
    model = PixelClassifier.load(Path(name) / "road.miter")
    before = kilobytes("VmRSS")
    Path("/proc/self/clear_refs").write_text("5")  # the peak starts again from here
    begin = time.perf_counter()
    model.apply_to_file(large, Path(name) / "out", ["mask"], ROAD)
    seconds = time.perf_counter() - begin
    peak = kilobytes("VmHWM")
    print(json.dumps({"large_s": seconds, "peak_mb": peak / 1024, "before_mb": before / 1024}))


def kilobytes(field: str) -> int:
    status = Path("/proc/self/status").read_text()
    return int(status.split(f"{field}:")[1].split()[0])


def as_text(report: dict[str, Any]) -> str:
    """Write times and the peak of memory."""
    n = report["side"] ** 2 / 1e6
    return (
        f"A frame of 480 x 360 is classified in {report['frame_s']:.3f} s "
        f"(median of {N_REPEATS}).\n"
        f"A photograph of {n:.0f} million pixels: {report['large_s']:.0f} s from file to mask, "
        f"peak of the whole process {report['peak_mb']:.0f} MB"
    )


if __name__ == "__main__":
    classify_large(sys.argv[1], sys.argv[2], int(sys.argv[3]))
