"""Trees on rows in partitions: the same tree, dead workers, size, speed, peers, many trees.

python experiments/cluster.py [--quick] [--json] [--fresh] [--only SECTION] [--learner NAME]
                              [--rows N]

Sections: same (every learner in memory, on 1, 2 and 4 workers, 1, 7 and 64 partitions, one of them
empty), killed (a worker, five times), size (up to N rows), speed (one worker, two, and memory),
peers, many (a forest, an ICA tree, answers to ten times as many rows). A run that was killed goes
on where it stopped.
"""

from __future__ import annotations

from cluster_parts import sections
from resumable import Section, option_parser, report_sections

from miter.registry import LEARNERS

SECTIONS: dict[str, Section] = {
    "same": (sections.measure_same, sections.same_as_text),
    "killed": (sections.measure_killed, sections.killed_as_text),
    "size": (sections.measure_size, sections.table_as_text),
    "speed": (sections.measure_speed, sections.table_as_text),
    "peers": (sections.measure_peers, sections.table_as_text),
    "many": (sections.measure_many, sections.table_as_text),
}


def main() -> None:
    learners = {*LEARNERS, *sections.LARGE_LEARNERS}
    parser = option_parser(__doc__.splitlines()[0], SECTIONS, learners)
    parser.add_argument("--rows", type=int, help="size, speed, peers, many: so many rows")
    report_sections(SECTIONS, parser.parse_args())


if __name__ == "__main__":
    main()
