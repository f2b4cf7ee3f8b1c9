"""Kinds of one thing that have figures and rules of their own: adult and child tickets, the red and the blue van.

Rules: a line is one scale, its kinds separated by `/`; two sentences that name kinds of one scale and none in common
speak of two things. Only figures and denials are kept apart by it: "the van is red", "the van is blue" is a conflict.
It does not know figures nor denials (figure_rules.py, rules.py).
Source: closed classes of four languages and common pairs of business prose; chosen by us.
"""

import re
from functools import lru_cache

_SCALES = r"""
red|rot\w*|红色?|빨간 / blue|blau\w*|蓝色?|파란 / green|grün\w*|绿色?|초록 / yellow|gelb\w*|黄色?|노란 / white
  |weiss\w*|白色|흰 / black|schwarz\w*|黑色|검은 / grey|gray|grau\w*|灰色|회색 / brown|braun\w*|棕色|갈색
old|alte[nrms]?|旧|老|옛|기존 / new|neue[nrms]?|新|새|신규
ground floor|erdgeschoss|一楼|1楼|1층 / first floor|ersten? stock|二楼|2楼|2층 / second floor|zweiten? stock
  |三楼|3楼|3층 / third floor|dritten? stock|四楼|4楼|4층 / basement|keller|地下室?|지하 / top floor|attic
  |dachgeschoss|顶楼
single|einzelzimmer|单人|싱글|1인실 / double|twin|doppelzimmer|双人|더블|2인실 / suite|套房|스위트
adults?|erwachsene\w*|成人|성인|어른 / child|children|kids?|kind|kinder|under \d+s?|儿童|孩子|어린이|아동
   / seniors?|pensioners?|senioren|老人|경로|노인 / students?|studenten|学生|학생
basic|standard|basis\w*|基础|标准|기본|일반 / premium|pro|plus|高级|专业|프리미엄|고급 / enterprise|企业版|기업용
small|klein\w*|小型?号?|소형 / medium|mittlere\w*|中型?号|중형 / large|gross\w*|大型?号?|대형
gold|黄金|골드 / silver|白银|실버 / bronze|青铜|브론즈
first class|erste klasse|头等|일등석 / second class|economy|zweite klasse|经济舱|일반석 / business class|商务舱
  |비즈니스
day shift|day crew|tagschicht|白班|주간조 / night shift|night crew|nachtschicht|夜班|야간조 / early shift
  |frühschicht|早班|오전조 / late shift|spätschicht|晚班|오후조
left|linke\w*|左|왼쪽 / right|rechte\w*|右|오른쪽
front|vorder\w*|前门|앞 / back|rear|hinter\w*|后门|뒤
upper|obere\w*|上层 / lower|untere\w*|下层
north|northern|nord\w*|北|북 / south|southern|süd\w*|南|남 / east|eastern|ost(?!ern)\w*|东|동쪽 / west|western
  |west\w*|西|서쪽
gross|brutto|毛|총 / net|netto|净|순
wholesale|grosshandel|批发|도매 / retail|einzelhandel|零售|소매
inbound|incoming|eingehend\w*|入库|입고 / outbound|outgoing|ausgehend\w*|出库|출고
imports?|imported|进口|수입 / exports?|exported|出口|수출
indoors?|innen\w*|室内|실내 / outdoors?|aussen\w*|室外|실외|야외
mainland|大陆|내륙 / islands?|inseln?|岛|섬
passengers?|旅客|여객 / freight|cargo|goods|货运|화물
cash|bar|现金|현금 / cards?|karten?|刷卡|카드 / cheques?|checks|schecks?|支票|수표 / transfer|überweisung|转账|이체
full-time|vollzeit|全职|정규직 / part-time|teilzeit|兼职|파트타임|시간제
women|female|frauen|女|여성|여자 / men|male|männer|男|남성|남자
lorry|lorries|trucks?|lkw|卡车|트럭 / vans?|lieferwagen|面包车|승합차 / cars?|pkw|轿车|승용차 / bus(?:es)?|公交
  |버스 / bicycles?|bikes?|fahrräder|自行车|자전거 / motorbikes?|motorcycles?|摩托车|오토바이
chairs?|stühle|椅子|의자 / tables?|tische|桌子|탁자 / desks?|schreibtische|책상
heating|heizung|暖气|난방 / water|wasser|水费|수도 / electricity|power|strom|电费|전기 / gas|煤气|가스 / parking
  |parkplatz|停车|주차 / internet|网络|인터넷
drivers?|fahrer|司机|기사 / packers?|packer / cleaners?|reinigungskräfte|清洁工|청소 / managers?|经理|관리자
   / nurses?|pfleger\w*|护士|간호사 / doctors?|ärzte|医生|의사 / apprentices?|trainees?|interns?|azubis?
  |lehrlinge|实习生|인턴
agencies|agenturen|中介|대행사 / freelancers?|freiberufler|自由职业者|프리랜서
members?|mitglieder\w*|会员|회원 / non-members?|guests?|visitors?|gäste|besucher|访客|비회원|방문객
lands|landed|arriv\w+|touche[sd]? down|ankunft|到达|도착 / took off|takes? off|depart\w*|leaves?|left|abfahrt
  |abflug|出发|출발
opens?|opened|öffnet|开门|문을 열 / closes?|closed|schliesst|关门|문을 닫
starts?|started|begins?|began|beginnt / ends?|ended|finish\w*|endet
wet|rainy|雨天|비 오는 / dry|sunny|晴天|맑은
with a|with the|mit|有证 / without|ohne|没有证
on a lead|an der leine / off the lead|off-lead|ohne leine
domestic|inland\w*|国内|국내 / international|foreign|overseas|ausland\w*|国际|海外|国外|해외
"""


def _scale(line: str) -> tuple[re.Pattern[str], ...]:
    return tuple(
        re.compile(
            "|".join(
                word if re.search(r"[\u3400-\u9fff\uac00-\ud7a3]", word) else rf"(?<![^\W_]){word}(?![^\W_])"
                for word in kind.strip().split("|")
            )
        )
        for kind in line.split(" / ")
    )


_TABLE = tuple(_scale(line) for line in re.sub(r"\n  ", "", _SCALES).strip().splitlines())


@lru_cache(maxsize=4096)
def _kinds(text: str) -> dict[int, frozenset[int]]:
    found = {
        number: frozenset(i for i, pattern in enumerate(kinds) if pattern.search(text))
        for number, kinds in enumerate(_TABLE)
    }
    return {number: hit for number, hit in found.items() if hit}


def rival_kinds(a: str, b: str) -> bool:
    """Tell whether two folded texts name kinds of one scale, and none in common."""
    first, second = _kinds(a), _kinds(b)
    return any(not first[scale] & second[scale] for scale in first.keys() & second.keys())
