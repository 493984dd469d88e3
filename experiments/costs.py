"""Costs of errors: roads in photographs and two medical and financial sets, beside other ways.

python experiments/costs.py [--quick] [--json] [--fresh] [--only SECTION]

Sections: table3 and figures (Draper, Brodley and Utgoff 1993, Table 3 and Figures 1 and 2), statlog
(german and heart-statlog), large (times and memory for photographs). A run that was killed goes on
where it stopped.
"""

from __future__ import annotations

from costs_parts import large, roads, statlog
from resumable import Section, option_parser, report_sections

SECTIONS: dict[str, Section] = {
    "table3": (roads.measure_table, roads.table_as_text),
    "figures": (roads.measure_figures, roads.figures_as_text),
    "statlog": (statlog.measure, statlog.as_text),
    "large": (large.measure, large.as_text),
}


def main() -> None:
    parser = option_parser(__doc__.splitlines()[0], SECTIONS)
    report_sections(SECTIONS, parser.parse_args())


if __name__ == "__main__":
    main()
