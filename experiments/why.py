"""Why a model answers as it does, what would change it, and whether it runs elsewhere.

python experiments/why.py [--quick] [--json] [--fresh] [--only SECTION] [--random-rows N]
                          [--language NAME] [--learner NAME]

Sections: exports (every language beside the model itself), counterfactuals (predicted, beside rows
drawn nearer), requests (counterfactuals with wishes drawn by chance), reasons (their sums, and what
missing values could change), aloud (ten explanations). A run that was killed goes on where it
stopped. `benchmarks/attribution.py` measures Shapley values.
"""

from __future__ import annotations

from resumable import Section, option_parser, report_sections
from why_parts import counterfactuals, exports, reasons, requests
from why_parts.runners import RUNNERS

SECTIONS: dict[str, Section] = {
    "exports": (exports.measure, exports.as_text),
    "counterfactuals": (counterfactuals.measure, counterfactuals.as_text),
    "requests": (requests.measure, requests.as_text),
    "reasons": (reasons.measure, reasons.as_text),
    "aloud": (reasons.measure_aloud, "\n".join),
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
