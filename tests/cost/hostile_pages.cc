// Each family is one idea of how a page could cost more than its size: something long that is searched again for each
// of many small things, a structure that is walked once for each of its parts, or text on which a library is slow.
#include "hostile_pages.h"

#include <cstdint>

#include "repeated_text.h"

namespace paraprint {
namespace {

using namespace std::string_view_literals;

std::string article(std::size_t size_bytes, std::uint32_t seed, std::uint32_t shared_seed) {
  std::string page =
      "<html><head><meta charset=utf-8><title>The old ferry</title></head><body><ul class=menu><li><a href=/>Home</a>"
      "<li><a href=/news>News</a></ul><article><h1>The old ferry</h1>";
  Sequence own(seed);
  Sequence shared(shared_seed);
  for (std::size_t i = 0; page.size() < size_bytes; ++i)
    page += "<p>" + prose(40, i % 2 == 0 ? own : shared) + "</p>\n";
  return page + "</article></body></html>";
}

std::string copies_of(std::string_view text, std::size_t times) {
  std::string made;
  for (std::size_t i = 0; i < times; ++i) made += text;
  return made;
}

// Paragraphs that share all their words but the last, so that each is near all of the other page.
std::string near_paragraphs(std::size_t size_bytes, std::string_view text, std::size_t first_number) {
  std::string page = "<html><body><article>";
  for (std::size_t i = 0; page.size() < size_bytes; ++i) {
    page += "<p>" + std::string(text) + " n" + std::to_string(first_number + i) + "</p>";
  }
  return page;
}

// Words that no dictionary has weigh the same, so that one of twelve changes a fingerprint by few bits.
constexpr std::string_view kElevenWords = "bralo cremi drupa flonk grati klobe plasi skrom spulo trafi wrelo";
constexpr std::size_t kFarApart = 1'000'000;  // so that the numbers of two pages differ

PagePair harmless_pair(std::size_t size_bytes) {
  return {article(size_bytes / 2, 1, 7), article(size_bytes / 2, 2, 7)};
}

// Two versions of one text: paragraphs as short and as many as in the families below, every other one edited.
PagePair versions(std::size_t size_bytes) {
  PagePair pair;
  for (std::string* page : {&pair.a, &pair.b}) {
    Sequence sequence(8);
    for (std::size_t i = 0; page->size() < size_bytes / 2; ++i) {
      *page += "<p>" + prose(12, sequence) + (i % 2 == 0 && page == &pair.a ? " Once." : " Now.") + "</p>";
    }
  }
  return pair;
}

PagePair all_near(std::size_t size_bytes) {
  return {near_paragraphs(size_bytes / 2, kElevenWords, 0), near_paragraphs(size_bytes / 2, kElevenWords, kFarApart)};
}

// Paragraphs in groups; within a group all are near each other.
PagePair near_groups(std::size_t size_bytes, std::size_t group) {
  PagePair pair;
  for (std::string* page : {&pair.a, &pair.b}) {
    Sequence sequence(3);
    std::string text;
    const std::size_t first = page == &pair.a ? 0 : kFarApart;
    for (std::size_t i = 0; page->size() < size_bytes / 2; ++i) {
      if (i % group == 0) {
        text = prose(14, sequence);
        text.pop_back();
      }
      *page += "<p>" + text + " n" + std::to_string(first + i) + "</p>";
    }
  }
  return pair;
}

PagePair groups_of_32(std::size_t size_bytes) {
  return near_groups(size_bytes, 32);
}

PagePair groups_of_63(std::size_t size_bytes) {
  return near_groups(size_bytes, 63);
}

// No paragraph is near another one, and all have to be compared.
PagePair all_different(std::size_t size_bytes) {
  PagePair pair;
  for (std::string* page : {&pair.a, &pair.b}) {
    Sequence sequence(page == &pair.a ? 5 : 6);
    while (page->size() < size_bytes / 2) *page += "<p>" + prose(9, sequence) + "</p>";
  }
  return pair;
}

// Edited paragraphs that share one sentence each: their evidence is replaced one by one.
PagePair edited_with_sentences(std::size_t size_bytes) {
  PagePair pair;
  for (std::string* page : {&pair.a, &pair.b}) {
    Sequence sequence(4);
    const std::size_t first = page == &pair.a ? 0 : kFarApart;
    for (std::size_t i = 0; page->size() < size_bytes / 2; ++i) {
      *page += "<p>" + prose(14, sequence) + " Then " + prose(9, sequence).substr(0, 30) + " n" +
               std::to_string(first + i) + ".</p>";
    }
  }
  return pair;
}

PagePair one_paragraph_repeated(std::size_t size_bytes) {
  PagePair pair;
  for (std::string* page : {&pair.a, &pair.b}) {
    while (page->size() < size_bytes / 2) *page += "<p>The pilot knows every sandbank between both landings.</p>";
    *page += page == &pair.a ? "<p>One end of the story is this.</p>" : "<p>Another end of the story is that.</p>";
  }
  return pair;
}

}  // namespace

std::string page_of(const PageFamily& family, std::size_t size_bytes) {
  std::string page(family.head);
  const auto first_end = static_cast<std::size_t>(family.first_share * static_cast<double>(size_bytes));
  if (!family.first.empty()) fill(family.first, first_end, page);
  page += family.between;
  fill(family.unit, size_bytes, page);
  return page;
}

std::string harmless_page(std::size_t size_bytes, std::size_t tags) {
  std::string page = "<html><head><meta charset=utf-8><title>The old ferry</title></head><body><table>";
  for (std::size_t tag = 0; tag < tags && page.size() < size_bytes; ++tag) {
    page += tag % 8 == 0 ? "<tr>" : "<td>" + std::to_string(tag);
  }
  page += "</table>";
  return page.size() < size_bytes ? page + article(size_bytes - page.size(), 1, 2) : page;
}

const std::vector<PageFamily>& hostile_page_families() {
  // Extractors keep what is part of an article, so that Markdown has it.
  Sequence sequence(8);
  static const std::string article_head = "<article><h1>The old ferry</h1><p>" + prose(120, sequence) + "<p>";
  static const std::string code_below_class = article_head + "<div class='";
  static const std::string items_of_list = article_head + "<ol>";
  static const std::string code_in_lists = article_head + copies_of("<ol start=999999999><li>", 20) + "<pre>";
  static const std::string tables_in_cell = article_head + "<table><tr><td>";
  static const std::string styled_formatting = "<b a{n} style='" + copies_of(";", 1000) + "'>";
  static const std::string line_of_dates = "<p>" + copies_of("1/7/08 ", 80);
  static const std::vector<PageFamily> families = {
      // Titles
      {"title_of_one_letter", "<title>"sv, "a"sv, 0.5, "</title>"sv, "<p>aa ac"sv},
      {"title_of_numbers", "<title>"sv, "{n} "sv, 0.5, "</title>"sv, "<p>1{n} 1{n}9"sv},
      {"title_of_256_letters", "<title>"sv, "a"sv, 0.00195, "</title>"sv, "<p>aa ac"sv},
      {"title_of_1000_letters", "<title>"sv, "a"sv, 0.0076, "</title>"sv, "<p>aa aaaaaaaaaaaaaaaaaaaaaaaaac"sv},
      {"many_titles", "", "", 0, "", "<title>a{n}</title>"sv},
      {"title_in_headings", "<title>"sv, "a"sv, 0.5, "</title>"sv, "<h1>aaaaaaaa"sv},
      {"dates_in_lines", "", "", 0, "", "<p>2008-01-07"sv},
      {"dates_in_one_line", "<p>"sv, "", 0, "", "1/7/08 "sv},
      {"dates_before_heading", "<title>abcdefgh</title>"sv, "<p>Monday, May 7, 2008"sv, 0.9, "<h1>abcdefgh</h1>"sv,
       "<p>x"sv},
      {"dates_almost", "<p>"sv, "", 0, "", "2008-1- May 7 12/"sv},
      {"dates_in_long_lines", "", "", 0, "", line_of_dates},
      {"dates_above_heading", "<title>abcdefgh</title>"sv, line_of_dates, 0.9, "<p>x<p>x<p>x<h1>abcdefgh</h1>"sv,
       "<p>x"sv},
      {"title_over_lines_with_date", "<title>"sv, "a"sv, 0.07, "</title><p>1/7/2008"sv, "<p>aaaaaab"sv},
      {"sources_in_lines", "", "", 0, "", "<p>来源：-"sv},
      {"links_in_one_line", "<p>"sv, "", 0, "", "<a href=b>c</a>"sv},
      {"title_unclosed", "<title>"sv, "", 0, "", "<title>a"sv},
      // Attributes
      {"attributes_of_one_element", "<p>text<div "sv, "", 0, "", "a{n}=b "sv},
      {"attributes_repeated", "<p>text<div "sv, "", 0, "", "a=b "sv},
      {"attribute_values", "", "", 0, "", "<p class=c{n} id=i{n} style='color:red'>x y"sv},
      {"class_names", "<p>text<div class='"sv, "", 0, "", "c{n} "sv},
      {"class_of_one_word", "<p>text<div class='"sv, "", 0, "", "a"sv},
      {"class_shared_prefix", "", "<div class='commentcommentcommentcommen{n}'>"sv, 0.5, "", "<p>ab cd</p>"sv},
      {"styles", "<p>text<div style='"sv, "", 0, "", "display :"sv},
      {"many_classes_each", "", "", 0, "", "<p class='a b c d e f g h i j k l m n o p q r s t u v w'>x y"sv},
      {"tag_name", "<p>text<"sv, "", 0, "", "a"sv},
      {"tag_names", "", "", 0, "", "<t{n}>x y "sv},
      {"styles_of_unclosed_formatting", "<p>"sv, styled_formatting, 0.5, "", "<p>a"sv},
      {"classes_reopened", "<p><b class='"sv, "a "sv, 0.5, "'>"sv, "<p>ab"sv},
      {"ids_reopened", "<p><b id='"sv, "a "sv, 0.5, "'>"sv, "<p>ab"sv},
      {"two_classes_reopened", "<p><i class=b><b class='"sv, "a "sv, 0.5, "'>"sv, "<p>ab"sv},
      {"addresses_reopened", "<p><a href='"sv, "ad-"sv, 0.5, "'>"sv, "<p>ab"sv},
      {"titles_reopened", "<p><a title='"sv, "a "sv, 0.5, "' href=b>"sv, "<p>ab"sv},
      {"code_below_long_class", code_below_class, "a "sv, 0.5, "'>"sv, "<pre>int x = 1;</pre>"sv},
      // Depth and unclosed tags
      {"depth_of_div", "", "", 0, "", "<div>"sv},
      {"depth_of_div_with_text", "", "", 0, "", "<div>ab cd "sv},
      {"depth_of_span", "", "", 0, "", "<span>"sv},
      {"depth_of_span_with_text", "", "", 0, "", "<span>ab cd "sv},
      {"depth_of_b", "", "", 0, "", "<b>"sv},
      {"depth_of_lists", "", "", 0, "", "<ul><li>ab cd "sv},
      {"depth_of_tables", "", "", 0, "", "<table><tr><td>ab "sv},
      {"depth_of_quotes", "", "", 0, "", "<blockquote>ab cd "sv},
      {"depth_of_sections", "", "", 0, "", "<section class=comment>ab cd "sv},
      {"depth_of_svg", "", "", 0, "", "<svg>"sv},
      {"depth_of_math", "", "", 0, "", "<math>ab "sv},
      {"depth_of_templates", "", "", 0, "", "<template>ab "sv},
      {"depth_of_forms", "", "", 0, "", "<form>ab "sv},
      {"depth_of_headings", "", "", 0, "", "<h1>ab "sv},
      {"depth_of_objects", "", "", 0, "", "<object>ab "sv},
      {"depth_of_buttons", "", "", 0, "", "<button>ab "sv},
      {"formatting_before_blocks", "", "", 0, "", "<font size={n}><p>ab "sv},
      {"formatting_of_many_kinds", "", "<b a{n}><i a{n}><u a{n}>"sv, 0.5, "", "<p>ab "sv},
      {"formatting_misnested", "", "", 0, "", "<b><p>ab</b>"sv},
      {"formatting_misnested_numbered", "", "", 0, "", "<b a={n}><div>ab</b>"sv},
      {"links_unclosed", "", "", 0, "", "<a href=x>ab "sv},
      {"links_around_blocks", "", "", 0, "", "<a href=x><div>ab "sv},
      {"links_behind_markers", "<table><tr>"sv, "<td><object>"sv, 0.5, "<td>"sv, "<a>"sv},
      {"links_in_deep_objects", "", "<object>"sv, 0.5, "", "<a>"sv},
      {"formatting_misnested_behind_markers", "<table><tr>"sv, "<td><object>"sv, 0.5, "<td>"sv,
       "<b><span><span><span><div></b>"sv},
      {"end_tags_unmatched", "", "<div>"sv, 0.1, "", "</x>"sv},
      {"end_tags_of_p", "", "<div>"sv, 0.1, "", "</p>"sv},
      {"end_tags_of_b", "", "<b><div>"sv, 0.2, "", "</b>"sv},
      {"end_tags_of_a", "", "<a><span>"sv, 0.2, "", "</a>"sv},
      {"options_in_groups", "<select>"sv, "<optgroup>"sv, 0.3, "", "<option selected>ab "sv},
      {"options_below_spans", "<select>"sv, "<span>ab "sv, 0.5, "", "<option>ab "sv},
      {"options_copied", "<select><selectedcontent></selectedcontent>"sv, "", 0, "", "<option selected>ab "sv},
      {"selects", "", "", 0, "", "<select><option>ab "sv},
      {"items_unclosed", "<ul>"sv, "", 0, "", "<li>ab cd "sv},
      {"items_in_and_out_of_divs", items_of_list, "", 0, "", "<li>ab cd</li><div><li>ef gh</li></div>"sv},
      {"code_in_numbered_lists", code_in_lists, "", 0, "", "the old ferry\n\n"sv},
      {"styles_below_spans", article_head, "<span>"sv, 0.07, "", "aaaa<i>bb</i>"sv},
      {"items_below_spans", "<ul>"sv, "<span>"sv, 0.2, "", "<li>ab "sv},
      {"paragraphs_below_spans", "", "<span>"sv, 0.2, "", "<p>ab "sv},
      {"terms_unclosed", "<dl>"sv, "", 0, "", "<dt>ab<dd>cd "sv},
      {"options_unclosed", "<select>"sv, "", 0, "", "<option>ab "sv},
      {"ruby_unclosed", "<ruby>"sv, "", 0, "", "<rt>ab<rp>cd "sv},
      {"cells_unclosed", "<table>"sv, "", 0, "", "<td>ab "sv},
      {"tables_in_cell", tables_in_cell, "ab<span><table><tr><td>cd</table></span>"sv, 0.5, "", "<td>e"sv},
      {"text_in_tables", "<table>"sv, "", 0, "", "ab<tr>"sv},
      {"comments_in_tables", "<table>"sv, "", 0, "", "ab<!c>"sv},
      {"scripts_in_tables", "<table>"sv, "", 0, "", "ab<script>c</script>"sv},
      {"links_in_tables", "<table>"sv, "", 0, "", "<a>ab"sv},
      {"captions_in_tables", "<table>"sv, "", 0, "", "<caption>ab"sv},
      {"header_table_rows", "<table>"sv, "", 0, "", "<tr><th>ab<td>cd"sv},
      {"header_tables", "", "", 0, "", "<table><tr><th>ab<td>cd</table>"sv},
      {"bodies", "", "", 0, "", "<body a{n}=b>ab "sv},
      {"framesets", "", "", 0, "", "<frameset>"sv},
      // Marks and other characters that need their neighbours
      {"marks_alternating", "<p>a"sv, "", 0, "", "\u0301\u0316"sv},
      {"marks_alternating_apart", "<p>a"sv, "", 0, "", "\u0301\u200D\u0316"sv},
      {"marks_repeated", "<p>a"sv, "", 0, "", "\u0301"sv},
      {"marks_descending", "<p>a"sv, "\u0345"sv, 0.5, "", "\u0316"sv},
      {"marks_on_letters", "<p>"sv, "", 0, "", "e\u0323\u0302"sv},
      {"marks_on_words", "<p>"sv, "", 0, "", "vie\u0323\u0302t nam "sv},
      {"marks_on_chinese", "<p>"sv, "", 0, "", "\u4E2D\u0301"sv},
      {"marks_invalid_between", "<p>a"sv, "", 0, "", "\u0301\xFF\u0316"sv},
      {"jamo", "<p>"sv, "", 0, "", "\u1100\u1161\u11A8"sv},
      {"jamo_vowels", "<p>\u1100"sv, "", 0, "", "\u1161"sv},
      {"tibetan", "<p>"sv, "", 0, "", "\u0F40\u0F71\u0F72\u0F74"sv},
      {"greek_capitals", "<p>"sv, "", 0, "", "\u0399\u0308\u0301"sv},
      {"spacing_accents", "<p>"sv, "", 0, "", "a\u00A8"sv},
      {"spacing_accents_in_a_row", "<p>"sv, "", 0, "", "a\u00A8\u00A8"sv},
      {"accents_of_two_marks", "<p>"sv, "", 0, "", "a\u0385"sv},
      {"points_out_of_order", "<p>"sv, "", 0, "", "\u05E9\u05C1\u05B8"sv},
      {"vowels_out_of_order", "<p>"sv, "", 0, "", "\u0628\u0651\u064E"sv},
      {"ligatures", "<p>"sv, "", 0, "", "\uFDFA"sv, 11},
      {"zero_width", "<p>a"sv, "", 0, "", "\u200B"sv},
      {"full_width", "<p>"sv, "", 0, "", "\uFF21\uFF42 "sv},
      // Words
      {"one_word_repeated", "<p>"sv, "", 0, "", "word "sv},
      {"one_sentence_of_words", "<p>"sv, "", 0, "", "word{n} "sv},
      {"one_sentence_repeating", "<p>"sv, "a/"sv, 0.5, "", "zzq/"sv},
      {"one_sentence_ten_words", "<p>"sv, "", 0, "", "one/two/six/ten/red/sun/sky/sea/ice/air/"sv},
      {"one_letter", "<p>"sv, "", 0, "", "a"sv},
      {"one_digit", "<p>"sv, "", 0, "", "7"sv},
      {"digits_and_letters", "<p>"sv, "", 0, "", "a1"sv},
      {"words_with_apostrophes", "<p>"sv, "", 0, "", "a'"sv},
      {"long_words", "<p>"sv, "", 0, "", "abcdefghijklmnopqrstuvwxyzabcdefghijklmnopqrstuvwxyz{n} "sv},
      {"chinese_letter", "<p>"sv, "", 0, "", "\u7684"sv},
      {"chinese_words", "<p>"sv, "", 0, "", "\u4E2D\u534E\u4EBA\u6C11\u5171\u548C\u56FD"sv},
      {"chinese_unknown", "<p>"sv, "", 0, "", "\u9F98\u9FA0"sv},
      {"chinese_letters_apart", "<p>"sv, "", 0, "", "\u7684 "sv},
      {"chinese_prefixes", "<p>"sv, "", 0, "", "\u4E2D\u534E\u4EBA\u6C11\u5171\u548C"sv},
      {"japanese", "<p>"sv, "", 0, "", "\u3042\u30A2"sv},
      {"thai", "<p>"sv, "", 0, "", "\u0E01\u0E32\u0E23\u0E17\u0E14\u0E2A\u0E2D\u0E1A"sv},
      {"thai_letter", "<p>"sv, "", 0, "", "\u0E01"sv},
      {"thai_letters_apart", "<p>"sv, "", 0, "", "\u0E01 "sv},
      {"thai_pairs_apart", "<p>"sv, "", 0, "", "\u0E01\u0E02 "sv},
      {"thai_syllables_apart", "<p>"sv, "", 0, "", "\u0E01\u0E34 "sv},
      {"lao_letters_apart", "<p>"sv, "", 0, "", "\u0E81 "sv},
      {"khmer_letters_apart", "<p>"sv, "", 0, "", "\u1780 "sv},
      {"khmer", "<p>"sv, "", 0, "", "\u1780\u17D2"sv},
      {"burmese", "<p>"sv, "", 0, "", "\u1000\u1039"sv},
      {"lao_words", "<p>"sv, "", 0, "", "\u0E81\u0EB2\u0E99 "sv},
      {"arabic", "<p>"sv, "", 0, "", "\u0627\u0644\u0643 "sv},
      {"korean", "<p>"sv, "", 0, "", "\uD55C\uAD6D "sv},
      {"emoji", "<p>ab"sv, "", 0, "", "\U0001F600"sv},
      {"scripts_mixed", "<p>"sv, "", 0, "", "a\u4E2D\u0E01\u0627"sv},
      // Sentences
      {"full_stops", "<p>a"sv, "", 0, "", "."sv},
      {"tiny_sentences", "<p>"sv, "", 0, "", "A b. "sv},
      {"tiny_questions", "<p>"sv, "", 0, "", "z? "sv},
      {"tiny_questions_in_heading", "<h1>"sv, "", 0, "", "z? "sv},
      {"abbreviations", "<p>"sv, "", 0, "", "e.g."sv},
      {"dotted_numbers", "<p>"sv, "", 0, "", "1."sv},
      {"question_marks", "<p>a"sv, "", 0, "", "?!"sv},
      {"quotation_marks", "<p>a."sv, "", 0, "", "\""sv},
      {"brackets", "<p>a."sv, "", 0, "", ")"sv},
      {"chinese_full_stops", "<p>\u4E2D"sv, "", 0, "", "\u3002\u201D"sv},
      {"sentence_ends_and_spaces", "<p>A."sv, "", 0, "", " \u00A0"sv},
      {"tiny_chinese_sentences", "<p>"sv, "", 0, "", "\u4E2D\u3002"sv},
      // Blocks
      {"tiny_paragraphs", "", "", 0, "", "<p>a"sv},
      {"short_paragraphs", "", "", 0, "", "<p>It is {n} of ten here now."sv},
      {"paragraph_repeated", "", "", 0, "", "<p>The pilot knows every sandbank between both landings."sv},
      {"paragraph_repeated_with_change", "", "", 0, "",
       "<p>The pilot knows every sandbank between both landings by heart and number {n}."sv},
      {"headings", "", "", 0, "", "<h2>Part {n}</h2>"sv},
      {"line_breaks", "<p>"sv, "", 0, "", "ab<br>"sv},
      {"line_breaks_only", "<p>ab"sv, "", 0, "", "<br>"sv},
      {"links", "", "", 0, "", "<a href=/p{n}>ab {n}</a> "sv},
      {"links_in_items", "<ul>"sv, "", 0, "", "<li><a href=/p{n}>ab {n}</a>"sv},
      {"inline_elements", "<p>"sv, "", 0, "", "a<i>b</i>"sv},
      {"text_nodes_of_one_unit", "<p>"sv, "", 0, "", "a<wbr>"sv},
      {"hidden", "", "", 0, "", "<p hidden>ab cd"sv},
      {"comments_of_readers", "", "", 0, "", "<div class=comment id=comment-{n}><p>It is {n} of ten here now.</div>"sv},
      {"articles", "", "", 0, "", "<article><p>It is {n} of ten here now.</article>"sv},
      {"images", "", "", 0, "", "<img alt='ab cd' src=a{n}>"sv},
      {"white_space", "<p>ab"sv, "", 0, "", " \n\t"sv},
      {"white_space_between", ""sv, "", 0, "", "<p> </p> "sv},
      {"inputs", "", "", 0, "", "<input>"sv},
      // Syntax
      {"comments", "<p>ab"sv, "", 0, "", "<!--a-->"sv},
      {"comment_unclosed", "<p>ab"sv, "", 0, "", "<!--"sv},
      {"comment_of_dashes", "<p>ab<!--"sv, "", 0, "", "-"sv},
      {"comment_of_ends", "<p>ab<!--"sv, "", 0, "", "--!"sv},
      {"doctypes", "<p>ab"sv, "", 0, "", "<!doctype html>"sv},
      {"cdata", "<p>ab"sv, "", 0, "", "<![CDATA["sv},
      {"processing", "<p>ab"sv, "", 0, "", "<?x"sv},
      {"less_than", "<p>ab"sv, "", 0, "", "<"sv},
      {"tag_ends", "<p>ab"sv, "", 0, "", "</"sv},
      {"scripts", "<p>ab"sv, "", 0, "", "<script>a</script>"sv},
      {"script_unclosed", "<p>ab<script>"sv, "", 0, "", "<!--<script>"sv},
      {"script_ends", "<p>ab<script>"sv, "", 0, "", "</scrip"sv},
      {"json_ld", "<p>ab"sv, "", 0, "", "<script type=application/ld+json>\"@type\" : \"Article\"</script>"sv},
      {"json_ld_of_types", "<p>ab<script type=application/ld+json>"sv, "", 0, "", "\"@type\" :"sv},
      {"styles_of_page", "<p>ab"sv, "", 0, "", "<style>a</style>"sv},
      {"textarea_unclosed", "<p>ab"sv, "", 0, "", "<textarea>a"sv},
      {"noscripts", "<p>ab"sv, "", 0, "", "<noscript><p>ab"sv},
      {"metas", "", "", 0, "", "<meta name=description content='ab {n}'>"sv},
      {"metas_of_type", "", "", 0, "", "<meta property=og:type content=article>"sv},
      {"links_of_head", "", "", 0, "", "<link rel=canonical href=/{n}>"sv},
      // Characters and encodings
      {"charsets", "", "", 0, "", "<meta charset=gbk>"sv},
      {"charsets_unfinished", "", "", 0, "", "<meta charset"sv},
      {"charset_words", "", "", 0, "", "charset="sv},
      {"content_types", "", "", 0, "", "<meta http-equiv=content-type content='text/html; charset=x{n}'>"sv},
      {"entities", "<p>"sv, "", 0, "", "&amp;"sv},
      {"entities_of_letters", "<p>"sv, "", 0, "", "&eacute;"sv},
      {"entities_unfinished", "<p>"sv, "", 0, "", "&"sv},
      {"entities_unknown", "<p>"sv, "", 0, "", "&CounterClockwiseContourIntegra"sv},
      {"entities_of_numbers", "<p>"sv, "", 0, "", "&#x4E2D;"sv},
      {"entities_of_digits", "<p>&#"sv, "", 0, "", "9"sv},
      {"entities_in_attribute", "<p>ab<p title='"sv, "", 0, "", "&lt"sv},
      {"nuls",
       "<p>Text of many words stands before them, so that the page does not count as binary data at all, and "
       "then there is more of it, and more of it again, until the sample is full of words and letters, which "
       "takes a while, since the sample has a kilobyte and a line in this source has much less than that. So "
       "we go on and on, and add some more words. The pilot knows every sandbank between both landings by "
       "heart. In spring the water rises to the third step of the stone stairs. Passengers buy their tickets "
       "from a woman who has sold them for thirty years, and she still counts the coins twice before she "
       "tears a slip from the roll. Nobody has ever seen her hurry. When the new bridge was planned, the town "
       "council promised that the ferry would stay. The promise was kept for four years, then for two more, "
       "and last autumn the landing got a new roof. It is not much of a roof, but it keeps the rain out, and "
       "the woman with the tickets says that it is the best roof that the landing ever had in all those years "
       "that she has been there."sv,
       "", 0, "", "\0"sv},
      {"nuls_and_letters", "<p>Text"sv, "", 0, "", "abcdefghijklmnopqrstuvwx\0"sv},
      {"invalid_bytes", "<p>ab"sv, "", 0, "", "\xFF"sv},
      {"invalid_leads", "<p>ab"sv, "", 0, "", "\xE4\xB8"sv},
      {"invalid_bytes_apart", "<p>ab"sv, "", 0, "", "abc \xFF"sv},
      {"latin_bytes", "<p>ab"sv, "", 0, "", "caf\xE9 "sv},
      {"gbk_bytes", "<p>ab"sv, "", 0, "", "\xD6\xD0\xB9\xFA"sv},
      {"shift_jis_bytes", "<p>ab"sv, "", 0, "", "\x82\xA0\x82\xA2"sv},
      {"cyrillic_bytes", "<p>ab"sv, "", 0, "", "\xEF\xF0\xE8\xE2\xE5\xF2 "sv},
      {"escapes_of_2022", "<meta charset=iso-2022-jp><p>ab"sv, "", 0, "", "\x1B$B0!\x1B(B"sv},
      {"byte_pairs", "\xFF\xFE"sv, "", 0, "", "<\0p\0>\0a\0 \0b\0"sv},
  };
  return families;
}

const std::vector<PairFamily>& pair_families() {
  static const std::vector<PairFamily> families = {
      {"harmless_pair", harmless_pair},
      {"versions", versions},
      {"all_near", all_near},
      {"near_in_groups_of_32", groups_of_32},
      {"near_in_groups_of_63", groups_of_63},
      {"all_different", all_different},
      {"edited_with_sentences", edited_with_sentences},
      {"one_paragraph_repeated", one_paragraph_repeated},
  };
  return families;
}

}  // namespace paraprint
