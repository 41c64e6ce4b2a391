// Writes a page in document order into one string: the site's template around the article, then the whole page in its
// charset. The template is what an extractor has to remove, so it contains what real pages have: navigation, link lists
// with other pages' titles, advertisements in and around the text, comments, scripts and styles. Fixed traits come from
// the site, the rest from `random_`, which is drawn from in document order: an additional draw changes everything after
// it, and with it the bytes of every corpus. Each draw is a statement of its own, since the order of a call's arguments
// is left to the compiler.
#include "lab/simulate/render.h"

#include <fmt/format.h>

#include "lab/simulate/charset_encode.h"
#include "lab/simulate/language/phrases.h"

namespace paraprint::inline lab::inline simulate {
namespace {

// Texts are written between tags only, never into attribute values, so quotes need no escape. Phrases of the site are
// our own, contain no markup and are written as they are.
void append_escaped(std::string& out, std::string_view text) {
  for (const char c : text) {
    switch (c) {
      case '&':
        out += "&amp;";
        break;
      case '<':
        out += "&lt;";
        break;
      case '>':
        out += "&gt;";
        break;
      default:
        out += c;
    }
  }
}

std::string escaped(std::string_view text) {
  std::string out;
  append_escaped(out, text);
  return out;
}

// "und" (undetermined) is the language tag for anything but Chinese and English,
// which detect_language() does not tell apart.
std::string_view language_tag(const Article& article) {
  if (article.language == ArticleLanguage::kChinese) return article.is_traditional ? "zh-TW" : "zh-CN";
  return article.language == ArticleLanguage::kEnglish ? "en" : "und";
}

class Renderer {
 public:
  Renderer(const PageDraft& draft, const Site& site, const std::vector<std::string>& titles, Random random)
      : draft_(draft), site_(site), titles_(titles), random_(random) {}

  std::string html() {
    // Sites without HTML5 elements are older: XHTML doctype here, <div> for
    // <header>, <nav>, <main> and <article> below.
    out_ = site_.has_html5_elements ? "<!DOCTYPE html>\n"
                                    : "<!DOCTYPE html PUBLIC \"-//W3C//DTD XHTML 1.0 Transitional//EN\" "
                                      "\"http://www.w3.org/TR/xhtml1/DTD/xhtml1-transitional.dtd\">\n";
    add("<html lang=\"{}\">\n", language_tag(draft_.article));
    head();
    body();
    out_ += "</html>\n";
    return std::move(out_);
  }

 private:
  template <class... Arguments>
  void add(fmt::format_string<Arguments...> format, Arguments&&... arguments) {
    fmt::format_to(std::back_inserter(out_), format, std::forward<Arguments>(arguments)...);
  }
  // The site's prefix keeps extractors from finding the template by the same class names everywhere.
  std::string class_name(std::string_view name) const { return site_.prefix + std::string(name); }
  // A bare page is its article and nothing around it.
  bool has_chrome() const { return site_.layout != SiteLayout::kBare; }
  // `probability` at the default chrome_share of 0.5; it grows in proportion and may exceed 1.
  bool wants(double probability) { return random_.chance(probability * 2 * draft_.chrome_share); }

  void head() {
    out_ += "<head>\n";
    meta_charset();
    add("<title>{} - {}</title>\n", escaped(draft_.article.title), escaped(site_.name));
    // Style and script are text that must not be taken for content. They differ by site, so they do not make pages of
    // different sites look alike.
    add("<style>body{{font-family:{};color:{}}} .{}{{line-height:1.7;font-size:{}px}}</style>\n", site_.font,
        site_.colour, site_.content_class, 12 + site_.name.size());
    if (site_.has_scripts) {
      add("<script>var _site='{}';(function(){{var s=document.createElement('script');s.async=true;"
          "s.src='//stat.{}/t.js';document.head.appendChild(s);}})();</script>\n",
          site_.name, site_.host);
    }
    for (const std::string& markup : draft_.head_markup) add("{}\n", markup);
    out_ += "</head>\n";
  }

