"""The pictures in the docs are what `make pictures` makes."""

import re
import subprocess
import sys
from itertools import product
from pathlib import Path

from tests.pages.pictures import IMAGES, SCHEMES, SHOWN, SIZES

ROOT = Path(__file__).parents[2]


def size_of(picture: Path) -> tuple[int, int]:
    """Read a WebP's width and height off its header."""
    head = picture.read_bytes()[:30]
    assert (head[:4], head[8:16]) == (b"RIFF", b"WEBPVP8X")
    return int.from_bytes(head[24:27], "little") + 1, int.from_bytes(head[27:], "little") + 1


def test_the_command_takes_each_picture_of_a_page(tmp_path):
    page = "play-stir-fry-eighteen"
    command = [sys.executable, "-m", "tests.pages.pictures", page, "--folder", str(tmp_path)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    taken = {picture.name: size_of(picture) for picture in tmp_path.iterdir()}
    assert taken == {
        f"{page}-{size}-{scheme}.webp": SIZES[size] for size, scheme in product(SIZES, SCHEMES)
    }


def test_the_docs_show_every_picture_and_none_that_is_not_made():
    made = {f"{page}-{size}-{scheme}.webp" for page, size, scheme in product(SHOWN, SIZES, SCHEMES)}
    assert {picture.name for picture in IMAGES.iterdir()} == made
    texts = [ROOT / "README.md", *(ROOT / "docs").glob("*.md")]
    shown = {
        name for text in texts for name in re.findall(r"images/([\w-]+\.webp)", text.read_text())
    }
    assert shown == made
    assert sum(picture.stat().st_size for picture in IMAGES.iterdir()) < 1_500_000
