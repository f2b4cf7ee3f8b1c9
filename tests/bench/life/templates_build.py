"""Templates, build half: what the user says, asks and hears; an offline extractor may be built on these.

Rules: text only, read by templates.py. `{v}` is the value told, `{old}` the one before, `{x}` what the slot is about
(a project, a role, an errand), `{n}` a person, `{d}` a date, `{w}` the value that was told wrongly. No wording here
stands in the other half. A line is `key = wording | wording`; lines that begin with "|" go on.
Source: our own sentences.
"""

STATEMENTS = """
name.state = Hi, I'm {v}. Nice to meet you. | My name is {v}, by the way.
name.restate = It's {v} again. | {v} here, back with another question.
residence.state = I live in {v}, have done for about two years now. | Home for me is {v}. | I'm based in {v}.
residence.change = I just moved to {v}. {old} didn't work out in the end. | Big news: I've moved from {old} to {v}.
| I relocated to {v} this week, so I no longer live in {old}.
residence.change_on = I moved to {v} on {d}. | Since {d} I live in {v}; I gave up the flat in {old}.
residence.oblique = The {old} flat is empty and the keys are handed back. I woke up in {v} for good today.
| From now on my letterbox is in {v}. | All my boxes arrived in {v}; {old} is behind me.
residence.back = I'm back in {v} for good, {old} was not for me. | We returned to {v} after all and left {old}.
residence.restate = I still live in {v}. | As you know, I live in {v}. | Living in {v} suits me.
| My place in {v} is small but sunny. | I've been living here in {v} for a while. | My address is in {v}, still.
residence.hint = The trams in {v} were late again on my way home. | My landlord here in {v} fixed the heating.
residence.plan = I'm thinking of moving to {v} next year. | We might move to {v} at some point, nothing decided.
employer.state = I work at {v}. | My employer is {v}.
employer.change = I left {old} and now work at {v}. | I started a new job at {v}; {old} is history.
employer.change_on = I started at {v} on {d}. | My first day at {v} was {d}; I quit {old} before that.
employer.oblique = My badge says {v} these days. | {old} and I parted ways; {v} pays my salary from this month on.
employer.restate = I still work at {v}. | Work at {v} is busy. | My job at {v} keeps me on my toes.
| As I said, I'm employed at {v}. | {v} is where I work. | Things at {v}, my employer, are calm.
employer.hint = The canteen at {v} finally has decent soup. | Our office at {v} got new chairs.
role.state = I'm a {v} by trade. | I work as a {v}.
role.change = I was promoted: I'm a {v} now. | New title for me, I work as a {v} now, no longer as a {old}.
code.state = For my day job I write {v}. | At work I mainly use {v}.
code.change = I switched my day job from {old} to {v}. | At work we moved from {old} to {v}, so I write {v} now.
code.change_on = Since {d} I use {v} at work instead of {old}.
code.oblique = All the services I touch at the office were ported, so my days are {v} from morning to evening now.
| I have not opened a line of {old} at the office for a month; everything I ship is {v}.
code.back = We went back to {v} at work, the {old} experiment failed.
code.restate = I still write {v} at work. | Most of my working day is {v}. | At the office it's {v} all day.
| {v} is what I use at work. | My day job is {v}, as you know. | For work I code in {v}.
code.hint = I spent the whole afternoon at work reading a {v} stack trace.
editor.state = My editor is {v}. | I write everything in {v}.
editor.change = I switched from {old} to {v} as my editor. | I use {v} as editor now, not {old}.
editor.oblique = I uninstalled {old} last night; my fingers are learning the {v} keys.
| {old} got slow, so {v} is what opens when I click a file now.
editor.restate = I still use {v} for editing. | {v} is my editor. | I edit in {v}. | My setup is plain {v}.
| I do all my editing in {v}.
drink.state = My usual order is a {v}. | I always drink {v}.
drink.change = I switched from {old} to {v} as my usual drink. | My usual order is now {v} instead of {old}.
drink.oblique = The barista no longer asks, she just hands me a {v}; the {old} days are over.
| {old} stopped agreeing with me, so it's {v} every morning.
drink.end = I no longer drink {old}, just water now. | I gave up {old} and drink only water.
drink.restate = I had my usual {v} this morning. | A {v} is my usual. | My order is still {v}.
| I started the day with a {v} as always. | My usual drink is {v}.
food.state = My favourite dish is {v}. | I love {v} more than any other dish.
food.change = My favourite dish is {v} now, I'm tired of {old}. | I like {v} best these days, more than {old}.
music.state = I mostly listen to {v}. | My favourite music is {v}.
music.change = I listen to {v} now, hardly any {old}. | My favourite music is {v} these days, no longer {old}.
diet.state = I'm {v}, please keep it in mind. | I eat {v}.
diet.change = I'm {v} now, no longer {old}. | I went from {old} to {v}.
diet.end = I'm no longer {old}; I eat everything again. | I stopped being {old}, I eat everything now.
diet.hint = It's hard to find good {v} restaurants around the office.
rent.state = My rent is {v} euros a month. | I pay {v} euros rent.
rent.change = My rent went up from {old} to {v} euros. | The new rent is {v} euros, it was {old}.
rent.fix = Sorry, my rent is {v} euros, not {w}. | Correction: I pay {v} euros rent, not {w}.
extension.state = My phone extension at work is {v}. | You can note my extension: {v}.
extension.change = My phone extension changed to {v}. | My new extension is {v} instead of {old}.
extension.fix = I gave you the wrong extension: it's {v}, not {w}.
budget.state = The budget for the summer trip is {v} euros. | We have {v} euros for the summer trip.
budget.change = We raised the budget for the summer trip to {v} euros. | The trip budget is now {v} euros, not {old}.
vehicle.state = I drive a {v}. | My car is a {v}.
vehicle.change = I sold the {old} and drive a {v} now. | I bought a {v}; the {old} is sold.
vehicle.end = I sold my {old} and no longer have a car. | My {old} is gone, I don't own a car any more.
vehicle.hint = The {v} needs new brake pads.
pet.state = My {x} is called {v}. | I have a {x} named {v}.
pet.hint = {v} chewed up my slipper again.
project.state = I'm starting a side project called {v}. | My side project is named {v}.
project.change = I renamed my side project from {old} to {v}. | My side project is called {v} now, not {old}.
project.restate = I worked on {v} tonight, my side project. | My side project {v} is coming along.
status.state = {x} is at the stage of {v}. | The state of {x}: {v}.
status.change = {x} went from {old} to {v}. | {x} has reached {v}, {old} is done.
team.state = My {x} is {v}. | {v} is the {x} on my team.
team.change = My new {x} is {v}, {old} has left. | {v} replaced {old} as my {x}.
team.oblique = {old} said goodbye today, and {v} takes the {x} chair. | As {x} I now turn to {v}, {old} went abroad.
deadline.state = The {x} is due on {v}. | The deadline for the {x} is {v}.
deadline.change = The deadline for the {x} was moved from {old} to {v}. | The {x} is now due on {v} instead of {old}.
deadline.done = I handed in the {x} today, so that's done. | The {x} is finished and submitted.
promise.state = I promised {n} to send the {x} by {v}. | I have to get the {x} to {n} by {v}.
promise.change = {n} gave me more time: the {x} can wait until {v}. | I agreed with {n} to send the {x} by {v} instead.
appointment.state = I have a {x} appointment on {v}. | My {x} appointment is on {v}.
appointment.change = My {x} appointment was moved from {old} to {v}. | The {x} appointment is on {v} now, not {old}.
birthday.state = My {x}'s birthday is on {v}. | My {x} was born on {v}, don't let me forget the day.
spoken.state = I speak {v}. | One language I speak is {v}.
spoken.add = I also speak {v}. | Besides the others I speak {v} too.
spoken.drop = I no longer speak {v}, I've forgotten all of it.
food_allergy.state = I'm allergic to {v}. It's serious. | I have a severe {v} allergy.
drug_allergy.state = I can't take {v}, I react badly to it. | I'm allergic to {v}, doctors must know.
contact_allergy.state = My skin doesn't tolerate {v}, I swell up at once. | I have an allergy to {v}.
blood.state = My blood type is {v}. | I'm blood type {v}.
medication.state = I take {v} every day. | My daily medication is {v}.
condition.state = I have {v}. | I was diagnosed with {v} years ago.
rescue.state = My emergency injector is in the {v}. | I keep my emergency injector in the {v}.
contact.state = My emergency contact is {v}. | In an emergency call {v}.
doctor.state = My doctor is {v}. | I see {v} when I'm ill.
key.state = Remember that {v} has my spare key. | Please remember: {v} keeps my spare key.
locker.state = Remember that my locker code is {v}. | Please remember my locker code, {v}.
passport.state = Remember that my passport is in the {v}. | Please remember: my passport lies in the {v}.
insurance.state = Remember my insurance number: {v}. | Please remember that my insurance number is {v}.
seat.state = On long flights I like the {v}, on short ones the {x}.
| I want the {v} on long flights but the {x} on short ones.
commute.state = When it rains I take the {v} to work, otherwise the {x}.
| I go to work by {x}, but by {v} when it rains.
sister.state = My sister lives in {v}. | My sister has a house in {v}.
sister.change = My sister moved from {old} to {v}. | My sister lives in {v} now, she left {old}.
brother.state = My brother works at {v}. | My brother's employer is {v}.
brother.change = My brother left {old} and works at {v} now. | My brother has a new job at {v}, no longer at {old}.
colleague.state = My colleague {n} is allergic to {v}. | {n} at work can't eat {v}, it's an allergy.
film.state = I watched {v} last night, it was fine. | We saw the film {v} yesterday.
book.state = I finished the book {v}. | I just read {v}, a slow book.
cafe.state = We had dinner at {v} on a whim. | I ate at {v} yesterday, decent place.
podcast.state = I listened to the podcast {v} on my walk. | I found a new podcast, {v}.
"""

