"""What every request about a question has to keep.

Rules: a wrong field is named, never quoted. It does not know what the question is for.
"""

from shared.domain.errors import InvalidArgument

MAX_QUESTION_CHARS = 4_000


def checked(question: str, field: str) -> str:
    """Return a question that is one.

    Raises: InvalidArgument QUESTION_EMPTY, QUESTION_TOO_LONG.
    """
    if not question.strip():
        raise InvalidArgument.of(field, "QUESTION_EMPTY", "must not be empty")
    if len(question) > MAX_QUESTION_CHARS:
        told = f"must have at most {MAX_QUESTION_CHARS} characters, has {len(question)}"
        raise InvalidArgument.of(field, "QUESTION_TOO_LONG", told)
    return question
