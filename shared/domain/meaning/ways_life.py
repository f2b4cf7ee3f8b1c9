"""Ways of saying one of two opposed things about people, things and times, in four languages.

Rules: data only, in the form of ways_table.py.
It does not know sentences (ways.py).
Source: everyday prose, chosen by us; figures in docs/benchmarks/meaning.json.
"""

LIFE_WAYS = r"""
solitary! | single-handed(?:ly)? / on (?:her|his) own / by (?:him|her)self / one-(?:man|woman|person)
      / sole (?:trader|employee|proprietor) / no (?:employees|staff|colleagues|team|assistants?|helpers?)
      / without (?:any )?(?:employees|staff|help|assistants?|colleagues)
      / (?:works|runs|does|lives|lived|travels|handles) .{0,30}alone / all alone
      / the only (?:employee|person|member)
      / consists? of (?:just |only )?(?:one|1|a single) (?:person|man|woman|employee)
      / has no (?:employees|staff|one) / ganz allein\w* / alleine? / einzige[nr]? person
      / ohne (?:mitarbeiter|angestellte|hilfe|team) / keine (?:mitarbeiter|angestellten) / einzelkämpfer\w* / 独自
      / 一个人 / 单枪匹马 / 没有员工 / 独居 / 혼자 / 홀로 / 1인 (?:기업|회사|가게) / 직원이 없 / 직원 없이
    | (?:her|his|its|their|the|with|of|employs?|has|have|and) (?:team|crew|staff|colleagues|workforce|employees)
      / (?:her|his|its|their) (?:assistants?|partners?)
      / \d+ (?:\w+ )?(?:employees|colleagues|bakers|workers|staff|people|assistants|helpers|cooks)
      / \d+ (?:\w+ )?(?:drivers|partners|men|women|apprentices|clerks|engineers|mechanics|tailors|nurses)
      / (?:several|many|two|some) (?:employees|colleagues|assistants|helpers|people) / employees of / colleagues
      / among themselves / take turns / flatmates? / roommates? / husband / wife / their shifts / mitarbeiter\w*
      / kolleg\w+ / angestellte\w* / belegschaft / team / mannschaft / 员工们? / 同事 / 团队 / 手下 / 伙计们 / 室友
      / 직원(?:들| \d|이 \d|은 \d) / 동료 / 팀원 / 룸메이트 / \d+명의 직원
wedded! | unmarried / never (?:been )?married / not married / single (?:man|woman|all) / is single / bachelor
      / spinster / lives alone / widow\w* / divorced / ledig / unverheiratet / junggesell\w+ / geschieden / 独身
      / 单身 / 未婚 / 没结婚 / 离婚 / 미혼 / 독신 / 결혼하지 않 / 결혼 안 / 이혼
    | husband / wife / spouse / (?:is|are|got|been|was) (?:happily )?married / wedding anniversary / ehemann
      / ehefrau / (?:seine|ihre?) (?:frau|mann|gatt\w+) / verheiratet / 丈夫 / 妻子 / 老公 / 老婆 / 太太 / 已婚
      / 结婚.{0,4}年 / 남편 / 아내 / 배우자 / 기혼 / 결혼했 / 결혼한 / 유부
offspring! | childless / no (?:children|kids) / without (?:children|kids) / kinderlos / keine kinder / 没有孩子
      / 无子女 / 没孩子 / 자녀가 없 / 아이가 없 / 자식이 없
    | (?:her|his|their) (?:son|daughter|children|kids|child|baby|twins) / (?:mother|father) of
      / (?:sein|ihr)e? (?:sohn|tochter|kinder|kind) / mutter von / vater von / 儿子 / 女儿 / 的孩子 / 아들 / 딸
      / 아이들 / 자녀들
driving! | cannot drive / can not drive / does not drive / never learn\w+ to drive / has no (?:driving )?licen[cs]e
      / without a (?:driving )?licen[cs]e / (?:hat )?keinen führerschein / kann nicht auto / fährt kein auto
      / 不会开车 / 没有?驾照 / 운전을? (?:못|하지) / 면허가 없 / 운전할 줄 모르
    | drives / drove / (?:at|behind) the wheel / (?:her|his) (?:own )?car / holds a (?:driving )?licen[cs]e
      / fährt .{0,25}(?:auto|wagen|lkw|transporter) / am steuer / 开车(?!，) / 自己开 / 驾车 / 운전해 / 운전한다
      / 차를 몰
ease | easy / easily / simple / straightforward / effortless\w* / no trouble / child's play / a breeze
      / (?:good|clear) to follow / einfach\w* / leicht\w* / mühelos\w* / verständlich\w* / 容易 / 简单 / 好懂
      / 一看就懂 / 方便 / 轻松 / 쉽 / 쉬운 / 쉬워 / 간단 / 수월 / 편하
    | hard / difficult / tricky / complicated / baffling / confusing / struggle\w* / a struggle / with difficulty
      / impossible to / nobody (?:can|could) (?:follow|understand) / schwierig\w* / schwer\w* / kompliziert\w*
      / mühsam\w* / unverständlich\w* / 难懂 / 困难 / 复杂 / 很难 / 难以 / 费劲 / 不便 / 어렵 / 어려 / 복잡 / 힘들
      / 까다로
opening | (?:is|are|stays?|remains?|keeps?|was|were) open / opens? (?:on|at|every|all|daily|again|its doors)
      / open (?:all|every|daily|on|seven|around|round|throughout|at) / never closes? / does not close
      / without a day off / has reopened / reopened / geöffnet / offen / hat .{0,25}auf / öffnet / durchgehend
      / 营业 / 开门 / 开放 / 不休息 / 不关门 / 照常营业 / 문을 연 / 문을 열 / 영업 / 개방 / 쉬지 않 / 연중무휴
      / 개장
    | (?:is|are|stays?|remains?|was|were|has been) (?:closed|shut) / closes? (?:on|for|every|all)
      / shuts? (?:on|for|every|all|its|down) / shut (?:on|for|down) / closed (?:on|every|all|for|since)
      / closed down / out of business / no longer open / geschlossen / macht .{0,25}zu / ruhetag / hat .{0,25}zu
      / gesperrt / 关门 / 休息 / 停业 / 不营业 / 歇业 / 关闭 / 闭馆 / 문을 닫 / 휴무 / 휴업 / 쉰다 / 폐업 / 휴관
      / 영업하지 않 / 폐쇄
guarded | guarded
      / (?:a )?(?:guard|watchman|porter|security guard|caretaker) (?:is|patrols|stands|watches|sits|on|keeps)
      / patrolled / under surveillance / watched (?:day|round|around) / bewacht\w* / wachmann / wachdienst
      / pförtner / überwacht\w* / 有人看守 / 保安 / 有人值班 / 巡逻 / 경비원 / 경비가 / 지키고 / 순찰
    | unguarded / unattended / unwatched / no (?:guard|watchman|porter|security)\w* / nobody (?:guards|watches)
      / unbewacht\w* / unbeaufsichtigt / 无人看守 / 无人值守 / 没人看 / 没有保安 / 무인 / 경비원이 없
      / 지키는 사람이 없
entry_right | has (?:full )?access / can (?:open|enter|read|see|view|log) / ha(?:s|ve) (?:a|the) keys? / with access
      / logs? in / may (?:open|enter|read|see|view) / hat zugriff / hat zugang
      / kann .{0,25}(?:öffnen|einsehen|lesen) / 有权限 / 可以(?:打开|查看|进入|访问) / 能(?:打开|查看|进入)
      / 접근할 수 있 / 열 수 있 / 볼 수 있 / 권한이 있 / 들어갈 수 있
    | (?:no|without) access / locked out / cannot (?:open|enter|read|see|view|log) / neither .{2,40}access
      / denied access / has no keys? / keinen (?:zugriff|zugang) / kann .{0,25}nicht (?:öffnen|einsehen|lesen)
      / 没有权限 / 无权 / 不能(?:打开|查看|进入) / 접근할 수 없 / 열 수 없 / 볼 수 없 / 권한이 없 / 들어갈 수 없
in_force | in force / in effect / (?:is|are|was|remains|still) valid / has been running
      / without (?:a )?(?:gap|break|interruption) / uninterrupted(?:ly)? / (?:was|has been|were) renewed
      / (?:was|has been) (?:extended|prolonged) / runs (?:until|through|to)
      / still (?:runs|running|applies|valid|in force) / gültig / in kraft / läuft (?:noch|weiter|bis)
      / verlängert\w* / ununterbrochen / 有效 / 生效 / 续签 / 延长 / 没有?中断 / 유효 / 갱신 / 연장
      / 계속 (?:유지|이어) / 발효
    | lapsed / expired / ran out / has run out / (?:was|has been) (?:terminated|cancelled|ended|revoked|withdrawn)
      / came to an end / no longer (?:in force|valid|applies|runs) / invalid / void / interrupted / abgelaufen
      / ungültig / ausgelaufen / ausser kraft / gekündigt / erloschen / unterbrochen / 失效 / 过期 / 到期了 / 作废
      / 终止 / 中断 / 만료 / 무효 / 끊겼 / 종료 / 해지 / 중단됐 / 효력을 잃
in_stock | in stock / available / on the shelves / plenty (?:of|left) / enough .{2,20} left
      / (?:\d+|several|a few|some|many) .{0,20}(?:left|in stock|remaining) / well stocked / auf lager / vorrätig
      / lieferbar / verfügbar / 有货 / 库存充足 / 现货 / 재고가 (?:있|충분|남|넉넉) / 남아 있
    | sold out / out of stock / none left / ran out / run out / unavailable / not a single .{2,20} left
      / no .{2,20} left / used up / ausverkauft / vergriffen / nicht (?:lieferbar|vorrätig|verfügbar) / 缺货 / 售罄
      / 卖完 / 卖光 / 断货 / 没货 / 품절 / 매진 / 재고가 (?:없|바닥) / 다 팔 / 동났
finished | finished / completed? / (?:is|are|was|were) done / concluded / wrapped up / ready / (?:is|was) over
      / handed over / all done / accomplished / fertig\w* / abgeschlossen / beendet / vollendet / 完成 / 完工 / 竣工
      / 结束了 / 搞定 / 做完 / 완료 / 완성 / 완공 / 끝났 / 마쳤 / 마무리
    | unfinished / incomplete / half[- ]finished
      / still (?:working|being|under|in progress|building|writing|missing|to be|at it|going on|has to)
      / under construction / in progress / not yet / has not (?:even )?(?:begun|started) / nowhere near / ongoing
      / unfertig\w* / noch nicht / im bau / unvollendet / in arbeit / dauert noch / 未完成 / 没有?完成 / 还没 / 尚未
      / 还在(?:建|做|进行|施工) / 施工中 / 미완성 / 아직 .{0,14}(?:않|못|중) / 진행 중 / 공사 중 / 끝나지 않
pledge | promised / gave (?:her|his|its|their) word / committed (?:himself|herself|itself) / assured / guaranteed
      / pledged / vowed / undertook to / versprach / versprochen / zugesagt / sagte .{0,25}zu / 承诺 / 保证 / 答应
      / 약속했 / 약속하였 / 장담 / 확약
    | no (?:promises?|commitments?|guarantees?|assurances?) / made no (?:promise|commitment) / would not commit
      / did not (?:promise|commit|undertake) / refused to (?:promise|commit)
      / avoided (?:any )?(?:promise|commitment) / keine (?:zusage|versprechen|garantie) / versprach nichts
      / 没有?(?:作出|做出)?(?:任何)?承诺 / 没有?答应 / 没有?保证 / 약속(?:도|을|은)? ?하지 않 / 확답을 (?:하지|피)
      / 약속을 피
planned | plans? (?:to|for|on|an?|a \w+) / (?:is|are) planning / intends? to / has decided to / going to / wants to
      / will (?:be )?(?:open|build|buy|hire|launch|move|close|start|expand|add|sell|introduce|replace)\w* / plant
      / planen / beabsichtigt / will .{2,40}(?:eröffnen|bauen|kaufen|einführen) / hat vor / 计划 / 打算 / 准备 / 拟
      / 계획(?:이다|하고|을 세|이 있|중) / 예정 / 하려고 / 할 생각 / 추진
    | ruled out / rules? out / no plans? / no intention / not (?:planning|plan|intend|going)
      / (?:has|have) (?:dropped|abandoned|shelved|given up) (?:the |its |their )?(?:plan|idea|project)
      / dismissed the idea / out of the question / decided against / does not want / schliesst .{2,40}aus
      / keine pläne / plant kein\w* / nicht vor / verworfen / 没有计划 / 不打算 / 没有打算 / 不准备 / 放弃了 / 排除
      / 无意 / 계획이 없 / 계획은 없 / 하지 않기로 / 생각이 없 / 배제 / 접었 / 철회 / 포기
by_hand | by hand / manual(?:ly)? / hand[- ]?(?:made|sewn|written|picked|painted|packed|wound|stitched) / von hand
      / manuell\w* / handarbeit / 手工 / 人工 / 手写 / 수작업 / 손으로 / 수동 / 수제
    | automat\w+ / by machine / machine[- ]?(?:made|sewn|packed|picked) / robots? / fully automated / by computer
      / maschinell\w* / automatisch\w* / roboter / 自动 / 机器(?!人?学) / 机器人 / 자동 / 기계(?:로|가) / 로봇
remote | remote(?:ly)? / from home / (?:works?|working) at home / online / by video / over zoom / home office
      / homeoffice / von zu hause / im home-?office / 远程 / 在家办公 / 线上 / 网上 / 居家 / 재택 / 원격 / 온라인
      / 집에서 / 화상
    | in person / in the office / on[- ]site / face to face / at (?:her|his|the|their) desk
      / comes? in(?:to)? (?:every|daily|the office) / at headquarters / in präsenz / vor ort / im büro / 现场 / 线下
      / 到公司 / 面对面 / 在办公室 / 当面 / 사무실(?:에|로) / 현장 / 대면 / 출근 / 오프라인
temporary | permanent(?:ly)? / open-ended / indefinite(?:ly)? / for good / for life / unlimited / lifelong
      / unbefristet\w* / dauerhaft\w* / auf dauer / 长期 / 永久 / 无固定期限 / 正式工 / 영구 / 무기한 / 정규직
      / 평생
    | temporary / temporarily / fixed[- ]term / limited to / for (?:the time being|now) / until further notice
      / provisional(?:ly)? / interim / for \d+ (?:days|weeks|months) / befristet\w* / vorübergehend\w*
      / vorläufig\w* / 临时 / 短期 / 暂时 / 有固定期限 / 임시 / 일시 / 기간제 / 계약직 / 한시적 / 단기
freshness | brand[- ]new / (?:is|are|was|were|looks?) new / newly (?:built|made|bought|minted) / unused
      / never been used / fresh from / fabrikneu\w* / (?:ist|sind|war) neu / nagelneu\w* / ungebraucht\w* / 全新
      / 新买 / 崭新 / 새것 / 신품 / 새로 (?:산|구입) / 새 제품
    | second[- ]hand / (?:was|were|is|are|bought|comes?|came) used / pre-owned / worn(?: out)?
      / (?:is|are) (?:\d+|twenty|thirty|ten) years old / (?:is|are|was|were) (?:very )?old / inherited / ancient
      / gebraucht\w* / (?:ist|sind|war) alt / aus zweiter hand / abgenutzt / 二手 / 旧 / 用过 / 老旧 / 중고 / 낡
      / 오래된 / 쓰던
outcome | won / wins / awarded (?:the|us|to us) / (?:was|were) awarded / secured / victory / prevailed / came first
      / beat / defeated / gewann\w* / gewonnen / siegte / erhielt den zuschlag / 赢 / 胜诉 / 中标 / 获胜 / 夺冠
      / 打败 / 이겼 / 승소 / 낙찰 / 우승 / 승리 / 따냈 / 수주
    | lost / loses / defeat\w* / came (?:second|last|away empty) / missed out / lost out
      / went to (?:a |another |the )?(?:rival|competitor|someone|other) / runner-up / verlor\w* / verloren
      / unterlag / leer ausgegangen / 输 / 败诉 / 落标 / 落选 / 未中标 / 失利 / 졌다 / 패소 / 탈락 / 패배 / 떨어졌
      / 놓쳤 / 실패
arrived | arrived / (?:was|were|been|has been) delivered / came (?:in|on|yesterday|this) / reached (?:us|its|the)
      / received / got here / turned up / handed over / angekommen / eingetroffen / geliefert\w* / zugestellt / 到了
      / 送到 / 送达 / 收到 / 到货 / 抵达 / 도착 / 받았 / 배송 완료 / 배달됐 / 수령
    | never (?:arrived|came|reached|delivered|turned up|received) / lost in (?:the post|transit) / went missing
      / still (?:waiting|missing|on its way|in transit|at sea) / has not (?:arrived|come|reached|been delivered)
      / nicht (?:angekommen|eingetroffen|geliefert|zugestellt) / verschollen / unterwegs verloren
      / 没有?(?:到|收到|送到) / 未到 / 丢失 / 还在路上 / 未送达 / 도착하지 않 / 받지 못 / 분실 / 오지 않 / 안 왔
      / 못 받
presence | (?:is|was|were) (?:present|there|at work|in the office|at (?:her|his) desk|on duty|on call|at the meeting)
      / attended / attends / took part / takes part / came to / turned up / showed up
      / joined (?:us|the (?:meeting|call|dinner|trip)) / (?:spoke|sat) at / anwesend / teilgenommen
      / nahm\w* .{0,40}teil / war dabei / im dienst / 出席 / 参加了 / 到场 / 在场 / 在岗 / 值班 / 참석했 / 참석하였
      / 출석 / 참가했 / 참여했 / 나왔 / 근무 중
    | absent / stayed (?:away|at home) / missed / skipped / did not (?:attend|come|show|turn|take part|appear)
      / (?:was|is) (?:away|on holiday|on leave|off sick|ill|on vacation|abroad) / has the (?:day|weekend|week) off
      / off duty / (?:was|were) not (?:there|present) / ferngeblieben / fehlte / abwesend / im urlaub
      / krankgeschrieben / nicht (?:dabei|teilgenommen|anwesend) / 缺席 / 没有?(?:参加|出席|到场|来) / 请假 / 休假
      / 不在 / 未(?:参加|出席) / 불참 / 결석 / 빠졌 / 휴가 / 나오지 않 / 참석하지 (?:않|못) / 비번
health | (?:is|was|are|feels?) (?:well|healthy|fit|fine) / in (?:good|perfect|excellent) health / recovered / cured
      / unhurt / unharmed / uninjured / gesund / genesen / wohlauf / unverletzt / 健康 / 康复 / 痊愈 / 没受伤 / 平安
      / 건강하 / 회복 / 완치 / 다치지 않 / 무사
    | (?:is|was|are|fell|been) (?:ill|sick|unwell|poorly|hurt|injured|wounded) / in hospital / suffers? from
      / broke (?:her|his|an?) (?:arm|leg|hip|wrist|ankle|foot) / in poor health / krank\w* / verletzt\w*
      / im krankenhaus / leidet / 生病 / 住院 / 受伤 / 病了 / 患 / 아프 / 아팠 / 입원 / 다쳤 / 부상 / 앓
drinkable | fit to drink / drinkable / safe to drink / drinking[- ]water quality / trinkbar / trinkwasserqualität
      / 可以(?:安全)?饮用 / 能喝 / 纯净 / 마셔도 / 마실 수 있 / 깨끗한 물
    | unfit to drink / undrinkable / contaminated / polluted / poisoned / verunreinigt / verseucht / 污染 / 不能喝
      / 有毒 / 超标 / 오염 / 마실 수 없 / 마시면 안
pace | fast / quick(?:ly)? / rapid(?:ly)? / speedy / in no time / schnell\w* / rasch / zügig
      / 快 / 迅速 / 빠르 / 빨라 / 빠른 / 신속
    | slow(?:ly)? / sluggish / takes (?:ages|forever) / drags / langsam\w* / schleppend / träge
      / 慢 / 迟缓 / 느리 / 느려 / 느린 / 더디
secrecy | confidential / secret(?:ly)? / kept (?:quiet|secret|under wraps) / behind closed doors
      / not (?:been )?(?:announced|disclosed|published|made public) / undisclosed / classified / vertraulich\w*
      / geheim\w* / unter verschluss / 保密 / 机密 / 秘密 / 未公开 / 没有公布 / 비밀 / 기밀 / 비공개 / 공개되지 않
    | (?:was|were|is|are|been) (?:published|announced|disclosed|posted|printed) / (?:public|common) knowledge
      / made public / for all to (?:see|read) / in the newspapers? / on (?:its|the|our|their) website / openly
      / publicly / veröffentlicht\w* / öffentlich\w* / bekannt gegeben / 公开 / 公布 / 发布 / 登报
      / 공개(?:됐|되|했|한) / 발표 / 게재 / 알려졌
unity | unanimous(?:ly)? / all (?:agreed|in favour|members voted)
      / without (?:a )?(?:dissent|dissenting|opposing|dissenter)\w*(?: vote| voice)?
      / nobody (?:objected|voted against|opposed) / no (?:one|votes?) (?:objected|against|opposed) / of one mind
      / einstimmig\w* / einhellig\w* / ohne gegenstimme\w* / 一致(?!性) / 全票 / 无人反对 / 全体同意 / 만장일치
      / 전원 / 이견 없이
    | by (?:a )?(?:narrow|slim|bare) (?:majority|margin) / by (?:one|a single|1|two|2) votes? / divided / split
      / (?:\w+ )?(?:members?|directors?|partners?|people|of them) (?:voted against|objected|opposed|dissented|abstained)
      / votes? against / against the votes / knapp\w* / gespalten / gegen die stimmen / \d+ gegenstimmen / 分歧
      / 微弱 / 有人反对 / 票反对 / 意见不一 / 반대표 / 이견이 / 의견이 갈 / 근소한 / 표 차
security | (?:is|are|was|were|kept|stays?|always) (?:locked|bolted|sealed|barred) / under lock and key
      / locked (?:at|every|day|up) / abgeschlossen / verschlossen / verriegelt / 上锁 / 锁着 / 锁好 / 잠겨 / 잠가
      / 잠근 / 잠금
    | unlocked / unbolted / stands? open / wide open / never locked / left open / unverschlossen / offen steht
      / steht offen / 没有?锁 / 敞开 / 没上锁 / 열려 있 / 잠겨 있지 않 / 잠그지 않 / 열어 두
strictness | strict(?:ly)? / no exceptions? / without exception / zero tolerance / to the letter / rigid(?:ly)?
      / uncompromising / ausnahmslos / streng\w* / keine ausnahmen? / 严格 / 无一例外 / 从不通融 / 毫无例外 / 엄격
      / 예외 없이 / 예외는 없 / 철저
    | lax / lenient / exceptions (?:are|were|can be) / turns? a blind eye / flexible / flexibly / easy-going
      / with (?:many|some|several) exceptions / nachsichtig\w* / ausnahmen (?:sind|gibt|werden) / locker / 宽松
      / 灵活 / 通融 / 有例外 / 睁一只眼 / 느슨 / 유연 / 예외를 (?:두|인정) / 관대 / 봐준다
fullness | full / fully booked / booked (?:up|out|solid) / sold out / packed / crowded
      / no (?:seats?|places?|rooms?|tables?|vacanc\w+) (?:is|are|was|were|left)
      / every (?:seat|table|room|place|bed) (?:is|was) (?:taken|occupied) / to capacity / voll / ausgebucht
      / überfüllt / belegt / 满了? / 客满 / 爆满 / 坐满 / 订满 / 满员 / 만석 / 매진 / 가득 / 꽉 / 붐비 / 북적
    | empty / half[- ]empty / deserted / vacan\w+
      / (?:many|several|some|free|\d+) (?:seats?|places?|rooms?|tables?|beds) (?:\w+ ){0,2}(?:free|empty|vacant|left)
      / hardly anyone / nobody came / leer\w* / halb leer / frei\w* plätze / kaum jemand / 空荡荡 / 空着 / 空无一人
      / 有空位 / 没几个人 / 冷清 / 텅 / 비어 / 빈 자리 / 한산 / 자리가 남 / 썰렁
recovered | (?:was|were|been|has been|turned up) (?:found|recovered|returned|retrieved|again) / turned up again
      / got (?:it|them) back / gave (?:it|them) back / wiedergefunden / zurückbekommen / aufgetaucht / 找到了 / 找回
      / 归还 / 追回 / 찾았 / 되찾 / 돌려받 / 회수
    | (?:still|remains?|is|are) missing / never (?:found|recovered|seen again|returned|turned up)
      / lost without (?:a )?trace / no trace of / vanished / disappeared / verschwunden
      / nie (?:wieder )?(?:gefunden|aufgetaucht) / unauffindbar / 下落不明 / 没有?找到 / 失踪 / 不见了 / 찾지 못
      / 사라졌 / 행방 / 잃어버린 채
kept_thing | (?:was|were|are|is|been) (?:kept|preserved|archived|retained|stored|saved|filed) / we (?:keep|kept)
      / still (?:have|hold|keep) / on file / aufbewahrt\w* / archiviert / erhalten / 保存 / 保留 / 存档 / 留着
      / 보관 / 보존 / 남겨 / 간직
    | (?:was|were|are|is|been) (?:destroyed|shredded|deleted|erased|thrown away|discarded)
      / (?:was|were|are|is|been) (?:scrapped|burnt|burned|wiped|demolished)
      / threw (?:it|them) away / no longer (?:have|exists?|there) / vernichtet\w* / gelöscht / weggeworfen
      / geschreddert / abgerissen / 销毁 / 删除 / 扔掉 / 粉碎 / 烧掉 / 拆除 / 폐기 / 삭제 / 버렸 / 파쇄 / 파기
      / 철거
sibling! | only child / only (?:son|daughter) / no (?:brothers?|sisters?|siblings?) / einzelkind / keine geschwister
      / 独生子?女? / 没有兄弟 / 외동 / 형제가 없
    | (?:her|his|their|has an?|an? elder|younger|elder|older|twin|big|little) (?:\w+ )?(?:brother|sister|twin)s?
      / (?:brother|sister) / bruder\w* / schwester\w* / zwilling\w* / 哥哥 / 弟弟 / 姐姐 / 妹妹 / 双胞胎 / 누나
      / 오빠 / 언니 / 남동생 / 여동생 / 형제 / 쌍둥이
practice! | (?:has )?retired / stopped (?:practising|working|teaching|playing|trading|driving|performing)
      / gave up (?:her|his|the) (?:practice|business|shop|job)
      / no longer (?:practises|works|teaches|plays|performs) / hung up / im ruhestand / praktiziert nicht mehr
      / hat aufgehört / 退休了? / 不再(?:行医|工作|教书|演出) / 은퇴 / 그만두
    | treats patients
      / (?:works|teaches|performs|practises|plays|operates|drives) (?:\w+ ){0,4}(?:every|daily|each|on)
      / still (?:works|teaches|practises|performs|plays) / full[- ]time / arbeitet (?:täglich|jeden)
      / 每天(?:上班|教|工作|看病) / 매일 (?:출근|진료|가르) / 아직도 일
veg! | vegan / vegetarian / no meat / meat-free / meatless / never eats? meat / plant-based / fleischlos
      / vegetarisch / vegetarier\w* / 素食 / 吃素 / 全素 / 不沾肉 / 肉不沾 / 不吃肉 / 不吃荤 / 채식
      / 고기를 (?:안|먹지) / 비건
    | beef / pork / chicken / steak / bacon / ham / lamb / sausages? / fish / schnitzel / wurst / fleisch / rind\w*
      / 牛肉 / 猪肉 / 鸡肉 / 羊肉 / 烤肉 / 红烧肉 / 牛排 / 소고기 / 돼지고기 / 닭고기 / 삼겹살 / 갈비 / 불고기
      / 스테이크
sober! | teetotal\w* / never (?:drinks?|touches) (?:alcohol|a drop) / does not drink(?= alcohol|[.,;]|$) / no alcohol
      / alcohol-free / alkoholfrei / trinkt keinen alkohol / abstinent / 不喝酒 / 滴酒不沾 / 戒酒
      / 술을 (?:안|못|마시지|끊|입에) / 금주
    | beers? / wine / whisky / whiskey / vodka / cocktails? / schnapps / drunk / bier / wein / schnaps
      / 喝(?:啤|白|红)?酒 / 啤酒 / 红酒 / 白酒 / 맥주 / 소주 / 와인 / 막걸리 / 술을 마신
smoking! | non-?smoker / does not smoke / never smok\w+ / gave up smoking / nichtraucher\w* / raucht nicht / 不抽烟
      / 不吸烟 / 戒烟 / 담배를 (?:안|피우지|끊) / 비흡연 / 금연
    | smokes / smoked / smoking (?:on|in|a|her|his) / chain[- ]smok\w+ / cigarettes? / cigars? / raucher\w*
      / raucht(?! nicht) / 抽烟 / 吸烟 / 香烟 / 담배를 피 / 흡연
"""
