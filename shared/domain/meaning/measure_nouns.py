"""What a figure measures: the nouns and verbs that name a quantity of a thing, in four languages.

Rules: data only. One line is one measure; words of one line name one quantity, words of two lines two quantities, so
that a deposit never meets a rent. A Latin entry is a regular expression over whole words of folded text, German
compounds are looked for by their last part (`~`), an East Asian entry is looked for inside the text.
It does not know figures nor things (figure_rules.py).
Source: the quantities of business and household records; chosen by us.
"""

import re
from functools import lru_cache

_MEASURES = """
rent rents rental lease miete ~miete pacht 租金 房租 월세 임대료
deposit deposits bail kaution ~kaution anzahlung 押金 定金 保证金 보증금 계약금
salary wage wages pay payslip gehalt ~gehalt lohn ~lohn 工资 薪水 月薪 年薪 급여 월급 연봉 임금
excess deductible selbstbehalt selbstbeteiligung 免赔额 자기부담금
premium prämie ~prämie ~beitrag 保费 보험료
discount rebate rabatt ~rabatt skonto nachlass 折扣 优惠 할인
commission provision 佣金 수수료
interest zins ~zins zinsen zinssatz 利率 利息 이자 금리
tax vat levy steuer ~steuer 税 세금 부가세
fine penalty strafe ~strafe bussgeld vertragsstrafe 罚款 违约金 벌금 과태료 위약금
loan mortgage credit kredit ~kredit darlehen ~darlehen 贷款 대출
revenue turnover sales takings umsatz ~umsatz einnahmen 营业额 营收 销售额 收入 매출
profit earnings gewinn ~gewinn 利润 이익 순익
loss deficit verlust ~verlust 亏损 손실
budget budget ~budget etat 预算 예산
investment invested investition ~investition 投资 투자
donation gift grant spende zuschuss förderung 捐款 补贴 기부금 보조금
debt debts owes schulden 债务 欠款 부채 빚
bonus bonus ~bonus 奖金 보너스 상여금
stake share shareholding owned owns anteil beteiligung 股份 股权 지분
height high tall höhe ~höhe hoch 高度 高 높이
width wide breite ~breite breit 宽度 宽 너비 폭
length long länge ~länge lang 长度 길이
depth deep tiefe ~tiefe tief 深度 深 깊이
diameter durchmesser ~durchmesser 直径 지름 직경
thickness thick dicke stärke dick 厚度 두께
weight weighs weigh weighed heavy gewicht ~gewicht wiegt schwer 重量 重 무게 중량
capacity holds seats fasst fassungsvermögen kapazität 容量 载重 容纳 용량 수용 정원
payload carries lifts tragkraft traglast nutzlast 承重 적재
temperature temperatur ~temperatur 温度 气温 온도 기온
speed tempo geschwindigkeit ~geschwindigkeit 速度 时速 속도
area fläche ~fläche 面积 면적
distance away entfernung entfernt 距离 거리
range reichweite 续航 주행거리
power output leistung ~leistung 功率 출력
consumption verbrauch ~verbrauch 消耗 用电量 소비량 사용량
pressure druck ~druck 压力 气压 압력
humidity feuchtigkeit ~feuchtigkeit ~feuchte 湿度 습도
age aged alter alt 年龄 岁 나이 살
warranty guarantee garantie ~garantie gewährleistung 保修 质保 보증기간 보증 기간
notice frist kündigungsfrist kündigen 通知期 해지 통보
holiday vacation leave urlaub ~urlaub urlaubstage 年假 假期 휴가 연차
probation probezeit 试用期 수습
delivery lieferzeit ~lieferzeit lieferfrist 交货期 交货 납기 배송
response reaction reply reaktionszeit antwortzeit 响应 答复 응답 답변
retention retained aufbewahrung ~aufbewahrung 保存期 보존 보관
lunch break pause mittagspause 午休 休息 휴식 점심
overtime überstunden 加班 초과근무
absence absences fehlzeiten 缺勤 결근
employees employee staff workers headcount people mitarbeiter beschäftigte 员工 职工 직원 사원
customers customer clients kunden 客户 고객
visitors guests besucher gäste 访客 游客 방문객 손님
apprentices trainees azubis auszubildende lehrlinge 学徒 수습생
members mitglieder 会员 회원
students pupils schüler studenten 学生 학생
complaints beschwerden reklamationen 投诉 불만 민원
accidents injuries unfälle 事故 사고
shifts shift schichten 班次 교대
"""
_CJK = re.compile(r"[\u3400-\u9fff\uac00-\ud7a3]")


def _line(words: str) -> re.Pattern[str]:
    listed = words.split()
    whole = "|".join(word for word in listed if not _CJK.search(word) and word[0] != "~")
    last = "|".join(word[1:] for word in listed if word[0] == "~")
    eastern = "|".join(word for word in listed if _CJK.search(word))
    parts = [rf"(?<![^\W_])(?:{whole})(?![^\W_])"]
    parts += [rf"[a-zäöüß]{{3,}}(?:{last})(?:e?[ns])?(?![^\W_])"] if last else []
    return re.compile("|".join(parts + ([eastern] if eastern else [])))


_PATTERNS = tuple(_line(line) for line in _MEASURES.strip().splitlines())


@lru_cache(maxsize=4096)
def measured_by(text: str) -> frozenset[int]:
    """Return the numbers of the measures that a folded text names."""
    return frozenset(number for number, pattern in enumerate(_PATTERNS) if pattern.search(text))


def other_measure(a: str, b: str) -> bool:
    """Tell whether two texts name quantities, and none in common."""
    first, second = measured_by(a), measured_by(b)
    return bool(first and second) and not first & second


def one_measure(a: str, b: str) -> bool:
    """Tell whether two texts name one quantity."""
    return bool(measured_by(a) & measured_by(b))
