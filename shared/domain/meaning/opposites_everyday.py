"""The second half of the opposed words for the meaning judge: people, places and things of every day.

Rules: data only, in the form of opposites.py.
It does not know grammar (latin.py, unspaced.py).
Source: common antonyms of four languages, chosen by us; figures in docs/benchmarks/meaning.json.
"""

EVERYDAY_TABLE = """
secured!   | secure locked_up protected guarded gesichert 보호 保护
           | insecure unsecured unprotected unguarded ungesichert
insured!   | insured insure covered versichert 보험에 가입 投保
           | uninsured not_covered unversichert
tenure!    | employed works_for holds_a_job in_work berufstätig angestellt 재직 在职
           | unemployed jobless out_of_work redundant arbeitslos 실직 무직 失业
cooking    | cooked baked fried gekocht
           | raw uncooked roh
origin     | domestic local homegrown inland native einheimisch 국산 국내 国产 国内 本地
           | foreign imported overseas ausländisch importiert 수입 외국 해외 进口 国外
side_of    | left_side left-hand links
           | right_side right-hand rechts
above      | above upstairs upper top oben
           | below downstairs lower bottom unten
inside     | indoors inside innen drinnen 실내 안쪽 室内
           | outdoors outside aussen draussen 실외 바깥 室外
north      | north northern nord nördlich
           | south southern süd südlich
east       | east eastern ost östlich
           | west western westlich
sharing    | shared joint communal collective gemeinsam 공동 공용 共用 共有
           | sole exclusive separate individual own allein 단독 개별 单独 독자
wholeness  | whole entire all complete ganz 전체 전부 全部 整个
           | partial part half teilweise 일부 部分
flammable! | flammable combustible inflammable brennbar
           | fireproof flame-resistant incombustible feuerfest
waterproof! | waterproof watertight impermeable wasserdicht 방수 防水
           | permeable leaky wasserdurchlässig
edible!    | edible drinkable potable essbar trinkbar
           | inedible poisonous undrinkable ungeniessbar giftig 독성 有毒
on!        | switched_on turned_on on_line online connected plugged_in eingeschaltet angeschlossen 켜져 켜진 연결
             开启 连接
            | switched_off turned_off offline off disconnected unplugged cut_off ausgeschaltet abgeschaltet 꺼져
             꺼진 끊 断开
charge     | charged full_battery geladen
           | flat drained discharged leer
reach      | accessible reachable wheelchair-accessible passable step-free erreichbar zugänglich barrierefrei
           | inaccessible unreachable impassable cut_off unerreichbar unpassierbar
freedom    | free released at_large frei freigelassen 석방
           | imprisoned jailed in_custody captive locked_up inhaftiert 수감 구속
habit!     | regularly always constantly often habitually usually frequently stets immer häufig regelmässig
             항상 자주 늘 매번 언제나 总是 经常 每次 一直
           | never rarely seldom hardly_ever not_once nie selten niemals 결코 한_번도 드물 从不 从来没 从未 很少
unity      | unanimous unanimously einstimmig 만장일치 一致通过
           | split divided narrowly with_dissent gespalten
answer!    | answered replied responded beantwortet 답변 답장 回复 答复
           | unanswered ignored left_open unbeantwortet
cover      | cover include covered contain included enthalten inbegriffen deckt umfasst 포함 보장 包含 包括 涵盖
           | exclude leave_out excluded omit ausgeschlossen ausgenommen 제외 不含 不包括 除外
help       | help assist aid hilft 도왔 돕 帮助
           | hinder obstruct prevent behindert 방해 妨碍 阻碍
attack     | defend protect schützt verteidigt
           | attack assault angreift
push       | push drück
           | pull tug zieht
build      | built erect construct gebaut errichtet 건설 지었 建造 修建
           | demolish demolished razed torn_down pulled_down dismantled burnt_down abgerissen 철거 拆除 拆掉
remember   | remember recall erinnert 기억 记得
           | forget forgot forgotten vergessen 잊 忘记
hire_out   | rent rented tenant leased lease gemietet miete 임차 租用 租
           | own owned bought freehold eigentum besitzt 소유 자가 自有 拥有
visible    | visible seen sichtbar 보이 可见
           | invisible hidden unsichtbar versteckt 숨겨 안_보이 看不见 隐藏
known      | known famous well-known bekannt berühmt 유명 著名 有名
           | unknown obscure unbekannt 무명 不知名
parity     | odd ungerade
           | even gerade
sex        | male man boy männlich 남성 男性
           | female woman girl weiblich 여성 女性
mains | electric electricity electrically-powered battery batteries battery-powered battery-driven elektrisch 전기
电动
             电池
           | diesel petrol gasoline steam coal gas-fired kerosene dampf benzin 디젤 휘발유 증기 柴油 汽油 蒸汽 煤
made_of    | wooden wood timber holz hölzern 나무 목재 木制 木头
            | steel metal iron concrete stone brick plastic stahl beton stein metall 강철 콘크리트 벽돌 钢 铁制
             石头 混凝土 塑料
turning    | clockwise
           | anticlockwise counter-clockwise counterclockwise anti-clockwise
praise     | praise praised commended lauded applauded gelobt 칭찬 表扬 称赞
            | criticise criticised criticize blamed condemned denounced scolded reprimanded kritisiert getadelt
             비판 批评
skill*     | flawlessly beautifully brilliantly skilfully competent skilled expert perfectly well gekonnt 능숙 熟练
            | badly poorly clumsily incompetent unskilled dreadfully terribly awkwardly out_of_tune stümperhaft
             서툴 笨拙
passage!   | passable clear unobstructed navigable free_of_traffic befahrbar frei 통행 畅通
            | blocked impassable obstructed jammed clogged closed_off cut_off flooded gesperrt blockiert 막혀 막힌
             堵塞 不通
load       | loaded overloaded laden full_load beladen
           | empty unladen unloaded unbeladen
crowding   | overcrowded overfull oversubscribed überfüllt 拥挤 붐비
           | half-empty many_empty_places empty_places undersubscribed free_places room_to_spare vacancies
guardian   | supervised watched attended manned staffed guarded besetzt
           | unsupervised unattended unmanned unstaffed unguarded unbesetzt
wooded     | wooded forested planted overgrown bewaldet
           | treeless bare barren cleared kahl
sown       | sweet süss 甜
           | sour bitter sauer 酸 苦
taste*     | tasty delicious lecker 맛있 好吃 美味
           | tasteless disgusting inedible ungeniessbar 맛없 难吃
beauty*    | beautiful pretty lovely handsome schön 아름다 예쁘 美丽 漂亮
           | ugly hideous unsightly hässlich 못생 丑
fame       | respected esteemed admired geachtet
           | despised scorned ridiculed verachtet
weather    | sunny fair fine_weather clear_skies sonnig 맑 晴
           | rainy cloudy overcast foggy stormy regnerisch bewölkt 흐리 阴 下雨
growth     | thriving flourishing booming prosperous blüht 번창 兴旺 繁荣
           | struggling ailing failing declining shrinking dying stagnating kränkelt 쇠퇴 萎缩 衰落
hope       | optimistic hopeful confident zuversichtlich 낙관 乐观
           | pessimistic hopeless doubtful pessimistisch 비관 悲观
joy        | happy glad pleased satisfied content delighted zufrieden glücklich 행복 만족 기쁘 高兴 满意 快乐
            | unhappy sad displeased dissatisfied discontent disappointed unzufrieden traurig 불만 슬프 不满 难过
             伤心
generosity | generous open-handed grosszügig 관대 大方 慷慨
           | stingy mean miserly tight-fisted geizig 인색 吝啬 小气
modesty    | modest humble bescheiden 겸손 谦虚
           | arrogant boastful haughty proud hochmütig 거만 骄傲 自大
talk       | talkative chatty gesprächig
           | taciturn silent schweigsam
patience   | patient geduldig
           | impatient ungeduldig
tidiness!  | tidy neat orderly ordentlich aufgeräumt 정돈 整齐 整洁
           | untidy messy chaotic unordentlich 지저분 杂乱 凌乱
purity     | pure unmixed undiluted
           | mixed diluted blended adulterated
stability! | stable steady firm fixed stabil fest 안정 稳定
           | unstable shaky wobbly loose instabil wackelig 불안정 흔들 不稳 摇晃
voltage    | live energised under_power
           | dead without_power
motion     | moving in_motion in_fahrt 움직 移动
           | stationary at_a_standstill motionless parked immobile stillstehend 멈춰 멈췄 静止
rank       | senior superior
           | junior inferior subordinate
simplicity | plain simple
           | ornate elaborate decorated
guarantee  | guaranteed certain assured
           | uncertain doubtful
consent    | voluntarily willingly gladly
           | unwillingly reluctantly under_protest forced
dress      | dressed clothed
           | naked undressed
locality   | urban in_town
           | rural in_the_country
day_time   | by_day in_daylight daytime
           | by_night after_dark nighttime
accuracy!  | accurate precise exact genau 정확 准确 精确
           | inaccurate imprecise wrong ungenau 부정확 不准
strict     | strict severe stern streng 엄격 严格
           | lenient lax mild indulgent nachsichtig 느슨 宽松
deadly     | harmless mild benign harmlos
           | deadly lethal fatal poisonous venomous tödlich giftig
shape      | round rund 둥근 圆
           | square angular eckig 네모 方形
grown      | ripe mature reif 익은 成熟
           | unripe immature green unreif 덜_익
loyal_to   | kept_his_word kept_her_word kept_its_word kept_their_word kept_the_promise
           | broke_his_word broke_her_word broke_its_word broke_their_word broke_the_promise
caught     | caught captured arrested gefasst 체포 逮捕
           | escaped got_away fled released entkommen 도망 逃脱
rise_sun   | appear appeared emerged
           | vanish vanished disappear disappeared
gathering  | gather assemble united together
           | scatter disperse separated apart
agree_term | extended prolonged
           | shortened curtailed cut_short
import_of  | important significant crucial wichtig 중요 重要
           | unimportant insignificant trivial unwichtig 사소 不重要
use_of     | useful helpful handy nützlich 유용 有用
           | useless worthless nutzlos 쓸모없 没用 无用
clearness  | clear obvious evident klar 분명 清楚
           | unclear vague ambiguous unklar 불분명 模糊
native     | native local-born einheimisch
           | stranger newcomer incomer
majority!  | majority most_of mehrheit 대다수 大多数
           | minority minderheit 소수 少数
credit     | credit creditor guthaben
           | debit debtor schuld
advance!   | in_advance beforehand upfront prepaid im_voraus 선불 预付
           | in_arrears afterwards on_delivery postpaid nachträglich 후불 到付
expertise  | experienced veteran expert old_hand seasoned erfahren 노련 경험이_많 经验丰富 老手
           | inexperienced beginner novice apprentice trainee green unerfahren anfänger 초보 미숙 没有经验 新手
mood_of    | cheerful good-humoured merry jolly in_a_good_mood fröhlich 쾌활 开朗
           | grumpy gloomy sullen bad-tempered morose in_a_bad_mood mürrisch 우울 郁闷 脾气坏
tune!      | in_tune
           | out_of_tune
slope      | steep hilly mountainous sheer steil hügelig 가파 陡
           | flat level gentle flach eben 평평 平坦
bend       | straight gerade 곧은 笔直
           | winding crooked curved twisting kurvig gewunden 구불 弯
containing | spread spreading
           | contained confined put_out extinguished under_control
water      | gives_plenty gives_water flowing full_of_water gushing
           | run_dry ran_dry dried_up runs_dry dry
taking_place! | took_place take_place takes_place went_ahead goes_ahead go_ahead was_held is_held were_held
  fand_statt findet_statt
             열렸 열린다 개최 举行 如期
           | cancelled canceled called_off abandoned scrapped fell_through abgesagt fällt_aus fiel_aus 취소 取消
seat       | still_sits still_serves still_works sits_on serves_on still_belongs still_employed still_works
           | resigned stepped_down left quit dismissed sacked retired no_longer_belongs
word_kept  | keeps_his_promises keeps_her_promises keeps_its_promises keeps_their_promises keep_promises
             kept_his_promise
             keeps_his_word keeps_her_word keeps_its_word keeps_promises
           | breaks_his_promises breaks_her_promises breaks_its_promises breaks_their_promises break_promises
             broke_his_promise breaks_his_word breaks_her_word breaks_its_word breaks_promises
staffing!  | fully_staffed well_staffed well-staffed
           | short_of_staff understaffed short-staffed undermanned
rust!      | polished shiny gleaming rust-free blank rostfrei
           | rusty rusted corroded tarnished rostig verrostet 녹슨 녹슬 生锈
budget*    | over_budget above_budget overspent exceeds_the_budget exceeded_the_budget over_the_limit
           | under_budget below_budget within_budget within_the_budget underspent saved_money
repair!    | repaired mended fixed restored renovated overhauled filled_in repariert renoviert saniert
             instandgesetzt 수리 수선 修好 修复
           | unrepaired in_need_of_repair still_broken neglected in_disrepair dilapidated ruined verfallen 방치 失修
service!   | serviced maintained gewartet
           | overdue_for_a_service neglected never_serviced overdue_for_service
occupied!  | occupied taken inhabited lived_in bewohnt besetzt belegt
           | unoccupied vacant free uninhabited deserted unbewohnt leerstehend frei
alone      | alone by_himself by_herself by_itself by_themselves single-handed allein 혼자 独自 单独
           | together with_others in_company with_a_team zusammen gemeinsam 함께 같이 一起
direct     | direct non-stop direkt 직행 直达
           | indirect with_a_change with_changes 환승 中转
indoor     | indoor covered roofed überdacht
           | outdoor open-air uncovered
pass_on    | handed_over returned gave_back given_back returns
           | kept_back withheld retained kept
early_of   | early ahead_of_time too_early früh 일찍
           | late behind_time too_late spät 늦
trust      | trusted believed
           | distrusted disbelieved suspected
victory    | beat defeated won_against
           | lost_to was_beaten_by
same!      | same identical equal alike gleich identisch 같은 동일 相同 一样
           | different differ unlike unequal verschieden unterschiedlich 다른 다르 不同 不一样
opinion    | optimist
           | pessimist
religious  | religious devout believer gläubig
           | atheist godless unbeliever atheistisch
citizen    | citizen national
           | foreigner alien
ageing     | ageing aging getting_older
           | getting_younger rejuvenated
mono       | colour coloured farbig
           | black-and-white monochrome schwarzweiss
sparing    | spared saved preserved verschont
           | felled cut_down destroyed demolished gefällt
going_on   | going_on goes_on continues still_running dauert_an
           | over ended finished called_off vorbei zu_ende
welcome    | welcome welcomed begrüsst 환영 欢迎
           | deplored regretted condemned turned_away turns_away turn_away beklagt 유감
thrift     | economical thrifty frugal saves sparsam 절약 节省
           | wasteful wastes squanders verschwenderisch 낭비 浪费
audible!   | loud audible hörbar
           | inaudible barely_audible unhörbar
afloat     | afloat floats
           | sunk at_the_bottom sank aground
trend_of   | getting_worse worsening deteriorating
           | easing getting_better improving abating
plenty     | plentiful common abundant widespread häufig 흔하 常见
           | rare scarce nearly_extinct extinct endangered selten 드물 稀少 罕见
turbid     | clear limpid klar 맑 清澈
           | muddy murky cloudy turbid trüb 흐리 탁하 浑浊
switched   | came_on stayed_on
           | stayed_off went_out went_off
attached   | fixed fastened tight firmly_fixed
           | loose came_off detached
credit_of  | gives_credit on_credit
           | for_cash_only cash_only
speech_of  | speaks_highly speaks_well
           | speaks_ill speaks_badly
doors      | in_public publicly öffentlich
           | behind_closed_doors in_private in_secret in_camera
arrears    | punctually on_time promptly
           | behind_with in_arrears_with
confession | admit admitted confessed owned_up gestand gab_zu 인정 承认
           | deny denied disputed bestritt leugnete 부인 否认
terms_of   | friends allies on_good_terms reconciled befreundet verbündet
           | enemies at_odds feuding on_bad_terms verfeindet
admission  | admit admits welcomes lets_in
           | bars excludes keeps_out turns_away
idleness   | round_the_clock day_and_night around_the_clock in_full_swing
           | stands_idle stood_idle lies_idle lay_idle stand_idle
standing   | is_for votes_for voted_for is_in_favour_of
           | is_against votes_against voted_against
shape_of   | in_good_shape in_good_condition in_good_repair
           | wreck in_bad_shape in_poor_condition in_bad_condition
surface    | paved tarmac asphalted surfaced asphaltiert gepflastert
           | unpaved gravel dirt_track unsurfaced ungeteert
"""
