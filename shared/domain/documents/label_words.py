"""The words of labels on business paper: patterns over folded labels, field by field, the first that matches decides.

Rules: within a table the order counts, so that an employer's contribution is not taken for an employee's. It does not
know documents. Source: words of ordinary payroll, banking and invoicing papers; worked out on fixtures/documents/build.
"""

from typing import Final

_OWN = r"(?:employees?'?s?'?|staff|worker'?s?|ee)"
_FIRM = r"(?:employer'?s?'?|company'?s?|er)"
_DUES = r"(?:social|contributions?|ni|nic|nics|insurances?|pension|ss|taxes|security|on-?costs?)"
_SOCIAL_DE = r"(?:sozial\w*|sv|versicherung\w*|beitr\w*|abgaben|anteil\w*)"
_FIRM_KO = r"(?:사업주|회사|사용자|고용주|기관|사업자|기업|사측|법인|업체)"
_OWN_KO = r"(?:근로자|직원|종업원|본인|사원|개인)"

PAY: Final = (
    ("employer_social_security", (
        rf"\b{_FIRM}\b.*\b{_DUES}\b", rf"\b{_DUES}\b.*\b(?:by (?:the )?)?employers?\b",
        rf"(?:arbeitgeber|\bag\b).*{_SOCIAL_DE}", rf"{_SOCIAL_DE}.*(?:arbeitgeber|\bag\b)", r"\bag-anteil",
        rf"{_FIRM_KO}.*(?:부담|보험|기여)",
    )),
    ("employer_cost", (
        r"\b(?:employer|employment|labou?r|personnel|payroll|staff|company|total|full)\b.*\bcosts?\b",
        r"\bcosts?\b.*\b(?:employer|company|employment)\b", r"^ctc$", r"\bemployer (?:total|expense)",
        r"arbeitgeber\s*-?(?:gesamt)?(?:kosten|aufwand|belastung|brutto)", r"(?:personal|lohn|gesamt)-?kosten",
        r"\bag-?(?:gesamt)?(?:kosten|brutto|belastung)", r"personalaufwand", r"kosten.*arbeitgeber",
        r"인건비", rf"(?:총|{_FIRM_KO}|고용)\s*(?:총\s*)?(?:비용|부담\s*총액|원가)",
            r"gesamt-?aufwand",
            r"총\s*고용\s*비용",
            r"인건비",
)),
    ("employee_social_security", (
        rf"\b{_OWN}\b.*\b{_DUES}\b", r"^(?:social (?:security|insurance|contributions?)|national insurance)",
        r"^(?:ni|nic|fica|pension)(?: contributions?)?$", r"^total (?:social|contributions)",
        rf"(?:arbeitnehmer|\ban\b).*{_SOCIAL_DE}", rf"{_SOCIAL_DE}.*(?:arbeitnehmer|\ban\b)", r"\ban-anteil",
        r"^(?:sozialversicherung\w*|sv-?(?:beitrag|beiträge|abzüge)?|sozialabgaben|sozialbeiträge)\b",
        rf"{_OWN_KO}.*(?:부담|보험|기여|공제)",
        r"^(?:사회\s*보험료?|4대\s*보험료?|공제\s*보험료)(?:\s*(?:합계|계))?$",
            r"^social (?:charges|deductions)$",
)),
    ("net", (
        r"\bnet\b", r"take[- ]?home", r"netto", r"auszahlung(?!s?(?:datum|tag|am))", r"auszahlungsbetrag",
        r"überweisungsbetrag", r"zahlbetrag", r"실\s*(?:수령|지급)", r"차인\s*지급", r"세후",
        r"순\s*(?:지급|급여|수령)", r"수령액",
            r"\bafter (?:tax|deductions)",
            r"\bpaid to (?:you|employee)",
            r"공제\s*후",
            r"^수령\s*금액",
            r"실\s*입금",
)),
    ("tax", (
        r"\b(?:income|wage|withholding|payroll)\b.*\btax\b", r"\btax(?:es)? (?:withheld|deducted|deductions?)",
        r"^(?:total )?tax(?:es)?$", r"^paye(?: tax)?$", r"\bwithheld tax", r"lohn-?steuer", r"einkommensteuer",
        r"^(?:summe )?steuern?$", r"steuerabzug", r"^소득\s*세", r"원천\s*(?:징수)?세?", r"^세금", r"^세액$",
        r"근로\s*소득세",
            r"^withholding$",
            r"^tax (?:paid|amount)$",
            r"steuerabz",
            r"갑근세",
            r"(?<!지방)(?<!지방 )소득\s*세",
)),
    ("gross", (
        r"\bgross\b", r"brutto", r"총\s*(?:급여|지급|임금|보수)", r"지급\s*(?:총액|합계|액\s*계|계)$", r"세전",
        r"^급여\s*(?:총액|합계)$",
        r"과세\s*전", r"^지급액$",
            r"^(?:total )?earnings$",
            r"^total (?:pay|salary|wages)$",
            r"\bbefore (?:tax|deductions)",
            r"(?:지급|급여|보수|임금)\s*총액",
            r"^(?:월\s*)?급여\s*액?$",
)),
)  # fmt: skip

