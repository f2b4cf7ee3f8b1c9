"""Axes of opposed poles: words that decide what a sentence means, and the words that mean the opposite.

Rules: data only. One line is one axis: its name, then its poles, each a list of folded words or phrases. `~verb` stands
for its regular inflections. Poles of an axis exclude each other. Where the axis bears `!`, denying one of its two poles
asserts the other one (not paid is unpaid); elsewhere a denial only denies. German, Korean and Chinese words stand with
the English ones, so that an answer in one language meets a memory in another. A word with a second sense in business
prose is left out: a missed lie costs less here than a refused truth.
It does not know grammar (polarity.py).
Source: the opposed pairs of business record-keeping; chosen by us, measured in tests/domain/test_guard.py.
"""

# Chinese and Korean words count double in an editor's width, so such lines are kept short.
AXES_TABLE = """
approval    | ~approve genehmigt bewilligt freigegeben 승인 批准 通过审批
            | ~reject ~decline refused ~veto turned_down abgelehnt zurückgewiesen 거절 반려 거부 拒绝 驳回 否决
            | awaiting_approval pending_approval awaits_approval approval_is_pending approval_pending
payment!    | paid settled paid_in_full bezahlt beglichen 지급됨 지급완료 납부 已支付 已付款 付清
            | unpaid outstanding unsettled unbezahlt offen_geblieben 미지급 미납 未付 未支付 未付款
timing      | on_time punctual punctually on_schedule in_time timely pünktlich fristgerecht 제때 准时 按时
            | late overdue delayed behind_schedule verspätet überfällig 지연 연체 延迟 逾期 迟到
activity!   | active aktiv 활성 有效
            | inactive deactivated dormant inaktiv deaktiviert 비활성 停用
opening     | open reopened
            | closed geschlossen 종료 已关闭
compliance! | compliant ~comply in_compliance konform 준수 合规
            | non-compliant noncompliant in_breach ~violate in_violation ~breach verstösst 위반 违规
direction   | ~increase rose risen ~grow grew grown ~climb went_up up_by gestiegen 증가 상승 增加 上升 增长
            | ~decrease fell fallen ~drop ~decline shrank went_down down_by ~reduce gesunken 감소 하락 减少 下降
            | unchanged stayed_flat stable unverändert 变동없음 不变
comparison  | higher more_than above greater_than exceeds exceeded over_budget höher
            | lower less_than below under_budget niedriger
profit      | profitable in_profit net_profit made_a_profit rentabel 흑자 盈利
            | loss-making unprofitable at_a_loss net_loss made_a_loss defizitär 적자 亏损
verdict     | ~pass bestanden 합격 通过
            | ~fail durchgefallen nicht_bestanden 불합격 失败
match!      | matched matching tallied ~reconcile in_agreement agrees stimmt_überein 일치 一致
            | mismatched unmatched unreconciled does_not_agree weicht_ab 불일치 不一致
validity!   | valid gültig 유효
            | invalid void ungültig 무효 无效
completion! | complete completed finished fertiggestellt abgeschlossen 완료 完成
            | incomplete unfinished unvollständig 미완료 未完成
presence!   | present available vorhanden
            | missing absent unavailable fehlt fehlend 누락 缺失
acceptance  | ~accept accepted akzeptiert 수락 接受
            | ~refuse refused
permission! | ~allow ~permit permitted authorised authorized erlaubt 허용 允许
            | ~forbid forbidden prohibited ~ban banned unauthorised unauthorized verboten 금지 禁止
signature!  | signed unterzeichnet unterschrieben 서명됨 已签署
            | unsigned 未签署
delivery!   | delivered geliefert 배송완료 已交付
            | undelivered nicht_geliefert 未交付
confirmed!  | confirmed bestätigt 확인됨 已确认
            | unconfirmed unbestätigt 미확인 未确认
verified!   | verified
            | unverified
recorded!   | recorded booked gebucht
            | unrecorded unbooked nicht_gebucht
billed!     | billed invoiced
            | unbilled uninvoiced
taxed!      | taxable taxed
            | tax-exempt tax-free untaxed
insurance!  | insured
            | uninsured
warranty    | in_warranty under_warranty covered
            | out_of_warranty excluded not_covered
employment  | hired joined employed eingestellt 입사 入职
            | fired resigned dismissed laid_off terminated gekündigt entlassen 퇴사 离职 解雇
renewal     | renewed verlängert 갱신 续签
            | lapsed expired abgelaufen 만료 过期 到期
cancel      | confirmed going_ahead
            | cancelled canceled called_off ~cancel storniert abgesagt 취소 取消
win         | won gewonnen
            | lost verloren
trade       | bought purchased gekauft
            | sold verkauft
flow        | deposited credited eingezahlt
            | withdrawn debited abgehoben
loan        | lent
            | borrowed
import      | imported
            | exported
border      | domestic inland
            | foreign overseas ausland
debtor      | creditor
            | debtor
liable!     | liable
            | exempt
necessity!  | mandatory compulsory required verpflichtend 필수 强制
            | optional voluntary freiwillig 선택사항 自愿
security!   | secure secured
            | insecure unsecured
risk        | high-risk high_risk high_severity
            | low-risk low_risk low_severity
safety!     | safe
            | unsafe dangerous hazardous
defect      | intact undamaged unbeschädigt
            | damaged broken defective beschädigt 파손 损坏
stock       | in_stock vorrätig
            | out_of_stock sold_out ausverkauft 품절 缺货
truth!      | true correct accurate richtig
            | false incorrect inaccurate wrong falsch
legality!   | legal lawful
            | illegal unlawful
public!     | public
            | private confidential vertraulich
sides       | supported supports endorsed
            | opposed opposes objected
likes       | ~love ~like ~enjoy ~prefer
            | ~hate ~dislike ~avoid detests
diet        | vegetarian vegan
            | meat-eater eats_meat
marital     | married verheiratet
            | single divorced unmarried ledig
attendance  | attended ~attend
            | skipped missed absent_from
success     | successful successfully succeeded erfolgreich 성공 成功
            | unsuccessful unsuccessfully ~fail gescheitert 실패 失败
agreement   | ~agree zugestimmt 동의 同意
            | ~disagree widersprochen 반대 反对
start       | started began begun begonnen
            | ended stopped beendet
online      | online remote
            | offline on-site
refund!     | refundable erstattbar 可退款
            | non-refundable nonrefundable 不可退款
permanence! | permanent unbefristet
            | temporary befristet
"""
