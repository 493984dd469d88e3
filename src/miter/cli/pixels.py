"""`miter pixels`: learn from photographs with label images, and write masks."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from miter.cli.learner_options import learner_option, make_estimator, parameter_option
from miter.cli.options import (
    PATH,
    check_costs,
    check_not_overwriting,
    cost_options,
    costs_said,
    json_option,
    model_argument,
    parse_parameters,
    quiet_option,
)
from miter.cli.output import print_json
from miter.cli.verbs import Verbs
from miter.progress import ProgressLine

if TYPE_CHECKING:
    from miter.pixels import PixelClassifier, PixelFeatures
    from miter.pixels.classifier import Applied

__all__ = ["pixels"]


@click.group(cls=Verbs)
def pixels() -> None:
    """Learn from photographs, and classify their pixels."""


def _spaces(context: click.Context, parameter: click.Parameter, text: str) -> tuple[str, ...]:
    return tuple(text.split(","))


@pixels.command()
@click.argument("photos", metavar="PHOTOS", type=PATH)
@click.argument("labels", metavar="LABELS", type=PATH)
@click.option("-o", "--output", type=PATH, required=True, help="The model file; .gz packs it.")
@click.option("--classes", type=PATH, help="A CSV file with the id and name of each class.")
@click.option(
    "--ignore",
    metavar="CLASS",
    multiple=True,
    help="A class, or a label id, whose pixels are left out. May be repeated.",
)
@learner_option("linear_machine")
@parameter_option
@click.option(
    "--pixels",
    "max_pixels",
    type=click.IntRange(1),
    default=100_000,
    show_default=True,
    help="How many pixels are drawn, from all photographs together.",
)
@click.option(
    "--colour",
    metavar="SPACE,...",
    default="rgb",
    show_default=True,
    callback=_spaces,
    help="Colour spaces: rgb, hsv, lab.",
)
@click.option("--position", is_flag=True, help="Use the place of a pixel in the photograph.")
@click.option("--texture", is_flag=True, help="Use mean and deviation of the grey around it.")
@click.option(
    "--neighbourhood",
    metavar="DISTANCE",
    type=click.IntRange(0),
    default=0,
    help="Use the colours of the four pixels at this distance.",
)
@cost_options
@click.option("--seed", type=click.IntRange(0, 2**32 - 1), default=0, show_default=True)
@json_option
@quiet_option
def fit(
    photos: Path,
    labels: Path,
    output: Path,
    classes: Path | None,
    ignore: tuple[str, ...],
    learner: str,
    parameters: tuple[str, ...],
    max_pixels: int,
    costs: Path | None,
    focus: str | None,
    others: float | None,
    seed: int,
    as_json: bool,
    quiet: bool,
    **features: Any,
) -> None:
    """Learn from PHOTOS and their LABELS, and save the tree.

    Both are folders, or both are files. The label image of a photograph has the same name, with the
    suffix .png, and the id of a class in each pixel.

    Example: miter pixels fit images labels -o road.miter --classes classes.csv --ignore Unlabelled
    --focus Road=5
    """
    given = {"random_state": seed, "verbose": not quiet}
    estimator = make_estimator(learner, parameters, given, own=True)
    check_costs(costs, focus, others, parse_parameters(parameters))
    if costs or focus:
        estimator.set_params(costs=costs_said(costs, focus, others))
    settings = _make_features(features)
    check_not_overwriting(output, photos, labels, classes, costs)
    _check_place(output)

    from miter.model_file import save
    from miter.pixels import PixelClassifier, read_classes

    pairs = _find_pairs(photos, labels)
    for pair in pairs:
        check_not_overwriting(output, *pair)
    names = None if classes is None else read_classes(classes)
    model = PixelClassifier(
        estimator,
        features=settings,
        class_names=names,
        ignore=[_class_or_id(text, names) for text in ignore],
        max_pixels=max_pixels,
        random_state=seed,
    )
    with ProgressLine("learning", quiet=quiet):
        model.fit([photo for photo, _ in pairs], [own for _, own in pairs])
    save(model, output)
    summary = {"photographs": len(pairs), "learner": learner} | _summarise(model)
    if as_json:
        print_json(summary | {"saved": str(output)})
    elif not quiet:
        click.echo(_say(summary, photos, output))


@pixels.command()
@model_argument
@click.argument("photos", metavar="PHOTO...", type=PATH, nargs=-1, required=True)
@click.option("-o", "--output", metavar="FOLDER", type=PATH, required=True, help="For pictures.")
@click.option("--class", "class_", metavar="CLASS", help="The class that matters.")
@click.option("--mask", is_flag=True, help="Write the class in white on black.")
@click.option("--labels", is_flag=True, help="Write the label ids as grey values.")
@click.option("--overlay", is_flag=True, help="Write the photograph with the class tinted.")
@click.option("--probability", is_flag=True, help="Write the probability of the class as grey.")
@json_option
@quiet_option
def apply(
    model: Path,
    photos: tuple[Path, ...],
    output: Path,
    class_: str | None,
    as_json: bool,
    quiet: bool,
    **wanted: bool,
) -> None:
    """Classify the pixels of each PHOTO, a file or a folder of files, and write pictures.

    A picture is called as its photograph: street.jpg gives street_mask.png. Without a wish it is
    the mask of the class, or the labels if no class is named.

    Example: miter pixels apply road.miter street.jpg -o masks --class Road --mask --overlay
    """
    pictures = [name for name, is_wanted in wanted.items() if is_wanted]
    pictures = pictures or ["labels" if class_ is None else "mask"]
    if class_ is None and pictures != ["labels"]:
        raise click.UsageError("Name the class that matters with --class.")

    from miter.errors import ModelFileError
    from miter.model_file import load
    from miter.pixels import PixelClassifier
    from miter.pixels.images import photographs_in

    files = [file for photo in photos for file in photographs_in(photo)]
    _check_pictures(files, output, pictures, model)
    classifier = load(model)
    if not isinstance(classifier, PixelClassifier):
        raise ModelFileError(
            f"{model} holds a model that was not learned from photographs; give one that was"
        )
    _check_class(classifier, class_, files)
    answers = []
    for file in files:
        applied = _apply(classifier, file, (output, pictures, class_), quiet)
        answers.append(_answer(file, applied))
        if not (as_json or quiet):
            click.echo(_say_applied(answers[-1], class_))
    if as_json:
        print_json(answers)


# ---- fit -------------------------------------------------------------------------------------


def _make_features(features: dict[str, Any]) -> PixelFeatures:
    from miter.pixels import PixelFeatures

    try:
        return PixelFeatures(**features)
    except ValueError as error:
        raise click.UsageError(str(error)) from None


def _check_place(output: Path) -> None:
    if not output.parent.is_dir():
        raise FileNotFoundError(2, "there is no such folder", str(output.parent))
    if output.is_dir():
        raise IsADirectoryError(21, "is a folder; give a file", str(output))


def _find_pairs(photos: Path, labels: Path) -> list[tuple[Path, Path]]:
    """Return each photograph with its label image."""
    from miter.errors import DataError
    from miter.pixels.images import photographs_in

    files = photographs_in(photos)
    if not labels.is_dir():
        if photos.is_dir():
            raise DataError(f"{labels} is not a folder; give one with a label image for each photo")
        return [(photos, labels)]
    pairs = [(file, labels / f"{file.stem}.png") for file in files]
    for photo, own in pairs:
        if not own.is_file():
            raise DataError(f"{photo} has no label image; there is no file {own}")
    return pairs


def _class_or_id(text: str, names: dict[int, str] | None) -> str | int:
    """Return the label id that a text means, or the text where it is a name."""
    is_name = names is not None and text in names.values()
    return int(text) if text.isascii() and text.isdigit() and not is_name else text


def _summarise(model: PixelClassifier) -> dict[str, Any]:
    trees = model.trees_
    return {
        "pixels": model.n_pixels_,
        "features": list(model.schema_.names),
        "classes": [str(name) for name in model.classes_.tolist()],
        "trees": len(trees),
        "nodes": sum(tree.n_nodes for tree in trees),
        "leaves": sum(tree.n_leaves for tree in trees),
        "depth": max(tree.depth for tree in trees),
    }


def _say(summary: dict[str, Any], photos: Path, output: Path) -> str:
    return "\n".join(
        [
            f"Read      {photos}: {summary['photographs']:,} photographs, "
            f"{summary['pixels']:,} pixels drawn",
            f"Features  {', '.join(summary['features'])}",
            f"Classes   {', '.join(summary['classes'])}",
            f"Grew      {summary['learner']} tree: {summary['nodes']:,} nodes, "
            f"{summary['leaves']:,} leaves, depth {summary['depth']}",
            f"Saved     {output}",
        ]
    )


# ---- apply -----------------------------------------------------------------------------------


def _check_pictures(files: list[Path], folder: Path, pictures: list[str], model: Path) -> None:
    """Find out before the first photograph is classified that a picture has no place."""
    from miter.pixels.pictures import picture_files

    if folder.exists() and not folder.is_dir():
        raise NotADirectoryError(20, "is not a folder; give one", str(folder))
    photo_of: dict[Path, Path] = {}
    for file in files:
        for place in picture_files(file, folder, pictures).values():
            if place in photo_of:
                raise click.UsageError(
                    f"{photo_of[place]} and {file} would both be written to {place}; "
                    "give them one at a time, with folders of their own."
                )
            photo_of[place] = file
            check_not_overwriting(place, model, *files)


def _check_class(classifier: PixelClassifier, class_: str | None, files: list[Path]) -> None:
    """Find out before the first picture is written that a class or a photograph is not there."""
    from miter.pixels.images import size_of

    if class_ is not None:
        classifier.check_class(class_)
    for file in files:
        size_of(file, str(file))


def _answer(file: Path, applied: Applied) -> dict[str, Any]:
    return {
        "photograph": str(file),
        "width": applied.width,
        "height": applied.height,
        "shares": applied.shares,
        "written": {name: str(path) for name, path in applied.files.items()},
    }


def _apply(
    classifier: PixelClassifier, file: Path, wanted: tuple[Any, ...], quiet: bool
) -> Applied:
    with ProgressLine(f"classifying {file}", quiet=quiet) as line:

        def tell(share: float) -> None:
            line.show(f"classifying {file}: {share:.0%}")

        return classifier.apply_to_file(file, *wanted, progress=tell)


def _say_applied(answer: dict[str, Any], class_: str | None) -> str:
    shares = answer["shares"] if class_ is None else {class_: answer["shares"][class_]}
    parts = ", ".join(f"{name} {share:.1%}" for name, share in shares.items())
    return f"{answer['photograph']}: {parts}; wrote {', '.join(answer['written'].values())}"
