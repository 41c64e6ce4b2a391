"""Turns documents in Markdown into pages of a site: the text amid a header, navigation and a footer.

Three layouts, so that two releases of a document can differ in all but their text. needs markdown-it-py.
"""
import html
import re

from markdown_it import MarkdownIt

# Of each language: contents, search, edit this page, previous, next, the line at the foot.
PHRASES = {
    "ar": ("المحتويات", "بحث", "عدّل هذه الصفحة", "السابق", "التالي", "جميع الحقوق محفوظة للمساهمين في المشروع"),
    "de": ("Inhalt", "Suche", "Diese Seite bearbeiten", "Zurück", "Weiter", "Alle Rechte bei den Beitragenden"),
    "es": ("Contenido", "Buscar", "Editar esta página", "Anterior", "Siguiente", "Todos los derechos de sus autores"),
    "ja": ("目次", "検索", "このページを編集", "前へ", "次へ", "著作権は貢献者に帰属します"),
    "ko": ("목차", "검색", "이 페이지 편집", "이전", "다음", "저작권은 기여자에게 있습니다"),
    "ru": ("Содержание", "Поиск", "Изменить страницу", "Назад", "Вперёд", "Все права принадлежат участникам проекта"),
    "th": ("สารบัญ", "ค้นหา", "แก้ไขหน้านี้", "ก่อนหน้า", "ถัดไป", "ลิขสิทธิ์เป็นของผู้ร่วมพัฒนาโครงการ"),
}

PAGE = """<!DOCTYPE html>
<html lang="{language}" dir="{direction}"><head><meta charset="utf-8"><title>{title} | {site}</title>
<link rel="stylesheet" href="/site.css"></head>
{body}
</html>
"""

LAYOUTS = (
    """<body><header class="navbar"><a href="/">{site}</a><form><input placeholder="{search}"></form></header>
<div class="wrapper"><aside class="sidebar"><h4>{contents}</h4><ul>{links}</ul></aside>
<main><article>{text}</article><p class="edit"><a href="/edit">{edit}</a></p>
<nav class="pager"><a href="{before}">{previous}</a> <a href="{after}">{next}</a></nav></main></div>
<footer><p>© {site}. {foot}.</p></footer></body>""",
    """<body bgcolor="#ffffff"><table width="100%">
<tr><td colspan="2"><b>{site}</b> | <a href="/">{search}</a></td></tr>
<tr><td valign="top" width="200"><b>{contents}</b><br>{lines}</td><td valign="top"><div>{text}</div>
<hr><a href="{before}">« {previous}</a> | <a href="{after}">{next} »</a></td></tr></table>
<center><small>{site}: {foot}</small></center></body>""",
    """<body class="page"><div id="top"><div class="brand">{site}</div>
<div class="crumbs"><a href="/">{site}</a> / {title}</div></div>
<div class="container"><div class="row"><div class="col-md-9 content">{text}</div>
<div class="col-md-3"><div class="panel"><div class="panel-heading">{contents}</div><ul class="list-group">{links}</ul>
<a class="btn" href="/edit">{edit}</a></div></div></div></div>
<div class="footer"><div class="container">{foot} · {site}</div></div></body>""",
)

FRONT_MATTER = re.compile(r"\A---\r?\n(.*?)\r?\n---\r?\n", re.S)
COMMENT = re.compile(r"<!--.*?-->", re.S)


def rendered(source):
    """The title of a document and its text as HTML, under a heading."""
    title = ""
    front = FRONT_MATTER.match(source)
    if front:
        named = re.search(r"^title:\s*(.+?)\s*$", front.group(1), re.M)
        title = named.group(1).strip("'\"") if named else ""
        source = source[front.end():]
    source = COMMENT.sub("", source)
    heading = re.search(r"^#\s+(.+?)\s*#*\s*$", source, re.M)
    if heading and not title:
        title = re.sub(r"[*`]|\[|\]\([^)]*\)", "", heading.group(1))
    text = MarkdownIt("commonmark", {"html": True}).enable(["table", "strikethrough"]).render(source)
    return title, text if heading else f"<h1>{html.escape(title)}</h1>\n{text}"


def page_of(title, text, language, site, titles, layout):
    """The page; `titles` are those of the other documents of the site, `layout` any number."""
    contents, search, edit, previous, following, foot = PHRASES[language]
    names = [html.escape(name) for name in titles]
    body = LAYOUTS[layout % len(LAYOUTS)].format(
        site=html.escape(site), title=html.escape(title), text=text, contents=contents, search=search, edit=edit,
        previous=previous, next=following, foot=foot, before="/before", after="/after",
        links="\n".join(f'<li><a href="/{i}">{name}</a></li>' for i, name in enumerate(names)),
        lines="\n".join(f'<a href="/{i}">{name}</a><br>' for i, name in enumerate(names)))
    return PAGE.format(language=language, direction="rtl" if language == "ar" else "ltr", title=html.escape(title),
                       site=html.escape(site), body=body)
