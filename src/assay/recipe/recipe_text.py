"""A recipe's text, read from a file that may be anything."""

from __future__ import annotations

from pathlib import Path

from assay.errors import RecipeError

LARGEST = 1_000_000
"""Bytes; a recipe has a few thousand, so a larger file was named by mistake."""


def read_text(path: Path) -> str:
    """The text of the file.

    Raises RecipeError where there is no such file, or it is a folder, unreadable, empty, too large or not text.
    """
    try:
        if path.is_dir():
            raise RecipeError([f"{path} is a folder; name a recipe's file, such as {path / 'recipe.yaml'}."])
        with path.open("rb") as file:
            content = file.read(LARGEST + 1)  # a device or a pipe has no size to ask for
        if len(content) > LARGEST:
            raise RecipeError([f"{path} has more than {LARGEST:,} bytes, too many for a recipe; name a YAML file."])
    except FileNotFoundError:
        raise RecipeError([f"{path} does not exist; make a recipe with `assay init NAME`, such as "
                           "`assay init digits`."]) from None
    except (OSError, ValueError) as error:  # ValueError: a null byte in the name
        reason = getattr(error, "strerror", None) or error
        raise RecipeError([f"{path} can't be read ({reason}); check the name and its permissions."]) from None
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise RecipeError([f"{path} is not UTF-8 text (byte {error.start}); save the recipe as UTF-8."]) from None
    if not text.strip():
        raise RecipeError([f"{path} is empty; make a recipe with `assay init NAME --output {path} --force`."])
    return text
