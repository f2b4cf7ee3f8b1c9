"""Templates, a second half to build on: what the user says, asks and hears, in wordings found after the rules were.

Rules: as templates_build.py, whose keys these have. Rules and policies may be mended on what these show; figures are
reported on neither. No wording here stands in the other halves.
Source: our own sentences, written before a run on them was looked at.
"""

STATEMENTS = """
name.state = Call me {v}. | {v} is my name, hello.
name.restate = This is {v} speaking. | It's me, {v}.
residence.state = I've rented a studio in {v}. | I've got a small place in {v}. | I've settled down in {v}.
residence.change = We packed everything and moved over to {v}; goodbye {old}. | I swapped {old} for {v} last weekend.
| As of this week I'm a resident of {v} and no longer of {old}.
residence.change_on = On {d} we moved to {v}. | I've been living in {v} since {d}, after I left {old}.
residence.oblique = Registered at the town hall in {v} this morning, {old} is history.
| The movers carried the last box up the stairs in {v}.
| My new front door is in {v}; someone else has the one in {old}.
residence.back = I said goodbye to {old} and have returned to {v}.
| I gave up on {old} and live in {v} once more.
residence.restate = Home is still {v}. | {v} is where I live, remember? | I sleep well here in {v}, it's home.
| Life in {v} is good. | My flat in {v} has new curtains. | I do like living in {v}.
residence.hint = There's a street fair below my window in {v}. | My neighbour in {v} plays the cello.
residence.plan = I keep dreaming of {v}, maybe I'll move there someday. | Perhaps we'll relocate to {v} in a few years.
employer.state = {v} is the company I work for. | I earn my living at {v}.
employer.change = I handed in my notice at {old} and signed with {v}. | I changed jobs, from {old} to {v}.
employer.change_on = I joined {v} on {d}. | Since {d} I've been with {v}, before that it was {old}.
employer.oblique = My payslip comes from {v} now. | I said farewell to {old}; the new desk is at {v}.
employer.restate = {v} keeps me busy as ever. | I'm still with {v}. | Overtime at {v} again.
| {v} still signs my contract.
| As you know my employer is {v}. | Nothing new at {v}, where I work.
employer.hint = The coffee machine at {v} is being serviced. | Our team at {v} had an outing.
role.state = My job title is {v}. | By profession I'm a {v}.
role.change = They made me {v}, so I've stopped being a {old}. | I moved up from {old} to {v}.
code.state = My work programs are in {v}. | Our codebase at the office is all {v}.
code.change = The team dropped {old} for {v}, so that's what I write at work.
| My work code is in {v} now instead of {old}.
code.change_on = On {d} we adopted {v} at work and retired {old}.
code.oblique = The last {old} module at work was deleted; what I review and write there is {v}.
| Every pull request I open for my employer is {v} these days.
code.back = We dropped {old} and write {v} at work once more.
code.restate = I'm still paid to write {v}. | {v} pays my bills at work. | Another work day full of {v}.
| I wrote {v} all day at the office. | My team at work ships {v}. | My job is {v} programming, as ever.
code.hint = A {v} compiler warning at work cost me an hour.
editor.state = For editing code I rely on {v}. | I do my coding in {v}.
editor.change = I dropped {old} and do my editing in {v}. | {v} has replaced {old} on my machine as editor.
editor.oblique = I bought a cheat sheet for {v}; {old} got deleted from my laptop.
| My config files for {old} are in the bin, the ones for {v} are under version control.
editor.restate = I'm still happy with {v} as an editor. | I spend hours in {v}, my editor. | {v} remains my editor.
| My editor hasn't changed, it's {v}. | {v} is open all day on my screen, as my editor.
drink.state = When I order something to drink it's {v}. | {v} is my drink of choice.
drink.change = I've gone from {old} to {v} as my regular drink. | These days I order {v} rather than {old}.
drink.oblique = There's a box of {v} on my desk where the {old} used to be.
| My cup is filled with {v} now, I can't stand {old} any more.
drink.end = I've stopped drinking {old}; plain water does it for me. | No more {old} for me, I only have water.
drink.restate = I'm having a {v}, what else. | As usual I ordered {v}. | My regular {v} was great today.
| I still drink {v} every day. | {v} for me again, the usual.
food.state = Nothing beats {v}, it's my favourite food. | The meal I like best is {v}.
food.change = {v} has overtaken {old} as my favourite meal. | I used to prefer {old}, but now {v} is my favourite dish.
music.state = My kind of music is {v}. | I'm a big fan of {v}, I play it all day.
music.change = I've gone off {old} and play {v} all day now. | My taste moved from {old} to {v}.
diet.state = My diet is strictly {v}. | I only eat {v} food.
diet.change = I switched my diet from {old} to {v}. | I've become {v}, so forget that I was {old}.
diet.end = The {old} phase is over, I eat anything now. | I gave up being {old} and have no special diet now.
diet.hint = My aunt never knows what to cook for somebody who is {v}.
rent.state = The flat costs me {v} euros a month in rent. | The rent I transfer is {v} euros a month.
rent.change = From this month my landlord charges {v} euros instead of {old}.
| My rent was raised from {old} to {v} euros.
rent.fix = I mixed up the figures: the rent is {v} euros rather than {w}.
| I was off by a bit: {v} euros is my rent rather than {w}.
extension.state = At the office you reach me on extension {v}. | My desk phone is extension {v}.
extension.change = They gave me another extension, {v} instead of {old}. | My extension is {v} from today on.
extension.fix = Not {w}, my extension is {v}, sorry.
budget.state = Our limit for the summer trip: {v} euros. | The summer trip may cost {v} euros in all.
budget.change = We changed the summer trip budget from {old} to {v} euros.
| {v} euros it is now for the summer trip, no longer {old}.
vehicle.state = I own a {v}. | There's a {v} in my garage.
vehicle.change = I traded my {old} for a {v}. | My new car is a {v}, the {old} was sold to my cousin.
vehicle.end = The {old} was scrapped, I get by without a car. | I don't have a car any longer, not even the {old}.
vehicle.hint = I washed the {v} on Saturday.
pet.state = We have a {x}, and its name is {v}. | {v} is the name of my {x}.
pet.hint = {v} slept on my keyboard all afternoon.
project.state = I tinker with a thing of my own named {v}. | I've begun a hobby project, {v}.
project.change = My side project has a new name: {v}, formerly {old}.
| The name {old} is history, my side project is now {v}.
project.restate = I put two hours into {v}, my side project. | My hobby project {v} got a new logo.
status.state = {x} is currently in {v}. | We have {x} in {v} right now.
status.change = {x} moved on from {old} to {v}. | {x} is in {v} now, it has left {old}.
team.state = The name of my {x} is {v}. | At work {v} is my {x}.
team.change = {v} is my {x} now, {old} has left the firm. | {old} handed over to {v} as my {x}.
team.oblique = The door of the {x}'s office reads {v}; {old} has retired.
| My {x} questions go to {v} now, {old} is gone.
deadline.state = My {x} has to reach the office by {v}. | The {x} must be in by {v}.
deadline.change = The {x} slips from {old} to {v}. | The {x} got a new deadline: {v}, not {old}.
deadline.done = I sent off the {x}, that one is done. | The {x} has been submitted.
promise.state = {n} is expecting the {x} from me by {v}. | I told {n} that the {x} will be there by {v}.
promise.change = {n} can wait for the {x} until {v}. | {n} and I settled on {v} for the {x}.
appointment.state = On {v} I'm seeing the {x}. | The {x} is expecting me on {v}.
appointment.change = My {x} slot moved from {old} to {v}. | They rescheduled my {x} visit to {v}.
birthday.state = Every year on {v} my {x} celebrates a birthday. | We sing for my {x} on {v}, the birthday.
spoken.state = I'm fluent in {v}. | I can speak {v}.
spoken.add = I learned {v} too. | {v} is another language I speak.
spoken.drop = My {v} is gone, I don't speak it any more.
food_allergy.state = If I eat {v} I end up in hospital. | {v} could kill me, even a trace.
drug_allergy.state = Doctors must never give me {v}. | {v} is dangerous for me, I had a bad reaction to it once.
contact_allergy.state = Contact with {v} gives me a rash. | I get hives from {v}.
blood.state = My blood group is {v}. | For the record, my blood is {v}.
medication.state = Every morning I swallow my {v}. | I'm on {v}, a daily dose.
condition.state = I suffer from {v}. | {v} has been with me for years.
rescue.state = You'd find my emergency injector in the {v}. | The emergency injector I carry lives in the {v}.
contact.state = If something happens to me, phone {v}. | {v} is the person to reach in an emergency.
doctor.state = {v} is my GP. | When I'm sick I go to {v}.
key.state = {v} keeps a spare key of mine, please remember that. | Don't forget: my spare key is with {v}.
locker.state = Please keep in mind that the code of my locker is {v}. | Remember that {v} opens my locker.
passport.state = Keep in mind that my passport is kept in the {v}. | Remember: I put my passport in the {v}.
insurance.state = Please keep {v} in mind, my insurance number. | Keep my insurance number on record: {v}.
seat.state = I take the {v} if the flight is long and the {x} if it's short.
| Long flights: {v}, please. Short flights: {x}.
commute.state = On rainy days I go to work by {v}, on dry ones by {x}.
| The {v} takes me to work in the rain, the {x} on other days.
sister.state = My sister's home is in {v}. | My sister has lived in {v} for years.
sister.change = My sister has left {old} for {v}. | My sister relocated from {old} to {v}.
brother.state = My brother earns his money at {v}. | My brother is employed by {v}.
brother.change = My brother switched from {old} to {v}. | My brother quit {old} and joined {v}.
colleague.state = {n} from my office mustn't eat {v}. | My colleague {n} has a {v} allergy.
film.state = Went to the cinema for {v} on Sunday. | {v} was on last night and I watched it.
book.state = I got through {v} in two evenings, a fine book. | Done reading {v}.
cafe.state = Last night we had a table at {v}. | Friends took me to {v} for dinner.
podcast.state = On the train I heard an episode of {v}, a podcast. | A friend made me listen to the podcast {v}.
"""

