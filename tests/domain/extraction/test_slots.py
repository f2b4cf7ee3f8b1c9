"""Slots out of ordinary sentences: many wordings of one thing, and what fills none."""

import pytest

from tests.domain.extraction.turns import facts, told

FILLED = """
I've been living in Ghent since 2019. => |slot.residence=Ghent
Turin is where I live these days. => |slot.residence=Turin
I now call Seville home. => |slot.residence=Seville
As of this week I'm a resident of Tartu. => |slot.residence=Tartu
I packed up in Cork; Vilnius is home now. => |slot.residence=Vilnius<Cork
I've left Basel behind and live in Trieste. => |slot.residence=Trieste<Basel
Seville no longer, I'm in Valencia now. => |slot.residence=Valencia<Seville
My doorbell is in Lisbon as of today. => |slot.residence=Lisbon
We moved from a village to Sint-Niklaas. => |slot.residence=Sint-Niklaas
i live in lisbon and work at vantor => |slot.residence=lisbon |slot.employer=vantor
I am employed by Brightmoor. => |slot.employer=Brightmoor
Bluefern hired me last week. => |slot.employer=Bluefern
My lanyard reads Copperleaf. => |slot.employer=Copperleaf
I handed in my notice at Vantor and signed with Greywater. => |slot.employer=Greywater<Vantor
I've switched employers: Nordwind is out, Quillworks is in. => |slot.employer=Quillworks<Nordwind
They promoted me to product manager. => |slot.role=product manager
I'm no longer a QA lead, I'm a research engineer. => |slot.role=research engineer<QA lead
At work we've replaced Ruby with Elixir. => |slot.work_language=Elixir<Ruby
Haskell is out, TypeScript is in at the office. => |slot.work_language=TypeScript<Haskell
Everything I write for the company is Scala now. => |slot.work_language=Scala
I ditched VS Code; now I edit everything in PyCharm. => |slot.editor=PyCharm<VS Code
Helix replaced Kakoune on my laptop; all my files open in it. => |slot.editor=Helix<Kakoune
The waiter brings me a ristretto without asking. => |slot.usual_drink=ristretto
Coffee no longer agrees with me, I have rooibos every morning. => |slot.usual_drink=rooibos<Coffee
I don't drink green tea any more. => |slot.usual_drink=<green tea!
Just water for me from now on, no more chai. => |slot.usual_drink=<chai!
My favorite dish used to be goulash, now it's gnocchi. => |slot.favourite_dish=gnocchi
Lately my headphones play only bebop. => |slot.music=bebop
I went vegan, vegetarian wasn't enough. => |slot.diet=vegan<vegetarian
I went back to eating meat, I'm not vegetarian any more. => |slot.diet=<vegetarian!
We pay 1,200 euros in rent. => |slot.rent=1,200 euros
Rent is now 940, up from 880. => |slot.rent=940<880
My extension is 4812, not 4821 as I told you. => |slot.extension_number=4812<4821
We upped the summer trip budget from 3000 to 3400 euros. => |slot.budget.summer_trip=3400 euros<3000
I traded in the Yaris for a Mazda MX-5. => |slot.vehicle=Mazda MX-5
I sold my Honda Civic. => |slot.vehicle=<Honda Civic!
Our cat's name is Waffles. => |slot.pet.cat=Waffles
My side project Osprey is now called Sextant. => |slot.side_project=Sextant<Osprey
Skylark left private beta and is in public beta now. => |slot.status.skylark=public beta<private beta
Priya took over from Marek as tech lead. => |slot.tech_lead=Priya<Marek
Our designer Greta resigned, Bram does her job now. => |slot.designer=Bram<Greta
My new boss is Wanda. => |slot.manager=Wanda
The grant report must be handed in by 12 May. => |slot.due.grant_report=2026-05-12
I owe Signe the contract draft by April 20. => |slot.due.contract_draft=2026-04-20
The conference paper is due next Friday. => |slot.due.conference_paper=2026-04-10
The vet moved my appointment from 7 May to 9 May. => |slot.appointment.vet=2026-05-09<2026-05-07
I'm seeing the optician on 07.05.2026. => |slot.appointment.optician=2026-05-07
My dad turns 70 on 8 November. => dad|slot.birthday=--11-08
I speak Polish and Greek. => |slots.language=Polish |slots.language=Greek
I can't speak Swahili any more. => |slots.language=Swahili!
I'm deathly allergic to cashews. => |slots.allergy=cashews
Ibuprofen is off limits for me, it put me in hospital. => |slots.allergy=Ibuprofen
I can't wear anything with nickel, my skin swells. => |slots.allergy=nickel
I've been taking metformin daily. => |slots.medication=metformin
They diagnosed me with narcolepsy. => |slots.condition=narcolepsy
My blood group is AB negative. => |slot.blood_type=AB negative
Look in the glove compartment for my emergency injector. => |slot.place.emergency_injector=glove compartment
Should anything happen, phone Ines. => |slot.emergency_contact=Ines
Dr Petrov looks after me when I'm sick. => |slot.doctor=Dr Petrov
Mrs Duvall looks after my spare key. => |slot.holder.spare_key=Mrs Duvall
Don't forget that my locker code is 4711. => |slot.locker_code=4711
The insurance number to remember is 448812. => |slot.insurance_number=448812
My wifi password is hunter2. => |slot.wifi_password=hunter2
I keep my passport in the linen chest. => |slot.place.passport=linen chest
You may call me Otto. => |slot.name=Otto
My sister moved to Graz last month. => sister|slot.residence=Graz
My brother's employer is Kestrel. => brother|slot.employer=Kestrel
My colleague Farah can't eat sesame, she's allergic. => Farah|slots.allergy=sesame
My bank is Tessera Bank. => |slot.bank=Tessera Bank
"""

