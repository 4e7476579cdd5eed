"""Pages for people: the front page, the contract, and one page for each kind of problem."""

import html
from collections.abc import Sequence
from typing import Any

from litestar import Request, Response, get

from service.api.assets import POLICY
from service.api.problems import KINDS, ApiError, Kind
from service.api.views import summary
from service.container import Service
from service.store.types import LISTINGS
from service.texts import DEFAULT

SECURITY = {
    "Content-Security-Policy": "default-src 'none'; style-src 'unsafe-inline'; "
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    "Cache-Control": "no-store",
}

_STYLE = """
:root { color-scheme: light dark; --ink: #2b2118; --paper: #fffaf2; --line: #e2d5c1;
  --accent: #a3401c; }
@media (prefers-color-scheme: dark) { :root { --ink: #f3e9dc; --paper: #1d1712; --line: #463a2e;
  --accent: #ff9d73; } }
body { font: 1rem/1.55 system-ui, sans-serif; margin: 0 auto; max-width: 54rem; padding: 2rem 1rem;
  color: var(--ink); background: var(--paper); }
a { color: var(--accent); } code, pre { font-family: ui-monospace, monospace; }
table { border-collapse: collapse; width: 100%; } td, th { text-align: left;
  border-bottom: 1px solid var(--line); padding: .4rem .6rem .4rem 0; }
h1 { margin-top: 0; } footer { margin-top: 3rem; font-size: .9rem; }
"""


_START = "<section id='start'></section><script type='module' src='/static/home.mjs'></script>"
_FRONT = (
    '<link rel="icon" href="/static/icon.svg"><link rel="stylesheet" href="/static/potluck.css">'
    '<link rel="stylesheet" href="/static/front.css">'
)


def _page(title: str, body: str, status: int = 200, *, front: bool = False) -> Response[bytes]:
    text = (
        '<!doctype html><html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<title>{html.escape(title)}</title>"
        f"{_FRONT if front else f'<style>{_STYLE}</style>'}</head>"
        f"<body><main>{body}</main><footer><a href='/'>Potluck</a> · "
        "<a href='/openapi.json'>contract</a> · <a href='/docs'>docs</a></footer></body></html>"
    )
    return Response(
        content=text.encode(),
        status_code=status,
        media_type="text/html",  # Litestar adds the character set
        headers={**SECURITY, "Content-Security-Policy": POLICY} if front else SECURITY,
    )


def _rows(rows: Sequence[tuple[str, ...]]) -> str:
    return "".join(f"<tr>{''.join(f'<td>{cell}</td>' for cell in row)}</tr>" for row in rows)


@get("/", include_in_schema=False)
async def front(request: Request[Any, Any, Any]) -> Response[bytes]:
    """Show what is hosted and the newest public games."""
    service: Service = request.app.state.opening.service
    places = [place for name in LISTINGS for place in await service.store.games(name, limit=10)]
    rows: list[tuple[str, ...]] = []
    for _, game in sorted(places, reverse=True)[:10]:
        table = await service.tables.current(game)
        if table is None:
            continue
        entry = summary(table)
        name = service.texts.of(table.ruleset, DEFAULT, "game", "name") or entry.ruleset
        scores = " : ".join(map(str, entry.outcome.scores)) if entry.outcome else ""
        address = f"/v1/games/{game}"
        rows.append(
            (
                html.escape(name),
                entry.status,
                str(len(entry.seats)),
                str(entry.version),
                scores,
                f"<a href='/play/{game}'>play</a> · <a href='/viewer/{game}'>replay</a> · "
                f"<a href='{address}'>table</a> · "
                f"<a href='{address}/events'>events</a> · "
                f"<a href='{address}/claims'>claims</a> · "
                f"<a href='{address}/recording'>recording</a>",
            )
        )
    games = (
        "<div class='wide' tabindex='0'><table><tr><th>game</th><th>status</th><th>seats</th>"
        f"<th>events</th><th>score</th><th>look</th></tr>{_rows(rows)}</table></div>"
        if rows
        else "<p>No game yet. The README's tour opens one.</p>"
    )
    return _page(
        "Potluck",
        "<h1>Potluck</h1><p>Card games of hidden hands, played over HTTP from an event log. "
        "Everything here is served by the same API that your client uses.</p>"
        f"{_START}<section><h2>Newest public games</h2>{games}"
        "<p><a href='/viewer'>Check and replay a recording</a> that you have as a file.</p>"
        "</section>"
        "<section><h2>For those who write clients</h2><p><a href='/v1/rulesets'>The games</a>, "
        "<a href='/openapi.json'>the contract</a> (OpenAPI 3.1), "
        "<a href='/docs'>the problems that the API answers with</a>.</p></section>",
        front=True,
    )


@get("/docs", include_in_schema=False)
async def docs() -> Response[bytes]:
    """List the kinds of problems and where to read on."""
    rows = [
        (
            str(kind.status),
            f"<a href='/docs/problems/{kind.code}'><code>{kind.code}</code></a>",
            html.escape(kind.title),
        )
        for kind in KINDS.values()
    ]
    return _page(
        "Potluck: docs",
        "<h1>Docs</h1><p>The whole API is described by <a href='/openapi.json'>its contract</a> "
        "(OpenAPI 3.1), which any OpenAPI viewer or client generator can read.</p>"
        "<h2>Problems</h2><p>Errors are problem details (RFC 9457). Branch on <code>code</code>; "
        "where a game's rule speaks, <code>rule</code> has its id.</p>"
        f"<table><tr><th>status</th><th>code</th><th>title</th></tr>{_rows(rows)}</table>",
    )


def _problem_page(kind: Kind) -> Response[bytes]:
    return _page(
        f"Potluck: {kind.title}",
        f"<h1>{html.escape(kind.title)}</h1>"
        f"<p><code>{kind.code}</code>, status {kind.status}</p>"
        f"<p>{html.escape(kind.meaning)}</p><h2>What helps</h2><p>{html.escape(kind.remedy)}</p>",
    )


@get("/docs/problems/{code:str}", include_in_schema=False)
async def problem_page(request: Request[Any, Any, Any]) -> Response[bytes]:
    """Explain one kind of problem; a problem's ``type`` leads here."""
    code = request.path_params["code"]
    if code not in KINDS:
        raise ApiError("not-found", f"There is no kind of problem {code[:40]!r}.")
    return _problem_page(KINDS[code])


def handlers(contract: bytes) -> list[Any]:
    """Give the pages' route handlers."""

    @get("/openapi.json", include_in_schema=False)
    async def openapi() -> Response[bytes]:
        return Response(
            content=contract, media_type="application/json", headers={"Cache-Control": "no-cache"}
        )

    return [front, docs, problem_page, openapi]
