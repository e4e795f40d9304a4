"""The text of docs/refusals.md, made from the catalogue. Writing the file is the affair of tools/refusals.py."""

from collections.abc import Iterable, Sequence

from majlis.match import catalogue

HEAD = """\
# Refusals

<!-- Made from server/majlis/match/catalogue.py by `make refusals`; change it there. -->

Every call that fails carries one `majlis.v1.Refusal` among the details of its status: the reason, the sentence in the
caller's language (`accept-language: en` or `ar`), the head of the match where it matters, and `retry_after_ms`, which
is 0 where the same call cannot succeed. Reasons are final: branch on them, and show the sentence for those you do not
know. A refused action has changed nothing and is not remembered: the same `request_id` is judged afresh.

Two reasons are given by `majlis judge` alone ([positions](positions.md)). `MALFORMED_ACTION` is over the API a
`MALFORMED_REQUEST`, with the fields at fault, and `NO_SUCH_CLOCK` cannot happen there: no client lets a clock run out.

"""


def text() -> str:
    """The page, Markdown, ending with a line break."""
    return HEAD + "\n".join(
        (
            "## By the rules\n",
            _table(("Reason", "Status", "Retry", "Sentence"), _rows(catalogue.BY_THE_RULES)),
            "## By the server\n",
            _table(("Reason", "Status", "Retry", "Sentence"), _rows(catalogue.BY_THE_SERVER)),
            '<div dir="rtl" lang="ar">\n',
            "## بالعربية\n",
            _table(("السبب", "النص"), ((f"`{e.reason}`", e.arabic) for e in catalogue.CATALOGUE.values())),
            "</div>\n",
        )
    )


def _rows(entries: Iterable[catalogue.Entry]) -> Iterable[Sequence[str]]:
    return ((f"`{e.reason}`", e.code, "yes" if e.retry else "", e.english) for e in entries)


def _table(titles: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    lines = [titles, ["---"] * len(titles), *rows]
    return "".join(f"| {' | '.join(line)} |\n" for line in lines)
