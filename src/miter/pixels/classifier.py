"""The classifier of pixels: any classifier of rows, fitted to the pixels of photographs."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from os import PathLike
from pathlib import Path
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator, clone
from sklearn.utils.validation import check_is_fitted

from miter.checks import draw_seed
from miter.data.labels import label_text
from miter.data.schema import Label, Schema
from miter.data.table import Data
from miter.errors import DataError, did_you_mean
from miter.estimators.linear_machine import LinearMachineTreeClassifier
from miter.estimators.reading import ReadsTables
from miter.pixels.features import PixelFeatures
from miter.pixels.images import (
    MOST_IDS,
    ImageLike,
    Photograph,
    block_rows,
    open_photograph,
)
from miter.pixels.labels import LabelIds
from miter.pixels.pictures import PICTURES, Answer, picture_files, write_pictures
from miter.pixels.sampling import pair_images, sample_pixels
from miter.tree import Tree

__all__ = ["Applied", "PixelClassifier"]


@dataclass(frozen=True)
class Applied:
    """What was made of a photograph.

    Parameters
    ----------
    height, width : int
        Of the photograph.
    shares : dict of str to float
        The part of the pixels that each class has.
    files : dict of str to Path
        The pictures that were written.
    """

    height: int
    width: int
    shares: dict[str, float]
    files: dict[str, Path]


class PixelClassifier(BaseEstimator):
    """Classifies the pixels of photographs, having learned from label images.

    Photographs are looked at in blocks of rows, so that memory stays small beside that of the
    decoded photograph. The answers do not depend on the blocks.

    Parameters
    ----------
    estimator : classifier, optional
        Any tree of Miter or classifier of scikit-learn; a copy is fitted, with the names of the
        classes as labels. By default a `LinearMachineTreeClassifier`.
    features : PixelFeatures, optional
        What is known of a pixel; by default red, green and blue.
    class_names : mapping of int to str, optional
        The name of each label id. By default the ids themselves are the classes.
    ignore : sequence of str or int
        Names or ids of pixels that are left out of training and scoring.
    max_pixels : int
        So many pixels are drawn at random, from all photographs together; all if there are fewer.
    block_pixels : int
        So many pixels are looked at at a time, or a row if it is longer.
    random_state : int, RandomState or None
        Draws the pixels, and seeds the default estimator.

    Attributes
    ----------
    estimator_ : classifier
        What was fitted.
    classes_ : ndarray
        The classes of the training pixels, in the order of `predict_proba`.
    ids_ : ndarray of uint8
        Their label ids.
    n_pixels_ : int
        How many pixels were drawn.

    Examples
    --------
    >>> import numpy as np
    >>> from miter import PixelClassifier
    >>> labels = np.repeat([[0], [3]], 8, axis=0) + np.zeros((16, 20), int)
    >>> photograph = np.random.default_rng(0).integers(0, 80, (16, 20, 3), np.uint8)
    >>> photograph[labels == 0] += 100
    >>> model = PixelClassifier(class_names={0: "Sky", 3: "Road"}, random_state=0)
    >>> road = model.fit([photograph], [labels]).mask(photograph, "Road")
    >>> bool((road == (labels == 3)).all())
    True
    """

    estimator_: Any
    classes_: NDArray[Any]
    ids_: NDArray[np.uint8]
    n_pixels_: int

    def __init__(
        self,
        estimator: Any = None,
        *,
        features: PixelFeatures | None = None,
        class_names: Mapping[int, str] | None = None,
        ignore: Sequence[str | int] = (),
        max_pixels: int = 100_000,
        block_pixels: int = 2**18,
        random_state: Any = None,
    ) -> None:
        self.estimator = estimator
        self.features = features
        self.class_names = class_names
        self.ignore = ignore
        self.max_pixels = max_pixels
        self.block_pixels = block_pixels
        self.random_state = random_state

    def fit(self, images: Sequence[ImageLike], labels: Sequence[ImageLike]) -> Self:
        """Draw pixels and learn from them.

        Parameters
        ----------
        images : list of arrays or paths
            Photographs: arrays of shape (height, width, 3) of uint8, or PNG or JPEG files.
        labels : list of arrays or paths
            A label image for each: an array of shape (height, width) of ids from 0 to 255, or a
            PNG file in grey or with a palette.

        Returns
        -------
        self

        Raises
        ------
        DataError
            When an image cannot be used, or the two lists do not fit each other.
        """
        self._check_settings()
        ids = LabelIds(self.class_names, self.ignore)
        seed = draw_seed(self.random_state)
        X, drawn = sample_pixels(
            pair_images(images, labels),
            ids,
            self._features,
            max_pixels=self.max_pixels,
            block_pixels=self.block_pixels,
            random=np.random.default_rng(seed),
        )
        by_name = {ids.name(number): number for number in np.unique(drawn).tolist()}
        classes = tuple(sorted(by_name))
        if len(classes) < 2:
            raise DataError(
                f"all {len(drawn):,} labelled pixels are of the class {classes[0]!r}; "
                "a classifier needs pixels of at least two classes"
            )
        self._set_classes(classes, [by_name[name] for name in classes])
        code_of_id = np.zeros(MOST_IDS, np.int32)
        code_of_id[self.ids_] = np.arange(len(classes))
        schema = Schema(self._features.columns, classes, "label")
        self.estimator_ = self._fit_estimator(Data(schema, X, code_of_id[drawn]), seed)
        self.n_pixels_ = len(drawn)
        return self

    def predict(self, image: ImageLike) -> NDArray[np.uint8]:
        """Return the label id of every pixel, an array of shape (height, width)."""
        photograph = self._open(image)
        ids = np.empty(photograph.shape, np.uint8)
        for rows, X in self._blocks(photograph):
            ids[rows] = self._ids(X).reshape(-1, photograph.width)
        return ids

    def predict_proba(self, image: ImageLike) -> NDArray[np.float32]:
        """Return the class probabilities of every pixel.

        Parameters
        ----------
        image : array or path
            A photograph.

        Returns
        -------
        ndarray of shape (height, width, n_classes), float32
            In the order of `classes_`.
        """
        photograph = self._open(image)
        size = (*photograph.shape, len(self.classes_))
        probabilities = np.empty(size, np.float32)
        for rows, X in self._blocks(photograph):
            probabilities[rows] = self._probabilities(X).reshape(-1, *size[1:])
        return probabilities

    def predict_log_proba(self, image: ImageLike) -> NDArray[np.float32]:
        """Return the logarithms of the class probabilities of every pixel."""
        with np.errstate(divide="ignore"):
            return np.log(self.predict_proba(image))

    def mask(self, image: ImageLike, class_: Label) -> NDArray[np.bool_]:
        """Return which pixels are of a class, an array of shape (height, width)."""
        position = self._position(class_)
        return self.predict(image) == self.ids_[position]

    def check_class(self, class_: Label) -> None:
        """Complain, with the names nearest to it, about a class that was not learned."""
        check_is_fitted(self)
        name, names = label_text(class_), [label_text(label) for label in self.classes_.tolist()]
        if name not in names:
            raise DataError(
                f"there is no class {name!r} among those that were learned; "
                + did_you_mean(name, names)
            )

    def score(self, images: Sequence[ImageLike], labels: Sequence[ImageLike]) -> float:
        """Return the part of the labelled pixels that is classified right; some are ignored."""
        check_is_fitted(self)
        ids = LabelIds(self.class_names, self.ignore)
        n_right = n_all = 0
        for pair in pair_images(images, labels):
            n_all += pair.count(ids, self.block_pixels)
            truth = pair.open_labels()
            is_right = self.predict(pair.photograph) == truth
            n_right += int(np.count_nonzero(is_right & ids.counts[truth]))
        if n_all == 0:
            raise DataError("there are no labelled pixels that count; label some, or ignore less")
        return n_right / n_all

    def apply_to_file(
        self,
        photograph: str | PathLike[str],
        folder: str | PathLike[str],
        pictures: Sequence[str] = ("labels",),
        class_: Label | None = None,
        *,
        progress: Callable[[float], None] | None = None,
    ) -> Applied:
        """Classify a photograph and write pictures of the answer.

        Nothing is written before every pixel is classified, and no picture if one of them fails.

        Parameters
        ----------
        photograph : str or path
            A PNG or JPEG file.
        folder : str or path
            Where the pictures go, made if it is not there. They are called as the photograph, with
            an underscore and the name of the picture: ``street_mask.png``.
        pictures : sequence of {"mask", "labels", "probability", "overlay"}
            A class in white on black; the label ids as grey values; the probability of a class as
            grey values; the photograph with a class tinted.
        class_ : label, optional
            The class of interest, for all pictures but the labels.
        progress : callable, optional
            Called with the part that is done, from 0 to 1, after each block.

        Returns
        -------
        Applied
            The pictures' files, and the part of the pixels that each class has.
        """
        position = self._class_of_interest(pictures, class_)
        opened = self._open(photograph)
        labels = np.empty(opened.shape, np.uint8)
        probability = np.empty_like(labels) if "probability" in pictures else None
        for rows, X in self._blocks(opened):
            labels[rows] = self._ids(X).reshape(-1, opened.width)
            if probability is not None:
                share = self._probabilities(X)[:, position]
                probability[rows] = np.rint(255 * share).reshape(-1, opened.width)
            if progress is not None:
                progress(rows.stop / opened.height)
        wanted = None if position is None else int(self.ids_[position])
        answer = Answer(opened, labels, wanted, probability, self.block_pixels)
        places = picture_files(photograph, folder, pictures)
        Path(folder).mkdir(parents=True, exist_ok=True)
        write_pictures(answer, places)
        return Applied(*opened.shape, self._shares(labels), places)

    # ---- what it is to the rest of the house ---------------------------------------------------

    @property
    def schema_(self) -> Schema:
        """The features of a pixel and the classes."""
        return self.trees_[0].schema

    @property
    def trees_(self) -> Sequence[Tree]:
        """The trees of the estimator."""
        check_is_fitted(self)
        if not hasattr(self.estimator_, "trees_"):
            raise DataError(
                f"a {type(self.estimator_).__name__} is not made of trees of Miter's; "
                "use an estimator that is"
            )
        trees: Sequence[Tree] = self.estimator_.trees_
        return trees

    def predict_codes(self, rows: NDArray[Any]) -> NDArray[np.int32]:
        """Return the position in `classes_` of the answer to each row of features."""
        codes: NDArray[np.int32] = self.estimator_.predict_codes(rows)
        return codes

    @property
    def state_types(self) -> Mapping[str, Any]:
        """The names of what the state holds, and their types."""
        estimator = LinearMachineTreeClassifier if self.estimator is None else self.estimator
        if not hasattr(estimator, "state_types"):
            raise ValueError(f"estimator is {estimator!r}; only trees of Miter's have a state")
        own = {"features": PixelFeatures, "ids": tuple[int, ...]}
        return {**estimator.state_types, **own}

    def state(self) -> dict[str, Any]:
        """Return what was learned beside the trees; how pixels were drawn is forgotten."""
        ids = tuple(self.ids_.tolist())
        return {**self.estimator_.state(), "features": self._features, "ids": ids}

    def restore(self, trees: Sequence[Tree], state: Mapping[str, Any]) -> Self:
        """Become the fitted classifier that has these trees and this state."""
        schema, ids = trees[0].schema, state["ids"]
        self.features = state["features"]
        if self.features.columns != schema.columns:
            raise ValueError("features: they are not the columns of the trees")
        if list(schema.classes) != sorted(schema.classes):
            raise ValueError("schema.classes: the classes of pixels must be sorted")
        is_sound = len(set(ids)) == len(ids) == schema.n_classes
        if not is_sound or not all(0 <= number < MOST_IDS for number in ids):
            raise ValueError("ids: give each class an id of its own, from 0 to 255")
        self.estimator_ = self._make_estimator().restore(trees, state)
        self._set_classes(schema.classes, ids)
        return self

    # ---- the parts of the work ---------------------------------------------------------------

    @property
    def _features(self) -> PixelFeatures:
        return PixelFeatures() if self.features is None else self.features

    def _check_settings(self) -> None:
        if not isinstance(self._features, PixelFeatures):
            raise ValueError(f"features is {self.features!r}; give PixelFeatures()")
        for name in ("max_pixels", "block_pixels"):
            value = getattr(self, name)
            if not isinstance(value, int | np.integer) or value < 1:
                raise ValueError(f"{name} is {value!r}; give a whole number from 1 on")

    def _set_classes(self, classes: Sequence[Label], ids: Sequence[int]) -> None:
        self.classes_ = np.array(classes)
        self.ids_ = np.array(ids, np.uint8)

    def _make_estimator(self, seed: int | None = None) -> Any:
        if self.estimator is None:
            return LinearMachineTreeClassifier(random_state=seed)
        return clone(self.estimator)

    def _fit_estimator(self, data: Data, seed: int) -> Any:
        estimator = self._make_estimator(seed)
        rows = (data,) if _reads_data(estimator) else (data.X, self.classes_[data.labels])
        return estimator.fit(*rows)

    def _open(self, image: ImageLike) -> Photograph:
        check_is_fitted(self)
        return open_photograph(image, "the photograph")

    def _blocks(self, photograph: Photograph) -> Iterator[tuple[slice, Any]]:
        """Yield the rows of each block, and its features as the estimator reads them."""
        features, schema = self._features, Schema(self._features.columns)
        for top, bottom in block_rows(photograph.shape, self.block_pixels):
            X = features.matrix(photograph, top, bottom)
            yield slice(top, bottom), Data(schema, X) if _reads_data(self.estimator_) else X

    def _ids(self, X: Any) -> NDArray[np.uint8]:
        """Return the id of each pixel; classes are sorted, so that they can be searched."""
        return self.ids_[np.searchsorted(self.classes_, self.estimator_.predict(X))]

    def _probabilities(self, X: Any) -> NDArray[Any]:
        if not hasattr(self.estimator_, "predict_proba"):
            raise DataError(
                f"{type(self.estimator_).__name__} gives no probabilities; "
                "use a classifier with predict_proba"
            )
        return np.asarray(self.estimator_.predict_proba(X))

    def _position(self, class_: Label) -> int:
        self.check_class(class_)
        return [label_text(label) for label in self.classes_.tolist()].index(label_text(class_))

    def _class_of_interest(self, pictures: Sequence[str], class_: Label | None) -> int | None:
        """Return its position; an error where it is missing, or a picture does not exist."""
        for name in pictures:
            if name not in PICTURES:
                raise ValueError(f"there is no picture {name!r}; {did_you_mean(name, PICTURES)}")
            if name != "labels" and class_ is None:
                raise ValueError(f"whose {name}? Name a class with class_=")
        return None if class_ is None else self._position(class_)

    def _shares(self, labels: NDArray[np.uint8]) -> dict[str, float]:
        everything = LabelIds(None)
        counts = everything.count(labels, "the answer", self.block_pixels)
        return {
            label_text(label): int(counts[number]) / labels.size
            for label, number in zip(self.classes_.tolist(), self.ids_, strict=True)
        }


def _reads_data(estimator: Any) -> bool:
    return isinstance(estimator, ReadsTables)
