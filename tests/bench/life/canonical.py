"""One true sentence for everything a life tells: what a perfect extractor would note of it.

Rules: the third person, no date of saying and no word on what held before: supersession is the memory's work, not the
oracle's. Keys are families of slots, with an act where it needs a sentence of its own; {d} is an ISO date. Other marks
are those of the templates.
It does not know the wordings of either half.
"""

from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType

from tests.bench.life import scripts_third
from tests.bench.life.model import Life, Turn

SENTENCES: Mapping[str, str] = MappingProxyType(
    {
        "name": "The user's name is {v}.",
        "residence": "The user lives in {v}.",
        "residence.change_on": "The user has lived in {v} since {d}.",
        "residence.plan": "The user is thinking of moving to {v}.",
        "employer": "The user works at {v}.",
        "employer.change_on": "The user has worked at {v} since {d}.",
        "role": "The user's job title is {v}.",
        "code": "The user writes {v} at work.",
        "editor": "The user's editor is {v}.",
        "drink": "The user's usual drink is {v}.",
        "drink.end": "The user no longer drinks {old}.",
        "food": "The user's favourite dish is {v}.",
        "music": "The user likes to listen to {v}.",
        "diet": "The user's diet is {v}.",
        "diet.end": "The user is no longer {old}; the user has no special diet.",
        "rent": "The user's rent is {v} euros a month.",
        "extension": "The user's phone extension at work is {v}.",
        "budget": "The budget for the user's summer trip is {v} euros.",
        "vehicle": "The user drives a {v}.",
        "vehicle.end": "The user no longer has the {old} and has no car.",
        "pet": "The user's {x} is called {v}.",
        "project": "The user's side project is called {v}.",
        "status": "The project {x} is in {v}.",
        "team": "The {x} on the user's team is {v}.",
        "deadline": "The user's {x} is due on {v}.",
        "deadline.done": "The user has handed in the {x}.",
        "promise": "The user promised {n} the {x} by {v}.",
        "appointment": "The user's {x} appointment is on {v}.",
        "birthday": "The birthday of the user's {x} is {v}.",
        "spoken": "The user speaks {v}.",
        "spoken.drop": "The user no longer speaks {v}.",
        "food_allergy": "The user has a food allergy to {v}.",
        "drug_allergy": "The user must never be given {v}, a medicine.",
        "contact_allergy": "The user's skin reacts to {v}, an allergy.",
        "blood": "The user's blood type is {v}.",
        "medication": "The user takes {v} every day as medication.",
        "condition": "The user has {v}, an illness.",
        "rescue": "The user's adrenaline pen, an emergency injector, is in the {v}.",
        "contact": "The user's emergency contact is {v}.",
        "doctor": "The user's doctor is {v}.",
        "key": "{v} has the user's spare door key.",
        "locker": "The code of the user's gym locker is {v}.",
        "passport": "The user's passport and travel documents are in the {v}.",
        "insurance": "The user's health insurance policy number is {v}.",
        "seat": "The user likes the {v} on long flights and the {x} on short flights.",
        "commute": "The user takes the {v} to work when it rains, otherwise the {x}.",
        "sister": "The user's sister lives in {v}.",
        "brother": "The user's brother works at {v}.",
        "colleague": "The user's colleague {n} is allergic to {v}.",
        "film": "The user watched the film {v}.",
        "book": "The user read the book {v}.",
        "cafe": "The user had dinner at {v}.",
        "chat": 'The user says in passing: "{v}".',
        "podcast": "The user listened to the podcast {v}.",
        **scripts_third.SENTENCES,
    }
)


def oracle(life: Life) -> Callable[[Turn], Sequence[str]]:
    """Return the extractor that knows the truth: the sentences the life's own labels give for a turn."""
    sentences = {
        (turn.at, turn.user_text): label.sentences for turn, label in zip(life.turns, life.labels, strict=True)
    }

    def extract(turn: Turn) -> Sequence[str]:
        return sentences[turn.at, turn.user_text]

    return extract