WHO: Final = (
    ("employee_id", (
        r"\b(?:employee|staff|personnel|emp|worker)\b\.?\s*(?:id|no|nr|number|code|ref)\b", r"^id$",
        r"^(?:emp|staff)-?id$",
        r"personal-?\s*(?:nr|nummer|id)", r"pers\.?-?\s*nr", r"mitarbeiter-?\s*(?:nr|nummer|id|kennung)",
        r"^사\s*번$", r"(?:사원|직원|사번|근로자)\s*(?:번호|코드|id)", r"^직번$",
            r"\bma-?nr",
            r"(?:사원|직원|근로자)\s*no",
)),
    ("name", (
        r"^(?:employee'?s? |full |staff |worker'?s? )?name$", r"^(?:employee|worker|staff member)$",
        r"^name of (?:the )?employee$", r"^(?:name,? vorname|vor- und (?:zu|nach)name|mitarbeiter(?:in|name)?)$",
        r"^(?:arbeitnehmer(?:in)?|beschäftigte[r]?|name (?:des|der) \w+)$",
        r"^(?:성\s*명|이름|(?:사원|직원|근로자)\s*(?:명|성명|이름)|성함)$",
            r"^beschäftigte(?:/?r)?$",
            r"^(?:직원|사원|근로자)$",
)),
)  # fmt: skip

