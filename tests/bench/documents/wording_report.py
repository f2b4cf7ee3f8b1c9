"""The labels of the reporting half: figures are taken of these, no rule is written on them.

Rules: who writes rules of extraction does not open this file. The keys and their order are those of wording.KEYS.
Source: labels that such paper bears, other than those of the build half.
"""

WORDS = {
    "en": (
        "Company|Month|Staff ID|Name|Gross salary|Employee NI contribution|Tax withheld|Take-home pay|"
        "Employer NI contribution|Total cost to company|Pay currency|Run reference|Headcount|Value date|"
        "Payroll summary by employee|Salary statement|Confirmation of salary transfers|Receipt|Supplier invoice|"
        "Customer invoice|Tax invoice|Gross salaries, total|Employer contributions, total|Total cost of employment|"
        "Total transferred|Grand total|Ordering customer|Executing bank|Seller|Sold to|Invoice no.|Date of issue|"
        "Payable by|Your order|Item|Units|Rate|Line total|Net amount|Sales tax {}%|Invoice total|Received so far|"
        "Outstanding|Figures are in {}|Seller|Buyer"
    ),
    "de": (
        "Firma|Abrechnungszeitraum|Pers.-Nr.|Name|Gesamtbrutto|SV-Beitrag AN|Steuerabzug|Auszahlungsbetrag|"
        "SV-Beitrag AG|Arbeitgeber-Gesamtaufwand|Abrechnungswährung|Lauf-Nr.|Beschäftigte|Ausführungsdatum|"
        "Lohnkonto-Übersicht|Entgeltabrechnung|Ausführungsbestätigung Gehaltszahlung|Quittung|Lieferantenrechnung|"
        "Kundenrechnung|Rechnung|Gesamtbrutto aller Beschäftigten|SV-Beiträge AG gesamt|Personalaufwand gesamt|"
        "Überwiesener Gesamtbetrag|Gesamtsumme|Auftraggeber|Ausführende Bank|Verkäufer|Käufer|Rechnungs-Nr.|"
        "Ausgestellt am|Zahlbar bis|Ihre Bestellung|Artikel|Stück|Preis|Positionsbetrag|Nettobetrag|USt {} %|"
        "Rechnungsbetrag|Bereits gezahlt|Offener Betrag|Angaben in {}|Verkäufer|Käufer"
    ),
    "ko": (
        "사업장|급여월|사원번호|이름|급여총액|사회보험 본인부담금|"
        "원천징수세액|실수령액|사회보험 회사부담금|회사 총부담액|표시통화|"
        "지급회차|지급인원|이체일자|월별 급여 집계표|월급여 내역서|"
        "대량이체 처리결과|입금 영수증|매입 세금계산서|매출 세금계산서|세금계산서|"
        "급여총액 계|회사부담금 계|회사 총부담액 계|이체 총액|총계|의뢰인|"
        "처리은행|판매자|구매자|계산서 번호|작성일자|납부기한|"
        "주문번호|내역|개수|개당 가격|공급액|소계|세액 {}%|"
        "청구금액|기지급액|미지급 잔액|표시 단위 {}|판매자|구매자"
    ),
}
