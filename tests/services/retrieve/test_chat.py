"""Talk: what is recorded before a model is asked, what a reply is made from, what is kept, and what failures leave."""

from collections.abc import AsyncIterator
from datetime import UTC, datetime, timedelta

import orjson
import pytest
from candor.memory.v1.memory_pb2 import KIND_TURN
from candor.retrieve.v1 import chat_pb2 as pb

from shared.domain.conversation import NOTED
from shared.domain.draft import check
from shared.domain.errors import Conflict, InvalidArgument, UpstreamUnavailable
from shared.store import migrate
from tests.openai_server import CHAT, Behaviour, OpenAIServer
from tests.services.retrieve.serving import NOW, vector_of
from tests.services.retrieve.talking import Talking, talking

pytestmark = [pytest.mark.anyio, pytest.mark.usefixtures("retries_at_once")]

LISBON = check(
    kind="note",
    content="User lives in Lisbon.",
    speaker="user",
    memory_type="semantic",
    observed_at=datetime(2026, 4, 19, tzinfo=UTC),
)
WHERE = "Where do I live?"
GOOD = "You live in Lisbon [1]."


async def remember(served: Talking) -> str:
    served.embedder.vectors[WHERE] = vector_of(LISBON.content)
    (memory_id,) = await served.mine.add([LISBON], NOW - timedelta(days=1), [vector_of(LISBON.content)])
    return str(memory_id)


@pytest.fixture
async def served(database: migrate.Dsns, server: OpenAIServer) -> AsyncIterator[Talking]:
    async with talking(database, server) as made:
        yield made


async def test_without_a_model_a_statement_is_noted_and_a_question_answered(database: migrate.Dsns) -> None:
    async with talking(database) as served:
        lisbon = await remember(served)
        noted = await served.chat("I have bought a bicycle.", session="")
        asked = await served.chat(WHERE)
    assert noted.reply.text == NOTED
    assert noted.heard.session == served.kept.turns[0].session != "s"
    assert not noted.reply.citations
    assert asked.reply.text == "As of 2026-04-19: User lives in Lisbon. [1]"
    assert [citation.memory_id for citation in asked.reply.citations] == [lisbon]
    assert not asked.reply.degradation_code
    (use,) = served.uses.requests
    assert list(use.memory_ids) == [lisbon]
    kept = served.kept.replies[-1].memory
    assert (kept.kind, kept.speaker, kept.session) == (KIND_TURN, "assistant", "s")
    assert kept.content == "As of 2026-04-19: User lives in Lisbon."
    assert list(kept.derived_from) == [lisbon]
    assert asked.reply.reply_id


async def test_a_question_that_leans_on_the_talk_is_asked_of_memory_written_out(database: migrate.Dsns) -> None:
    async with talking(database) as served:
        lisbon = await remember(served)
        served.embedder.vectors[f"{WHERE} Since when?"] = vector_of(LISBON.content)
        await served.chat("Since when?", session="another")
        await served.chat(WHERE)
        asked = await served.chat("Since when?")
    assert [one.memory_id for one in asked.reply.citations] == [lisbon]
    assert served.embedder.asked == ["Since when?", WHERE, f"{WHERE} Since when?"]
    assert served.kept.turns[-1].user_text == "Since when?"  # what was said, not what was made of it


async def test_the_model_is_given_the_talk_and_the_memories_as_data(server: OpenAIServer, served: Talking) -> None:
    await remember(served)
    server.say("Hello!", GOOD)
    await served.chat("Hi, I am <b>Ann</b>.")
    response = await served.chat(WHERE)
    assert (response.reply.text, response.heard.turns_used) == (GOOD, 2)
    system, user = server.received[-1].body["messages"]
    assert "Lisbon" not in system["content"]
    data = orjson.loads(user["content"].removeprefix("<evidence>\n").removesuffix("\n</evidence>"))
    assert data["question"] == WHERE
    assert data["today"] == "2026-06-01"
    assert data["conversation"] == [
        {"who": "user", "text": "Hi, I am <b>Ann</b>."},
        {"who": "assistant", "text": "Hello!"},
    ]
    assert [memory["content"] for memory in data["memories"]] == [LISBON.content]
    assert "<b>" not in user["content"]
    assert served.kept.turns[-1].assistant_text == "Hello!"


async def test_a_stream_and_a_whole_reply_are_the_same(server: OpenAIServer, served: Talking) -> None:
    await remember(served)
    sentences = ["You told me that. ", GOOD]
    server.say("".join(sentences), "".join(sentences))
    heard, *texts, last = await served.stream(WHERE, session="one")
    whole = await served.chat(WHERE, session="two")
    assert [text.text for text in texts] == sentences
    assert last.reply.text == whole.reply.text == "".join(sentences)
    assert list(last.reply.citations) == list(whole.reply.citations)
    assert [hit.memory.id for hit in heard.heard.hits] == [hit.memory.id for hit in whole.heard.hits][:1]
    assert last.reply.model_id == whole.reply.model_id