  // The <meta> declaration. It precedes <title>, so that a reader which searches the first bytes for it finds it before
  // any text in the charset.
  void meta_charset() {
    const CharsetDeclaration declaration = draft_.declaration;
    if (declaration == CharsetDeclaration::kHeaderOnly || declaration == CharsetDeclaration::kNone) return;
    // A wrong declaration says GB2312 on UTF-8 pages and UTF-8 on all others.
    const bool is_utf8 = draft_.charset == "utf-8";
    const std::string_view lie = is_utf8 ? "gb2312" : "utf-8";
    const std::string_view charset =
        declaration == CharsetDeclaration::kLyingMeta ? lie : std::string_view(draft_.charset);
    if (site_.has_html5_elements) {
      add("<meta charset=\"{}\">\n", charset);
    } else {
      add("<meta http-equiv=\"Content-Type\" content=\"text/html; charset={}\" />\n", charset);
    }
  }

  void body() {
    out_ += "<body>\n";
    if (site_.layout == SiteLayout::kTable) {
      table_body();
    } else {
      if (has_chrome()) header();
      const std::string_view main = site_.has_html5_elements ? "main" : "div";
      add("<{} class=\"{}\">\n", main, class_name("wrap"));
      // The sidebar precedes the article on documentation pages and follows it on portals and blogs, so position in the
      // document does not separate it from the content. Forums and mobile pages have none.
      if (site_.layout == SiteLayout::kDocumentation) sidebar();
      article();
      after_article();
      if (site_.layout == SiteLayout::kPortal || site_.layout == SiteLayout::kBlog) sidebar();
      add("</{}>\n", main);
    }
    footer();
    out_ += "</body>\n";
  }

  // Layout by table, as on old pages: the sidebar is a cell before that of the text.
  void table_body() {
    header();
    out_ +=
        "<table width=\"960\" border=\"0\" cellpadding=\"0\" align=\"center\"><tr><td width=\"200\" valign=\"top\">\n";
    sidebar();
    out_ += "</td><td valign=\"top\">\n";
    article();
    after_article();
    out_ += "</td></tr></table>\n";
  }

  void header() {
    const std::string_view element = site_.has_html5_elements ? "header" : "div";
    add("<{} class=\"{}\"><a href=\"/\">{}</a>\n", element, class_name("header"), site_.name);
    const std::string_view nav = site_.has_html5_elements ? "nav" : "div";
    add("<{} class=\"{}\"><ul>\n", nav, class_name("nav"));
    for (std::size_t i = 0; i < site_.navigation.size(); ++i)
      add("<li><a href=\"/c{}\">{}</a></li>\n", i, site_.navigation[i]);
    add("</ul></{}>\n", nav);
    if (wants(0.3)) breadcrumb();
    add("</{}>\n", element);
    if (wants(0.4)) advertisement();
  }

  // Repeats the article's title outside of the article. Sites have at least five navigation entries.
  void breadcrumb() {
    add("<div class=\"{}\"><a href=\"/\">{}</a> &gt; <a href=\"/c1\">{}</a> &gt; {}</div>\n", class_name("crumb"),
        site_.navigation[0], site_.navigation[1], escaped(draft_.article.title));
  }

  // The random id makes each link unique, as on real pages; the visible text is one of the site's few.
  void advertisement() {
    if (site_.advertisements.empty()) return;
    const std::string& advertisement = random_.pick(site_.advertisements);
    const std::size_t id = random_.below(1000);
    add("<div class=\"{}\"><a href=\"//ad.{}/c?id={}\" rel=\"nofollow\">{}</a></div>\n", class_name("ad"), site_.host,
        id, advertisement);
  }

  // The more chrome, the more of the site's widgets; always the same first ones,
  // in the same order, as in a real template.
  void sidebar() {
    const std::string_view element = site_.has_html5_elements ? "aside" : "div";
    add("<{} class=\"{}\">\n", element, class_name("sidebar"));
    const auto count = static_cast<std::size_t>(static_cast<double>(site_.widgets.size()) * draft_.chrome_share + 0.5);
    for (std::size_t i = 0; i < count; ++i) links(site_.widgets[i], random_.between(3, 8));
    if (wants(0.4)) advertisement();
    add("</{}>\n", element);
  }

  // Lists of links with titles of other pages: unrelated pages share text this way, but none of it is main content.
  void links(std::string_view title, std::size_t count) {
    if (titles_.empty()) return;
    add("<div class=\"{}\"><h3>{}</h3><ul>\n", class_name("widget"), title);
    for (std::size_t i = 0; i < count; ++i) {
      const std::string& other = random_.pick(titles_);
      const std::size_t number = random_.below(1'000'000);
      add("<li><a href=\"/{}.html\">{}</a></li>\n", number, escaped(other));
    }
    out_ += "</ul></div>\n";
  }

