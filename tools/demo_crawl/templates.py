"""Six web sites, each with its own markup, frame and conventions. render(site, article, ...) returns a page as HTML.

They differ on purpose in: <p>, <br> or <div> for paragraphs; tables or sections for layout; the places of navigation,
related links, advertisements, comments and small print; whether the page declares its charset.
"""
import dataclasses
import html
from typing import Callable

LABELS = {
    "en": {"home": "Home",
           "menu": ("Politics", "Economy", "Culture", "Science", "Travel", "Sports", "Archive", "Contact"),
           "related": "You may also like", "popular": "Most read",
           "ad": "Advertisement: comfortable shoes at half price, today only. Order now and pay later.",
           "share": "Share this page", "by": "By", "published": "Published",
           "subscribe": "Subscribe to our newsletter and never miss a story. You can leave at any time.",
           "cookies": "We use cookies to make this site work and to count its readers. By reading on you agree.",
           "rights": "All rights reserved. No part of this site may be copied without permission.",
           "comments": "Comments", "search": "Search", "tags": "Tags", "previous": "Older entry", "next": "Newer entry",
           "about": "About this page: a notebook kept since 2011 by people who should be doing something else."},
    "zh-Hans": {"home": "首页", "menu": ("时政", "财经", "文化", "科技", "旅游", "体育", "专题", "联系我们"),
                "related": "相关阅读", "popular": "热门排行", "ad": "广告：春季新款跑鞋限时五折，今天下单，先穿后付。",
                "share": "分享到", "by": "作者", "published": "发布时间",
                "subscribe": "订阅本站邮件，每周一封，精彩内容不错过，随时可以退订。",
                "cookies": "本网站使用必要的缓存技术统计访问人数，继续浏览即表示您同意。",
                "rights": "版权所有，未经书面授权不得转载、摘编。", "comments": "网友评论", "search": "搜索", "tags": "标签",
                "previous": "上一篇", "next": "下一篇", "about": "关于本站：几个闲人从二〇一一年开始记的一本流水账。"},
    "zh-Hant": {"home": "首頁", "menu": ("時政", "財經", "文化", "科技", "旅遊", "體育", "專題", "聯絡我們"),
                "related": "相關閱讀", "popular": "熱門排行", "ad": "廣告：春季新款跑鞋限時五折，今天下單，先穿後付。",
                "share": "分享到", "by": "作者", "published": "發佈時間",
                "subscribe": "訂閱本站郵件，每週一封，精彩內容不錯過，隨時可以退訂。",
                "cookies": "本網站使用必要的快取技術統計訪問人數，繼續瀏覽即表示您同意。",
                "rights": "版權所有，未經書面授權不得轉載、摘編。", "comments": "網友評論", "search": "搜尋", "tags": "標籤",
                "previous": "上一篇", "next": "下一篇", "about": "關於本站：幾個閒人從二〇一一年開始記的一本流水帳。"},
}


@dataclasses.dataclass(frozen=True)
class Frame:
    """The data of a page that a site shows in addition to its text."""
    host: str
    url: str
    charset: str
    related: tuple  # of (title, url)
    labels: dict


def escape(text):
    return html.escape(text, quote=False)


def links(entries, separator="", wrap="<li>{}</li>"):
    return separator.join(wrap.format(f'<a href="{url}">{escape(title)}</a>') for title, url in entries)


def menu(frame):
    return [(title, f"https://{frame.host}/{index}/") for index, title in enumerate(frame.labels["menu"], 1)]


# ----------------------------------------------------------------------------------------------------------------------
# Blocks

def table_markup(block):
    rows = "".join("<tr>" + "".join(f"<td>{escape(cell)}</td>" for cell in line.split(" | ")) + "</tr>\n"
                   for line in block.lines)
    return f'<table border="1">\n{rows}</table>'


def semantic_blocks(article):
    """<p>, <h2>, <ul>, <blockquote>, <pre>, as written by a content management system."""
    markup = {"heading": "<h2>{}</h2>", "quote": "<blockquote><p>{}</p></blockquote>", "paragraph": "<p>{}</p>",
              "code": "<pre><code>{}</code></pre>"}
    for block in article.blocks:
        if block.role == "list":
            yield "<ul>\n" + "".join(f"<li>{escape(line)}</li>\n" for line in block.lines) + "</ul>"
        elif block.role == "table":
            yield table_markup(block)
        else:
            yield markup[block.role].format(escape(block.text))


