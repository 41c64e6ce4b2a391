// Annotations: the fields and their names, and lines of JSON that get members and stay otherwise what they were.
#include "report/annotation.h"

#include <gtest/gtest.h>

namespace paraprint {
namespace {

PageAnnotation copy() {
  PageAnnotation page;
  page.id = "b";
  page.cluster = 3;
  page.cluster_size = 2;
  page.is_kept = false;
  page.is_copy = true;
  page.kept_id = "a \"quoted\" \xff id";
  page.verdict = Verdict::kNear;
  page.score = 0.81234;
  page.content_characters = 517;
  page.language = "en";
  page.boilerplate_share = 0.25;
  return page;
}

std::vector<AnnotationField> fields(const std::vector<std::string>& names) {
  const auto parsed = parse_annotation_fields(names);
  EXPECT_TRUE(parsed.has_value()) << (parsed ? "" : parsed.error().message);
  return parsed.value_or(std::vector<AnnotationField>());
}

std::vector<AnnotationField> all_fields() {
  return fields({annotation_field_names().begin(), annotation_field_names().end()});
}

std::string added(std::string_view line, const std::vector<AnnotationField>& names) {
  AnnotatedLines lines(names);
  const auto edited = lines.annotated(line, copy());
  return edited ? std::string(*edited) : "error: " + edited.error().message;
}

TEST(Annotation, AddsAllFieldsInTheirOrder) {
  EXPECT_EQ(
      added(R"({"id":"b"})", all_fields()),
      R"({"id":"b","cluster":3,"cluster_size":2,"is_kept":false,"kept_id":"a \"quoted\" )"
      "\uFFFD"
      R"( id","verdict":"near","score":0.8123,"content_characters":517,"language":"en","boilerplate_share":0.2500})");
}

TEST(Annotation, KeptPagesHaveNoVerdict) {
  PageAnnotation page = copy();
  page.is_kept = true;
  page.is_copy = false;
  const auto chosen = fields({"verdict", "score", "is_kept"});
  AnnotatedLines lines(chosen);
  EXPECT_EQ(lines.annotated("{}", page).value_or("error"), R"({"verdict":null,"score":null,"is_kept":true})");
  const auto written = annotation_lines(page, chosen);
  ASSERT_EQ(written.size(), 1U);
  EXPECT_EQ(written.front(), (std::pair<std::string, std::string>("is_kept", "true")));
}

TEST(Annotation, PagesInOtherLanguagesHaveNoKeptPage) {
  PageAnnotation page = copy();
  page.is_copy = false;
  const auto chosen = fields({"is_kept", "kept_id", "verdict", "language"});
  AnnotatedLines lines(chosen);
  EXPECT_EQ(lines.annotated("{}", page).value_or("error"),
            R"({"is_kept":false,"kept_id":null,"verdict":null,"language":"en"})");
}

TEST(Annotation, LinesOfWarcRecordsHaveTextWithoutQuotes) {
  const auto written = annotation_lines(copy(), fields({"kept_id=keptId", "verdict", "score"}));
  const std::vector<std::pair<std::string, std::string>> expected = {
      {"keptId", "a \"quoted\" \xff id"}, {"verdict", "near"}, {"score", "0.8123"}};
  EXPECT_EQ(written, expected);
}

TEST(Annotation, LeavesAllOtherBytesAsTheyAre) {
  const auto chosen = fields({"cluster=group"});
  EXPECT_EQ(added("{ \"n\": 1.50, \"t\":\"\\u82f9 } \" }  ", chosen),
            "{ \"n\": 1.50, \"t\":\"\\u82f9 } \" ,\"group\":3}  ");
  EXPECT_EQ(added("{ }", chosen), "{ \"group\":3}");
  EXPECT_EQ(added("\xEF\xBB\xBF{\"a\":{}}", chosen), "\xEF\xBB\xBF{\"a\":{},\"group\":3}");
}

TEST(Annotation, NoFieldIsOverwritten) {
  const auto chosen = fields({"cluster", "score"});
  const std::string refused =
      "error: there is a field \"score\" already; give the new one another name, like annotation_fields "
      "\"score=new_score\", or leave it out";
  EXPECT_EQ(added(R"({"score":1})", chosen), refused);
  EXPECT_EQ(added(R"({"\u0073core":1})", chosen), refused);
  EXPECT_EQ(added(R"({"a":{"score":1},"b":["cluster"]})", chosen),
            R"({"a":{"score":1},"b":["cluster"],"cluster":3,"score":0.8123})");
}

TEST(Annotation, ALanguageThatIsStatedStays) {
  const auto chosen = fields({"language", "cluster", "language=found"});
  EXPECT_EQ(added(R"({"language":"de"})", chosen), R"({"language":"de","cluster":3,"found":"en"})");
  EXPECT_EQ(added(R"({"language":"de"})", fields({"language"})), R"({"language":"de"})");
}

TEST(Annotation, WhatIsNoObjectIsAnError) {
  for (const char* line : {"", "[1]", "{\"a\":1", "{\"a\"}", "12", "}"}) {
    EXPECT_EQ(added(line, fields({"cluster"})).substr(0, 6), "error:") << line;
  }
}

TEST(Annotation, NamesAreChecked) {
  const auto message = [](const std::vector<std::string>& names) {
    const auto parsed = parse_annotation_fields(names);
    return parsed ? std::string() : parsed.error().message;
  };
  EXPECT_EQ(message({"clusters"}).substr(0, 46), "unknown field 'clusters' in annotation_fields;");
  EXPECT_NE(message({"cluster="}), "");
  EXPECT_NE(message({"cluster=a:b"}), "");
  EXPECT_NE(message({"cluster=a\nb"}), "");
  EXPECT_EQ(message({"cluster", "score=cluster"}), "annotation_fields has the name 'cluster' twice");
  EXPECT_EQ(message({"cluster", "cluster=group"}), "");
}

}  // namespace
}  // namespace paraprint
