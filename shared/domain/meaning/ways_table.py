"""Ways of saying one of two opposed things about work: approval, money, goods, people, places, in four languages.

Rules: data only. A line with a name begins an axis, the next line is its other pole; ways are separated by " / ", a
Latin way is a regular expression over whole words of folded text, an East Asian one is looked for inside it. Where a
denial in front of a way turns it round the reader does that, so a pole lists denied ways only where they are idioms.
It does not know sentences (ways.py).
Source: common business prose, chosen by us; figures in docs/benchmarks/meaning.json.
"""

WORK_WAYS = r"""
charge | free of charge / for free / for nothing / at no (?:extra |additional )?(?:cost|charge) / no charge
      / without charge / gratis / complimentary / (?:is|are|comes?) free / costs? (?:us |them |you )?nothing
      / does not cost (?:anything|a cent) / waives? .{0,20}fee / kostenlos\w* / kostenfrei\w* / gratis / umsonst
      / gebührenfrei\w* / unentgeltlich\w* / 免费 / 不收费 / 不收取 / 不用买票 / 免收 / 无需付费 / 무료 / 공짜
      / 돈을 받지 않 / 요금이 없
    | must pay / ha(?:s|ve) to pay / pays? for / paying
      / charges? (?:\w+ ){0,3}(?:fee|money|for|extra|customers|guests) / for a fee / at a fee
      / pays? (?:\w+ )?\d / costs? (?:\w+ ){0,2}\d / costs? (?:money|extra) / cost us / buy a ticket / buy tickets
      / subject to a (?:fee|charge) / is charged / are charged / is billed / against payment / fee (?:is|of)
      / kostenpflichtig\w* / gebührenpflichtig\w* / kostet / gegen gebühr / muss bezahlt / 收费 / 要买票 / 需付费
      / 要付 / 需要支付 / 须付 / 要交 / 유료 / 요금을 (?:내|받) / 돈을 내 / 비용을 (?:내|받) / 입장료를
public | open to the public / open to (?:all|everyone|anyone|everybody) / anyone (?:can|may) / everyone (?:can|may)
      / publicly (?:available|accessible) / accessible to (?:all|everyone) / für alle (?:offen|zugänglich)
      / öffentlich zugänglich / frei zugänglich / 对外开放 / 向公众开放 / 人人都可 / 谁都可以 / 누구나
      / 일반에 (?:공개|개방)
    | (?:by|on) invitation(?: only)? / invitation[- ]only / members only / only (?:for )?members / for members only
      / closed to the public / staff only / restricted to / reserved for
      / only (?:staff|employees|members|residents|guests) (?:can|may|are|have) / private (?:club|event|party)
      / nur für (?:mitglieder|mitarbeiter|geladene|personal) / nicht öffentlich / nur auf einladung / 仅限
      / 只对(?:会员|员工|内部) / 不对外开放 / 凭邀请 / 회원(?:만|에게만| 전용) / 직원만 / 초대받은 / 관계자 외
kept_on | kept on / still (?:works?|serves?|employed|with us|on the (?:staff|payroll|team)) / stays? on / stayed on
      / was taken on / (?:was|were|got|been) hired / ha(?:s|ve) been hired / took (?:\w+ ){1,3}on
      / contract (?:was|has been) (?:renewed|extended) / given a permanent / made permanent
      / remains? (?:on|in|with|our|an?) / still has (?:her|his|their) job / arbeitet (?:noch|weiterhin|nach wie vor)
      / weiterbeschäftigt / übernommen / eingestellt / 留任 / 仍在职 / 还在(?:公司|上班|职) / 转正 / 录用 / 续聘
      / 계속 (?:근무|일하|다니) / 재직 / 채용(?:됐|되|했) / 정규직
    | let go / (?:was|were|been|got) (?:fired|dismissed|sacked|laid off|made redundant|given notice|shown the door)
      / lost (?:her|his|their) (?:job|post|position) / resigned / quit(?: her| his| the)? job / handed in
      / stepped down / left the (?:company|firm|team|board) / no longer (?:works?|employed|with us)
      / contract (?:was|has) (?:ended|terminated|not been renewed) / retired / (?:was|were) turned down / gekündigt
      / entlassen / ausgeschieden / verliess / in rente / 被(?:解雇|辞退|开除|裁) / 辞职 / 离职 / 退休了
      / 没有?被?录用 / 未被录用 / 해고 / 퇴사 / 그만두 / 그만뒀 / 사직 / 은퇴
trend | strengthen\w* / (?:rose|risen|rises|rising) / (?:grew|grown|grows|growing) / climb\w* / surged? / soared?
      / picked up / pick(?:s|ing) up / went up / goes up / gone up
      / up (?:by )?\d+(?:[.,]\d+)? ?(?:%|percent|per cent) / increas(?:ed?|es|ing) / gained / recovered / doubled
      / tripled / jumped / expand(?:ed|s|ing) / accelerat\w+ / improv(?:ed?|es|ing)
      / more than (?:last|the previous|a year) / more .{0,25}than (?:last|the) (?:year|month|quarter) / higher than
      / record high / stieg\w* / steigt / gestiegen\w* / gewachsen / wuchs / wächst / zugelegt / nahm\w* zu
      / zugenommen / mehr als im vorjahr / erhöht\w* / verdoppelt\w* / 增加 / 上升 / 增长 / 上涨 / 提高 / 回升
      / 翻番 / 变多 / 涨 / 扩大 / 늘었 / 늘어 / 늘고 / 증가 / 올랐 / 상승 / 오르 / 성장 / 높아 / 많아졌 / 확대
    | weaken\w* / (?:fell|fallen|falls|falling) / drop(?:ped|s|ping)? / declin(?:ed?|es|ing) / slump\w*
      / shr(?:ank|unk|inks?|inking) / slipped / soften\w* / went down / goes down / gone down
      / down (?:by )?\d+(?:[.,]\d+)? ?(?:%|percent|per cent) / decreas(?:ed?|es|ing) / dipped / plunged / collapsed
      / halved / tumbled / contracted / slow(?:ed|s|ing) / dwindl\w+ / worsen\w* / deteriorat\w+
      / less than (?:last|the previous|a year) / fewer .{0,25}than (?:last|the) (?:year|month|quarter) / lower than
      / record low / sank / sinkt / gesunken\w* / geschrumpft / schrumpft\w* / zurückgegangen / ging\w* zurück
      / rückläufig / eingebrochen / brach\w* ein / nahm\w* ab / abgenommen / weniger als im vorjahr / gefallen
      / halbiert\w* / 减少 / 下降 / 下滑 / 下跌 / 降低 / 萎缩 / 变少 / 跌 / 缩小 / 줄었 / 줄어 / 줄고 / 감소 / 내렸
      / 하락 / 떨어 / 낮아 / 적어졌 / 축소
took_place | carried out / fulfilled / executed / ausgeführt / took place / takes place / went ahead
      / goes ahead / (?:was|were) held / happened / came about / we met
      / met (?:on|in|at|with) / (?:was|were) (?:well )?attended / (?:was|were) shown / performed / opened as planned
      / on schedule / presented / gave (?:the|a|her|his) (?:talk|speech|demo|presentation|lecture)
      / fand\w* .{0,40}statt / stattgefunden / wie geplant / 如期(?:举行|进行|召开) / 举行了 / 召开了 / 照常 / 办了
      / 예정대로 / 열렸 / 진행됐 / 진행되었 / 개최
    | cancell?ed / called off / (?:was|were|been) (?:scrapped|abandoned|postponed|put off) / fell through
      / did not (?:take place|happen|go ahead|come off) / never (?:took place|happened|went ahead)
      / no .{3,40}, (?:the|because|as|since) / stood (?:us|them) up / abgesagt / fiel\w* aus / ausgefallen
      / verschoben / nicht statt / 取消 / 没有?(?:举行|召开|办) / 未能?(?:举行|召开) / 延期 / 作罢 / 취소
      / 열리지 (?:않|못) / 연기 / 무산
approval2 | approv(?:ed|es|al was given) / green light / signed off / waved through
      / gave (?:its|her|his|their) (?:consent|blessing|approval|assent|okay|ok) / agreed to / accept(?:ed|s)
      / said yes / granted / passed the (?:motion|proposal|budget|bill|plan) / backed / endorsed / nodded
      / authori[sz]ed / zugestimmt / genehmigt\w* / bewilligt\w* / grünes licht / angenommen / freigegeben / 批准
      / 同意 / 通过了 / 获批 / 点头 / 采纳 / 接受 / 승인 / 허가 / 동의 / 통과 / 수락 / 받아들였 / 받아들여졌 / 찬성
    | reject(?:ed|s) / turned (?:it |them |him |her |us )?down / refus(?:ed|es) / vetoed / blocked / threw out
      / thrown out / shot down / declin(?:ed|es) / said no / denied / voted down / voted against
      / withheld (?:its|her|his|their) / did not (?:approve|agree|accept|consent) / abgelehnt / zurückgewiesen
      / verweigert\w* / verworfen / lehnt\w* .{0,40}ab / 拒绝 / 驳回 / 否决 / 不同意 / 没有?(?:批准|同意|通过)
      / 未获批 / 未通过 / 거절 / 거부 / 반려 / 부결 / 승인하지 않 / 반대했 / 기각 / 불허
punctual | on time / to schedule / to the timetable / 정시에 / 시간을 지키 / nach plan / in time / punctual(?:ly)?
      / ahead of schedule / (?:days?|weeks?|hours?) early / on schedule / to the minute
      / met (?:the|its|her|his|their|every) deadline / within the deadline / promptly / without delay / pünktlich\w*
      / fristgerecht / rechtzeitig / termingerecht / 按时 / 准时 / 如期 / 提前 / 及时 / 제때 / 제시간
      / 기한 (?:안|내)에 / 일찍 / 정시에 / 앞당겨
    | late / too late / 연착 / 晚点 / behind (?:the )?(?:schedule|timetable|plan) / behind schedule / overdue
      / delayed / missed (?:the|its|her|his|their) deadline / after the deadline
      / (?:days?|weeks?|hours?|minutes?) (?:late|overdue|behind) / with (?:a|some) delay / past the deadline
      / held up / verspätet\w* / zu spät / überfällig / mit verspätung / in verzug / nach der frist / 迟到 / 晚了
      / 延误 / 逾期 / 拖延 / 迟交 / 误期 / 늦게 / 늦었 / 지연 / 연체 / 기한을 넘 / 지각 / 늦어
settled | (?:was|were|is|are|been|have|has|fully) paid / paid (?:in full|up|off|us|it|the|by) / settled / cleared
      / paid .{0,30}(?:in full|on) / the money (?:arrived|came|is here|has come)
      / payment (?:arrived|was received|came|has been received) / transferred the (?:money|amount)
      / owes (?:us )?nothing / nothing is owed / bezahlt\w* / beglichen / überwiesen / zahlung ist eingegangen
      / 已付 / 付清 / 已支付 / 已结清 / 已到账 / 收到.{0,6}款 / 还清 / 지급(?:했|됐|되었|완료) / 납부했
      / 결제(?:했|됐) / 입금(?:됐|되었|했) / 완납 / 갚았
    | unpaid / outstanding / still (?:owes?|owed|unpaid|open|due) / owes (?:us )?(?!nothing)
      / not (?:yet )?(?:been )?(?:paid|settled|cleared) / never paid / not (?:sent|paid) us a (?:cent|penny)
      / no (?:money|payment) has / awaiting payment / in arrears / have not received .{0,20}(?:money|payment|cent)
      / waiting for (?:the|its|our|their) (?:money|payment) / unbezahlt\w* / offen(?:en|e)? (?:rechnung|posten)
      / noch offen / steht .{0,20}aus / schuldet / 未付 / 拖欠 / 欠款 / 没有?付 / 未支付 / 未结清 / 还欠
      / 没有?收到.{0,6}款 / 미납 / 미지급 / 아직 .{0,12}(?:받지|지급하지|내지|갚지) / 입금되지 않 / 체납 / 밀려
profit | (?:made|makes|turned|posted|earned|with) (?:a|an|its) (?:\w+ )?(?:profit|surplus) / in the black
      / profitable / (?:made|makes|earns?) money / in profit / pays for itself / rentabel
      / gewinn (?:gemacht|erzielt|erwirtschaftet) / schwarze\w* zahlen / überschuss\w* / gewinn\w* / 盈利 / 赚钱
      / 有盈余 / 扭亏为盈 / 흑자 / 이익을 (?:냈|내) / 돈을 벌
    | (?:made|makes|posted|ran|runs|with|at) (?:a|an|its) (?:\w+ )?(?:loss|deficit) / in the red / loss-making
      / unprofitable / lost money / loses money / loses? (?:\w+ ){0,2}every (?:month|year) / defizitär
      / fehlbetrag\w* / verlust\w* / minus / verlust (?:gemacht|geschrieben) / rote\w* zahlen / macht verluste
      / 亏损 / 赔钱 / 亏本 / 赤字 / 적자 / 손실을 / 손해를
passed | passed / got through / cleared the (?:test|inspection|exam|audit|check)
      / without (?:a |any )?(?:complaint|objection|findings?|remarks?)
      / no (?:faults?|defects?|complaints?|objections?|findings?) (?:was|were|found) / found nothing wrong
      / flying colou?rs / bestanden / ohne beanstandung\w* / einwandfrei / mängelfrei / 合格 / 通过 / 没有发现问题
      / 考上 / 합격 / 통과 / 이상이 없 / 문제가 없
    | failed / did not pass / flunked / fell short / was rejected / found wanting / faults? (?:was|were) found
      / defects? (?:was|were) found / found (?:\w+ ){0,2}(?:faults?|defects?|violations?|mistakes|errors|problems)
      / objected to / durchgefallen / nicht bestanden / beanstandet / mängel (?:festgestellt|gefunden) / 不合格
      / 没有?通过 / 未通过 / 发现了?.{0,6}(?:问题|缺陷) / 没考上 / 불합격 / 통과하지 못 / 떨어졌 / 결함이
      / 문제가 발견
works | in service / in use / fit for use / works (?:fine|well|perfectly|again|flawlessly|reliably|without)
      / in (?:good )?working order / is working / are working / runs (?:fine|smoothly|well|perfectly|again|without)
      / operational / up and running / in perfect order / fully functional / functions (?:well|normally|properly)
      / funktioniert / läuft (?:einwandfrei|rund|wieder|problemlos|tadellos) / intakt / in ordnung / 正常 / 运转良好
      / 能用 / 完好 / 修好了 / 정상 / 잘 (?:작동|돌아|된다) / 이상 없 / 멀쩡
    | out of (?:order|action|service) / broken / broke down / breaks down / defective / faulty
      / does not (?:work|run|start) / not working / stopped working / has failed / malfunction\w* / is down
      / conked out / gave up / kaputt / defekt\w* / ausser betrieb / ausgefallen / funktioniert nicht / streikt
      / 坏了 / 故障 / 失灵 / 停机 / 不能用 / 瘫痪 / 고장 / 작동하지 않 / 멈췄 / 멈춰 / 망가 / 먹통
allowed | (?:is|are) (?:allowed|permitted|welcome) / allows? / permits?
      / (?<!in )(?<!of )(?<!since )(?<!until )(?<!by )(?<!last )may (?!be\b|have\b|not\b|well\b|still\b|only\b|\d)[a-z]+
      / free to / can (?:bring|take|use|park|enter|smoke|work)\b
      / lets? (?:\w+ ){1,2}(?:bring|take|use|park|in|enter|smoke|work|keep) / no objection to / erlaubt\w*
      / gestattet / zulässig / dürfen / darf / 允许 / 可以(?!说) / 准许 / 准带 / 허용 / 가능하다 / 수 있다
      / 해도 된다 / 허락
    | (?:is|are) (?:forbidden|banned|prohibited|barred|off limits|not allowed|not permitted) / forbids? / bans?
      / prohibits? / must not / may not / no .{3,30} (?:allowed|permitted)
      / cannot (?:bring|take|use|park|enter|smoke) / have to (?:stay|remain|leave .{2,20}) outside / not welcome
      / strictly no / verboten\w* / untersagt\w* / unzulässig / nicht (?:erlaubt|gestattet|zulässig|dürfen)
      / darf nicht / darf niemand / 禁止 / 不准 / 不许 / 不允许 / 不得 / 严禁 / 谢绝 / 不可以 / 금지 / 안 된다
      / 불허 / 수 없다 / 불가
needed | mandatory / compulsory / obligatory / (?:is|are) (?:required|needed|necessary) / requires?
      / must (?:be|wear|carry|have|show|hold|sign|register|attend|bring)
      / ha(?:s|ve) to (?:be|wear|carry|have|show|hold|sign|register|attend|bring) / cannot .{2,40} without
      / not .{2,40} without / only with / pflicht / vorgeschrieben / erforderlich / notwendig / muss / müssen
      / zwingend / 必须 / 强制 / 务必 / 一定要 / 须要? / 需要 / 没有.{1,10}(?:不能|就不) / 필수 / 의무 / 반드시
      / 해야 (?:한다|된다) / 꼭 / 있어야
    | optional / voluntary / not (?:required|needed|necessary|mandatory|compulsory) / need not
      / (?:does|do) not (?:need|have) to / no need (?:to|for|of)
      / no .{2,30} (?:is |are )?(?:required|needed|necessary)
      / without (?:a |an |any )?(?:appointment|registration|ticket|permit|licence|booking|receipt)
      / can do without / freiwillig / freigestellt / keine pflicht
      / nicht (?:nötig|erforderlich|notwendig|vorgeschrieben) / braucht man (?:nicht|kein\w*) / entfällt / 不必
      / 无需 / 不用 / 不需要 / 自愿 / 可选 / 任选 / 没必要 / 선택 / 자율 / 필요 ?없 / 하지 않아도 / 안 해도 / 없어도
owns | owns / own (?:its|his|her|their) / is the owner / are the owners / belongs to / bought
      / in (?:his|her|its|their) own / property of / freehold / gehört / eigentum\w* / besitzt / 拥有 / 自有 / 买下
      / 소유 / 자가 / 샀다 / 매입
    | rents? / rented / leases? / leased / tenants? / on lease / hired from / borrow(?:s|ed) / gemietet / mietet
      / zur miete / gepachtet / geleast / 租用 / 租来 / 租的 / 借来 / 임대 / 임차 / 빌려 / 빌린 / 세 들어 / 전세
      / 월세
inhouse | in-house / in house / ourselves / by our own / with (?:its|our|their) own
      / (?:its|our|their) own (?:staff|people|team|drivers|vans|trucks|kitchen|workshop) / selbst / eigene\w*
      / im haus / 自己(?:做|生产|送|负责) / 自行 / 自家 / 자체 / 직접 / 사내에서
    | outsourc\w+ / outside (?:firm|company|contractor|agency|provider) / contractors? / external(?:ly)?
      / subcontract\w+ / third part(?:y|ies) / farmed out / handed (?:over )?to an? / agency / courier / fremdfirma
      / extern\w* / dienstleister / ausgelagert / 外包 / 委托 / 承包 / 外部公司 / 第三方 / 외주 / 외부 업체 / 위탁
      / 하청 / 용역
satisfied | satisfied / happy with / pleased with / delighted / content with / praised / spoke highly
      / speaks highly / full of praise / thrilled / no complaints? / zufrieden / gelobt / lobt\w* / begeistert
      / 满意 / 称赞 / 表扬 / 好评 / 赞不绝口 / 만족 / 칭찬 / 호평
    | dissatisfied / unhappy / complain(?:ed|s)? (?:about|of|that)? / displeased / disappointed / annoyed / angry
      / criticis\w+ / criticiz\w+ / fed up / faulted / found fault / unzufrieden / beschwer(?:t|te|ten)\w*
      / bemängel\w+ / enttäuscht / kritisier\w+ / 不满 / 投诉 / 抱怨 / 失望 / 批评 / 差评 / 불만 / 항의 / 실망
      / 비판 / 혹평
clean | spotless(?:ly)? / clean / tidy / immaculate / in (?:perfect|good|excellent) order / neat / well kept
      / well[- ]kept / exemplary / flawless / sauber\w* / ordentlich / makellos / tadellos / gepflegt / 干净 / 整洁
      / 一尘不染 / 井井有条 / 깨끗 / 깔끔 / 말끔 / 정돈
    | a mess / messy / dirty / filthy / chaos / chaotic / in disorder / a shambles / shambles / untidy / littered
      / sloppy / disgrace / schmutzig\w* / unordentlich / chaotisch / verdreckt / durcheinander / 脏 / 乱七八糟
      / 凌乱 / 一团糟 / 混乱 / 더럽 / 지저분 / 엉망 / 난장판 / 어질러
"""