QUESTIONS = """
name.ask = Do you know what I'm called?
residence.ask = Which town am I living in? | Where is my home? | Where am I based?
residence.before = Where was my home before that? | What city did I leave when I came here?
residence.since = How long have I been in {v}? | From when on have I lived in {v}?
residence.plan = Which city do I dream of moving to?
employer.ask = What company do I work for? | Which firm employs me?
employer.before = Which company did I work for before? | What was my last employer?
employer.since = How long have I been at {v}? | On what day did I begin at {v}?
role.ask = What do I do for a living, what's my role?
role.before = Which role did I have earlier?
code.ask = What do I program in at work? | What language is my work code in?
code.before = What did I program in at work earlier?
code.since = From what date on was my work code in {v}?
editor.ask = What's my editor?
editor.before = Which editor did I have before this one?
drink.ask = What do I like to drink? | What would I order at the bar?
drink.before = What did I usually drink earlier?
food.ask = What food do I like best?
music.ask = Which music do I listen to?
diet.ask = What do I eat and not eat? | Do I have a special diet?
rent.ask = What's my monthly rent?
rent.before = What was my rent before?
extension.ask = Under which extension can I be reached?
budget.ask = How much money is there for the summer trip?
vehicle.ask = Which car do I have?
vehicle.before = Which car did I have before?
pet.ask = What's the name of my {x}?
project.ask = What's the name of my side project?
project.before = What name did my side project have before?
status.ask = What stage has {x} got to? | What phase is {x} in?
team.ask = What's the name of my {x}?
team.before = Who was the {x} before?
deadline.ask = What date is the {x} due? | Until when do I have to finish the {x}?
promise.ask = When did I say the {x} would be there?
appointment.ask = What date is my {x} appointment?
birthday.ask = What date was my {x} born on?
spoken.ask = What languages can I speak?
food_allergy.ask = What must I never eat? | Which food is dangerous for me?
drug_allergy.ask = Which drug must I avoid?
contact_allergy.ask = What gives me a rash when I touch it?
blood.ask = Which blood group am I?
medication.ask = What pills do I take daily?
condition.ask = What disease do I suffer from?
rescue.ask = Where do I keep my emergency injector?
contact.ask = Who should be called in an emergency?
doctor.ask = Which doctor do I go to?
key.ask = Where is my spare key?
locker.ask = Which digits open my locker?
passport.ask = Where did I put my passport?
insurance.ask = Under which number am I insured?
seat.ask = Where do I want to sit on a long flight?
commute.ask = How do I travel to work on rainy days?
sister.ask = In which city is my sister's home?
sister.before = Which city did my sister live in before?
brother.ask = Who does my brother work for?
colleague.ask = What can my colleague {n} not eat?
film.ask = What film have I seen lately?
book.ask = What book did I get through lately?
cafe.ask = What restaurant was I at lately?
podcast.ask = What podcast did I hear lately?
"""

