"""The table over HTTP: one page, one picture, one address to ask. It keeps no state."""

from importlib.resources import files

from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.middleware import Middleware
from starlette.middleware.trustedhost import TrustedHostMiddleware
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from mapkit.errors import MapkitError
from rules.assistant.table import Table

_TYPES = {
    ".html": "text/html",
    ".css": "text/css",
    ".js": "text/javascript",
    ".svg": "image/svg+xml",
}
# Nothing of the page comes from elsewhere, and nothing on it may.
_HEADERS = {
    "Content-Security-Policy": "default-src 'self'",
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
}


def table_app(table: Table, hosts: tuple[str, ...]) -> Starlette:
    """Return the web application of a table.

    *hosts* are the names it answers to: a page elsewhere must not reach it under its own name.
    """

    async def page(request: Request) -> Response:
        name = request.path_params.get("name") or "table.html"
        file = files("rules.assistant") / "page" / name
        suffix = name[name.rfind(".") :]
        if suffix not in _TYPES or not file.is_file():
            return JSONResponse({"error": f"there is no page '{name}'"}, 404, headers=_HEADERS)
        return Response(file.read_bytes(), media_type=_TYPES[suffix], headers=_HEADERS)

    async def data(_: Request) -> Response:
        return JSONResponse(await run_in_threadpool(table.page_data), headers=_HEADERS)

    async def picture(_: Request) -> Response:
        image = await run_in_threadpool(lambda: table.picture)
        return Response(image, media_type="image/webp", headers=_HEADERS)

    async def ask(request: Request) -> Response:
        query, judge = request.query_params, request.path_params["judge"]
        question = {word: query.getlist(word) for word in query}
        answer = table.bearing if request.url.path.startswith("/bearing/") else table.ask
        try:
            found = await run_in_threadpool(answer, judge, question)
        except MapkitError as error:
            return JSONResponse({"error": str(error)}, 400, headers=_HEADERS)
        return JSONResponse(found, headers=_HEADERS)

    return Starlette(
        routes=[
            Route("/", page),
            Route("/page/{name}", page),
            Route("/table.json", data),
            Route("/map.webp", picture),
            Route("/ask/{judge}", ask),
            Route("/bearing/{judge}", ask),
        ],
        middleware=[Middleware(TrustedHostMiddleware, allowed_hosts=list(hosts))],
    )
