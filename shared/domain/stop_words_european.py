"""Words too frequent to tell one memory from another, in European languages beside English (stop_words.py).

Rules: data only; folded spelling (ß is ss), and what an elision leaves before its apostrophe. Words that mean something
else in the same language ("war" as a noun, "sono") are listed all the same; months, days and numerals above one are
not. By ISO 639 code; each language here has a Snowball stemmer.
Source: the closed word classes of each language (articles, pronouns, prepositions, conjunctions, auxiliaries), as in
the usual lists.
"""

from collections.abc import Mapping
from types import MappingProxyType

_GERMAN = """
der die das den dem des ein eine einen einem einer eines kein keine keinen keinem keiner dieser diese dieses diesen
diesem jeder jede jedes jeden jedem jener jene jenes welcher welche welches welchen welchem mancher manche solche ich
mich mir mein meine meinen meinem meiner du dich dir dein deine deinen deinem deiner er ihn ihm sein seine seinen
seinem seiner sie ihr ihre ihren ihrem ihrer es wir uns unser unsere unseren unserem unserer euch euer eure sich man
wer wen wem wessen was wo wohin woher wann warum weshalb wieso wie in im ins an am ans auf aus bei beim mit nach seit
von vom zu zum zur für durch gegen ohne um bis über unter vor hinter neben zwischen während wegen trotz ab und oder
aber denn sondern sowie doch weil da dass ob wenn als damit obwohl falls nachdem bevor bin bist ist sind seid war
warst waren wart gewesen werde wirst wird werden wurde wurden worden würde würden habe hast hat haben hatte hatten
gehabt kann kannst können konnte konnten muss müssen musste mussten soll sollen sollte sollten will wollen wollte
wollten darf dürfen durfte mag möchte möchten nicht nur noch schon auch sehr so dann hier dort nun jetzt mehr etwas
nichts alle allen aller alles
"""
_FRENCH = """
le la les l un une des du de d au aux ce cet cette ces c mon ma mes ton ta tes son sa ses notre nos votre vos leur
leurs je j me m moi tu te t toi il elle on nous vous ils elles se s soi lui eux y en que qu qui quoi dont où quand
comment pourquoi combien quel quelle quels quelles lequel laquelle lesquels à dans par pour sur sous avec sans chez
vers entre depuis pendant avant après contre et ou mais donc or ni car si comme lorsque puisque quoique parce ne n pas
plus moins très aussi déjà encore ici là suis es est sommes êtes sont étais était étions étaient été être sera seront
serait fut ai as a avons avez ont avais avait avaient eu avoir aura auront aurait fait faire peut peuvent pouvait doit
doivent devait tout toute tous toutes même autre autres aucun aucune chaque quelque quelques cela ça ceci celui celle
ceux celles
"""
_SPANISH = """
el la los las lo un una unos unas al del de este esta esto estos estas ese esa eso esos esas aquel aquella aquello mi
mis tu tus su sus nuestro nuestra nuestros nuestras vuestro vuestra yo me mí tú te ti él ella ello nosotros vosotros
ellos ellas usted ustedes nos os se sí le les que qué quien quién quienes quiénes cual cuál cuales cuáles cuando
cuándo donde dónde adónde como cómo cuanto cuánto cuánta cuántos cuántas a ante bajo con contra desde durante en entre
hacia hasta para por según sin sobre tras y e o u ni pero sino aunque porque si pues mientras no más menos muy también
ya aún todavía aquí allí soy eres es somos son era eras éramos eran fue fueron ser sido sea será serán sería estoy
está están estaba estaban estar estado he has ha hemos han había habían haber hay hubo tiene tienen tenía tener puede
pueden podía poder debe deben debía todo toda todos todas otro otra otros otras mismo misma cada algún alguna algunos
algunas ningún ninguna
"""
_ITALIAN = """
il lo la i gli le l un uno una di a da in con su per tra fra del dello della dei degli delle dell al allo alla ai agli
alle all dal dallo dalla dai dagli dalle dall nel nello nella nei negli nelle nell sul sullo sulla sui sugli sulle
sull col coi questo questa questi queste quest quello quella quelli quelle quell quel quei mio mia miei mie tuo tua
tuoi tue suo sua suoi sue nostro nostra nostri nostre vostro vostra vostri loro io mi me tu ti te lui lei egli ella
esso essa noi ci ce voi vi ve essi esse si se sé ne che chi cui cosa quale quali quando dove dov come perché quanto
quanta quanti quante e ed o od ma però anche se mentre poiché non più meno molto già ancora qui lì là sono sei è siamo
siete era eri eravamo erano fu furono essere stato stata stati state sarà saranno sarebbe c ho hai ha abbiamo avete
hanno aveva avevano avere avuto avrà può possono poteva potere deve devono doveva dovere tutto tutta tutti tutte altro
altra altri altre stesso stessa ogni qualche alcuni alcune nessun nessuna
"""
_PORTUGUESE = """
o a os as um uma uns umas de do da dos das em no na nos nas num numa ao à aos às por pelo pela pelos pelas para com
sem sob sobre entre até desde contra durante após este esta isto estes estas esse essa isso esses essas aquele aquela
aquilo deste desta nesse nessa neste nesta meu minha meus minhas teu tua teus tuas seu sua seus suas nosso nossa
nossos nossas eu me mim tu te ti ele ela nós vós eles elas você vocês se si lhe lhes que quê quem qual quais quando
onde como porque porquê quanto quanta quantos quantas e ou mas nem também porém pois não mais menos muito já ainda
aqui ali sou és é somos são era eram foi foram ser sido seja será serão seria estou está estão estava estavam estar
estado tenho tem têm tinha tinham ter tido há havia houve pode podem podia poder deve devem devia tudo todo toda todos
todas outro outra outros outras mesmo mesma cada algum alguma alguns algumas nenhum nenhuma
"""
_DUTCH = """
de het een en of maar want dus dat die dit deze ik mij me mijn jij je jou jouw hij hem zijn zij ze haar het wij we ons
onze jullie u uw hun hen zich men wie wat waar wanneer waarom hoe welk welke in op aan van voor met bij naar uit over
onder door om tot tegen tussen zonder na sinds tijdens tegenover te ter ten als dan omdat terwijl hoewel indien zodat
ben bent is was waren geweest wezen word wordt worden werd werden geworden heb hebt heeft hebben had hadden gehad kan
kunt kunnen kon konden moet moeten moest moesten zal zult zullen zou zouden wil wilt willen wilde mag mogen mocht niet
geen nog al ook zeer zo er hier daar nu toch wel meer alle alles iets niets ieder iedere elk elke ander andere
"""
_SWEDISH = """
en ett den det de dem denna detta dessa och eller men att som om när då för så jag mig min mitt mina du dig din ditt
dina han honom hans hon henne hennes vi oss vår vårt våra ni er ert era deras sig sin sitt sina man vem vad var vart
varför hur vilken vilket vilka i på av till från med utan hos vid under över mellan mot efter före genom sedan ur är
var varit vara blir blev blivit bli har hade haft ha kan kunde ska skall skulle vill ville måste får fick inte ej bara
också än mycket mer här där nu redan alla allt någon något några ingen inget inga annan annat andra samma varje
"""
_DANISH = """
en et den det de dem denne dette disse og eller men at som om når da for så jeg mig min mit mine du dig din dit dine
han ham hans hun hende hendes vi os vor vort vores i jer jeres deres sig sin sit sine man hvem hvad hvor hvornår
hvorfor hvordan hvilken hvilket hvilke på af til fra med uden hos ved under over mellem mod efter før gennem siden er
var været være bliver blev blevet blive har havde haft have kan kunne skal skulle vil ville må måtte ikke kun også end
meget mere her der nu allerede alle alt nogen noget nogle ingen intet anden andet andre samme hver
"""
_NORWEGIAN = """
en ei et den det de dem denne dette disse og eller men at som om når da for så jeg meg min mi mitt mine du deg din di
ditt dine han ham hans hun henne hennes vi oss vår vårt våre dere deres seg sin si sitt sine man hvem hva hvor hvorfor
hvordan hvilken hvilket hvilke i på av til fra med uten hos ved under over mellom mot etter før gjennom siden er var
vært være blir ble blitt bli har hadde hatt ha kan kunne skal skulle vil ville må måtte ikke bare også enn mye mer her
der nå allerede alle alt noen noe ingen annen annet andre samme hver
"""
_FINNISH = """
ja tai mutta vaan että jos kun kuin koska sekä eli niin myös ei en et emme ette eivät älä minä minun minua minut
minulla minulle sinä sinun sinua hän hänen häntä hänet hänellä me meidän meitä te teidän teitä he heidän heitä se sen
sitä siinä siitä siihen sillä ne niiden niitä niissä tämä tämän tätä tässä tästä nämä näiden tuo tuon tuota joka jonka
jota jossa josta johon jotka joiden mikä minkä mitä missä mistä mihin mitkä kuka kenen ketä kenelle milloin miksi
miten kuinka olen olet on olemme olette ovat oli olin olivat ollut olla oleva voi voivat voitiin pitää täytyy saa
kanssa ilman ennen jälkeen aikana varten kautta mukaan vain vielä jo nyt sitten siellä täällä kaikki kaikkien jokainen
toinen sama
"""
_RUSSIAN = """
и а но или да же ли бы не ни как что чтобы если когда потому хотя пока то так также тоже в во на с со к ко у о об от
до из за по под над при про для без через между перед после около кроме я меня мне мной мой моя моё мои ты тебя тебе
твой твоя твои он его ему им нём она её ей ней оно мы нас нам нами наш наша наше наши вы вас вам вами ваш ваша ваши
они их ими них себя себе свой своя своё свои кто кого кому кем чего чему чем где куда откуда почему зачем сколько
какой какая какое какие который которая которое которые этот эта это эти этого этой этих тот та те того той тех быть
был была было были есть буду будет будут может могут мог могла нужно надо нет уже ещё очень только даже здесь там тут
теперь весь вся всё все всех другой другая другие каждый
"""

EUROPEAN_STOP_WORDS: Mapping[str, frozenset[str]] = MappingProxyType(
    {
        "da": frozenset(_DANISH.split()),
        "de": frozenset(_GERMAN.split()),
        "es": frozenset(_SPANISH.split()),
        "fi": frozenset(_FINNISH.split()),
        "fr": frozenset(_FRENCH.split()),
        "it": frozenset(_ITALIAN.split()),
        "nl": frozenset(_DUTCH.split()),
        "no": frozenset(_NORWEGIAN.split()),
        "pt": frozenset(_PORTUGUESE.split()),
        "ru": frozenset(_RUSSIAN.split()),
        "sv": frozenset(_SWEDISH.split()),
    }
)
