"""Templates, report half: what the user says, asks and hears; figures are reported on these, nothing is built on them.

Rules: text only, read by templates.py; same keys and marks as the build half, no wording in common.
Source: our own sentences.
"""

STATEMENTS = """
name.state = Hello there! People call me {v}. | You're talking to {v}, pleased to meet you.
name.restate = {v} speaking, hello again. | Signing in once more, {v}.
residence.state = I've had a small flat in {v} for a couple of years. | {v} is where I've settled down.
| These days my home is in {v}.
residence.change = We've packed everything up and settled in {v}; goodbye {old}.
| I've swapped {old} for {v}, new town and all.
| My new home is in {v}, I said farewell to {old}.
residence.change_on = The van took us to {v} on {d} and we've been at home here ever since.
| On {d} I became a resident of {v}; before that it was {old}.
residence.oblique = My front door opens onto a street in {v} these days, and another sleeps in my old {old} bedroom.
| Registered at the {v} town hall this morning, so that chapter in {old} is closed.
| The commute starts in {v} nowadays; {old} I only see on postcards.
residence.back = Turns out {old} wasn't meant to be: my things are in {v} again, permanently.
| After all that, {v} is home once more and {old} is over.
residence.restate = Still happily settled in {v}. | Nothing beats my neighbourhood in {v}.
| {v} continues to be my home town.
| My flat's still the one in {v}. | I'm a {v} resident, remember. | Another month of calling {v} home.
residence.hint = The bakery downstairs is the best one in {v}, lucky me.
| Our recycling in {v} gets picked up at dawn, right under my bedroom.
residence.plan = Someday I could see myself settling in {v}, it's only an idea.
| We keep dreaming about a life in {v}, maybe in a year or two.
employer.state = {v} pays my bills. | I'm on the staff of {v}.
employer.change = I handed in my notice at {old} and joined {v}. | {v} hired me, so my time with {old} has ended.
employer.change_on = I signed on with {v} as of {d}. | {d} was when I joined {v}, having resigned from {old}.
employer.oblique = My payslip now carries the letterhead of {v}.
| My {old} laptop went back in the post and {v} sent me theirs.
employer.restate = Same desk, same company: {v}. | {v} remains the firm I'm with.
| Another long week for me on the {v} payroll.
| Nothing new on the job front, it's {v}. | I'm one of the {v} crew. | Being with {v} still makes sense to me.
employer.hint = Our {v} team outing involved a very slow canoe. | I got a mug with the {v} logo for my work anniversary.
role.state = Professionally I'm a {v}. | My business card reads {v}.
role.change = They've made me {v}, so my {old} days are over. | My position changed from {old} to {v}.
code.state = {v} is the language of my working hours. | Professionally I program in {v}.
code.change = My employer had us trade {old} for {v}, so that's my working language.
| On the job I've replaced {old} with {v}.
code.change_on = As of {d} our whole codebase at work is {v}, with {old} retired.
code.oblique = The last {old} module at the company got deleted; what I get paid to type is {v}.
| My job review says I've become the {v} person, and nobody asks me about {old} any more.
code.back = The company reversed course: {old} is out and I'm paid to write {v} once more.
code.restate = Yet another day of paid {v}. | My professional life is still written in {v}.
| They keep paying me for {v}.
| {v} remains my bread and butter on the job. | Eight hours of {v} today, the usual. | In the office I stick to {v}.
code.hint = A colleague reviewed my {v} pull request within minutes, a company record.
editor.state = {v} is my editor of choice. | I type all my code into {v}.
editor.change = Goodbye {old}, hello {v}: that's my editor from here on. | I've replaced {old} with {v} for editing.
editor.oblique = My config folder for {old} is in the bin and I keep a {v} cheat sheet next to the screen.
| A week of {v} has spoiled me, I shall not reopen {old}.
editor.restate = {v} keeps serving me well as an editor. | Loyal to {v} as ever when I edit code.
| My fingers know {v} by heart.
| No editor but {v} for me. | Tweaked my {v} config, my daily editor.
drink.state = If you're buying, mine's a {v}. | {v} is my go-to drink.
drink.change = My go-to drink used to be {old}, these days it's {v}. | I've swapped my daily {old} for {v}.
drink.oblique = There's a tin of {v} by my kettle where the {old} used to stand.
| The {old} gave me headaches; a {v} does the trick at breakfast nowadays.
drink.end = {old} is off the menu for me, I've stopped having it altogether. | No more {old} for me, I quit.
drink.restate = Nothing like a {v} to get going. | Ordered the {v} again, what else. | {v} remains my go-to.
| One {v} a day keeps me sane. | You know me, a {v} please.
food.state = I could eat {v} every day of the week. | Nothing tastes better to me than {v}.
food.change = I've gone off {old}; {v} is the meal I crave. | {v} has overtaken {old} as the meal I like most.
music.state = There's always {v} playing at my place. | {v} is the soundtrack of my life.
music.change = My headphones have moved on from {old} to {v}. | {v} has replaced {old} on my playlists.
diet.state = For what it's worth, my meals are strictly {v}. | Count me among the {v} crowd.
diet.change = I've turned {v} after my time as a {old}. | My meals have become strictly {v}, {old} was a phase.
diet.end = I quit the {old} thing and have meat on my plate again. | My {old} phase is over, anything goes at dinner.
diet.hint = The airline forgot my {v} meal once more.
rent.state = The flat costs me {v} euros monthly. | Every month {v} euros go to my landlord.
rent.change = The landlord now wants {v} euros instead of {old}.
| From this month the flat costs {v} euros, up from {old}.
rent.fix = I mixed that up, the landlord gets {v} euros rather than {w}.
| Scrap the {w} I mentioned, the flat costs {v} euros.
extension.state = Dial {v} to reach my desk. | My desk phone answers on {v}.
extension.change = My desk got a new line, dial {v} rather than {old}. | The desk phone moved from {old} to {v}.
extension.fix = I mistyped my desk line earlier, dial {v} rather than {w}.
budget.state = For the summer holiday we've set aside {v} euros. | Our summer holiday may cost {v} euros in total.
budget.change = We've topped up the summer holiday pot from {old} to {v} euros.
| Instead of {old} we can spend {v} euros on the summer holiday.
vehicle.state = There's a {v} parked outside that's mine. | I get around in my {v}.
vehicle.change = I traded in the {old} for a {v}. | The {old} made way for a {v} in my garage.
vehicle.end = A stranger drove off with my old {old}, I'm car-free from today.
| My garage stands empty, the {old} was scrapped.
vehicle.hint = I found a parking ticket on the {v} this morning.
pet.state = We share the flat with a {x} who answers to {v}. | {v} is the name of our {x}.
pet.hint = {v} demanded breakfast at five again.
project.state = In my spare hours I'm building something called {v}. | {v} is the code name of my hobby build.
project.change = My hobby build got a new code name: {v} replaces {old}.
| What was {old} goes by {v} from today, my hobby build.
project.restate = Spent the evening on {v}, the hobby build. | A few more commits for {v} in my spare hours.
status.state = We have {x} in {v}. | As for {x}, it is in {v}.
status.change = We took {x} out of {old} and into {v}. | {x} left {old} behind and is in {v} as of today.
team.state = {v} fills the role of {x} in our group. | For us the {x} is {v}.
team.change = {old} handed the {x} role over to {v}. | Our {x} isn't {old} any more, {v} took over.
team.oblique = We had a farewell cake for {old}; the calendar invites of the {x} come from {v} nowadays.
| {v} got the {x} hat after {old} retired.
deadline.state = I must hand in the {x} no later than {v}. | {v} is the final day for my {x}.
deadline.change = They've pushed the {x} from {old} to {v}. | I got an extension on the {x}: {v} rather than {old}.
deadline.done = Sent off the {x} this morning, what a relief. | That's the {x} ticked off my list for good.
promise.state = {n} is counting on me for the {x} by {v}. | I gave my word to {n}: the {x} will be there by {v}.
promise.change = {n} and I pushed the {x} back to {v}. | I asked {n} for grace, so the {x} goes out by {v}.
appointment.state = They can see me at the {x} on {v}. | I'm booked in with the {x} for {v}.
appointment.change = The {x} called to shift my slot from {old} to {v}.
| My slot at the {x} isn't {old} any more but {v}.
birthday.state = We celebrate my {x} every year on {v}. | The big day of my {x} falls on {v}.
spoken.state = I get by well in {v}. | I grew up speaking {v}.
spoken.add = My fluent {v} helped me out today. | I can hold a conversation in {v} as well.
spoken.drop = My {v} is completely gone, I can't hold a conversation in it any more.
food_allergy.state = One bite of {v} and I end up in hospital. | My throat closes up when I eat {v}.
drug_allergy.state = Nobody should ever give me {v}, it nearly killed me once.
| {v} sends me into shock, so it's forbidden.
contact_allergy.state = Keep {v} away from me, I come out in hives. | I get a violent rash from {v}.
blood.state = In case I ever need a transfusion, I'm {v}. | The donor card in my wallet says {v}.
medication.state = There's a dose of {v} with my breakfast each morning. | I depend on {v} daily, doctor's orders.
condition.state = I've been living with {v} since childhood. | The hospital file says {v}.
rescue.state = If I ever collapse, the adrenaline pen is in the {v}. | You'd find my adrenaline pen in the {v}.
contact.state = If anything happens to me, ring {v}. | {v} is the one to notify if I'm hurt.
doctor.state = {v} has been my physician for ages. | My physician goes by {v}.
key.state = Keep this in mind: the duplicate of my door key is with {v}.
| Don't forget this: {v} holds a duplicate of my door key.
locker.state = Keep this in mind: the gym locker opens with {v}. | Don't forget this: {v} opens my gym locker.
passport.state = Keep this in mind: I hid my travel documents in the {v}.
| Don't forget this: the {v} is where my travel documents are.
insurance.state = Keep this in mind: {v} is my policy number. | Don't forget this, my health policy runs under {v}.
seat.state = Put me in the {v} when it's a long haul and in the {x} for a hop.
| A long haul means {v} for me; a hop, {x}.
commute.state = On wet mornings it's the {v} for me, on dry ones the {x}.
| The {x} gets me to the office unless it pours, then it's the {v}.
sister.state = My sister settled in {v} ages ago. | You'd find my sister in {v}.
sister.change = My sister packed up in {old} and settled in {v}. | My sister traded {old} for {v}.
brother.state = My brother is on the staff of {v}. | {v} pays my brother's bills.
brother.change = My brother quit {old} and signed on with {v}. | {v} hired my brother away from {old}.
colleague.state = Careful with lunch: {n} from my team breaks out in hives from {v}.
| No {v} near {n} from my team, ever.
film.state = The cinema showed {v}, passable entertainment. | {v} was on at the cinema, so I went.
book.state = {v} kept me up reading until two. | I turned the last page of {v}.
cafe.state = A friend dragged me to {v} for a bite. | Grabbed a bite at {v} after the meeting.
podcast.state = An episode of {v} got me through the ironing. | {v} was in my ears during the train ride.
"""