def break_blocks(article, indent=""):
    """No paragraph elements: text separated by two line breaks."""
    for block in article.blocks:
        if block.role == "table":
            yield table_markup(block)
        elif block.role == "code":
            yield f"<pre>{escape(block.text)}</pre>"
        elif block.role == "heading":
            yield f"<b>{escape(block.text)}</b><br><br>"
        elif block.role == "list":
            yield "<br>\n".join(f"&bull; {escape(line)}" for line in block.lines) + "<br><br>"
        else:
            yield f"{indent}{escape(block.text)}<br><br>"


def division_blocks(article):
    """A <div> for everything, as written by visual editors."""
    for block in article.blocks:
        if block.role == "table":
            yield table_markup(block)
        elif block.role == "code":
            yield "<pre>" + escape(block.text) + "</pre>"
        elif block.role == "list":
            yield "".join(f'<div class="item">- {escape(line)}</div>\n' for line in block.lines)
        else:
            style = "title2" if block.role == "heading" else "text"
            yield f'<div class="{style}"><span>{escape(block.text)}</span></div>'


# ----------------------------------------------------------------------------------------------------------------------
# Sites

def news_site(article, frame):
    labels = frame.labels
    return f"""<!DOCTYPE html>
<html lang="{article.language}">
<head><meta charset="{frame.charset}"><title>{escape(article.title)} - The Example News</title>
<script>window.pageData = {{"section": "news", "tracking": true}};</script>
<style>body {{ font-family: serif }} .ad {{ background: #eee }}</style></head>
<body>
<header><a href="https://{frame.host}/">{labels["home"]}</a><nav><ul>{links(menu(frame))}</ul></nav></header>
<div class="cookie-banner">{labels["cookies"]}</div>
<main><article>
<h1>{escape(article.title)}</h1>
<p class="byline">{labels["by"]} {escape(article.author)} | {labels["published"]} {article.date}</p>
{chr(10).join(semantic_blocks(article))}
<div class="share">{labels["share"]}: <a href="#">Mail</a> <a href="#">Print</a></div>
</article>
<aside><h3>{labels["related"]}</h3><ul>{links(frame.related)}</ul><div class="ad">{labels["ad"]}</div></aside></main>
<footer><p>{labels["subscribe"]}</p><p>{labels["rights"]}</p></footer>
</body></html>"""


def blog_site(article, frame):
    labels = frame.labels
    return f"""<html><head><meta http-equiv="Content-Type" content="text/html; charset={frame.charset}">
<title>{escape(article.title)}</title></head>
<body><div id="wrapper"><div id="top"><h1><a href="/">notebook</a></h1><p>{labels["about"]}</p></div>
<div id="content"><div class="post"><h2 class="post-title"><a href="{frame.url}">{escape(article.title)}</a></h2>
<div class="post-body">{chr(10).join(break_blocks(article))}</div>
<div class="post-footer">{labels["by"]} {escape(article.author)}, {article.date} - {labels["tags"]}:
<a href="/t/1">{escape(article.section)}</a></div></div>
<div id="pager"><a href="/p/1">{labels["previous"]}</a> | <a href="/p/2">{labels["next"]}</a></div></div>
<div id="sidebar"><h3>{labels["popular"]}</h3><ul>{links(frame.related)}</ul>
<h3>{labels["menu"][6]}</h3><ul><li><a href="/2025/03">2025-03 (14)</a></li><li><a href="/2025/02">2025-02 (9)</a></li>
<li><a href="/2025/01">2025-01 (21)</a></li></ul></div></div></body></html>"""


def mirror_site(article, frame):
    labels = frame.labels
    return f"""<HTML><HEAD><TITLE>{escape(article.title)}</TITLE></HEAD>
<BODY bgcolor="#ffffff"><TABLE width="100%" border="0"><TR><TD colspan="2" bgcolor="#003366"><FONT color="white">
{links(menu(frame), " | ", "{}")}</FONT></TD></TR>
<TR><TD width="160" valign="top"><FONT size="2"><B>{labels["popular"]}</B><BR>
{links(frame.related, "<BR>" + chr(10), "{}")}</FONT></TD>
<TD valign="top"><CENTER><FONT size="5">{escape(article.title)}</FONT></CENTER><BR>
<FONT size="3">{chr(10).join(break_blocks(article, "&nbsp;&nbsp;&nbsp;&nbsp;"))}</FONT>
<HR><FONT size="1">{labels["rights"]}</FONT></TD></TR></TABLE></BODY></HTML>"""


