"""Costs of errors: roads in photographs and two medical and financial sets, beside other ways.

python experiments/costs.py [--quick] [--json] [--fresh] [--only SECTION]

Sections: table3 and figures (Draper, Brodley and Utgoff 1993, Table 3 and Figures 1 and 2), statlog
(german and heart-statlog), large (times and memory for photographs). A run that was killed goes on
where it stopped.
"""

from __future__ import annotations

import argparse
import json

from costs_parts import large, roads, statlog
from resumable import option_parser

SECTIONS = {
    "table3": (roads.measure_table, roads.table_as_text),
    "figures": (roads.measure_figures, roads.figures_as_text),
    "statlog": (statlog.measure, statlog.as_text),
    "large": (large.measure, large.as_text),
}


def main() -> None:
    arguments = read_options()
    report = {}
    for name in arguments.only or SECTIONS:
        measure, as_text = SECTIONS[name]
        report[name] = measure(arguments)
        if not arguments.json:
            print(f"{as_text(report[name])}\n", flush=True)
    if arguments.json:
        print(json.dumps(report, indent=2))


def read_options() -> argparse.Namespace:
    parser = option_parser(__doc__.splitlines()[0])
    parser.add_argument("--only", action="append", choices=SECTIONS, help="one section; repeatable")
    return parser.parse_args()


if __name__ == "__main__":
    main()
