"""The ways in which an article becomes another page. Each repost maps an Article to an Article.

All are deterministic: variation depends on positions, never on chance.
"""
import re

from .articles import Block

# Words that an editor may exchange without changing the meaning.
SYNONYMS = {
    "en": (("usually", "as a rule"), ("before", "ahead of"), ("quickly", "fast"), ("begins", "starts"),
           ("about", "around"), ("small", "little"), ("everybody", "everyone"), ("must", "has to"), ("large", "big"),
           ("perhaps", "maybe")),
    "zh": (("因为", "由于"), ("几乎", "差不多"), ("但是", "不过"), ("可是", "但"), ("马上", "立刻"), ("如果", "要是"),
           ("大约", "大概"), ("现在", "如今"), ("以后", "之后"), ("已经", "早已")),
}

# The characters that differ between scripts, as pairs; only those of the converted articles, so that both directions
# are unambiguous.
SIMPLIFIED_TO_TRADITIONAL = dict(re.findall("(.)(.)", (
    "万萬业業两兩个個为爲么麼于於从從们們价價会會体體余餘侧側内內决決准準几幾划劃办辦区區单單卖賣却卻厉厲变變叠疊台臺"
    "号號后後听聽吴吳场場处處备備够夠头頭实實对對层層岁歲布佈并並应應开開当當录錄总總惊驚户戶报報担擔挤擠摊攤时時条條"
    "来來构構样樣楼樓沟溝没沒浓濃涌湧涨漲渔漁湾灣湿溼满滿灯燈点點状狀独獨现現码碼离離种種称稱筑築筹籌简簡类類约約级級"
    "线線经經结結绕繞职職聪聰虽雖装裝见見计計认認让讓讯訊记記许許设設证證诚誠说說调調负負财財责責资資车車转轉辈輩边邊"
    "迁遷过過还還这這进進远遠连連迟遲邻鄰采採里裏钟鐘钢鋼长長门門闭閉问問间間闻聞阳陽阶階难難顶頂顾顧预預题題风風鱼魚")))
TRADITIONAL_TO_SIMPLIFIED = dict(re.findall("(.)(.)", (
    "乾干來来倉仓個个們们兒儿兩两剛刚動动區区卻却問问嗎吗園园圓圆圖图塊块壞坏嬤嬷學学專专對对層层幾几廟庙張张後后從从"
    "悶闷捨舍採采擋挡擺摆攤摊斷断於于時时曬晒書书會会東东條条樑梁樓楼樣样樹树機机歲岁氣气沒没沖冲淨净準准滿满漁渔灣湾"
    "熱热燈灯燒烧爭争現现畫画當当盞盏盡尽碼码種种籃篮糧粮給给經经線线繞绕聲声聽听舊旧葉叶蓋盖蔭荫薑姜藥药處处蟲虫裡里"
    "見见訪访許许詩诗話话說说誰谁談谈請请論论變变貓猫買买賣卖軟软輕轻輪轮轉转農农這这連连進进過过適适還还邊边鄰邻鋪铺"
    "錢钱鎮镇鐘钟鐵铁長长門门開开間间闆板陽阳階阶隻只離离霧雾頂顶順顺頭头題题風风飯饭飽饱養养魚鱼鳥鸟麼么點点")))

SENTENCE_END = {"en": re.compile(r"(?<=[.!?]) (?=[A-Z\"])"), "zh": re.compile(r"(?<=[。！？])")}

READER_COMMENTS = {
    "en": ("Thank you for writing this down, I have sent it to my brother.",
           "I tried it twice and agree with every word.",
           "Not sure about the second half, where I live it is quite different.",
           "Does anybody know a book on the subject?",
           "My grandmother used to say the same, although she said it louder.",
           "Please write more of these."),
    "zh": ("写得真好，已经转给家里人看了。",
           "我照着试了一次，果然是这样。",
           "后半部分有点不同意，我们这里不一样。",
           "请问有没有相关的书可以推荐？",
           "想起小时候的事情，眼睛有点湿。",
           "期待作者下一篇。"),
}

# Commentary around an excerpt: (opening, closing).
COMMENTARY = {
    "en": ("A reader sent me the lines below last week and asked what I thought of them. I have read them several "
           "times since, once on the train and once aloud to my neighbour, and I keep coming back to the same point.",
           "What strikes me most is how little fuss is made. There are whole shelves on questions like this one, and "
           "most of them could be replaced by a page. My neighbour disagreed, of course; she thinks that a page is "
           "never enough, and that whoever writes one owes the world the other three hundred. We settled on tea, and "
           "I promised to put the question to the readers of this column. Letters will be answered in the order in "
           "which they make me laugh."),
    "zh": ("上个星期有位读者寄来下面这段文字，问我怎么看。我在车上读了一遍，回家以后又读给邻居听，越读越觉得有话要说。",
           "我最佩服的是它不绕弯子。同样的题目，有人能写成厚厚一本书，读完却记不住一句话。邻居不同意我的看法，她觉得短文章"
           "总是偷懒，该讲的道理没有讲透。我们争了半个晚上，最后谁也没有说服谁，只好泡茶喝。这个问题就留给各位读者，来信"
           "请寄本栏目，我会挑最有意思的回复。"),
}

DIGEST_OPENING = {
    "en": "Two pieces from other papers that we did not want you to miss this week, shortened a little for our page.",
    "zh": "本周从别处读到两篇文章，略作删节，推荐给各位读者。",
}


def family(article):
    return "zh" if article.is_chinese else "en"


def sentences(text, language_family):
    return SENTENCE_END[language_family].split(text)


