#include "paraprint/memory_pages.h"

#include <gtest/gtest.h>

#include <fstream>

#include "temporary_folder.h"

namespace paraprint {
namespace {

Page html_page(std::string id, std::string body) {
  Page page;
  page.id = std::move(id);
  page.body = std::move(body);
  page.body_is_utf8 = true;
  return page;
}

const std::string kArticle =
    "<h1>Bridge closed</h1><p>The river rose two metres overnight, the council said on Monday, and the old bridge to "
    "the market was closed.</p>";

Profile profile_of(const Page& page) {
  Result<Profiler> profiler = Profiler::create(ProfileOptions{});
  return profiler->profile(page);
}

TEST(ProfileBytes, RoundTrip) {
  const Profile profile = profile_of(html_page("a", kArticle));
  const Result<Profile> back = profile_from_bytes(profile_bytes(profile));
  ASSERT_TRUE(back);
  EXPECT_EQ(profile_bytes(*back), profile_bytes(profile));
  EXPECT_EQ(back->text_hash, profile.text_hash);
}

TEST(ProfileBytes, RejectOtherBytes) {
  EXPECT_EQ(profile_from_bytes("").error().code, ErrorCode::kCorruptData);
  EXPECT_EQ(profile_from_bytes("\x7f"
                               "abc")
                .error()
                .code,
            ErrorCode::kUnsupported);
}

TEST(ComparePages, AgreesWithComparingProfilesAndFiles) {
  std::string other = kArticle;
  other.replace(other.find("Monday"), 6, "Friday");
  const TemporaryFolder folder;
  std::ofstream(folder.path() + "/a.html") << kArticle;
  std::ofstream(folder.path() + "/b.html") << other;
  const Page a = html_page(folder.path() + "/a.html", kArticle);
  const Page b = html_page(folder.path() + "/b.html", other);
  CompareOptions options;
  options.match.min_characters = 20;
  const Result<ComparePagesOutcome> compared = compare_pages(a, b, options);
  ASSERT_TRUE(compared);
  EXPECT_EQ(compared->pair.match.verdict, Verdict::kNear);
  const Result<CompareOutcome> of_profiles = compare(profile_of(a), profile_of(b), options.match);
  EXPECT_EQ(compared->pair.match.resemblance, of_profiles->match.resemblance);
  EXPECT_EQ(compared->pair.spans.size(), of_profiles->spans.size());
  EXPECT_EQ(compared->rendered, compare_files(a.id, b.id, options)->rendered);
  EXPECT_NE(compared->content_b.text.find("Friday"), std::string::npos);
}

TEST(PageReader, ReadsBodiesAndContinuesAfterBrokenLines) {
  const TemporaryFolder folder;
  const std::string path = folder.path() + "/pages.jsonl";
  std::ofstream(path) << "{\"id\":\"a\",\"html\":\"<p>one</p>\"}\n{broken\n{\"id\":\"b\",\"text\":\"two\"}\n";
  std::vector<std::string> warnings;
  RunControl control;
  control.warning = [&](std::string_view line) { warnings.emplace_back(line); };
  const Result<std::unique_ptr<PageReader>> reader = PageReader::open({path}, ReadOptions{}, control);
  ASSERT_TRUE(reader);
  const Result<std::optional<Page>> first = (*reader)->next();
  EXPECT_EQ((*first)->id, "a");
  EXPECT_EQ((*first)->body, "<p>one</p>");
  const Result<std::optional<Page>> second = (*reader)->next();
  EXPECT_EQ((*second)->body, "two");
  EXPECT_EQ((*second)->format, PageFormat::kPlainText);
  EXPECT_FALSE((*reader)->next()->has_value());
  EXPECT_EQ((*reader)->broken_records(), 1U);
  ASSERT_EQ(warnings.size(), 1U);
  EXPECT_NE(warnings[0].find("pages.jsonl"), std::string::npos);
  EXPECT_EQ(PageReader::open({path + ".none"}, ReadOptions{}, {}).error().code, ErrorCode::kNotFound);
}

TEST(BodyDecoder, UsesTheCharsetOfTheContentType) {
  BodyDecoder decoder;
  const std::string latin =
      "<p>Stra\xdf"
      "e und K\xfc"
      "che</p>";
  EXPECT_EQ(decoder.decode(latin, "text/html; charset=iso-8859-1", PageFormat::kHtml), "<p>Straße und Küche</p>");
  EXPECT_EQ(decoder.decode("plain", "", PageFormat::kPlainText), "plain");
}

TEST(PageLineWriter, LinesReadAsThePages) {
  PageLineWriter lines;
  Page page = html_page("\"a\"\n", "<p>R\u00e9sum\u00e9</p>");
  page.url = "http://example.org/\xFF";
  page.date = "2024-05-01";
  EXPECT_EQ(lines.line(page, page.body),
            "{\"id\":\"\\\"a\\\"\\n\",\"date\":\"2024-05-01\",\"html\":\"<p>R\u00e9sum\u00e9</p>\"}");
  page.url = "http://example.org/";
  page.date.clear();
  page.format = PageFormat::kPlainText;
  EXPECT_EQ(lines.line(page, "A text"), R"({"id":"\"a\"\n","url":"http://example.org/","text":"A text"})");
}

TEST(PageLineWriter, FieldsHaveTheNamesOfTheOptions) {
  ReadOptions fields;
  fields.id_field = "doc";
  fields.text_field = "body";
  fields.url_field = "address";
  fields.date_field = "made";
  fields.score_field = "stars";
  PageLineWriter lines(fields);
  Page page = html_page("a", "");
  page.url = "http://example.org/";
  page.date = "2024-05-01";
  page.format = PageFormat::kPlainText;
  page.score = 0.5;
  EXPECT_EQ(lines.line(page, "A text"),
            R"({"doc":"a","address":"http://example.org/","made":"2024-05-01","body":"A text","stars":0.5})");
}

TEST(PageLineWriter, AnIdOfThePlaceHasItsOwnField) {
  ReadOptions fields;
  fields.place_field = "place";
  PageLineWriter lines(fields);
  Page page = html_page("7", "");
  EXPECT_EQ(lines.line(page, "x"), R"({"id":"7","html":"x"})");
  page.has_id_of_place = true;
  EXPECT_EQ(lines.line(page, "x"), R"({"place":"7","html":"x"})");
  EXPECT_EQ(PageLineWriter().line(page, "x"), R"({"id":"7","html":"x"})");
}

// The last two have the same std::hash in libstdc++, by which a set once told ids apart: a page was taken for another.
TEST(IdSet, KnowsExactlyTheIdsAdded) {
  IdSet ids;
  EXPECT_FALSE(ids.contains(""));
  for (const char* id : {"", "a", "customerinvoices"}) {
    EXPECT_FALSE(ids.contains(id)) << id;
    EXPECT_TRUE(ids.insert(id)) << id;
    EXPECT_TRUE(ids.contains(id)) << id;
    EXPECT_FALSE(ids.insert(id)) << id;
  }
  EXPECT_FALSE(ids.contains("kvhsgaaa87hg3h29"));
  EXPECT_TRUE(ids.insert("kvhsgaaa87hg3h29"));
  EXPECT_EQ(ids.size(), 4U);
}

TEST(IdSet, KeepsIdsWhileItGrows) {
  IdSet ids;
  constexpr int kIds = 5'000;
  for (int i = 0; i < kIds; ++i) ASSERT_TRUE(ids.insert(std::to_string(i)));
  for (int i = 0; i < 2 * kIds; ++i) ASSERT_EQ(ids.contains(std::to_string(i)), i < kIds) << i;
}

}  // namespace
}  // namespace paraprint
