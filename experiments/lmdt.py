"""Linear machine trees beside what others published or what peers reach on the same rows.

python experiments/lmdt.py [--quick] [--json] [--fresh] [--only SECTION] [--learner NAME]

Sections: table4 (Utgoff and Brodley 1991, Table 4), l-problem (their section 3.1), peers15 and
larger11 (single trees), speed, scaling. A run that was killed goes on where it stopped.
With --learner only these are fitted; of the others the tables show what is known already.
"""

from __future__ import annotations

from functools import partial

import l_problem
from lmdt_parts import comparison, scaling, speed, table4
from resumable import Section, option_parser, report_sections

COMPARED: dict[str, Section] = {
    one.section: (
        partial(comparison.measure, one),
        partial(comparison.as_text, title=one.title),
    )
    for one in comparison.COMPARISONS
}
SECTIONS: dict[str, Section] = {
    "table4": (table4.measure, table4.as_text),
    "l-problem": (l_problem.measure, l_problem.as_text),
    **COMPARED,
    "speed": (speed.measure, speed.as_text),
    "scaling": (scaling.measure, scaling.as_text),
}


def main() -> None:
    names = (learner.name for one in comparison.COMPARISONS for learner in one.learners)
    parser = option_parser(__doc__.splitlines()[0], SECTIONS, names)
    parser.add_argument("--ten-million", action="store_true", help="speed: ten million rows too")
    report_sections(SECTIONS, parser.parse_args())


if __name__ == "__main__":
    main()
