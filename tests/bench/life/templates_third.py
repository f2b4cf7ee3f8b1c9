"""Templates, a third set: other things than the halves speak of, in other words; reported once, at the end.

Rules: as templates_build.py; the keys are its own (scripts_third.py). Nothing is mended on what these show.
Source: our own sentences, kept in the repository before anything was run on them.
"""

STATEMENTS = """
gym.state = I work out at {v} three times a week. | My membership card is for {v}. | {v} is the gym I go to.
gym.change = I quit {old} and signed up with {v} for my training. | New gym for me: {v} instead of {old}.
| My membership went from {old} to {v}.
gym.oblique = The turnstile at {v} knows my face by now; {old} is history.
| My sports bag now waits in a cubicle at {v}, far from {old}; I have left {old}.
gym.back = I missed the place and train at {v} again, {old} is done.
| I left {old} and lift weights at {v} once more.
gym.restate = Leg day at {v} today. | Had a good workout at {v}. | Still sweating at {v} every other day.
| {v} opened early and I trained before breakfast. | My trainer at {v} is strict.
gym.hint = The showers at {v} were cold.
bank.state = My current account is with {v}. | I bank with {v}. | All my money sits at {v}.
bank.change = I have left {old} and opened an account with {v}. | My account moved from {old} to {v}.
bank.oblique = My salary is paid into {v} from this month, no longer {old}.
| The debit card in my purse says {v}; {old} is gone.
bank.restate = {v} still looks after my account. | I paid with my {v} card, as always. | My adviser at {v} rang me up.
| Still banking with {v}. | I logged in at {v}, my bank, to check the balance.
phone.state = The phone I carry is a {v}. | I make my calls on a {v}.
phone.change = My phone changed from {old} to {v}. | My {old} is gone, so now my phone is a {v}.
| I bought myself a {v} instead of my {old}.
phone.oblique = A {v} rings in my pocket nowadays, the {old} is sold.
| All contacts are copied over to the {v}; the {old} was sold.
phone.restate = My {v} takes decent pictures for a phone. | The phone is still that {v}.
instrument.state = I play the {v} in my free time. | My instrument is the {v}.
instrument.change = I switched from the {old} to the {v}. | I took up the {v} and gave up the {old}.
instrument.oblique = There's a {v} on the stand in my living room; the {old} was sold to a pupil.
| My music teacher now hears me on the {v}; the {old} is gone.
instrument.end = I don't play the {old} any more, no instrument at all.
| I stopped playing the {old}; music isn't for me.
instrument.restate = An hour of {v} practice done. | I practised scales on my {v}.
sport.state = My sport is {v}. | I do {v} on weekends.
sport.change_on = I took up {v} on {d}. | Since {d} I do {v} as my sport, no longer {old}.
sport.oblique = The kit for {old} is in the bin; my muscles ache from {v}. | My Saturdays belong to {v} these days.
sport.back = I left {old} and have gone back to {v}. | It's {v} for me once more, {old} is over.
sport.restate = {v} was fun on Saturday. | I had two hours of {v}. | My {v} coach was pleased with me.
| Another weekend full of {v}. | My {v} group met in the hall.
course.state = I'm taking an evening class in {v}. | I study {v} at the community college.
course.change = I swapped the {old} class for {v}. | The class I attend is {v} now instead of {old}.
course.end = I quit the {old} class, evenings are free again. | The {old} class is over and I'm not taking another.
course.restate = Homework for my {v} class is piling up. | My {v} class met tonight.
school.state = My daughter goes to {v}. | {v} is the school my daughter attends.
school.change = My daughter left {old} and is a pupil at {v} now. | My daughter changed schools, from {old} to {v}.
school.hint = The bake sale at {v} was packed.
power.state = Our electricity comes from {v}. | {v} supplies my power.
power.change = Our household went from {old} to {v} for electricity.
| My power contract is with {v} now, no longer {old}.
power.oblique = The meter reading goes to {v} from now on, no longer to {old}.
| {v} sends me the electricity bill these days; {old} is gone.
paper.state = I read {v} every morning. | I subscribe to {v}.
paper.change = I stopped reading {old} and subscribe to {v}. | My daily paper is {v} now instead of {old}.
paper.oblique = {v} drops through my letter slot at six nowadays. | {old} is history; over coffee I leaf through {v}.
paper.end = I gave up {old}, I don't read a daily any more. | No more {old} for me, I get by without a newspaper.
paper.restate = {v} had a good crossword this morning. | I read {v} from front to back. | {v} arrived late today.
parking.state = My parking space is number {v}. | I park in bay {v}.
parking.fix = I misread the plan: my parking space is {v}, not {w}. | Bay {v} is mine, not {w}; my mistake.
parking.change = The garage gave me space {v} instead of {old}. | I park in bay {v} from today, no longer in {old}.
savings.state = I put {v} euros aside each month. | My monthly savings are {v} euros.
savings.fix = Slip of the tongue: I save {v} euros a month, not {w}.
| I meant {v} euros of savings a month, not {w}.
savings.change = I raised my monthly savings from {old} to {v} euros.
| I set {v} euros aside a month now, no longer {old}.
holiday.state = Our next holiday is booked for {v}. | We're flying to {v} on our next holiday.
holiday.change = We rebooked the holiday from {old} to {v}. | The holiday is in {v} now, not in {old}.
landlord.state = I rent from {v}. | The landlord's name is {v}.
landlord.change = The house was sold: my landlord is {v} now, no longer {old}.
| I have a new landlord, {v}, since {old} is gone.
landlord.oblique = The transfer for the flat goes to {v} from now on, no longer to {old}.
| {v} owns our building these days; {old} has left.
browser.state = I surf with {v}. | My browser is {v}.
browser.change = I moved all bookmarks from {old} to {v}, that's my browser now.
| I browse with {v} instead of {old}.
browser.oblique = Web pages open in {v} on my laptop from now on. | I uninstalled {old}; my tabs are all in {v}.
browser.restate = Forty tabs open in {v}. | {v} is still my browser. | My browser {v} got an update.
breakfast.state = On weekdays I have {v} for breakfast, at weekends {x}.
| When I'm in a hurry it's {v} for breakfast; when I have time, {x}.
bedroom.state = If it's hot I sleep in the {v}, otherwise in the {x}.
| In summer I sleep in the {v} and in winter in the {x}.
"""