  void article() {
    // Forum posts are rarely marked up as <article>.
    const std::string_view element = site_.has_html5_elements && site_.layout != SiteLayout::kForum ? "article" : "div";
    add("<{} class=\"{}\">\n", element, class_name("post"));
    // Old pages mark the title by font size instead of a heading.
    const bool is_old = site_.layout == SiteLayout::kTable;
    if (is_old) {
      add("<p align=\"center\"><font size=\"5\"><b>{}</b></font></p>\n", escaped(draft_.article.title));
    } else {
      add("<h1>{}</h1>\n", escaped(draft_.article.title));
    }
    // Datelines are inside the article element but outside of the content element; labels are measured without them.
    for (const std::string& line : draft_.lead_lines)
      add("<div class=\"{}\">{}</div>\n", class_name("meta"), escaped(line));
    for (const std::string& markup : draft_.lead_markup)
      add("<div class=\"{}\">{}</div>\n", class_name("meta"), markup);
    add("<div class=\"{}\">\n", site_.content_class);
    paragraphs();
    out_ += "</div>\n";
    for (const std::string& line : draft_.end_lines)
      add("<div class=\"{}\">{}</div>\n", class_name("info"), escaped(line));
    for (const std::string& markup : draft_.end_markup) add("<div class=\"{}\">{}</div>\n", class_name("info"), markup);
    if (draft_.part_count > 1) page_links();
    add("</{}>\n", element);
  }

  // Links to the other parts of a paginated article, with the current one in bold.
  void page_links() {
    add("<div class=\"{}\">", class_name("pages"));
    for (std::uint32_t part = 1; part <= draft_.part_count; ++part) {
      if (part == draft_.part + 1) {
        add("<b>{}</b> ", part);
      } else {
        add("<a href=\"?page={}\">{}</a> ", part, part);
      }
    }
    out_ += "</div>\n";
  }

  ParagraphMarkup markup() const { return draft_.has_own_markup ? draft_.markup : site_.markup; }

  void paragraphs() {
    const std::vector<ArticleParagraph>& paragraphs = draft_.article.paragraphs;
    const std::size_t middle = paragraphs.size() / 2;
    // One advertisement in the middle of the text: the hardest place to remove it from.
    const bool has_inner_advertisement = has_chrome() && wants(0.25);
    BlockRole open = BlockRole::kParagraph;  // list or table that is open
    for (std::size_t i = 0; i < paragraphs.size(); ++i) {
      const BlockRole role = paragraphs[i].role;
      // Neighbouring list items share a list, neighbouring rows a table.
      if (role != open) {
        close(open);
        if (role == BlockRole::kListItem) out_ += "<ul>\n";
        if (role == BlockRole::kTableRow) out_ += "<table>\n";
        open = role;
      }
      // Only before a running paragraph: inside <ul> or <table> it would be invalid markup.
      if (i == middle && has_inner_advertisement && role == BlockRole::kParagraph) advertisement();
      paragraph(paragraphs[i]);
    }
    close(open);
  }

  void close(BlockRole role) {
    if (role == BlockRole::kListItem) out_ += "</ul>\n";
    if (role == BlockRole::kTableRow) out_ += "</table>\n";
  }

  void paragraph(const ArticleParagraph& paragraph) {
    const std::string text = escaped(paragraph.text);
    switch (paragraph.role) {
      case BlockRole::kHeading:
      case BlockRole::kTitle: {
        // <h1> is the page's title, so section headings start at <h2>, also where the source gives no level.
        const unsigned level =
            paragraph.heading_level >= 2 && paragraph.heading_level <= 6 ? paragraph.heading_level : 2U;
        if (markup() == ParagraphMarkup::kFontTags) {
          add("<p><font size=\"4\"><strong>{}</strong></font></p>\n", text);
        } else {
          add("<h{}>{}</h{}>\n", level, text, level);
        }
        return;
      }
      case BlockRole::kListItem:
        add("<li>{}</li>\n", text);
        return;
      case BlockRole::kTableRow:
        add("<tr><td>{}</td></tr>\n", text);
        return;
      case BlockRole::kCode:
        add("<pre><code>{}</code></pre>\n", text);
        return;
      case BlockRole::kQuote:
        add("<blockquote><p>{}</p></blockquote>\n", text);
        return;
      case BlockRole::kParagraph:
        running_text(text);
    }
  }

