"""What browsers load: scripts, styles and the pages that are made of them."""

import hashlib
import html
from pathlib import Path
from typing import Any

from litestar import Request, Response, get

from service.api.operation import GAME_ID
from service.api.problems import ApiError

FOLDER = Path(__file__).resolve().parent.parent / "static"

MEDIA_TYPES = {
    ".mjs": "text/javascript",
    ".css": "text/css",
    ".svg": "image/svg+xml",
}

POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; "
    "img-src 'self' data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)


class Asset:
    """A file that browsers may have, held in memory with its entity tag."""

    def __init__(self, path: Path) -> None:
        self.content = path.read_bytes()
        self.media_type = MEDIA_TYPES[path.suffix]
        self.tag = f'"{hashlib.sha256(self.content).hexdigest()[:16]}"'


def read_assets(folder: Path = FOLDER) -> dict[str, Asset]:
    """Read all files of the folder that have a media type; nothing else is ever served."""
    return {
        path.relative_to(folder).as_posix(): Asset(path)
        for path in sorted(folder.rglob("*"))
        if path.suffix in MEDIA_TYPES
    }


def shell(title: str, script: str) -> str:
    """Make the page around a script and the styles of its name. It holds none of its own."""
    return (
        '<!doctype html><html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<title>{html.escape(title)}</title>"
        '<link rel="icon" href="/static/icon.svg">'
        '<link rel="stylesheet" href="/static/potluck.css">'
        f'<link rel="stylesheet" href="/static/{script}.css">'
        f'<script type="module" src="/static/{script}.mjs"></script></head>'
        '<body><div id="page"><noscript>This page needs JavaScript; the API behind it does not.'
        "</noscript></div></body></html>"
    )


def _page(request: Request[Any, Any, Any], title: str, script: str) -> Response[bytes]:
    game = request.path_params.get("game")
    if game is not None and not GAME_ID.fullmatch(game):
        raise ApiError("not-found", f"{game[:40]!r} cannot be the id of a game.")
    return Response(
        content=shell(title, script).encode(),
        media_type="text/html",
        headers={"Content-Security-Policy": POLICY, "Cache-Control": "no-store"},
    )


@get("/play/{game:str}", include_in_schema=False)
async def play(request: Request[Any, Any, Any]) -> Response[bytes]:
    """Give the page on which a game is played; its script asks the API for all the rest."""
    return _page(request, "Potluck", "play")


@get("/viewer/{game:str}", include_in_schema=False)
async def viewer(request: Request[Any, Any, Any]) -> Response[bytes]:
    """Give the page on which a game is replayed."""
    return _page(request, "Potluck: replay", "viewer")


@get("/viewer", include_in_schema=False)
async def recordings(request: Request[Any, Any, Any]) -> Response[bytes]:
    """Give the same page without a game: it replays recordings that are dropped on it."""
    return _page(request, "Potluck: replay", "viewer")


@get("/judge/{game:str}", include_in_schema=False)
async def judge(request: Request[Any, Any, Any]) -> Response[bytes]:
    """Give the page on which a game is judged."""
    return _page(request, "Potluck: judge", "judge")


def handlers() -> list[Any]:
    """Give the route handlers of the files and of the pages made of them."""
    assets = read_assets()

    @get("/static/{name:path}", include_in_schema=False)
    async def static(request: Request[Any, Any, Any]) -> Response[bytes]:
        asset = assets.get(request.path_params["name"].lstrip("/"))
        if asset is None:
            raise ApiError("not-found", "There is no such file.")
        headers = {"ETag": asset.tag, "Cache-Control": "no-cache"}
        if asset.tag in request.headers.get("if-none-match", ""):
            return Response(content=b"", status_code=304, headers=headers)
        headers["Content-Security-Policy"] = "default-src 'none'"
        return Response(content=asset.content, media_type=asset.media_type, headers=headers)

    return [play, viewer, recordings, judge, static]