QUESTIONS = """
name.ask = What's my name?
residence.ask = Where do I live? | Which city do I live in? | What city is my home in?
residence.before = Where did I live before? | Which city did I live in before this one?
residence.since = Since when do I live in {v}? | When did I move to {v}?
residence.plan = Where am I thinking of moving to?
employer.ask = Where do I work? | Who is my employer?
employer.before = Where did I work before? | Who was my previous employer?
employer.since = Since when do I work at {v}? | When did I start at {v}?
role.ask = What's my job title?
role.before = What was my job title before?
code.ask = Which programming language do I use at work? | What language do I write in my day job?
code.before = Which programming language did I use at work before?
code.since = Since when do I use {v} at work?
editor.ask = Which editor do I use?
editor.before = Which editor did I use before?
drink.ask = What's my usual drink? | What do I usually order to drink?
drink.before = What was my usual drink before?
food.ask = What's my favourite dish?
music.ask = What music do I like?
diet.ask = What's my diet? | What kind of diet do I follow?
rent.ask = How much rent do I pay?
rent.before = How much rent did I pay before?
extension.ask = What's my phone extension?
budget.ask = What's the budget for the summer trip?
vehicle.ask = What car do I drive?
vehicle.before = What car did I drive before?
pet.ask = What's my {x} called?
project.ask = What's my side project called?
project.before = What was my side project called before?
status.ask = At what stage is {x}? | What's the state of {x}?
team.ask = Who is my {x}?
team.before = Who was my {x} before?
deadline.ask = When is the {x} due? | What's the deadline for the {x}?
promise.ask = By when did I promise to send the {x}?
appointment.ask = When is my {x} appointment?
birthday.ask = When is my {x}'s birthday?
spoken.ask = Which languages do I speak?
food_allergy.ask = Do I have a food allergy? | What food am I allergic to?
drug_allergy.ask = Which medicine can't I take?
contact_allergy.ask = What does my skin not tolerate?
blood.ask = What's my blood type?
medication.ask = Which medication do I take every day?
condition.ask = Which illness do I have?
rescue.ask = Where is my emergency injector?
contact.ask = Who is my emergency contact?
doctor.ask = Who is my doctor?
key.ask = Who has my spare key?
locker.ask = What's my locker code?
passport.ask = Where is my passport?
insurance.ask = What's my insurance number?
seat.ask = Which seat do I like on long flights?
commute.ask = How do I get to work when it rains?
sister.ask = Where does my sister live?
sister.before = Where did my sister live before?
brother.ask = Where does my brother work?
colleague.ask = What is my colleague {n} allergic to?
film.ask = Which film did I watch lately?
book.ask = Which book did I finish lately?
cafe.ask = Where did I eat dinner lately?
podcast.ask = Which podcast did I listen to lately?
"""