  // The same paragraphs in six kinds of markup. With line breaks there is no element per
  // paragraph: the borders must be found at <br>.
  void running_text(std::string_view text) {
    switch (markup()) {
      case ParagraphMarkup::kParagraphs:
        add("<p>{}</p>\n", text);
        return;
      case ParagraphMarkup::kLineBreaks:
        add("{}<br><br>\n", text);
        return;
      case ParagraphMarkup::kSingleBreaks:
        // Two ideographic spaces indent a paragraph, as on Chinese pages without style sheets.
        add("　　{}<br />\n", text);
        return;
      case ParagraphMarkup::kDivisions:
        add("<div>{}</div>\n", text);
        return;
      case ParagraphMarkup::kFontTags:
        add("<p style=\"text-indent:2em\"><font face=\"{}\" size=\"3\">{}</font></p>\n", site_.font, text);
        return;
      case ParagraphMarkup::kSections:
        add("<section><p><span style=\"font-size:16px\">{}</span></p></section>\n", text);
        return;
    }
  }

  void after_article() {
    // Comments are written whatever the amount of chrome, because the edit `comments` asked for them.
    if (has_chrome() && wants(0.5)) buttons();
    if (has_chrome() && wants(0.5)) {
      const std::size_t count = random_.between(3, 8);
      links(random_.pick(widget_titles(draft_.article.language)), count);
    }
    if (!draft_.comments.empty()) comments();
  }

  // Share and print buttons directly after the text, where they are easily taken for its last paragraph.
  void buttons() {
    add("<div class=\"{}\">", class_name("share"));
    for (std::size_t i = random_.between(2, 5); i > 0; --i) {
      add("<a href=\"#\">{}</a> ", random_.pick(button_words(draft_.article.language)));
    }
    out_ += "</div>\n";
  }

  void comments() {
    // button_words()[3] is "Comment" in either language.
    add("<div class=\"{}\"><h3>{} ({})</h3>\n", class_name("comments"), button_words(draft_.article.language)[3],
        draft_.comments.size());
    for (const std::string& comment : draft_.comments) {
      const std::size_t minute = random_.below(60);
      const std::size_t hour = random_.below(24);
      const std::size_t day = random_.between(1, 28);
      const std::size_t month = random_.between(1, 12);
      const std::size_t year = random_.between(2008, 2024);
      add("<div class=\"{}\"><b>{}</b> <span>{}-{:02}-{:02} {:02}:{:02}</span><p>{}</p></div>\n", class_name("comment"),
          random_.pick(user_names(draft_.article.language)), year, month, day, hour, minute, escaped(comment));
    }
    out_ += "</div>\n";
  }

  void footer() {
    if (!has_chrome()) return;
    const std::string_view element = site_.has_html5_elements ? "footer" : "div";
    add("<{} class=\"{}\">\n", element, class_name("footer"));
    for (const std::string& line : site_.footers) add("<p>{}</p>\n", line);
    add("</{}>\n", element);
  }

  const PageDraft& draft_;
  const Site& site_;
  const std::vector<std::string>& titles_;
  Random random_;
  std::string out_;
};

}  // namespace

RenderedPage render_page(const PageDraft& draft, const Site& site, const std::vector<std::string>& titles,
                         Random random) {
  RenderedPage page;
  // What the HTTP header says is independent of <meta>: kMetaOnly, kNone and kLyingMeta leave the charset out here.
  page.http_content_type = "text/html";
  const bool says_charset =
      draft.declaration == CharsetDeclaration::kHeaderAndMeta || draft.declaration == CharsetDeclaration::kHeaderOnly;
  if (says_charset) page.http_content_type += "; charset=" + draft.charset;
  // Encoded as a whole, after rendering: characters of the template that the charset lacks become references as well.
  page.body = encode_page(Renderer(draft, site, titles, random).html(), draft.charset).bytes;
  return page;
}

}  // namespace paraprint::inline lab::inline simulate