QUESTIONS = """
gym.ask = In which gym do I lift weights? | Where do I train?
gym.before = Which gym did I go to before?
bank.ask = Which bank has my account? | Who do I bank with?
bank.before = Which bank was I with before?
phone.ask = What phone do I have? | Which mobile do I carry?
phone.before = What mobile did I carry before?
instrument.ask = What instrument do I play? | Do I play an instrument?
instrument.before = Which instrument did I play before?
sport.ask = Which sport do I do? | What's my sport?
sport.before = What sport did I do before?
sport.since = Since when have I been doing {v}?
course.ask = Which evening class am I taking? | What am I studying in the evenings?
school.ask = Which school does my daughter attend? | Where does my daughter go to school?
school.before = Which school did my daughter attend before?
power.ask = Who supplies my electricity? | Which power company am I with?
power.before = Who supplied my electricity before?
paper.ask = Which newspaper do I read? | What do I read in the morning?
parking.ask = Which parking space is mine? | In which bay do I park?
parking.before = Which parking space did I have before?
savings.ask = How much do I save each month? | What do I put aside a month?
holiday.ask = Where does our next holiday go? | Where are we going on holiday?
landlord.ask = What is the landlord called? | Who do I rent from?
landlord.before = Who did I rent from before?
browser.ask = Which browser do I use? | What do I surf the web with?
browser.before = With which browser did I surf before?
breakfast.ask = What do I eat for breakfast when time is short, on a weekday?
bedroom.ask = Where do I sleep when it's hot, in summer?
"""

REPLIES = """
echo = {v}, I'll keep that. | I'll remember {v}. | {v} it is.
plain = Understood. | Will do. | Nice one. | Thanks for telling me.
"""

FILLERS = """
lead = Oh, and another thing. | Something new from me. | In case it matters. | Quick word.
chat = Funny day: {a}, {b}. | Frankly, {a}; {b}. | {a}. Oh well, {b}.
a = the lift was out of order | my umbrella broke | the neighbours mowed the lawn | I lost a glove | the soup was salty
| a wasp got in | the tap was dripping | I overslept | the bus driver was grumpy | the shelf fell down
b = that happens | I laughed about it | what can you do | it's fixed by now | nobody minded | such is life
question = How can I {c}? | What would you do to {c}? | Would you know how to {c}?
c = sharpen a knife | remember faces | iron a shirt | pack light | unclog a sink | boil an egg
| read faster | remove ink from cloth | water plants while I'm away
"""
