"""Trees without labels beside what was published, and what flat clusterers reach on the same rows.

python experiments/ica.py [--quick] [--json] [--fresh] [--only SECTION]

Sections: oil (Pajunen and Girolami 1999, section 8), others (six classic sets), simulated (Gaussian
clusters, and clouds without any), few-labels, speed. A run that was killed goes on where it
stopped.
"""

from __future__ import annotations

import json

from ica_parts import few_labels, oil, others, simulated, speed
from resumable import option_parser

SECTIONS = {
    "oil": oil,
    "others": others,
    "simulated": simulated,
    "few-labels": few_labels,
    "speed": speed,
}


def main() -> None:
    parser = option_parser(__doc__.splitlines()[0])
    parser.add_argument("--only", action="append", choices=SECTIONS, help="one section; repeatable")
    arguments = parser.parse_args()
    report = {}
    for name in arguments.only or SECTIONS:
        report[name] = SECTIONS[name].measure(arguments)
        if not arguments.json:
            print(f"{SECTIONS[name].as_text(report[name])}\n", flush=True)
    if arguments.json:
        print(json.dumps(report, indent=2))


if __name__ == "__main__":
    main()