PAYROLL: Final = (
    ("payment_date", (
        r"\b(?:payment|pay|paid|value|execution|executed|transfer|settlement|booking|processing)\b.*\b(?:date|day)\b",
        r"\b(?:paid|executed|transferred|credited|processed|value)\b (?:on|out on)$",
        r"^date (?:paid|of (?:payment|transfer|execution))",
        r"^pay ?day$", r"zahlungs?-?(?:datum|tag)", r"^zahltag$", r"auszahlungs?(?:datum|tag)",
        r"ausführungs?(?:datum|tag)?$",
        r"(?:ausgezahlt|gezahlt|überwiesen|ausgeführt|bezahlt|auszahlung|zahlung|ausführung) am", r"valuta",
        r"wertstellung",
        r"buchungs(?:datum|tag)", r"überweisungs(?:datum|tag)",
        r"(?:지급|이체|급여|지불|입금|송금|결제|납부|거래|처리|집행)\s*(?:일자|일시|일|날짜)$",
            r"gutschrift am",
            r"(?:실행|완료|처리|출금)\s*(?:일자|일시|일)$",
)),
    ("count", (
        r"\b(?:number|no|count|total)\b.*\b(?:employees|staff|payments|payees|transfers|transactions"
        r"|beneficiaries|workers|people|recipients)\b",
        r"\bemployee count\b", r"^head-? ?count$",
        r"^(?:employees|payments|payees|beneficiaries|staff|transfers)(?: paid)?$",
        r"\b(?:an)?zahl\b.*(?:mitarbeit|arbeitnehmer|beschäftigt|zahlung|überweisung|posten|empfänger|person"
        r"|gehälter)",
        r"(?:mitarbeiter|personen|beschäftigten)(?:an)?zahl",
        r"^(?:mitarbeiter(?:innen)?|arbeitnehmer|beschäftigte|zahlungen|posten) ?(?:gesamt)?$",
        r"(?:총|대상|지급|이체|직원|사원|근로자)?\s*(?:인원|건수)(?:\s*수)?$", r"(?:직원|사원|근로자|종업원)\s*수$",
            r"(?:대상자|수취인)\s*수$",
)),
    ("period", (
        r"^(?:pay(?:roll)?|wage|salary|billing|accounting|statement|reporting)? ?(?:period|month)(?: of .*)?$",
        r"^(?:for )?(?:the )?(?:month|period)(?: of)?$", r"^month of pay$",
        r"(?:abrechnungs|lohn|gehalts)-?(?:monat|zeitraum|periode)",
        r"^(?:monat|zeitraum|periode|für (?:den )?monat)$",
        r"(?:귀속|급여|지급|해당|정산|대상|산정|임금)\s*(?:연월|년월|기간|월분|월)$", r"^(?:기간|월분|연월)$",
            r"^(?:pay )?(?:period|month) (?:ending|ended)$",
            r"^(?:payroll|salaries|wages|pay|salary) (?:for|month|of)$",
            r"^abrechnung für$",
)),
    ("event_ref", (
        r"\b(?:payroll|pay|salary|wage)[- ]?(?:run|batch|event)\b(?: (?:id|no|ref|number|reference|code))?$",
        r"^(?:run|batch|event)(?: (?:id|no|ref|number|reference|code))$",
        r"\bpayroll (?:ref|reference|id|no|number)$",
        r"(?:lohn|abrechnungs|gehalts|zahl)-?lauf(?:-?(?:nr|nummer|id|kennung))?$", r"^lauf-?(?:nr|nummer)?$",
        r"(?:급여|지급|정산)\s*(?:회차|차수|차|번호|실행|배치)(?:\s*번호)?$", r"^회차$", r"^배치\s*번호$",
            r"^(?:실행|처리)\s*번호$",
            r"배치\s*id$",
)),
    ("company", (
        r"^(?:company|employer|organi[sz]ation|business|client|account holder|account name|payer"
        r"|ordering (?:party|customer)"
        r"|debtor|on behalf of|instructed by|ordered by|originator|holder)(?: name)?$",
        r"^name of (?:the )?(?:company|employer)$",
        r"^(?:arbeitgeber|firma|unternehmen|auftraggeber|kontoinhaber|betrieb|gesellschaft|mandant"
        r"|zahlungspflichtiger)(?:in)?$",
        r"^(?:회사(?:명|이름)?|상호|사업장(?:명)?|업체명|기업명|예금주(?:명)?|의뢰인|의뢰\s*(?:회사|업체|기업)"
        r"|법인명|고용주|사업주|계좌주|출금\s*계좌주)$",
            r"^(?:remitter|sender|customer|paying company|account of|paid by|payroll of)$",
            r"^(?:firmenname|im auftrag von|zahler(?:in)?|inhaber(?:in)?)$",
            r"^(?:고용|소속|지급|의뢰)\s*(?:회사|기업|업체|기관)$",
            r"^(?:사업체(?:명)?|업체|출금\s*예금주)$",
)),
    ("currency", (r"^currency(?: code)?$", r"^währung$", r"^통화(?:\s*(?:단위|코드))?$", r"^단위$", r"^amounts? in$")),
)  # fmt: skip

BANK_TOTAL: Final = (
    ("net", (
        r"\bnet\b", r"^(?:grand )?total(?: (?:amount|paid|transferred|debited|net|payments?|salaries|sum|payout))*$",
        r"\b(?:amount|sum|total)\b.*\b(?:transferred|debited|paid|credited|executed)\b",
        r"^(?:transfer|payment|debit|batch) (?:amount|total|sum)$",
        r"^(?:amount|sum|total salaries|salaries paid)$", r"netto",
        r"(?:gesamt|überweisungs|summen|sammel|zahlungs|auszahlungs)-?(?:betrag|summe)",
        r"^(?:summe|betrag|gesamt)$", r"^summe (?:der )?(?:gehälter|löhne|zahlungen|überweisungen)",
        r"überwiesener (?:gesamt)?betrag",
        r"(?:이체|출금|송금|입금|지급|총)\s*(?:총\s*)?(?:금액|총액|합계|액)$", r"^(?:합계|총계|총액)$",
        r"실\s*(?:수령|지급)",
            r"auszahlung(?!s?(?:datum|tag))",
            r"^(?:이체|출금|송금|입금)$",
)),
)  # fmt: skip

