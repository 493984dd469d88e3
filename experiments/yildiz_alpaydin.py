"""Yildiz and Alpaydin, Univariate and Multivariate Decision Trees: Tables 2, 3 and 4 on 20 sets.

python experiments/yildiz_alpaydin.py [--quick] [--json] [--fresh] [--only SECTION] [--learner NAME]

Sections: table2 (accuracy), table3 (size), table4 (time, all learners in one run on one core) and
nodes (how often a test takes the network at simulated nodes). Each table shows the printed figures,
those of the settings as published, and those of the trees well trained.
A run that was killed goes on where it stopped. With --learner only these are fitted; of the others
the tables show what is known already.
"""

from __future__ import annotations

from resumable import Section, option_parser, report_sections
from yildiz_alpaydin_parts import learners, node_test, table2, table3, table4

SECTIONS: dict[str, Section] = {
    "table2": (table2.measure, table2.as_text),
    "table3": (table3.measure, table3.as_text),
    "table4": (table4.measure, table4.as_text),
    "nodes": (node_test.measure, node_test.as_text),
}


def main() -> None:
    names = (learner.name for learner in learners.every_learner())
    parser = option_parser(__doc__.splitlines()[0], SECTIONS, names)
    report_sections(SECTIONS, parser.parse_args())


if __name__ == "__main__":
    main()