QUESTIONS = """
name.ask = Do you recall what people call me?
residence.ask = In what town is my home these days? | Where am I living at the moment? | What's my current home town?
residence.before = In which town was my home previously? | What was my last home town before the current one?
residence.since = How long has {v} been my home, from what date? | On what date did I settle in {v}?
residence.plan = What town have I been dreaming of settling in?
employer.ask = Which company am I with at present? | What firm employs me right now?
employer.before = Which company was I with previously? | What firm did I leave for the current one?
employer.since = From what date have I been with {v}? | On what date did I join {v}?
role.ask = What position do I currently hold at work?
role.before = What position did I hold previously?
code.ask = What programming language am I paid to write now? | On the job, what do I code in currently?
code.before = What programming language was I paid to write previously?
code.since = From what date have I been paid to write {v}?
editor.ask = In which editor do I type my code currently?
editor.before = In which editor did I previously type my code?
drink.ask = What's my go-to drink nowadays? | If you bought me a drink, what would it be?
drink.before = What did I previously have as my go-to drink?
food.ask = Which meal do I like most?
music.ask = What genre would you put on for me?
diet.ask = Any restriction on what's on my plate, such as a diet? | How would you describe the way I eat?
rent.ask = What does my flat cost me monthly?
rent.before = What did my flat cost me previously?
extension.ask = What should I tell people to dial for my desk?
budget.ask = How much can we spend on the summer holiday?
vehicle.ask = What do I get around in, which vehicle is mine?
vehicle.before = Which vehicle was mine previously?
pet.ask = What name does our {x} answer to?
project.ask = What's the code name of my hobby build?
project.before = What code name did my hobby build have previously?
status.ask = How far along is {x}? | Where do things stand with {x}?
team.ask = Who fills the role of {x} in our group?
team.before = Who filled the role of {x} in our group previously?
deadline.ask = What's the final day for handing in my {x}? | How long do I have for the {x}?
promise.ask = On what day is the {x} expected from me?
appointment.ask = What day am I booked in with the {x}?
birthday.ask = On what day do we celebrate my {x}?
spoken.ask = In what languages can I hold a conversation?
food_allergy.ask = I'm ordering in: is there any ingredient that could harm me? | What must never end up in my meal?
drug_allergy.ask = Is there a drug nobody should ever give me?
contact_allergy.ask = Is there anything that gives me hives or a rash?
blood.ask = What should a hospital know for a transfusion for me?
medication.ask = What do I have to swallow each morning on doctor's orders?
condition.ask = What long-term condition would be in my hospital file?
rescue.ask = Where would someone find my adrenaline pen?
contact.ask = Who should be notified if I'm hurt?
doctor.ask = Which physician looks after me?
key.ask = Where can I get a duplicate of my door key?
locker.ask = How do I open my gym locker?
passport.ask = Where did I hide my travel documents?
insurance.ask = Under what number does my health policy run?
seat.ask = Where should I sit on a long haul?
commute.ask = What do I ride to the office on wet mornings?
sister.ask = In what town would I find my sister?
sister.before = In what town was my sister previously?
brother.ask = Which company is my brother with?
colleague.ask = What's dangerous for {n} from my team?
film.ask = What did I see at the cinema recently?
book.ask = What have I been reading recently?
cafe.ask = Where did I grab a bite recently?
podcast.ask = What was in my ears recently, which show?
"""