INVOICE: Final = (
    ("balance", (
        r"\bbalance\b", r"\boutstanding\b", r"\bremaining\b", r"\bstill (?:due|open|to pay)\b", r"\bopen amount\b",
        r"rest-?betrag",
        r"\boffen\w*", r"noch zu zahlen", r"verbleib\w*", r"rest(?:forderung|zahlung|saldo)?$", r"잔액",
        r"미\s*(?:납|지급|수|결제)", r"잔금", r"남은",
            r"\bleft to pay\b",
            r"^rest$",
)),
    ("paid_amount", (
        r"^(?:amount |already |total |partial(?:ly)? |part )?(?:paid|received)(?: to date| so far| amount"
        r"| already)?$",
        r"^(?:payments?|amount|sum|deposit) (?:received|paid|to date)(?: to date)?$", r"^(?:part|partial) payment$",
        r"^less payments?",
        r"(?:bereits|schon) (?:gezahlt|bezahlt)", r"^(?:ge|be)zahlt(?:er betrag)?$", r"anzahlung", r"erhalten\w*",
        r"teilzahlung",
        r"zahlungs(?:betrag|eingang)$", r"^(?:기\s*)?(?:지급|결제|입금|납부|수령|수납)\s*(?:된\s*)?(?:금액|액)$",
        r"선급금", r"일부\s*납부",
        r"^(?:받은|지급한|납부한|결제한|입금된|수령한)\s*금액$",
            r"^(?:this )?payment$",
            r"davon (?:be|ge)zahlt",
            r"^(?:결제|지급|납부|입금|수령)\s*(?:완료|된|한)\s*(?:금액|액)$",
)),
    ("due_date", (
        r"\bdue\b.*\b(?:date|on|by)\b", r"^due$", r"^(?:pay|payable) (?:by|until)", r"fällig", r"zahlbar",
        r"zahlungsziel",
        r"(?:지급|납부|결제|만기)\s*(?:기한|기일|만료)", r"만기일", r"기한",
    )),
    ("payment_date", (
        r"^(?:payment|paid|receipt|received)\b.*\b(?:date|on)$", r"^date (?:paid|received|of (?:payment|receipt))$",
        r"zahlungs(?:datum|tag)", r"(?:ge|be)zahlt am", r"(?:eingegangen|erhalten) am", r"zahlungseingang am",
        r"zahlung vom",
        r"^(?:지급|결제|입금|납부|수령|수납|이체|송금)\s*(?:일자|일시|일|날짜)$",
    )),
    ("order_ref", (
        r"\b(?:order|po|purchase order|customer|contract|delivery)\b\.?\s*(?:no|nr|number|ref|reference|id|#)",
        r"^(?:order|po)$",
        r"(?:bestell|auftrags|kunden|liefer\w*|vertrags)-?(?:nr|nummer)", r"^bestellung",
        r"(?:주문|고객|발주|계약)\s*번호",
    )),
    ("invoice_ref", (
        r"\b(?:invoice|bill|tax invoice|document|voucher)\b\.?\s*(?:no|nr|num|number|id|ref|reference|#)",
        r"^(?:for |to )?invoice$",
        r"^(?:invoice|inv)\s*#?$", r"rechnungs?-?\s*(?:nr|nummer)", r"^rechnung\s*(?:nr|nummer)?$",
        r"beleg-?\s*(?:nr|nummer)", r"\brg\.?-?\s*nr",
        r"^zu rechnung$", r"(?:세금\s*)?(?:계산서|청구서?|인보이스|송장|명세서|전표)\s*(?:번호|no)",
        r"^(?:문서|승인|일련)\s*번호$", r"^대상\s*청구서$",
            r"\binv\b\.?\s*(?:no|nr|number)",
            r"^(?:against|regarding|re|in respect of|your) invoice$",
            r"청구\s*번호",
)),
    ("invoice_date", (
        r"\b(?:invoice|bill|issue|tax|document)\b.*\bdate\b", r"^date(?: of (?:invoice|issue))?$",
        r"^(?:issued|dated)(?: on)?$",
        r"(?:rechnungs|ausstellungs|beleg)-?datum", r"^datum$", r"^ausgestellt am$", r"^rechnung vom$",
        r"(?:작성|발행|청구|발급|계산서|교부)\s*(?:일자|연월일|날짜|일)$", r"^(?:일자|날짜)$",
    )),
    ("customer", (
        r"^(?:customer|client|buyer|bill(?:ed)? to|sold to|invoice to|invoiced to|purchaser|to|ship to"
        r"|recipient)(?: name)?$",
        r"^received from$",
        r"^(?:kunde|kundin|käufer|rechnungs-?empfänger|rechnung an|abnehmer|empfänger|auftraggeber|besteller"
        r"|an)(?:in)?$",
        r"^(?:erhalten von|leistungsempfänger)$",
        r"^(?:공급\s*받는\s*자|구매자|고객(?:명|사)?|매입자|수신|청구\s*(?:처|대상)|받는\s*(?:분|자|이)"
        r"|구매\s*(?:처|회사|업체)|발주처|매입처)$",
            r"^(?:charged? to|charged account)$",
            r"^(?:구매|매입|수신)\s*(?:사|처)$",
            r"^공급\s*받는\s*자\s*상호$",
)),
    ("vendor", (
        r"^(?:vendor|supplier|seller|from|issued by|sold by|payee|biller|billed by|provider|issuer"
        r"|received by)(?: name)?$",
        r"^(?:lieferant|verkäufer|rechnungs-?steller|aussteller|anbieter|von|leistungs?-?erbringer"
        r"|zahlungsempfänger|kreditor)(?:in)?$",
        r"^(?:공급자|판매자|공급\s*(?:업체|회사|처)|발행(?:자|처|인)|매출처|판매\s*(?:처|업체|회사))(?:\s*상호)?$",
            r"^(?:supplied|invoiced) by$",
            r"^(?:공급|판매)\s*사$",
            r"^공급자\s*상호$",
)),
    ("status", (r"^(?:payment )?status$", r"^(?:zahlungs)?-?status$", r"^(?:결제|지급|납부|입금)?\s*(?:상태|여부)$")),
    ("net_total", (
        r"sub-?\s?total", r"\bnet (?:amount|total|value|sum|price)\b",
        r"\b(?:excl\w*|before|without|ex)\b.*\b(?:vat|tax)\b", r"^net$", r"taxable",
        r"netto", r"zwischensumme", r"공급\s*가액?", r"소계", r"과세\s*표준",
    )),
    ("total", (
        r"^(?:grand|invoice|gross) total", r"^total (?:amount|incl\w*|invoice|gross|sum)",
        r"\bincl\w*\b.*\b(?:vat|tax)\b", r"^invoice (?:amount|value|sum)$",
        r"rechnungs-?(?:betrag|summe)", r"gesamt-?(?:betrag|summe)", r"brutto", r"end-?(?:betrag|summe)", r"inkl",
        r"^summe gesamt$",
        r"(?:총\s*)?청구\s*(?:금액|액|총액)", r"합계\s*(?:금액|액)", r"총\s*(?:금액|합계|액|계|청구)", r"^총액",
        r"공급\s*대가",
            r"^(?:총|청구)$",
)),
    ("tax_total", (
        r"^(?:\W*\d+(?:[.,]\d+)? ?% )?(?:vat|gst|sales tax|tax|value added tax)(?: (?:total"
        r"|amount))?(?: (?:at )?\d+(?:[.,]\d+)? ?%)?$", r"^plus vat", r"^total (?:vat|tax)$",
        r"\b(?:mwst|ust|umsatzsteuer|mehrwertsteuer)\b", r"부가\s*(?:가치)?\s*세", r"^세\s*액",
    )),
    ("total_plain", (r"^total$", r"^(?:summe|gesamt)$", r"^(?:합\s*계|총\s*계|계)$")),
    ("total_due", (
        r"\bamount (?:due|payable|to pay)\b", r"\btotal (?:due|payable|to pay)\b",
        r"^(?:please pay|to pay|payable)$", r"zu zahlen", r"zahl-?betrag",
        r"(?:납부|결제|지급)\s*(?:하실|할)\s*(?:금액|액)",
    )),
    ("currency", (r"^currency(?: code)?$", r"^währung$", r"^통화(?:\s*(?:단위|코드))?$", r"^단위$")),
)  # fmt: skip

ITEM: Final = (
    r"^(?:description|items?|details?|service|product|article|qty|quantity|units?|(?:unit )?price|rate|amount"
    r"|line total|total|pos|no|hours|value)$",
    r"^(?:beschreibung|bezeichnung|leistung|artikel|position|pos|menge|anzahl|einheit|(?:einzel|stück)?preis"
    r"|betrag|gesamt(?:preis)?|summe|wert)$",
    r"^(?:품목(?:명)?|내역|내용|규격|수량|단가|금액|공급\s*가액|세액|합계|적요|항목|비고|품명)$",
)  # fmt: skip