def community_site(article, frame):
    labels = frame.labels
    return f"""<!doctype html><html><head><meta charset="{frame.charset}">
<title>{escape(article.title)} | community</title></head>
<body class="page"><div class="nav">{links(menu(frame), " ", "<span>{}</span>")}</div>
<form action="/search"><input name="q"><button>{labels["search"]}</button></form>
<div class="columns"><div class="left"><div class="headline">{escape(article.title)}</div>
<div class="user"><b>{escape(article.author)}</b> <i>{article.date}</i> <a href="#">+1</a> <a href="#">-1</a></div>
<div class="entry">
{chr(10).join(division_blocks(article))}
</div>
<div class="commentbox"><h4>{labels["comments"]} (2)</h4>
<div class="c"><b>kim</b> +1</div><div class="c"><b>lou</b> :-)</div></div>
</div><div class="right"><div class="box">{labels["ad"]}</div><div class="box"><b>{labels["related"]}</b>
<ul>{links(frame.related)}</ul></div></div></div>
<div class="bottom">{labels["cookies"]} {labels["rights"]}</div></body></html>"""


def portal_site(article, frame):
    labels = frame.labels
    channels = [(f"{title} {number}", f"https://{frame.host}/c/{number}")
                for number in range(1, 4) for title in labels["menu"]]
    return f"""<!DOCTYPE html>
<html><head><meta charset="{frame.charset}">
<title>{escape(article.title)}_{labels["menu"][2]}_portal</title></head><body>
<div class="topbar">{links(channels, " ", "{}")}</div>
<div class="crumbs"><a href="/">{labels["home"]}</a> &gt; <a href="/c/">{escape(article.section)}</a></div>
<div class="banner">{labels["ad"]}</div>
<h1 id="artTitle">{escape(article.title)}</h1>
<div class="info">{labels["published"]}: {article.date} 09:30 {escape(article.author)}</div>
<div id="artBody" class="clearfix">
{chr(10).join(semantic_blocks(article)).replace("<p>", '<p style="text-indent:2em">')}
</div>
<div class="share">{labels["share"]}</div>
<div class="rel"><h2>{labels["related"]}</h2><ul>{links(frame.related)}</ul></div>
<div class="hot"><h2>{labels["popular"]}</h2><ol>{links(tuple(reversed(frame.related)))}</ol></div>
<div class="foot">{links(menu(frame), " | ", "{}")}<p>{labels["rights"]}</p></div></body></html>"""


def reader_site(article, frame):
    return f"""<!DOCTYPE html>
<html lang="{article.language}"><head><meta charset="{frame.charset}"><title>{escape(article.title)}</title></head>
<body><section class="reader"><h1>{escape(article.title)}</h1>
{chr(10).join(semantic_blocks(article))}
</section><footer><a href="/">{frame.labels["home"]}</a></footer></body></html>"""


@dataclasses.dataclass(frozen=True)
class Site:
    host: str
    path: str  # with {number}
    draw: Callable
    names_charset_in_header: bool


SITES = {
    "news": Site("news.example", "/articles/{number}.html", news_site, True),
    "blog": Site("blog.example.org", "/2025/entry-{number}", blog_site, False),
    "mirror": Site("mirror.example.net", "/docs/{number}.htm", mirror_site, False),
    "community": Site("community.example.com", "/t/{number}", community_site, True),
    "portal": Site("portal.example", "/c/2025/{number}.shtml", portal_site, True),
    "reader": Site("reader.example", "/read?id={number}", reader_site, True),
}


def page_url(site, number):
    return f"https://{SITES[site].host}{SITES[site].path.format(number=number)}"


def render(site, article, number, charset, related):
    frame = Frame(SITES[site].host, page_url(site, number), charset, tuple(related), LABELS[article.language])
    return SITES[site].draw(article, frame)
