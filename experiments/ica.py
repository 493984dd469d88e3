"""Trees without labels beside what was published, and what flat clusterers reach on the same rows.

python experiments/ica.py [--quick] [--json] [--fresh] [--only SECTION]

Sections: oil (Pajunen and Girolami 1999, section 8), others (six classic sets), simulated (Gaussian
clusters, and clouds without any), few-labels, speed. A run that was killed goes on where it
stopped.
"""

from __future__ import annotations

from ica_parts import few_labels, oil, others, simulated, speed
from resumable import Section, option_parser, report_sections

SECTIONS: dict[str, Section] = {
    "oil": (oil.measure, oil.as_text),
    "others": (others.measure, others.as_text),
    "simulated": (simulated.measure, simulated.as_text),
    "few-labels": (few_labels.measure, few_labels.as_text),
    "speed": (speed.measure, speed.as_text),
}


def main() -> None:
    parser = option_parser(__doc__.splitlines()[0], SECTIONS)
    report_sections(SECTIONS, parser.parse_args())


if __name__ == "__main__":
    main()
