"""Tables for learners: read a file, take a frame, or make a classic problem."""

from miter.data.files.reading import read
from miter.data.frames import encode_frame, from_frame
from miter.data.generators import dnf, l_problem, led, monks, play_tennis
from miter.data.remarks import Reading, Remark
from miter.data.schema import KINDS, Column, Schema
from miter.data.table import Data

__all__ = [
    "KINDS",
    "Column",
    "Data",
    "Reading",
    "Remark",
    "Schema",
    "dnf",
    "encode_frame",
    "from_frame",
    "l_problem",
    "led",
    "monks",
    "play_tennis",
    "read",
]