def map_text(article, change):
    """Apply `change` to all texts of the article except code."""
    blocks = [block if block.role == "code" else Block(block.role, tuple(change(line) for line in block.lines))
              for block in article.blocks]
    return article.with_blocks(blocks, title=change(article.title), author=change(article.author))


def unchanged(article):
    return article


def light_edit(article):
    """Synonyms throughout, the second sentence of the longest paragraph removed, a source line at the end."""
    language_family = family(article)

    def swap(line):
        for word, other in SYNONYMS[language_family]:
            line = re.sub(rf"\b{word}\b", other, line) if language_family == "en" else line.replace(word, other)
        return line

    edited = map_text(article, swap)
    longest = max(edited.blocks, key=lambda block: len(block.text) if block.role == "paragraph" else 0)
    kept = sentences(longest.text, language_family)
    if len(kept) > 3:
        del kept[1]
    shortened = Block("paragraph", ((" " if language_family == "en" else "").join(kept),))
    source = "（来源：网络，编辑有删改）" if language_family == "zh" else "(Shortened by the editors.)"
    return edited.with_blocks([shortened if block is longest else block for block in edited.blocks]
                              + [Block("paragraph", (source,))])


def sections(article):
    """Group blocks into sections: from heading to heading, or else from question to question, or else single blocks."""
    starts = {"heading"} if any(block.role == "heading" for block in article.blocks) else {"quote"}
    if not any(block.role in starts for block in article.blocks):
        return [[block] for block in article.blocks]
    runs = [[]]
    for block in article.blocks:
        if block.role in starts and runs[-1]:
            runs.append([])
        runs[-1].append(block)
    return runs


def reordered(article):
    """Keep the opening; move every second of the other sections to the end."""
    opening, *others = sections(article)
    return article.with_blocks(sum(others[1::2] + others[0::2], list(opening)))


def merged_paragraphs(article):
    """Different paragraph breaks: neighbours joined in pairs, headings dropped."""
    glue = "" if article.is_chinese else " "
    result = []
    for block in article.blocks:
        if block.role == "heading":
            continue
        joinable = block.role == "paragraph" and result and result[-1].role == "paragraph" and len(result) % 2 == 1
        if joinable:
            result[-1] = Block("paragraph", (result[-1].text + glue + block.text,))
        else:
            result.append(block)
    return article.with_blocks(result)


def take_share(article, share):
    """Return whole blocks from the start until `share` of the characters is reached."""
    wanted = share * sum(len(block.text) for block in article.blocks)
    kept, size = [], 0
    for block in article.blocks:
        if kept and size + len(block.text) > wanted:
            break
        kept.append(block)
        size += len(block.text)
    return kept


def truncated(article):
    """Cut in the middle of a sentence near the end, as by a feed that limits the size of texts."""
    share = 0.9
    kept = take_share(article, share)
    room = int(share * sum(len(block.text) for block in article.blocks)) - sum(len(block.text) for block in kept)
    cut = article.blocks[len(kept)]
    if cut.role in ("paragraph", "quote") and room > 0:
        kept.append(Block(cut.role, (cut.text[:room].rstrip() + "...",)))
    return article.with_blocks(kept)


def teaser(article):
    """The first part only, with a link to the rest elsewhere."""
    more = "……（全文请到原网站阅读）" if article.is_chinese else "Continue reading on the author's own page."
    return article.with_blocks(take_share(article, 0.45) + [Block("paragraph", (more,))])


def excerpt(article):
    """A third of the article, quoted within another author's column."""
    opening, closing = COMMENTARY[family(article)]
    paragraphs = [block for block in article.blocks if block.role == "paragraph"]
    middle = paragraphs[1:1 + max(1, len(paragraphs) // 3)]
    title = f"读《{article.title}》有感" if article.is_chinese else f"On reading: {article.title}"
    return article.with_blocks([Block("paragraph", (opening,)), *middle, Block("paragraph", (closing,))], title=title)


def digest(article, other):
    """Two articles on one page, each slightly shortened."""
    language_family = family(article)
    blocks = [Block("paragraph", (DIGEST_OPENING[language_family],))]
    for part in (article, other):
        blocks += [Block("heading", (part.title,)), *take_share(part, 0.7)]
    return article.with_blocks(blocks, title="一周文摘" if language_family == "zh" else "The week in two pieces")


def with_comments(article):
    """Readers' comments within the article's own markup."""
    language_family = family(article)
    names = ("读者甲", "读者乙", "路过的人") if language_family == "zh" else ("Anna", "B. Gruber", "passer-by")
    comments = [Block("quote", (f"{names[index % 3]}: {text}",))
                for index, text in enumerate(READER_COMMENTS[language_family])]
    return article.with_blocks([*article.blocks, *comments])


def convert(article, table, language):
    changed = map_text(article, lambda line: "".join(table.get(character, character) for character in line))
    return changed.with_blocks(changed.blocks, language=language)


def to_simplified(article):
    return convert(article, TRADITIONAL_TO_SIMPLIFIED, "zh-Hans")


def to_traditional(article):
    return convert(article, SIMPLIFIED_TO_TRADITIONAL, "zh-Hant")


FULL_WIDTH = {code: code + 0xFEE0 for code in range(0x21, 0x7F)}
HALF_WIDTH = str.maketrans({"，": ", ", "。": ". ", "：": ": ", "；": "; ", "？": "? ", "！": "! ", "（": " (", "）": ") ",
                            "“": '"', "”": '"', "、": ", "})


def full_width(article):
    """Letters, digits and ASCII punctuation as full-width forms."""
    return map_text(article, lambda line: line.translate(FULL_WIDTH))


def half_width(article):
    """Chinese punctuation as ASCII."""
    return map_text(article, lambda line: line.translate(HALF_WIDTH).rstrip())
