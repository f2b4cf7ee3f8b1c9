"""More ways of saying one of two opposed things: how things are kept, run, owned and decided, in four languages.

Rules: data only, in the form of ways_table.py.
It does not know sentences (ways.py).
Source: common business prose, chosen by us; figures in docs/benchmarks/meaning.json.
"""

TRADE_WAYS = r"""
cipher | encrypt\w* / cipher\w* / verschlüsselt\w* / 加密 / 암호화
    | plain text / plaintext / clear text / cleartext / unencrypted / in the clear / unverschlüsselt\w*
      / klartext / 明文 / 未加密 / 평문 / 암호화되지 않
ratified | ratif(?:y|ies|ied) / carried (?:the|its|by) / adopted / sanctioned / upheld
      / confirmed (?:the|its|her|his) / waved (?:it )?through / okayed / beschloss\w* / verabschiedet\w*
      / bestätigt\w* / 表决通过 / 审议通过 / 采纳了 / 의결 / 가결 / 채택
    | threw out / thrown out / overturned / struck down / quashed / scrapped / kippte / gekippt
      / abgeschmettert / 否决 / 推翻 / 未获通过 / 부결 / 무산 / 각하
running | up and running / in operation / operational
      / (?:is|are|was|were) (?:running|working|operating|producing)
      / produc\w+ without (?:a break|interruption|pause) / in full swing
      / running (?:smoothly|round) / läuft / in betrieb / produziert\w* / 运转 / 在运行 / 正常运行 / 开工
      / 투입 / 가동 / 운전 중 / 돌아가
    | stood still / stands still / standing still / at a standstill
      / (?:is|are|was|were) (?:down|idle|stopped|halted|out of action) / shut down / steht still
      / stillgestanden / stand still / ausser betrieb / 停机 / 停工 / 停摆 / 停了 / 停产 / 멈춰 / 멈췄 / 정지
      / 중단 / 서 있
upkeep | in good repair / well (?:kept|maintained)
      / (?:was|were|been|has been) (?:serviced|overhauled|maintained) / gewartet / gut gepflegt / 维护良好
      / 保养过 / 정비(?:를 받|했|됐|되었) / 관리가 잘
    | in disrepair / run-down / neglected / poorly maintained
      / (?:not|never) (?:been )?(?:serviced|maintained) / overdue for (?:a )?service / verwahrlost
      / nicht gewartet / 年久失修 / 没有?保养 / 방치 / 정비를 받지
in_house | in[- ]house / by (?:our|its|their) own (?:staff|people|team|kitchen|workshop|drivers|engineers)
      / itself / inhouse / im eigenen haus / selbst / 自己(?:做|生产|开发|完成) / 自行 / 내부 / 자체 / 직접
    | outsourc\w* / contracted out / subcontract\w* / by an? (?:outside|external) \w+
      / (?:external|outside) (?:agency|contractor|firm|provider)
      / extern\w* (?:dienstleister|firma|agentur|büro) / ausgelagert\w* / fremdfirma / 外包 / 委托.{0,6}公司
      / 외주 / 외부 업체 / 위탁
hosting | in the cloud / cloud[- ]based / hosted (?:by|in|with) / in der cloud / 云端 / 云上 / 클라우드
    | on[- ]premises / on[- ]prem / in (?:our|its|their) own (?:data cent(?:re|er)|server room|basement)
      / on (?:our|its|their) own servers? / im eigenen rechenzentrum / eigenen? servern? / 本地机房 / 自有机房
      / 本地服务器 / 자체 서버 / 사내 서버 / 온프레미스
listed | publicly (?:traded|listed) / listed on / on the stock (?:exchange|market) / went public
      / börsennotiert / an der börse / 上市公司 / 已上市 / 상장(?:된|됐|했|사|기업)
    | privately (?:held|owned) / private company / family[- ]owned / not listed / delisted / unlisted
      / in familienbesitz / nicht börsennotiert / 未上市 / 非上市 / 退市 / 家族企业 / 비상장 / 상장 폐지
      / 가족 기업
season | all year(?: round)? / year[- ]round / every month of the year / in every season / ganzjährig\w*
      / das ganze jahr / 全年 / 一年四季 / 연중 / 사계절 / 일 년 내내
    | only in (?:summer|winter|spring|autumn) / seasonal(?:ly)? / from \w+ to \w+ only
      / closed (?:in|during|over|for the) (?:winter|summer)
      / shuts? (?:in|for the|over the|during) (?:winter|summer) / nur im (?:sommer|winter) / saisonal
      / 只在(?:夏|冬)(?:季|天) / 季节性 / 여름에만 / 겨울에만 / 계절
exclusive | exclusive(?:ly)? / (?:the )?sole (?:supplier|distributor|agent|dealer|right|importer)
      / nobody else / no other / exklusiv\w* / alleinig\w* / allein(?:vertrieb\w*|vertretung) / 独家 / 唯一
      / 독점 / 유일 / 단독
    | non-exclusive / not exclusive
      / (?:several|many|two|three|four|five|\d+) (?:other )?(?:suppliers|distributors|agents|dealers|importers)
      / shared with / nicht exklusiv / mehrere (?:lieferanten|händler|vertreter) / 非独家 / 多家 / 几家
      / 여러 (?:업체|곳|회사|공급) / 비독점
backing | backed up / back[- ]?ups? (?:is|are|was|were|runs?|exists?) / has a backup / gesichert
      / sicherungskopie / 有备份 / 已备份 / 백업(?:된|됐|했|하고|이 있)
    | no backups? / not backed up / without (?:a )?backup / keine sicherung / 没有?备份 / 백업(?:이|은)? 없
      / 백업하지 않
insured | (?:is|are|was|were|fully) insured / insurance covers
      / covered by (?:the|our|its|an?) (?:insurance|policy) / carries insurance / versichert\w* / 投保
      / 有保险 / 在保 / 보험에 (?:들|가입) / 보장된
    | uninsured / no insurance / not (?:insured|covered) / without insurance / unversichert\w*
      / nicht versichert / 没有?(?:投保|保险) / 未投保 / 보험이 없 / 보험에 (?:들지|가입하지)
crew | fully staffed / enough (?:staff|people|hands) / no vacancies / every (?:post|position) is filled
      / voll besetzt / 人手充足 / 满编 / 인력이 충분 / 정원이 찼
    | short[- ]staffed / understaffed / short of (?:staff|people|hands) / vacanc(?:y|ies) / unfilled
      / unterbesetzt / personalmangel / 人手不足 / 缺人 / 缺编 / 인력이 (?:부족|모자) / 일손이 (?:부족|모자)
      / 공석
named | anonymous(?:ly)? / unnamed / without (?:giving )?(?:a|any|their|her|his) names? / anonym\w* / 匿名
      / 不记名 / 익명 / 무기명
    | (?:by|under|with) (?:full names?|name|their full names?|their names?|her name|his name) / signed by
      / named / namentlich\w*
      / unter klarnamen / 实名 / 记名 / 실명 / 기명
flat_time | flexible (?:hours|working hours|working times|time) / flexitime / flextime
      / whenever (?:they|she|he|we) (?:like|want)s? / gleitzeit / frei(?:e)? zeiteinteilung
      / 弹性(?:工作|上班) / 유연 근무 / 자율 출퇴근 / 시차 출퇴근
    | fixed (?:hours|working hours|schedule|times) / clocks? (?:in|on) at / nine[- ]to[- ]five
      / feste\w* arbeitszeiten / 固定(?:工作|上班)时间 / 打卡 / 고정 근무 / 정시 출퇴근
whole_staff | unionis\w+ / unioniz\w+ / belongs? to (?:a|the) union / union members / gewerkschaftlich
      / 加入了?工会 / 노조에 가입
    | non[- ]union / no union / not unioni[sz]ed / keine gewerkschaft / 没有工会 / 노조가 없
accord | signed and sealed / (?:came|come) to terms / struck a deal
      / reached (?:an )?(?:agreement|a settlement|a deal)
      / agreed on / shook hands / closed the deal / signed the (?:contract|deal|agreement) / einigten? sich
      / einigung / vertrag unterschrieben / 达成(?:一致|协议) / 谈妥 / 签约 / 签了 / 성사
      / 합의(?:했|에 이르|를 봤) / 체결
    | fell through / falls through / talks (?:collapsed|broke down|failed|fell through)
      / (?:broke|walked) (?:off|out|away)(?: of| from)? .{0,20}(?:talks|negotiations)
      / no (?:agreement|deal|settlement) / deadlock\w* / came to nothing / scheiterten? / keine einigung
      / geplatzt / 谈崩 / 破裂 / 未能达成 / 没谈成 / 결렬 / 무산 / 합의하지 못
lawful | (?:won|upheld|ruled in (?:favou?r|our favour)) / found for / recht bekommen / gab .{0,20}recht / 胜诉
      / 支持了 / 승소 / 인용
    | (?:lost the (?:case|suit|appeal)|ruled against|dismissed the (?:case|claim|suit|appeal)) / found against
      / wies .{0,30}ab / klage abgewiesen / 败诉 / 驳回 / 패소 / 기각
growing | hiring / taking on (?:staff|people|more) / recruiting / expanding
      / opens? (?:new|more|another|a second) / stellt .{0,20}ein / expandiert / 招聘 / 扩招 / 扩张 / 招人
      / 증원 / 채용을 늘 / 확장
    | (?:hiring|recruitment) freeze / laying off / lays? off / cutting (?:jobs|staff) / job cuts / downsiz\w+
      / closing (?:branches|shops|stores|sites) / baut .{0,25}ab / einstellungsstopp / 裁员 / 缩编 / 冻结招聘
      / 감원 / 구조 조정 / 인원을 줄
worth_it | (?:a )?(?:great |big |huge |complete )?success / succeeded / paid off / went well / worked out
      / erfolg\w* / hat sich gelohnt / geglückt / 成功 / 大获成功 / 很顺利 / 성공 / 잘됐 / 성과를 냈
    | flop(?:ped)? / fiasco / disaster / (?:a )?(?:complete |total )?failure / failed / backfired
      / went (?:wrong|badly) / misserfolg / fehlschlag / reinfall / scheiterte / 失败 / 泡汤 / 搞砸 / 实패
      / 실패 / 망쳤
clearance | (?:is|are|was|were|been|got) (?:cleared|released) (?:for|by|through|from)? / through customs
      / (?:freigegeben|verzollt)\w* / 放行 / 已清关 / 通关 / 통관(?:됐|되었|을 마) / 반출
    | (?:held|stuck|seized|impounded|detained) (?:at|by|in|up) / beschlagnahmt\w* / festgehalten / 扣留 / 扣押
      / 查扣 / 압류 / 억류 / 묶여
legible | up[- ]to[- ]date / current(?:ly)? valid / (?:was|were|been|are|is) updated
      / auf dem (?:neuesten|aktuellen) stand / aktuell\w* / 最新 / 已更新 / 최신 / 업데이트(?:됐|했|된)
    | out[- ]of[- ]date / outdated / obsolete / (?:not|never) (?:been )?updated / veraltet\w* / überholt\w*
      / 过时 / 过期 / 没有?更新 / 구형 / 업데이트(?:되지|하지) 않 / 오래된
sealed | airtight / watertight / sealed / dicht / 密封 / 不漏 / 밀봉 / 새지 않
    | leak(?:s|ing|y|ed)? / drips? / dripping / undicht / tropft / 漏 / 渗水 / 새고 / 샌다 / 누수
calm_trade | (?:doing|going) (?:well|fine|great|strong) / thriv\w+ / boom\w+ / flourish\w+ / in great demand
      / blüht / brummt / floriert / 红火 / 兴旺 / 畅销 / 供不应求 / 호황 / 번창 / 불티 / 잘 팔
    | (?:doing|going) (?:badly|poorly) / struggl\w+ / slump\w+ / (?:poor|weak|little|no) demand
      / nobody (?:buys|wants) / flaute / schleppend / 惨淡 / 滞销 / 低迷 / 卖不动 / 冷清 / 불황 / 부진 / 안 팔
      / 침체
busy | busy / hectic / snowed under / rushed off (?:her|his|their) feet / overloaded / viel zu tun
      / ausgelastet / überlastet / 忙 / 繁忙 / 应接不暇 / 바쁘 / 바빴 / 정신없 / 과부하
    | quiet / slack / little to do / nothing to do / idle / wenig los / nichts zu tun / 清闲 / 空闲 / 冷清
      / 没事做 / 한가 / 한산 / 여유
safe_keep | kept (?:cool|cold|chilled|refrigerated|frozen) / in the (?:fridge|freezer|cold store) / gekühlt
      / im kühlraum / 冷藏 / 冷冻 / 냉장 / 냉동
    | at room temperature / unrefrigerated / uncooled / ungekühlt / bei zimmertemperatur / 常温 / 室温 / 상온
      / 실온
keeping_on | (?:is|are|was|were) (?:extended|prolonged|renewed|kept (?:open|going)) / stays open
      / remains in (?:force|use|place) / verlängert\w* / bleibt .{0,20}(?:bestehen|offen|erhalten) / 续签
      / 延期 / 延长 / 保留 / 연장 / 존속 / 유지(?:된|하기|됐)
    | (?:is|are|was|were|been) (?:discontinued|scrapped|phased out|abolished|axed|wound up|withdrawn)
      / shuts? (?:down|for good) / (?:wird|wurde|werden) .{0,20}(?:eingestellt|abgeschafft|geschlossen) / 停办
      / 取消 / 撤销 / 废除 / 停用 / 폐지 / 없앴 / 철수 / 단종 / 중단
praising | prais(?:ed|es) / spoke highly of / speaks highly of / full of praise / raved about
      / only good words / good word for
      / lob(?:te|t)\w* / voll des lobes / 称赞 / 赞不绝口 / 表扬 / 好评 / 칭찬 / 호평 / 극찬
    | not (?:one|a|a single) (?:good|kind) word / no good word / slated / panned / complained about
      / tore into / slammed
      / (?:very )?critical of / kein gutes wort / beschwerte sich / 没有?(?:一句)?好话 / 批评 / 差评 / 抱怨
      / 혹평 / 비판 / 불평
scheme | (?:an? )?(?:\w+[- ]?\w* )?plans? (?:exists?|(?:is|are) in place)
      / (?:\w+[- ]?\w* )?plans? (?:was|were|has been|have been) (?:approved|signed off) / has plans
      / have plans / es gibt (?:\w+ )?pläne / 有(?:明确的?)?(?:计划|规划|方案) / 계획이 (?:있|확정|마련)
    | no (?:firm |concrete )?plans? / nothing (?:is )?planned / (?:is|are) not planned / keine (?:\w+ )?pläne
      / nichts geplant / 没有(?:任何)?(?:计划|规划)
      / 无(?:任何)?计划 / 계획이 (?:없|전혀)
visited | (?:has |have )?never (?:been (?:to|in)|visited|set foot in|seen) / war noch nie in
      / 从(?:来)?没有?(?:去|到)过 / 가 ?본 적이 없
    | visited / (?:went|travelled|flew|drove) to / (?:was|were|spent .{2,20}) in / trip to / besuchte
      / reiste nach / flog nach / 去了 / 到访 / 다녀왔 / 방문했
entry | closed to / off[- ]limits (?:to|for) / barred (?:to|for) / no entry for / gesperrt für
      / 禁止.{1,6}(?:通行|进入) / 통행 금지 / 출입 금지
    | (?:may|can) (?:use|enter|cross|pass) / open to / free for / dürfen .{2,30}(?:nutzen|befahren|betreten)
      / 可以(?:通行|进入) / 可通行 / 통행할 수 있 / 출입할 수 있
manned | unmanned / unattended / unstaffed / nobody (?:is )?(?:on duty|there) / unbesetzt / unbewacht
      / 无人值守 / 无人看管 / 무인 / 아무도 없
    | (?:is|are) (?:manned|staffed|attended|guarded)
      / (?:a|the|one) (?:guard|watchman|porter|attendant) (?:sits|stands|works|is) / besetzt / bewacht
      / 有人值(?:班|守) / 专人看管 / 상주 / 경비원이
shared_out | confidential / secret / internal only / only for internal use / vertraulich\w* / 保密 / 机密
      / 内部文件 / 비밀 / 기밀 / 대외비
    | (?:anyone|everyone|everybody|anybody) (?:can|may) (?:read|see|download|open|view)
      / freely (?:available|accessible) / on the website / jeder kann .{2,30}(?:lesen|herunterladen)
      / 人人都?(?:能|可以)(?:看|下载) / 누구나 .{0,12}(?:볼|내려받|열람)
waived | waive[sd]? / let .{2,20} off / erliess / verzichtete auf / 免除 / 免收 / 减免 / 면제(?:했|됐|받)
    | (?:pay|paid|paying|charged|billed) .{0,30}(?:full|in full) / in full / voll bezahlt / 付了 / 收取 / 照付
      / 부과 / 납부했 / 냈다
"""