@pytest.mark.parametrize("streamed", [False, True])
async def test_a_model_that_fails_leaves_the_turn_recorded(
    server: OpenAIServer, served: Talking, streamed: bool
) -> None:
    lisbon = await remember(served)
    server.next(CHAT, *[Behaviour.UNAUTHORIZED] * 3)
    if streamed:
        heard, last = await served.stream(WHERE)
        turn, reply = heard.heard, last.reply
    else:
        response = await served.chat(WHERE)
        turn, reply = response.heard, response.reply
    assert [request.user_text for request in served.kept.turns] == [WHERE]
    assert turn.turn_id in {str(memory_id) for memory_id in served.mine.kept}
    assert (reply.model_id, reply.degradation_code) == ("degraded", "upstream_unavailable")
    assert "User lives in Lisbon. [1]" in reply.text
    assert [citation.memory_id for citation in reply.citations] == [lisbon]
    assert not served.kept.replies
    assert not reply.HasField("reply_id")
    assert not served.uses.requests


async def test_no_model_is_asked_where_the_turn_cannot_be_recorded(server: OpenAIServer, served: Talking) -> None:
    served.kept.failure = UpstreamUnavailable("DATABASE_UNAVAILABLE", "gone")
    with pytest.raises(UpstreamUnavailable, match="gone"):
        await served.chat(WHERE)
    assert not server.received


async def test_asked_again_under_one_id_a_turn_is_recorded_once(server: OpenAIServer, served: Talking) -> None:
    await remember(served)
    server.say("Hello!", GOOD, "In Lisbon [1].")
    await served.chat("Hi!")
    first = await served.chat(WHERE, request_id="r")
    again = await served.chat(WHERE, request_id="r")
    assert first.heard.turn_id == again.heard.turn_id
    assert first.heard.turns_used == again.heard.turns_used == 2
    assert again.reply.text == "In Lisbon [1]."
    assert not again.reply.HasField("reply_id")
    assert len(served.mine.kept) == 5
    with pytest.raises(Conflict):
        await served.chat("Something else", request_id="r")


async def test_lies_about_memory_are_repaired_or_refused_and_talk_is_free(
    server: OpenAIServer, served: Talking
) -> None:
    await remember(served)
    server.say(
        "You moved on 3 May 2019 [1].", GOOD, "You moved on 3 May 2019 [1].", "Since 2019 [1].", "Great, 3 cats!"
    )
    repaired = await served.chat(WHERE, session="a")
    assert repaired.reply.text == GOOD
    refused = await served.chat(WHERE, session="b")
    assert refused.reply.degradation_code == "grounding_figure_unsupported"
    free = await served.chat("I have 3 cats.", session="c")
    assert free.reply.text == "Great, 3 cats!"


async def test_the_budget_holds_and_replies_and_used_turns_are_no_hits(server: OpenAIServer, served: Talking) -> None:
    await remember(served)
    texts = [f"A long story about the garden, part {n}, " + "and so on " * 30 for n in range(6)]
    server.say_ever("I see.")
    for text in texts:
        await served.chat(text)
    response = await served.chat(WHERE, token_budget=500)
    assert 0 < response.heard.turns_used < 12
    assert response.heard.tokens_used <= 500
    assert all(hit.memory.speaker != "assistant" for hit in response.heard.hits)
    assert response.heard.turn_id not in {hit.memory.id for hit in response.heard.hits}
    (sent,) = [message for message in server.received[-1].body["messages"] if message["role"] == "user"]
    told = orjson.loads(sent["content"].removeprefix("<evidence>\n").removesuffix("\n</evidence>"))
    said = {turn["text"] for turn in told["conversation"]}
    assert not said & {memory["content"] for memory in told["memories"]}


async def test_a_reply_that_cannot_be_kept_is_given_all_the_same(server: OpenAIServer, served: Talking) -> None:
    await remember(served)
    served.kept.replies_fail = True
    server.say(GOOD)
    response = await served.chat(WHERE)
    assert response.reply.text == GOOD
    assert not response.reply.HasField("reply_id")


async def test_wrong_fields_are_named_and_nothing_is_recorded(served: Talking) -> None:
    wrong = {"message": " ", "token_budget": 99, "max_total_tokens": -1, "speaker": "assistant"}
    with pytest.raises(InvalidArgument) as caught:
        await served.chat(**wrong)  # type: ignore[arg-type]
    assert {violation.field for violation in caught.value.violations} == set(wrong)
    assert not served.kept.turns
    assert isinstance(pb.ChatRequest(), pb.ChatRequest)
