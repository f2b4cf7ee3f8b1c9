"""Words that do not tell one thing from another: function words, degrees, manners and bearers of nouns, in three
scripts.

Rules: data only. What a sentence says alone in these words makes no other subject; polarity, times and figures
are read
elsewhere.
It does not know sentences (loose.py).
Source: closed classes and light verbs of the four languages; chosen by us.
"""

LIGHT_LATIN = frozenset(
    """
    herr herrn frau firma gmbh whatsoever whatever entirely currently presently nowadays today still already yet
    also too even just simply actually really indeed certainly
    clearly definitely completely fully entirely wholly totally absolutely quite very rather fairly pretty almost
    nearly
    always usually normally generally typically regularly constantly permanently continuously consistently strictly
    exactly precisely officially formally recently lately finally eventually again ever
    one ones every each any some such same own another whatever everything anything something somebody
    decide decided decision agreed agreement confirm confirmed report reported record recorded registered listed
    stated
    show shows showed shown appear appears know known call called named describe described mention mentioned
    get gets got become becomes became remain remains remained stay stays keep keeps kept put puts place placed
    carry carried perform performed conduct conducted provide provides provided offer offers offered receive receives
    grant granted obtain obtained gain gained reach reached enjoy enjoys possess possesses hold holds include includes
    happen happens happened occur occurs occurred take takes took taken make makes made give gives gave given
    do does did done go goes went gone come comes came use uses used run runs ran set sets bring brings brought
    turn turns turned lie lies lay sit sits stand stands stood find finds found able possible kind sort type way
    matter
    fact case point basis result terms time times moment occasion present current new total full overall average whole
    entire own certain particular specific various several different available necessary
    people person staff team member members side part number amount level rate figure quantity
    as per under according via within across throughout among between against toward towards upon concerning regarding
    split fixed fix agreed set limit limited capped exactly plain simple bit lot little much many more most less least
    ours theirs mine yours himself herself itself themselves ourselves
    der die das den dem des ein eine einen einem einer eines und oder aber auch noch schon nur sehr ganz gar sogar
    ich du er sie es wir ihr uns euch ihnen ihm ihn mich dich sich mein meine meinen meiner dein sein seine seinen
    seiner
    seinem ihre ihren ihrer ihrem unser unsere unserem unseren unserer euer dieser diese dieses diesen diesem
    jener jene
    welche welcher alle allen aller alles jeder jede jedes jeden jedem beide beiden einige mehrere manche man
    ist sind war waren wird werden wurde wurden worden geworden sein gewesen hat haben hatte hatten kann können konnte
    könnte könnten muss müssen musste darf dürfen durfte soll sollen will wollen lässt lassen liess liessen
    bei beim mit von vom aus nach zu zum zur an am auf in im ins über unter vor hinter neben zwischen für gegen durch
    um ohne seit bis ab während wegen laut gemäss innerhalb pro je als wie dass ob weil damit dort hier da dann jetzt
    derzeit zurzeit aktuell momentan heute immer stets jeweils täglich wöchentlich monatlich jährlich regelmässig
    gewohnt üblich weiterhin bereits erst wieder genau rund etwa ungefähr ungefähre insgesamt lediglich höchstens
    mindestens maximal eigenen eigene eigener einzige einzigen sämtliche sämtlichen gesamte gesamten ganze ganzen
    volle
    macht machen gibt gab geht ging kommt kam steht stand stehen liegt lag liegen bleibt blieb hält hielt nimmt nahm
    bekommt bekam erhält erhielt besitzt verfügt beträgt findet fand stellt stellte führt führte befindet gehört
    bietet
    bezahlt zahlt entspricht handelt gilt gelten galt bedeutet darüber davon dafür dazu daran darauf dabei wurde
    """.split()
)

LIGHT_HANGUL = frozenset(
    """
    있 없 되 하 이 그 저 것 수 등 및 더 또 매우 아주 정말 잘 모두 전부 전체 총 약 대략 현재 지금 이미 아직 이번
    저희 우리
    항상 늘 언제나 매번 계속 줄곧 꾸준히 바로 다시 이후 이전 동안 대해 대한 관한 위한 통해 따라 따르면 의해 중 내
    안 밖
    유지 유지된 고정 고정되어 설정 지정 규정 결정 정해져 정해진 정해 확인 기록 보고 발표 밝혔 밝힌 말했 전했 알려
    나타났
    이루어 이뤄 실시 진행 시행 제공 보유 갖고 가지고 갖추 갖춘 두고 있는 있었 하고 하는 한 할 해 했 된 되어 되는 됐 될
    받 받고 받은 받는 받았 얻 얻은 상태 상황 경우 때 곳 점 측 쪽 뜻 입장 의견 방침 사실 관계 정도 수준 기준 기록했
    나왔
    해당 각 매 매일 매주 매달 매월 매년 하루 오늘 올해 이달 이번주 이번달 사용 이용 운영 관리 달한 달했 이른 이르
    나간 나가
    """.split()
)

LIGHT_HAN = tuple(
    """
    目前 现在 现今 如今 当前 一直 总是 始终 经常 已经 正在 仍然 仍 依然 完全 全部 整体 总体
    全体 全都 非常 十分 相当 比较 实现 遭到 受到 得到 获得 取得 进行 予以 加以 给予 作出
    做出 表示 表明 显示 确认 确定 记录 报告 宣布 公布 据 根据 按照 按 规定 决定 决议 要求
    属于 成为 变成 保持 维持 处于 位于 具有 拥有 设有 配有 备有 提供 采用 使用 利用 开展
    实行 实施 任何 所有 各个 各种 每个 每位 一个 一些 一级 一次 一种 这个 那个 这些 那些
    这批 该 本 我们 他们 我司 公司的 方面 情况 左右 大约 大概 约为 总共 一共 共计 合计 折合
    相当于 达到 共有 固定 设定 限定 结果 其中 期间 当时 时候 时间 第 度
    """.split()
)