REPLIES = """
echo = Thank you, I've written down {v}. | {v}, that's clear. | Duly recorded: {v}.
residence.echo = {v} sounds like a fine place to call home. | With your home in {v} that makes sense.
employer.echo = So {v} is the firm you're with. | May {v} treat you well.
code.echo = Being paid to write {v} has its charm.
editor.echo = {v} is a solid choice of editor.
drink.echo = One {v} coming up, figuratively.
plain = Right. | Okay, got you. | Thanks for letting me know. | Anytime. | Very well. | Makes sense.
| That's nice to hear.
| Tell me more whenever you like. | Certainly.
"""

FILLERS = """
lead = Small update. | Before I forget. | Side note. | One thing to mention. | In other matters. | Something else.
chat = {a}; {b}. | Well, {a}, {b}. | Today {a}. All in all, {b}. | You won't believe it: {a}; {b}.
a = the clouds never parted | somebody parked across the driveway | I dozed off on the sofa | I jogged along the river
| the dishwasher leaked | I sorted a drawer full of cables | an alarm rang half the night | my headset broke
| the light bulb in the hallway went out | a parcel came two days late | I mislaid my gloves
| the queue at the post was endless
b = no harm done | life goes on | I've had worse days | it left me a little worn out | my mood is fine regardless
| the rest was peaceful | that sums it up | I had to smile | hardly worth telling | I turned in at nine
| we'll see what comes next
question = Any tips to {c}? | Would you show me how to {c}? | I'd like to {c}, where do I begin?
c = rename many files at once | get wax out of a carpet | decline an invitation kindly | poach an egg
| squash two commits
| bleed a radiator | divide chores among flatmates | warm up before a swim | pick a readable font | repot a fern
| work out a percentage | dry herbs | iron a pleated skirt | host a small party | bake bread with a crust
| choose between two charts | calm my nerves before a speech | descale a kettle
"""
