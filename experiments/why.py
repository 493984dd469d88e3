"""Why a model answers as it does, what would change it, and whether it runs elsewhere.

python experiments/why.py [--quick] [--json] [--fresh] [--only SECTION] [--random-rows N]
                          [--language NAME]

Sections: exports (every language beside the model itself), counterfactuals (predicted, beside rows
drawn nearer). A run that was killed goes on where it stopped.
"""

from __future__ import annotations

from resumable import Section, option_parser, report_sections
from why_parts import counterfactuals, exports
from why_parts.runners import RUNNERS

SECTIONS: dict[str, Section] = {
    "exports": (exports.measure, exports.as_text),
    "counterfactuals": (counterfactuals.measure, counterfactuals.as_text),
}


def main() -> None:
    parser = option_parser(__doc__.splitlines()[0], SECTIONS, exports.LEARNERS)
    parser.add_argument(
        "--random-rows", type=int, default=100_000, help="exports: random rows for each model"
    )
    parser.add_argument(
        "--language", action="append", choices=RUNNERS, help="exports: only this one; repeatable"
    )
    report_sections(SECTIONS, parser.parse_args())


if __name__ == "__main__":
    main()