REPLIES = """
echo = Right you are, {v}. | I've made a note: {v}. | {v}, got that.
residence.echo = {v} sounds like a good home. | So you're in {v}.
employer.echo = {v} is lucky to have you. | Work at {v}, I see.
code.echo = {v} at the office, noted.
editor.echo = {v} for editing, okay.
drink.echo = Enjoy your {v}!
plain = Okay. | I see. | Thank you. | No problem. | Great. | Good to hear. | Fine. | As you wish.
| Tell me more if you like. | Crystal clear.
"""

FILLERS = """
lead = FYI. | A note for you. | While it's on my mind. | On another note. | While I'm here. | One thing.
chat = {a} and {b}. | So {a}, {b}. | Anyway: {a}, {b}. | As for me: {a}, {b}.
a = it rained all day | the post was late | my back hurts a bit | the kitchen needed a scrub | the bins were full
| I took a nap | a parcel got lost | the heating made odd noises | I burned the toast | the queue was endless
| my shoes got wet | the internet was slow
b = so it goes | it could be worse | I shrugged it off | time for tea | not a big deal | so much for that
| I grinned | at least it's done | it was over soon | that's all
question = What's the best way to {c}? | Could you tell me how to {c}? | Any idea how to {c}?
c = get candle wax off a table | merge two lists | peel garlic fast | keep bread fresh | learn to juggle
| write a thank-you card | fix a squeaky door | back up my photos | fall asleep faster | store potatoes
| wrap a bottle | rename many files | whisk cream | read a floor plan | clean a keyboard | tie a tie
"""
