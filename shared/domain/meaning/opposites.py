"""More opposed words for the meaning judge: everyday properties, states and acts, beside the axes of business prose.

Rules: data only, in the form of polarity_axes.py: a line is an axis, its name, then its poles. Latin words stand
             for
all their regular inflections (the reader compares roots), phrases are written with underscores, East Asian entries
are looked for inside words. `!`: denying one pole asserts the other. `*`: a measure, which means nothing without the
             thing
measured. Words of two senses may stand here: the judge asks the rest of both sentences to agree, the guard does
             not.
It does not know grammar (reading.py).
Source: common antonyms of four languages, chosen by us; figures in docs/benchmarks/meaning.json.
"""

STATES_TABLE = """
timing!    | on_time prompt punctual ahead_of_schedule early_enough without_delay timely meets_deadlines
             pünktlich rechtzeitig termingerecht 제때 제시간 기한_내 按时 准时 及时 如期
           | late tardy behind_schedule delayed overdue delay belated verspätet unpünktlich in_arrears
             늦 지연 연체 밀리 밀려 拖欠 延误 迟 晚点 逾期 拖延
payment!   | paid settled cleared reimbursed 지급되 지급했 납부했 완납 付清 已付 已支付 支付完 결제되 bezahlt
             beglichen
           | unpaid outstanding owing owed unsettled 미납 미지급 未付 未支付 unbezahlt offen_steht ausstehend
approval!  | approved accepted granted authorise authorize endorsed passed given_the_green_light said_yes
             waved_through
             genehmigt bewilligt angenommen zugestimmt 승인 허가 통과 批准 通过 核准
           | rejected refused declined turned_down vetoed denied thrown_out voted_down said_no disallowed blocked
             abgelehnt verworfen verweigert 거절 거부 반려 기각 부결 驳回 拒绝 否决
activity!  | active in_use in_constant_use in_daily_use in_regular_use in_force in_operation in_effect in_service
             operational in_operating_order
             aktiv in_betrieb 가동 운영 활성 使用中 运行 营业 启用
           | inactive dormant terminated disused deactivated suspended shelved cancelled out_of_service abandoned
              idle mothballed frozen stood_still stillgelegt ausser_betrieb inaktiv 중단 휴면 정지 停机 停用 停运
             停业 停产
             关闭 闲置
opening!   | open opened reopened unlocked offen geöffnet 열려 열린 열었 열_수 开放 开着 打开 开门
            | closed shut locked closes barred sealed zu geschlossen gesperrt verschlossen 닫혀 닫힌 닫았 잠겨
             폐쇄 关着
             关闭 关门 锁着 封闭
profit!    | profit profitable surplus in_the_black makes_money made_money earns_money turned_a_profit
             turns_a_profit closed_with_a_profit gewinn rentabel 흑자 이익 盈利 盈余 赚钱
            | loss loss-making deficit in_the_red loses_money lost_money unprofitable ran_at_a_loss runs_at_a_loss
             at_a_loss verlust 적자 손실 亏损 赤字 亏钱
solvency!  | solvent creditworthy solvent zahlungsfähig
           | insolvent bankrupt bankruptcy broke zahlungsunfähig insolvenz 파산 破产
compliance! | compliant comply conform abide meets_every obeys observes honours respects adheres keeps_to 준수
  符合 遵守
             합법 hält_ein konform
           | violate breach in_breach infringe contravene flouts breaks_the non-compliant noncompliant ignores
             verstösst verletzt 위반 违反 违规
direction* | rose rise increase grew grow rise risen climb went_up gain soar expand improve jumped upward widened
              gestiegen stieg steigt wuchs zugenommen 증가 늘었 늘어 상승 올랐 오르 성장 增长 增加 上升 上涨 提高
             扩大
            | fell fall sink decrease drop decline shrank shrink went_down slid slide sank dwindle plunge contract
             slump worsened
             gesunken sank fiel gefallen abgenommen sinkt 감소 줄었 줄어 하락 내렸 내려 下降 减少 下跌 降低 缩小
raising*   | raised raise boost increase lifted put_up erhöht 인상 提高 上调
           | cut lowered lower reduce slashed trimmed gesenkt gekürzt 인하 삭감 降低 下调 削减
level*     | high tall hoch 높 很高 较高
           | low niedrig tief 낮 很低 较低
quality*   | good excellent fine great superb first-rate outstanding_quality gut hervorragend 좋 우수 훌륭 很好
             良好 优秀
           | bad poor terrible awful dreadful shoddy mangelhaft schlecht 나쁘 나쁜 불량 형편없 差 糟糕 劣质
full!      | full packed brimming filled crowded fully_booked booked_out voll ausgebucht 가득 꽉 만석 满员 满了
             挤满 装满
            | empty vacant deserted unfilled bare unbooked free_beds free_seats free_places free_rooms vacancies
             leer 비어 텅_빈 空着 空的 空无一人
wear       | new as_new as_good_as_new brand-new pristine unworn mint neuwertig neu 새것 全新 崭新 新的 很新
           | worn worn_out old aged dilapidated shabby abgenutzt alt 낡 닳 陈旧 磨损 破旧 旧
staying    | stay stayed remained geblieben blieb 남아 남았 留下
           | left leave gone departed walked_out gegangen 떠났 나갔 离开 走了
working!   | works functioning functional in_working_order works_fine running runs repaired fixed in_order
             funktioniert läuft intakt 작동 정상 작동하 正常 工作正常 运转 修好
            | broken out_of_order broke_down broken_down breaks_down break_down faulty defective jammed failed
             does_not_work out_of_action stood_still stands_still at_a_standstill burst steht_still stand_still
              malfunctioning ausser_betrieb stopped_working stuck conked_out under_repair needs_repair being_repaired
             in_need_of_repair defekt kaputt ausgefallen 고장 망가 坏了 故障 失灵 损坏
damage!    | intact undamaged unharmed unbroken unscathed in_one_piece flawless unbeschädigt heil 멀쩡 온전 完好
            | damaged broken cracked smashed dented scratched shattered torn beschädigt gebrochen 파손 깨진 깨졌
             破损 破裂
tight!     | tight watertight sealed leakproof dicht
           | leak leaks leaky leaking undicht leckt
necessity! | mandatory compulsory required obligatory must have_to has_to obliged duty_bound needs_to
             verpflichtend pflicht muss müssen vorgeschrieben 필수 의무 해야 必须 强制 必填
           | optional voluntary free_to need_not not_obliged at_will at_their_discretion may_omit elective
             freiwillig freigestellt 선택 자율 임의 可选 自愿
permission! | allow permit permitted welcome free_to legal erlaubt gestattet zulässig zugelassen 허용 가능 允许
  可以 准许
           | forbid forbidden ban banned prohibit off-limits barred outlawed illegal verboten untersagt unzulässig
             금지 불가 禁止 不准 严禁
safety!    | safe harmless stable sicher ungefährlich 안전 安全
           | unsafe dangerous hazardous perilous risky toxic gefährlich unsicher 위험 危险
wet!       | dry arid trocken 건조 마른 干燥
           | wet damp soaked flooded moist soggy nass feucht überflutet 젖 침수 潮湿 湿
heat*      | hot warm heated boiling heiss warm 뜨거 따뜻 热 温暖
           | cold cool unheated icy freezing chilled frozen kalt unbeheizt 차가 추운 춥 冷 寒冷
light*     | bright lit illuminated hell beleuchtet 밝 明亮
           | dark unlit gloomy dunkel unbeleuchtet 어두 黑暗 昏暗
noise!     | quiet silent noiseless hushed leise ruhig still 조용 安静 静音
           | loud noisy deafening laut 시끄 소음 吵 嘈杂
speed*     | fast quick rapid swift speedy brisk schnell rasch 빠르 빨리 빠른 신속 快 迅速
           | slow sluggish langsam träge 느리 느린 慢 缓慢
size*      | large wide broad big huge spacious vast enormous roomy sizeable gross geräumig 크다 크고 큰 넓 很大
             巨大 宽敞 太大
            | small tiny little cramped minute narrow miniature klein winzig eng 작다 작은 작고 좁 很小 狭小 太小
             窄小
length*    | long lang 긴 很长 较长
           | short kurz 짧 很短 较短
weight*    | heavy weighty schwer 무거
           | light lightweight leicht 가벼
price*     | cheap inexpensive affordable low-cost free_of_charge free billig günstig kostenlos 값이_싸 저렴 무료
             便宜 免费
           | expensive dear costly pricey overpriced charges_for teuer kostenpflichtig 비싸 비싼 유료 贵 昂贵 收费
strength*  | strong sturdy robust solid stark stabil 튼튼 강하 坚固 结实
           | weak fragile flimsy frail schwach zerbrechlich 약하 脆弱
clean!     | clean spotless pure unpolluted hygienic sauber rein 깨끗 干净 清洁
           | dirty filthy polluted contaminated stained grimy schmutzig verschmutzt verunreinigt 더러 오염 脏 污染
ease*      | easy simple effortless straightforward einfach leicht 쉽 쉬운 간단 容易 简单
           | difficult hard complicated complex tricky schwierig kompliziert 어렵 어려운 复잡 困难 很难 复杂
hardness*  | soft weich 부드러 软
           | hard hart 딱딱 硬
edge*      | sharp keen scharf 날카 锋利
           | blunt dull stumpf 무딘 무디 钝
depth*     | deep tief 깊 深
           | shallow flach seicht 얕 浅
life!      | alive living lebt lebendig 살아 活着 在世
           | dead died deceased passed_away killed tot gestorben verstorben 사망 죽었 돌아가셨 去世 死亡 已故
health     | healthy well fit cured recovered gesund 건강 健康
           | ill sick unwell ailing infected krank erkrankt 아프 병들 병에 生病 患病
awake      | awake wach
           | asleep sleeping schläft
presence!  | present attended attend attends takes_part took_part was_there at_work on_duty anwesend 참석 출석
             出席 参加 在场
           | absent missed stayed_away on_leave off_duty away skipped skip abwesend 불참 결석 缺席 缺勤
loyalty    | loyal faithful reliable dependable trustworthy zuverlässig verlässlich 믿을_수 성실 可靠
           | disloyal unreliable untrustworthy breaks_down break_down unzuverlässig 불성실 不可靠
truth!     | true genuine authentic real original correct right accurate echt richtig wahr 진짜 정품 맞다 真的
             正确 正品
            | false fake forged counterfeit bogus incorrect wrong copy mistaken inaccurate gefälscht falsch 가짜
             위조 틀리
             假的 伪造 错误
success    | succeed successful success won win victory passed erfolgreich gewonnen bestanden gelungen 성공 합격
             이겼 우승
             成功 合格 赢 及格
            | fail failure unsuccessful lost lose defeat flopped gescheitert verloren durchgefallen misslungen
             실패 불합격
             탈락 失败 不及格 不合格 落榜 输 떨어졌 durchfiel
likes      | like love enjoy adore prefer fond_of keen_on favour mag liebt gern 좋아 즐기 선호 喜欢 爱 热爱
           | dislike hate detest loathe avoid cannot_stand shun despise hasst ungern 싫어 미워 혐오 讨厌 不喜欢 厌恶
side       | support endorse back favour in_favour backed unterstützt befürwortet 찬성 지지 支持 赞成
           | oppose object resist against opposed_to ablehnt dagegen 반대 反对
agree      | agree consent zugestimmt einig 동의 합의 同意
           | disagree dissent differ uneinig widersprochen 이의 不同意 分歧
start      | start begin began begun commence launch begonnen angefangen gestartet 시작 开始 启动
           | end stop finish cease halted ended beendet geendet 종료 끝나 끝났 结束 停止
done!      | complete finished done completed over fertig fertiggestellt abgeschlossen vollendet 완료 완성 끝났
             完成 竣工 完工
            | incomplete unfinished under_way half-finished underway in_progress ongoing pending unfertig
             unvollständig
             미완 진행_중 未完 进行中 未完成
arrival    | arrive arrived come came reached angekommen eingetroffen 도착 到达 抵达
           | leave left depart departed went_missing abgereist abgefahren 떠났 출발 离开 出发
join       | join joined hired employ recruited taken_on eingestellt 입사 채용 入职 聘用
            | quit resigned fired sacked dismissed laid_off left retired gekündigt entlassen 퇴사 해고 사임 辞职
             解雇 离职
marital!   | married wed has_a_husband has_a_wife verheiratet 기혼 결혼했 已婚
           | single divorced unmarried bachelor widowed ledig geschieden 미혼 이혼 未婚 离婚 单身
trade      | buy bought purchase acquired gekauft kauft erworben 구매 구입 샀 매입 购买 买
           | sell sold disposed verkauft verkaufte 판매 매각 팔았 팔렸 出售 卖
borrow     | lent lend verliehen 빌려주 借出
           | borrow borrowed geliehen 빌렸 빌린 借入
flow       | deposit credited paid_in eingezahlt 입금 存入
           | withdraw withdrawn debited abgehoben 출금 取出
keeping!   | keep kept retained preserve held_on_to behalten aufbewahrt 보관 보존 保留 保存
            | discard gave_away given_away threw_away thrown_away scrapped destroyed disposed_of destroy deleted
             delete wiped weggeworfen vernichtet gelöscht
             폐기 버렸 삭제 扔掉 销毁 删除
loss_of    | found recovered gefunden 찾았 找到
           | lost missing mislaid verloren verschwunden 잃어 분실 丢失 遗失
public!    | public published öffentlich 공개 公开
            | private secret under_lock_and_key unpublished confidential geheim vertraulich privat 비공개 비밀
             保密 私人 秘密
permanence! | permanent lasting for_good unbefristet dauerhaft 영구 정규 永久 长期
           | temporary provisional interim befristet vorübergehend 임시 계약직 临时 暂时
manual!    | automatic automated automatisch selbsttätig 자동 自动
           | manual by_hand manually handbetrieben von_hand 수동 수작업 手动 人工
gaining    | gain gained
           | lost lose
era        | modern up_to_date up-to-date contemporary state-of-the-art modern zeitgemäss 현대 现代 先进
            | antiquated outdated old-fashioned obsolete out_of_date ancient antique veraltet altmodisch 구식 낡은
             过时 落后
abolish    | abolished scrapped dropped abgeschafft 폐지 废除
           | still_charged still_in_force still_applies introduced still_levied eingeführt 도입 实行
court      | settled_out_of_court
           | went_to_trial went_to_court
election   | re-elected elected voted_in wiedergewählt gewählt 당선 当选
           | voted_out lost_the_election not_elected abgewählt 낙선 落选
fitness!   | roadworthy seaworthy airworthy usable fit brauchbar
           | unfit not_roadworthy unseaworthy unusable unbrauchbar
holes      | smooth even well_paved
           | full_of_holes potholed bumpy
fresh!     | fresh frisch 신선 新鲜
           | stale rotten spoiled mouldy gone_off expired verdorben faul 상했 썩 变质 腐烂
valid!     | valid under_warranty in_force gültig 유효 有效
            | expired invalid void run_out ran_out out_of_warranty lapsed null_and_void ungültig abgelaufen 만료
             무효 过期 失效 无效
renewal    | renewed extended verlängert 연장 갱신 续签 延长
           | expired lapsed terminated ended run_out cancelled gekündigt 해지 만료 终止 解约
crowd      | popular busy well_attended beliebt gut_besucht 인기 붐비 热门 热闹
           | unpopular deserted quiet unbeliebt 한산 冷清
smooth     | smooth even level flat straight glatt eben gerade
           | rough uneven bumpy crooked bent rau uneben krumm
rich       | rich wealthy affluent well_off reich wohlhabend 부유
           | poor penniless destitute impoverished needy arm mittellos 가난 贫穷 穷
friendly   | friendly polite kind courteous helpful freundlich höflich 친절 공손 友好 礼貌 热情
           | unfriendly rude hostile impolite surly unfreundlich unhöflich 불친절 무례 粗鲁 冷淡
calm       | calm peaceful relaxed ruhig 차분 平静
           | agitated stormy nervous anxious rough unruhig nervös 불안 紧张
brave      | brave courageous fearless mutig
           | cowardly timid feige
careful!   | careful cautious attentive diligent thorough sorgfältig vorsichtig gründlich 꼼꼼 조심 신중 仔细 小心
             认真
           | careless reckless sloppy negligent nachlässig leichtsinnig unvorsichtig 부주의 대충 粗心 马虎 鲁莽
industry   | hard-working industrious diligent fleissig 부지런 勤奋
           | lazy idle faul 게으 懒
honest!    | honest truthful sincere ehrlich 정직 诚实
           | dishonest lying deceitful liar unehrlich 거짓 不诚实 说谎
guilt!     | innocent not_guilty acquitted cleared_of unschuldig freigesprochen 무죄 无罪 清白
           | guilty convicted schuldig verurteilt 유죄 有罪
legal!     | legal lawful legitimate licensed rechtmässig legal 합법 合法
           | illegal unlawful unlicensed rechtswidrig illegal 불법 违法 非法
diet!      | vegetarian vegan meatless vegetarisch 채식 素食 吃素
           | eats_meat meat-eater carnivore steak bacon beef pork isst_fleisch 고기를 육식 吃肉
alcohol!   | teetotal teetotaller sober abstinent drinks_no_alcohol
           | drunk drunken drinks_beer drinks_wine drinks_whisky alcoholic betrunken
stock!     | in_stock available there_are_still still_to_be_had still_available on_sale to_be_had vorrätig
             lieferbar erhältlich 재고가_있 有货 有库存
            | sold_out out_of_stock unavailable ran_out run_out discontinued ausverkauft vergriffen 품절 매진 缺货
             售罄 无货
supply     | plenty ample abundant plentiful more_than_enough enough sufficient reichlich genug 충분 풍부 充足 足够
           | scarce short_of shortage insufficient too_few too_little lacking mangel knapp 부족 모자 不足 短缺 缺乏
"""
