// What sites send besides pages and heads of responses: robots.txt, sitemaps, addresses, links and header values.
#include <string>

#include "cdx/surt.h"
#include "hostile_pages.h"
#include "html/charset_declared.h"
#include "http/date.h"
#include "input_kinds.h"
#include "repeated_text.h"
#include "web/bare_text.h"
#include "web/links.h"
#include "web/robots.h"
#include "web/sitemap.h"
#include "web/url.h"
#include "web/url_cleaning.h"
#include "web/url_shape.h"

namespace paraprint {
namespace {

using namespace std::string_view_literals;

constexpr std::string_view kToken = "paraprint";

HostileKind robots() {
  return {"robots",
          '\n',
          items_of_text("User-agent: *\n", "Disallow: /{text}\n", "", '-', 30),
          [](std::string_view bytes) { RobotsRules::parse(bytes, kToken); },
          {
              {"rules", repeated("User-agent: *\n", "Disallow: /a{n}\n")},
              {"shortest_rules", repeated("User-agent: *\n", "allow:/\n")},
              {"one_rule", repeated("User-agent: *\nDisallow: /", "a")},
              {"stars", repeated("User-agent: *\nDisallow: /", "*a")},
              {"stars_only", repeated("User-agent: *\nDisallow: /", "*")},
              {"rules_of_stars", repeated("User-agent: *\n", "Allow: *a*b*c*d*e*f*g*h\n")},
              {"dollars", repeated("User-agent: *\nDisallow: /", "$")},
              {"escapes", repeated("User-agent: *\nDisallow: /", "%2f")},
              {"escapes_unfinished", repeated("User-agent: *\nDisallow: /", "%")},
              {"bytes_to_escape", repeated("User-agent: *\nDisallow: /", "\xE4")},
              {"groups", repeated("", "User-agent: a{n}\nDisallow: /\n")},
              {"group_of_many_names", repeated("", "User-agent: a{n}\n", "Disallow: /\n")},
              {"own_groups", repeated("", "User-agent: paraprint\nDisallow: /{n}\n")},
              {"long_name", repeated("User-agent: ", "a")},
              {"line_ends", repeated("", "\r")},
              {"comments", repeated("", "#\n")},
              {"comment", repeated("", "#")},
              {"colons", repeated("", ":")},
              {"spaces", repeated("Disallow", " ", ":")},
              {"sitemaps", repeated("", "Sitemap: http://a.example/{n}\n")},
              {"delays", repeated("User-agent: *\n", "Crawl-delay: 9\n")},
              {"long_delay", repeated("User-agent: *\nCrawl-delay: 0.", "1")},
              {"zeros", repeated("", "\0"sv)},
          }};
}

// A file and one address of the longest, which is asked for.
HostileKind robots_match() {
  return {
      "robots_match",
      '\n',
      items_of_text("User-agent: *\n", "Disallow: /{text}\n", "", '-', 30),
      [](std::string_view bytes) {
        static const std::string target = "/" + std::string(2000, 'a');
        (void)RobotsRules::parse(bytes, kToken).allows(target);
      },
      {
          {"stars", repeated("User-agent: *\n", "Allow: *a*a*a*a*a*a*a*a*b\n")},
          {"one_rule_of_stars", repeated("User-agent: *\nAllow: /", "*a", "*b\n")},
          {"rules_that_nearly_match", repeated("User-agent: *\n", "Allow: *aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaab\n")},
          {"short_rules_that_nearly_match", repeated("User-agent: *\n", "Allow:*aab\n")},
          {"long_rules_that_nearly_match", repeated("User-agent: *\n", "Allow: *" + std::string(1000, 'a') + "b\n")},
          {"prefixes", repeated("User-agent: *\n", "Allow: /aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa\n")},
          {"ever_longer_rules",
           [](std::size_t size_bytes) {
             std::string input = "User-agent: *\n";
             for (std::size_t i = 1; input.size() < size_bytes; ++i) input += "Allow: /" + std::string(i, 'a') + "\n";
             return input;
           }},
      }};
}

HostileKind sitemap() {
  constexpr std::string_view kHead = "<urlset xmlns='http://www.sitemaps.org/schemas/sitemap/0.9'>";
  constexpr std::string_view kTail = "</urlset>";
  return {"sitemap",
          '<',
          items_of_text(kHead, "<url><loc>http://a.example/{text}</loc></url>\n", kTail, '-', 60),
          [](std::string_view bytes) { parse_sitemap(bytes); },
          {
              {"addresses", repeated(kHead, "<loc>{n}</loc>", kTail)},
              {"empty_addresses", repeated(kHead, "<loc/>", kTail)},
              {"one_address", repeated("<urlset><loc>", "a", "</loc></urlset>")},
              {"one_address_of_lines", repeated("<urlset><loc>", "\n", "</loc></urlset>")},
              {"index", repeated("<sitemapindex>", "<sitemap><loc>{n}</loc></sitemap>", "</sitemapindex>")},
              {"entities", repeated("<urlset><loc>", "&amp;", "</loc></urlset>")},
              {"numbered_entities", repeated("<urlset><loc>", "&#x61;", "</loc></urlset>")},
              {"declared_entity", repeated("<!DOCTYPE a [<!ENTITY b '", "c", "'>]><a>&b;</a>")},
              {"declared_elements", repeated("<!DOCTYPE a [", "<!ELEMENT b{n} (c)>", "]><a/>")},
              {"declared_choices", repeated("<!DOCTYPE a [<!ELEMENT b (c", "|c{n}", ")>]><a/>")},
              {"declared_groups", repeated("<!DOCTYPE a [<!ELEMENT b ", "(", ">]><a/>")},
              {"declared_attributes", repeated("<!DOCTYPE a [", "<!ATTLIST b c{n} CDATA 'd'>", "]><a><b/></a>")},
              {"default_attributes",
               in_two_halves("<!DOCTYPE a [", "<!ATTLIST b c{n} CDATA 'd'>", "]><a>", "<b/>", "</a>")},
              {"default_namespaces",
               in_two_halves("<!DOCTYPE a [", "<!ATTLIST b xmlns:c{n} CDATA 'd'>", "]><a>", "<b/>", "</a>")},
              {"attributes", repeated("<urlset><url ", "a{n}='' ", "/></urlset>")},
              {"attribute_value", repeated("<urlset><url a='", "b", "'/></urlset>")},
              {"attributes_of_links", repeated("<urlset>", "<link href='{n}'/>", kTail)},
              {"namespaces", repeated("<urlset><url ", "xmlns:a{n}='b' ", "/></urlset>")},
              {"namespaces_long_and_used", in_two_halves("<urlset xmlns='", "a", "'>", "<b/>", "</urlset>")},
              {"namespaces_of_attributes", in_two_halves("<urlset xmlns:a='", "b", "'>", "<b a:c=''/>", "</urlset>")},
              {"depth", repeated("", "<a>")},
              {"siblings", repeated("<urlset>", "<a/>", kTail)},
              {"names", repeated("<urlset>", "<a{n}/>", kTail)},
              {"long_name", repeated("<urlset><", "a", "/></urlset>")},
              {"comments", repeated("<urlset>", "<!---->", kTail)},
              {"one_comment", repeated("<urlset><!--", "a", "--></urlset>")},
              {"instructions", repeated("<urlset>", "<?a?>", kTail)},
              {"sections", repeated("<urlset><loc>", "<![CDATA[a]]>", "</loc></urlset>")},
              {"brackets", repeated("<urlset><loc>", "]", "</loc></urlset>")},
              {"tags_unfinished", repeated("", "<")},
              {"utf_16", repeated("\xFF\xFE<\0a\0>\0"sv, "b\0"sv, "<\0/\0a\0>\0"sv)},
              {"latin_1", repeated("<?xml version='1.0' encoding='iso-8859-1'?><a>", "\xE4", "</a>")},
              {"unknown_encoding", repeated("<?xml version='1.0' encoding='", "a", "'?><a/>")},
              {"lines", repeated("", "a\n")},
              {"one_line", repeated("http://a.example/", "a")},
              {"spaces", repeated("a", " ", "a")},
          }};
}

// One token, so long that it reaches the parser in several pieces.
HostileKind large_sitemap() {
  HostileKind kind = sitemap();
  kind.name = "large_sitemap";
  kind.families = {
      {"comment", [](std::size_t size) { return repeated("<urlset><!--", "a", "--></urlset>")(64 * size); }},
      {"attribute", [](std::size_t size) { return repeated("<urlset><url a='", "b", "'/></urlset>")(64 * size); }},
  };
  return kind;
}

// One address per line.
void read_addresses(std::string_view bytes) {
  static UrlParser parser;
  parser.set_base("http://a.example/b/c?d");
  while (!bytes.empty()) {
    const std::size_t end = std::min(bytes.find('\n'), bytes.size());
    if (const std::optional<Url> url = parser.parse(bytes.substr(0, end))) {
      const Url cleaned = without_tracking(*url);
      (void)url_shape(cleaned);
      (void)repeated_path_segments(cleaned);
    }
    bytes.remove_prefix(std::min(end + 1, bytes.size()));
  }
}

// Lines of `line_bytes`, which is the longest that is accepted, or the longest after canonicalisation.
std::function<std::string(std::size_t)> long_lines(std::string_view head, std::string_view unit, std::size_t line_bytes,
                                                   std::string_view tail = {}) {
  return [=, head = std::string(head), unit = std::string(unit), tail = std::string(tail)](std::size_t size_bytes) {
    std::string line(head);
    fill(unit, line_bytes - tail.size(), line);
    line += tail;
    std::string input;
    while (input.size() < size_bytes) input.append(line).append("\n");
    return input;
  };
}

HostileKind addresses() {
  constexpr std::size_t kLong = 2000;
  constexpr std::size_t kLongest = 8180;
  return {"addresses",
          '\n',
          items_of_text("", "http://www.a.example/news/{text}/{n}?page=2&sort=name\n", "", '/', 1900),
          read_addresses,
          {
              {"short", repeated("", "{n}\n")},
              {"shortest", repeated("", "/\n")},
              {"with_host", repeated("", "//{n}.b/\n")},
              {"segments", long_lines("/", "a/", kLong)},
              {"segments_numbered", long_lines("/", "{n}/", kLong)},
              {"segments_and_others", long_lines("/", "a/", kLong / 2, "b/a/a/a/a/a/a/a/a/a")},
              {"segments_around_another",
               [](std::size_t size) {
                 std::string path = "/";
                 fill("a/", kLong / 2, path);
                 path += "b/";
                 fill("a/", kLong, path);
                 path += "\n";
                 std::string input;
                 while (input.size() < size) input += path;
                 return input;
               }},
              {"segments_of_two",
               [](std::size_t size) {
                 Sequence sequence(1);
                 std::string input;
                 while (input.size() < size) {
                   std::string path = "/";
                   while (path.size() < kLong) path += sequence.next(2) == 0 ? "a/" : "b/";
                   input += path + "\n";
                 }
                 return input;
               }},
              {"slashes", long_lines("/", "/", kLong)},
              {"dots", long_lines("/", "./", kLongest)},
              {"double_dots", long_lines("/", "../", kLongest)},
              {"up_and_down", long_lines("/", "a/../", kLongest)},
              {"encoded_dots", long_lines("/", "%2e/", kLongest)},
              {"escapes", long_lines("/", "%41", kLong)},
              {"bytes_to_escape", long_lines("/", "\xC3\xA4", kLong / 3)},
              {"bytes_to_escape_twice", long_lines("/", "\xC3\xA4", kLongest)},
              {"invalid_bytes", long_lines("/", "\xFF", kLong / 3)},
              {"spaces_around", long_lines("", " ", kLongest, "/a")},
              {"tabs_within", long_lines("/a", "\t", kLongest, "/a")},
              {"backslashes", long_lines("/", "\\", kLong)},
              {"parameters", long_lines("/?", "a&", kLong)},
              {"parameters_empty", long_lines("/?", "&", kLong)},
              {"tracking_parameters", long_lines("/?", "sid&", kLong)},
              {"sessions_in_path", long_lines("/", ";sid=", kLong)},
              {"semicolons", long_lines("/", ";", kLong)},
              {"shapes_of_digits", long_lines("/", "a1", kLong)},
              {"shapes_of_identifiers", long_lines("/", "12345678-", kLong)},
              {"fragment", long_lines("/#", "a", kLongest)},
              {"credentials", long_lines("http://", "a:b@", kLongest, "c/")},
              {"credentials_many", long_lines("http://", "@", kLongest, "c/")},
              {"host", long_lines("http://", "a", kLong, "/")},
              {"labels", long_lines("http://", "a.", kLong, "b/")},
              {"host_of_numbers", long_lines("http://", "1.", kLong, "1/")},
              {"host_number", long_lines("http://", "9", kLong, "/")},
              {"host_escapes", long_lines("http://", "%61", kLongest, "/")},
              {"host_in_capitals", long_lines("http://", "A", kLong, "/")},
              {"host_of_umlauts", long_lines("http://", "\xC3\xA4", kLong, "/")},
              {"host_of_umlaut_labels", long_lines("http://", "\xC3\xA4.", kLong, "b/")},
              {"host_of_different_letters",
               [](std::size_t size) {
                 std::string line = "http://";
                 for (unsigned code = 0x4E00; line.size() < kLongest; ++code) {
                   line += static_cast<char>(0xE0 | code >> 12);
                   line += static_cast<char>(0x80 | (code >> 6 & 63));
                   line += static_cast<char>(0x80 | (code & 63));
                 }
                 line += "/\n";
                 std::string input;
                 while (input.size() < size) input += line;
                 return input;
               }},
              {"host_of_marks", long_lines("http://a", "\u0301\u0316", kLongest, "/")},
              {"host_of_jamo", long_lines("http://", "\u1100\u1161", kLongest, "/")},
              {"host_of_ligatures", long_lines("http://", "\uFDFA", kLongest, "/")},
              {"host_of_soft_hyphens", long_lines("http://a", "\u00AD", kLongest, "/")},
              {"host_of_punycode", long_lines("http://xn--", "a", kLong, "-4ca/")},
              {"host_of_punycode_digits", long_lines("http://xn--", "9", kLong, "/")},
              {"labels_of_punycode", long_lines("http://", "xn--4ca.", kLong, "b/")},
              {"host_address", long_lines("http://[", "1:", kLong, "]/")},
              {"port", long_lines("http://a:", "0", kLongest, "80/")},
              {"scheme", long_lines("", "a", kLongest, ":b")},
              {"other_scheme", long_lines("javascript:", "a", kLongest)},
              {"too_long", repeated("/", "a")},
          }};
}

// One address per line.
void read_keys(std::string_view bytes) {
  while (!bytes.empty()) {
    const std::size_t end = std::min(bytes.find('\n'), bytes.size());
    (void)surt_key(bytes.substr(0, end));
    bytes.remove_prefix(std::min(end + 1, bytes.size()));
  }
}

// Indexes have keys of all addresses, also of those that the crawler refuses.
HostileKind index_keys() {
  constexpr std::size_t kLongest = 60'000;  // less than the header of a record may have
  HostileKind kind = addresses();
  kind.name = "index_keys";
  kind.read = read_keys;
  for (InputFamily family : std::vector<InputFamily>{
           {"levels_of_escapes", long_lines("http://a/%", "25", kLongest, "41")},
           {"endings", long_lines("http://a/", "/(0123456789abcdefghijklmn)/.aspx", kLongest)},
           {"sessions_in_folders", long_lines("http://a/", "(0123456789abcdefghijklmn)/", kLongest, "?.aspx")},
           {"session_groups", long_lines("http://a/(", "a(0123456789abcdefghijklmn)", kLongest, ")/a.html")},
           {"session_names", long_lines("http://a/?", "sid=", kLongest)},
           {"session_tokens", long_lines("http://a/?", "cfid=1&cftoken=", kLongest)},
           {"session_ids_unfinished", long_lines("http://a/?", "cfid=", kLongest)},
           {"schemes", long_lines("", "http://", kLongest, "a/")},
           {"host_of_long_marks", long_lines("http://a", "\u0301\u0316", 1000, "/")},
       }) {
    kind.families.push_back(std::move(family));
  }
  return kind;
}

void read_links(std::string_view bytes) {
  static LinkExtractor extractor;
  extractor.extract(bytes, "http://a.example/b/c?d", "utf-8", kToken);
}

// A base as long as an address may be.
std::string long_base(std::string_view unit) {
  std::string base = "<base href='http://a.example/";
  while (base.size() + unit.size() < kUrlBytesMaximum) base += unit;
  return base + "x'>";
}

// A long link that is open, and blocks in it: each </a> moves it into them, with its address.
std::string link_reopened(std::size_t size_bytes) {
  constexpr std::size_t kAddressBytes = 2000;
  std::string input = "<a href=" + std::string(kAddressBytes, 'r') + ">";
  fill("<ul><li>ab cd ", 2 * kAddressBytes, input);
  fill("</a>", size_bytes, input);
  return input;
}

// A link that is not closed, which each block takes up again, with its long list of relations.
std::string relations_reopened(std::size_t size_bytes) {
  std::string input = "<p><a href=b rel='";
  fill("c ", size_bytes / 2, input);
  input += "'>";
  fill("<p>ab", size_bytes, input);
  return input;
}

// The families of pages, which cost.pages measures without links, and some that have links only.
HostileKind links() {
  HostileKind kind = {"links",
                      '<',
                      items_of_text("<html><body>", "<p><a href='/news/{text}'>read</a> ", "</body></html>", '-', 400),
                      read_links,
                      {
                          {"addresses", repeated("", "<a href={n}>")},
                          {"addresses_repeated", repeated("", "<a href=b>")},
                          {"addresses_missing", repeated("", "<a href>")},
                          {"addresses_unusable", repeated("", "<a href='javascript:{n}'>")},
                          {"frames", repeated("", "<iframe src={n}></iframe>")},
                          {"areas", repeated("<map>", "<area href={n}>")},
                          {"one_address", repeated("<a href='/", "a", "'>b</a>")},
                          {"bases", repeated("", "<base href={n}>")},
                          {"base_of_segments", repeated(long_base("x/"), "<a href={n}>")},
                          {"base_of_letters", repeated(long_base("x"), "<a href={n}>")},
                          {"base_and_queries", repeated(long_base("x/"), "<a href=?{n}>")},
                          {"base_and_parents", repeated(long_base("x/"), "<a href=../{n}>")},
                          {"base_to_escape", repeated(long_base("\xC3\xA9"), "<a href={n}>")},
                          {"base_of_advertising", repeated(long_base("x/") + "<div class=ad>", "<a href={n}>")},
                          {"link_reopened", link_reopened},
                          {"relations", repeated("<a href=b rel='", "c ", "'>d</a>")},
                          {"relations_reopened", relations_reopened},
                          {"relations_each", repeated("", "<link rel='a b c d e f g h i j' href=k>")},
                          {"relations_of_separators", repeated("<link href=b rel='", " ,;", "'>")},
                          {"types", repeated("<link rel=next href=b type='", " ", "text/html'>")},
                          {"directives", repeated("<meta name=robots content='", "a,", "'>")},
                          {"directives_each", repeated("", "<meta name=robots content='a,b,c,d'>")},
                          {"refreshes", repeated("", "<meta http-equiv=refresh content='5;url={n}'>")},
                          {"refresh_of_spaces", repeated("<meta http-equiv=refresh content='5;", " ", "url=a'>")},
                          {"names_of_spaces", repeated("<meta content=noindex name='", " ", "robots'>")},
                      }};
  for (const PageFamily& family : hostile_page_families()) {
    kind.families.push_back({family.name, [&](std::size_t size_bytes) { return page_of(family, size_bytes); }});
  }
  return kind;
}

// Values of single fields.
void read_header_value(std::string_view bytes) {
  (void)parse_robots_directives(bytes, kToken);
  (void)refresh_target(bytes);
  (void)charset_of_content_type(bytes);
  (void)charset_of_markup(bytes);
  (void)normalise_date(bytes);
}

// The longest address that is requested, which ends unlike the texts that are full of its beginning.
const std::string& long_address() {
  static const std::string address = "http://www.a.example/" + std::string(1990, 'a') + "b";
  return address;
}

HostileKind bare_text() {
  return {"bare_text",
          ' ',
          items_of_text("", "{text} ", "", '-', 40),
          [](std::string_view bytes) { (void)bare_text_hash(bytes, long_address()); },
          {
              {"letter", repeated("", "a")},
              {"paths_nearly", repeated("", "/" + std::string(1990, 'a'))},
              {"addresses_nearly", repeated("", long_address().substr(0, 2000))},
              {"addresses", repeated("", long_address())},
              {"hosts", repeated("", "http://www.a.example/")},
              {"spaces", repeated("", " ")},
          }};
}

HostileKind header_value() {
  return {"header_value",
          ',',
          items_of_text("text/html; charset=utf-8, ", "{text},", "", '-', 40),
          read_header_value,
          {
              {"letter", repeated("", "a")},
              {"words", repeated("", "a,")},
              {"commas", repeated("", ",")},
              {"semicolons", repeated("", ";")},
              {"spaces", repeated("", " ")},
              {"colons", repeated("", ":")},
              {"charsets", repeated("text/html;", "charset=", "")},
              {"charsets_of_spaces", repeated("text/html;", "charset ", "")},
              {"quotes", repeated("text/html; charset=", "\"")},
              {"digits", repeated("", "1")},
              {"numbers", repeated("", "1-")},
              {"metas", repeated("", "<meta ")},
              {"metas_with_attributes", repeated("<meta ", "a=b ")},
          }};
}

}  // namespace

void add_web_inputs(std::vector<HostileKind>& kinds) {
  kinds.push_back(robots());
  kinds.push_back(robots_match());
  kinds.push_back(sitemap());
  kinds.push_back(large_sitemap());
  kinds.push_back(addresses());
  kinds.push_back(index_keys());
  kinds.push_back(links());
  kinds.push_back(bare_text());
  kinds.push_back(header_value());
}

}  // namespace paraprint
