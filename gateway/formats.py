"""Answers that are no JSON: what a client asks for by `Accept`, and the field of a response that is the whole body.

Rules: a value of a request's enum may name a media type; an `Accept` that prefers it to JSON means this value, unless
the request gives the field itself. Of media types with equal weight the first one given is preferred, and any that is
named to a wildcard, which means JSON. A string of a response that has a media type is the body where it is filled. It
does not know any single method.
Source: RFC 9110, 12.5.1, as far as a choice of a few needs it.
"""

import re
from typing import Any

from candor.options.v1 import options_pb2
from google.protobuf.message import Message

from gateway.contracts import Binding
from gateway.limits import Headers, values

JSON = "application/json"
_WEIGHT = re.compile(r"q=([01](?:\.[0-9]{0,3})?)")


class Formats:
    """The forms that the answers of one binding may have."""

    def __init__(self, binding: Binding) -> None:
        self._named: dict[str, tuple[str, int]] = {}
        for field in binding.method.input_type.fields:
            for value in field.enum_type.values if field.enum_type else ():
                media = value.GetOptions().Extensions[options_pb2.accept]
                if media:
                    self._named[media] = field.name, value.number
        self._bodies = [
            (field.name, media)
            for field in binding.method.output_type.fields
            if (media := field.GetOptions().Extensions[options_pb2.media_type])
        ]

    def prefer(self, request: Message, headers: Headers) -> None:
        """Put what the header asks for into the request, where that does not say it."""
        if not self._named:
            return
        named = self._named.get(_preferred(headers, frozenset(self._named)))
        if named is not None and not getattr(request, named[0]):
            setattr(request, *named)

    def body(self, response: Message) -> tuple[str, bytes] | None:
        """Return the media type and the body of an answer that is no JSON."""
        filled: Any = next(((media, text) for name, media in self._bodies if (text := getattr(response, name))), None)
        return None if filled is None else (filled[0], filled[1].encode())


def _preferred(headers: Headers, offered: frozenset[str]) -> str:
    """Return the media type that weighs most of those offered; JSON when none of them is named."""
    best, most = JSON, 0.0
    for part in b",".join(values(headers, b"accept")).decode("latin-1").split(","):
        media, *parameters = (piece.strip().lower() for piece in part.split(";"))
        weights = [float(found[1]) for one in parameters if (found := _WEIGHT.fullmatch(one))]
        weight = min(weights[0], 1.0) if weights else 1.0
        if media in {*offered, JSON} and weight > most:
            best, most = media, weight
    return best