SLOTLESS = """
I'm moving to Lyon in June.
We're thinking about relocating to Nantes.
If I got the job I'd move to Oslo.
I used to live in Trieste.
I lived in Antwerp for ten years.
I wish I lived in Rome.
I wonder whether to move to Basel.
Part of me wants to live in Porto one day.
Is it true that I live in Lisbon?
Can you tell me where Lisbon is?
What is a good way to learn Rust?
I might switch to Emacs.
I learn Rust on weekends for fun.
A Python talk at the office bored me.
I had a flat white at the airport.
I saw Paper Comets at the cinema, not bad.
I listened to the podcast Second Shift on my walk.
I owe you one.
She said she lives in Lyon.
On long flights I like the aisle, on short ones the window.
When it rains I take the tram, otherwise the bicycle.
My head hurts today.
The shops were crowded today.
It's fine.
"""


def _rows() -> list[tuple[str, list[str]]]:
    lines = [line.split(" => ") for line in FILLED.strip().splitlines()]
    return [(text, expected.replace(" |", "\n|").splitlines()) for text, expected in lines]


@pytest.mark.parametrize(("text", "expected"), _rows())
def test_a_statement_fills_its_slot(text: str, expected: list[str]) -> None:
    assert told(text) == expected


@pytest.mark.parametrize("text", SLOTLESS.strip().splitlines())
def test_what_is_not_told_of_the_present_fills_none(text: str) -> None:
    assert told(text) == []


def test_a_correction_says_that_the_former_value_was_never_right() -> None:
    assert [fact.corrects for fact in facts("Sorry, my rent is 790 euros, not 970.")] == [True]
    assert [fact.corrects for fact in facts("My rent went up from 790 to 970 euros.")] == [False]


def test_a_fact_is_a_sentence_about_the_user_with_the_users_own_words_as_evidence() -> None:
    (fact,) = facts("By the way. I moved from Porto to Lisbon on 28 March.")
    assert fact.text == "User lives in Lisbon."
    assert fact.evidence == "I moved from Porto to Lisbon on 28 March."
    assert fact.valid_from.isoformat() == "2026-03-28T00:00:00+00:00"
    assert [each.text for each in facts("My sister lives in Graz.")] == ["User's sister lives in Graz."]


def test_an_end_is_told_in_the_users_own_words() -> None:
    (fact,) = facts("I gave up chai and drink only water.")
    assert (fact.ends, fact.value, fact.text) == (True, "", "I gave up chai and drink only water.")


def test_a_deadline_is_over_at_the_end_of_its_day_and_keeps_the_words_of_the_day() -> None:
    (fact,) = facts("The tax return is due on June 30.")
    assert fact.text == "User's tax return is due on June 30 (2026-06-30)."
    assert fact.valid_to is not None
    assert fact.valid_to.isoformat() == "2026-07-01T00:00:00+00:00"


def test_the_assistants_words_are_no_evidence() -> None:
    assert facts("Thanks, that helps.", assistant="So you live in Lisbon and work at Vantor.") == ()


def test_it_is_deterministic_and_says_nothing_twice() -> None:
    text = "I live in Lisbon. I still live in Lisbon. My sister lives in Graz."
    assert facts(text) == facts(text)
    assert told(text) == ["|slot.residence=Lisbon", "sister|slot.residence=Graz"]


@pytest.mark.parametrize(
    "text",
    [
        "",
        "   ",
        "?!",
        "x" * 20_000,
        "I live in " * 2_000,
        "my " * 300 + "is Lisbon.",
        "I, " * 200,
        "\ue000 is due",
        "(" * 500,
    ],
)
def test_any_text_is_read(text: str) -> None:
    assert isinstance(facts(text), tuple)


def test_there_are_at_most_thirty_two_facts() -> None:
    text = " ".join(f"My aunt number {n} has the code {n}{n}{n}." for n in range(100, 160))
    assert len(facts(text)) == 32