REPLIES = """
echo = Noted: {v}. | Got it, {v}. | Thanks, I'll keep {v} in mind.
residence.echo = Good to know you live in {v}. | I hope life in {v} treats you well.
employer.echo = I see, you work at {v}. | Good luck at {v}!
code.echo = So it's {v} at work, understood.
editor.echo = Understood, {v} is your editor.
drink.echo = A {v} it is, then.
plain = Sure. | Noted. | Understood, thanks for telling me. | Happy to help. | Sounds good. | All right.
| Glad to hear it.
| Let me know how it goes. | Of course.
"""

FILLERS = """
lead = By the way. | Quick note. | Just so you know. | Oh, and one more thing. | Another thing. | For the record.
chat = {a} today, {b}. | {a} this week and {b}. | Honestly, {a}, {b}. | Not much to report: {a}, {b}.
a = the weather was grey | the lift is broken again | I slept badly | I went for a long walk | the laundry took ages
| I cleaned the windows | the neighbours were loud | my phone battery died twice | I fixed a dripping tap
| the printer jammed | I lost an umbrella | the shops were crowded
b = nothing dramatic | I can't complain | it is what it is | a bit tiring really | but I feel fine
| so the evening was quiet | and that was the whole day | which made me laugh | nothing special though
| so I went to bed early | and tomorrow is another day
question = How do I {c}? | Can you explain how to {c}? | What's a good way to {c}?
c = sort a list of pairs | remove a stain from a shirt | write a polite reminder | boil eggs so they peel well
| undo my last commit | sharpen kitchen knives | split a bill fairly | stretch before running | name a variable well
| water a cactus | convert miles to kilometres | keep basil alive | fold a fitted sheet | plan a birthday quiz
| make rice less sticky | read a bar chart | prepare for a short talk | clean a cast iron pan
"""
