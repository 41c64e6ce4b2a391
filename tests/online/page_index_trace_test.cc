// What pages state of their publication, kept in an index: in answers, as a filter of known pages, and for tracing who
// copied from whom.
#include <fmt/format.h>
#include <gmock/gmock.h>

#include <memory>
#include <string>
#include <vector>

#include "paraprint/engine.h"
#include "paraprint/index.h"
#include "temporary_folder.h"

namespace paraprint {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::SizeIs;

std::string article(int edits) {
  std::string text;
  for (int paragraph = 0; paragraph < 6; ++paragraph) {
    text += "<p>";
    for (int sentence = 0; sentence < 4; ++sentence) {
      const bool is_edited = paragraph * 4 + sentence < edits;
      text += fmt::format("The {} report number {} of the harbour authority counts {} ships, barges and tugs. ",
                          is_edited ? "revised" : "annual", paragraph * 7 + sentence, 100 + paragraph * 31 + sentence);
    }
    text += "</p>";
  }
  return text;
}

struct Statement {
  std::string date;
  std::string source_url;
  std::string site_name;
};

std::string html(const Statement& stated, int edits) {
  std::string head;
  if (!stated.date.empty()) {
    head += fmt::format("<meta property=\"article:published_time\" content=\"{}\">", stated.date);
  }
  if (!stated.site_name.empty()) {
    head += fmt::format("<meta property=\"og:site_name\" content=\"{}\">", stated.site_name);
  }
  const std::string source =
      stated.source_url.empty() ? "" : fmt::format("<p>Source: <a href=\"{}\">the original</a></p>", stated.source_url);
  return fmt::format("<html><head><title>Ships</title>{}</head><body><article>{}{}</article></body></html>", head,
                     source, article(edits));
}

class PageIndexTraceTest : public ::testing::Test {
 protected:
  void SetUp() override {
    Result<Profiler> profiler = Profiler::create({}, {.provenance = true});
    ASSERT_TRUE(profiler) << profiler.error().message;
    profiler_ = std::make_unique<Profiler>(std::move(*profiler));
    open();
  }

  void open() {
    index_.reset();
    IndexOptions options;
    options.identity = profiler_->settings_identity();
    options.sync = SyncMode::kNone;
    auto opened = PageIndex::open(folder_ / "index", options);
    ASSERT_TRUE(opened) << opened.error().message;
    index_ = std::move(*opened);
  }

  struct Read {
    Page page;
    std::string origin;
  };
  // The profile is that of the last page read.
  Read read(const std::string& url, const Statement& stated, int edits) {
    Read read;
    read.page.url = url;
    read.page.body = html(stated, edits);
    profile_ = profiler_->profile(read.page);
    read.origin = profiler_->origin().value_or("");
    EXPECT_FALSE(read.origin.empty());
    return read;
  }

  AddOutcome add(const std::string& url, const Statement& stated, int edits = 0, bool with_origin = true) {
    const Read page = read(url, stated, edits);
    IndexPageInput input;
    input.url = url;
    input.profile = &profile_;
    input.seen_at_seconds = 1'750'000'000;  // 2025-06-15
    if (with_origin) input.origin = page.origin;
    Result<AddOutcome> answer = index_->lookup_or_add(input, {});
    EXPECT_TRUE(answer) << answer.error().message;
    return answer ? std::move(*answer) : AddOutcome{};
  }

  // Ids of the known pages that match the article.
  std::vector<std::string> found(const StatementFilter& filter) {
    read("http://asked.example/", {}, 0);
    IndexPageInput input;
    input.profile = &profile_;
    LookupOptions options;
    options.filter = filter;
    const Result<LookupOutcome> answer = index_->lookup(input, options);
    EXPECT_TRUE(answer) << answer.error().message;
    std::vector<std::string> ids;
    for (const IndexMatch& match : answer->matches) ids.push_back(match.page.id);
    return ids;
  }

  void TearDown() override {
    const Result<VerifyOutcome> verification = index_->verify(true);
    ASSERT_TRUE(verification);
    for (const IndexFinding& finding : verification->findings) ADD_FAILURE() << finding.what;
  }

  TemporaryFolder folder_;
  std::unique_ptr<Profiler> profiler_;
  std::unique_ptr<PageIndex> index_;
  Profile profile_;
};

const Statement kFirst{"2024-05-01T08:00:00Z", "", "Harbour Times"};
const Statement kReposted{"2024-05-03", "http://harbour.example/1", "Copy Post"};

TEST_F(PageIndexTraceTest, AnswersSayWhatKnownPagesState) {
  add("http://harbour.example/1", kFirst);
  const AddOutcome copy = add("http://copy.example/9", kReposted, 2);
  ASSERT_THAT(copy.lookup.matches, SizeIs(1));
  const std::optional<PageStatement>& stated = copy.lookup.matches[0].page.stated;
  ASSERT_TRUE(stated);
  EXPECT_EQ(stated->metadata.date_published, "2024-05-01T08:00:00Z");
  EXPECT_EQ(stated->date_place, "open-graph");
  EXPECT_EQ(stated->metadata.site_name, "Harbour Times");
  open();  // also of an index that was closed in between
  const Result<IndexedPage> page = index_->get("http://copy.example/9");
  ASSERT_TRUE(page && page->stated);
  EXPECT_THAT(stored_page_json(*page, nullptr),
              AllOf(HasSubstr(R"("stated":{"date":"2024-05-03","date_place":"open-graph","site_name":"Copy Post")"),
                    HasSubstr(R"("source_url":"http://harbour.example/1")")));
}

TEST_F(PageIndexTraceTest, TracesWhoCopiedFromWhom) {
  add("http://harbour.example/1", kFirst);
  add("http://copy.example/9", kReposted, 2);
  const Result<TracedCopies> traced = index_->trace("http://copy.example/9", {});
  ASSERT_TRUE(traced) << traced.error().message;
  EXPECT_EQ(traced->cluster, "http://harbour.example/1");
  ASSERT_THAT(traced->pages, SizeIs(2));
  EXPECT_THAT(traced->pages[0], AllOf(HasSubstr(R"("id":"http://copy.example/9")"),
                                      HasSubstr(R"("copied_from":"http://harbour.example/1","confidence":0.9)"),
                                      HasSubstr(R"("reasons":["date","stated-source")"), HasSubstr("added_characters"),
                                      HasSubstr(R"("cluster":"http://harbour.example/1")")));
  EXPECT_THAT(traced->pages[1], AllOf(HasSubstr(R"("copied_from":null,"is_first":true)")));
  EXPECT_FALSE(traced->has_more);
  EXPECT_THAT(trace_json("http://copy.example/9", *traced),
              AllOf(HasSubstr(R"({"id":"http://copy.example/9","cluster":"http://harbour.example/1","pages":[{"id")"),
                    HasSubstr(R"(}],"pages_filtered_out":0,"has_more":false})")));
}

TEST_F(PageIndexTraceTest, TracingIsBoundedAndFiltered) {
  for (int number = 0; number < 5; ++number) {
    add(fmt::format("http://site{}.example/", number), {fmt::format("2024-05-0{}", number + 1), "", ""});
  }
  TraceOptions options;
  options.pages = 3;
  Result<TracedCopies> traced = index_->trace("http://site4.example/", options);
  ASSERT_TRUE(traced);
  EXPECT_THAT(traced->pages, SizeIs(3));
  EXPECT_TRUE(traced->has_more);
  options.pages = 5;
  options.filter.published_from = "2024-05-04";
  traced = index_->trace("http://site4.example/", options);
  ASSERT_TRUE(traced);
  EXPECT_FALSE(traced->has_more);
  EXPECT_EQ(traced->pages_filtered_out, 3U);
  // The page that it was copied from is named although the filter leaves it out.
  EXPECT_THAT(traced->pages, ElementsAre(HasSubstr(R"("copied_from":"http://site0.example/")"),
                                         HasSubstr(R"("copied_from":"http://site0.example/")")));
  for (const std::uint32_t pages : {0U, 10'001U}) {
    options.pages = pages;
    EXPECT_EQ(index_->trace("http://site4.example/", options).error().code, ErrorCode::kInvalidArgument);
  }
  EXPECT_EQ(index_->trace("http://other.example/", {}).error().code, ErrorCode::kNotFound);
}

TEST_F(PageIndexTraceTest, FiltersByTimeAndSource) {
  add("http://harbour.example/1", kFirst);
  add("http://www.copy.example/9", kReposted);
  add("http://undated.example/", {"", "", ""});
  const std::string first = "http://harbour.example/1";
  const std::string copy = "http://www.copy.example/9";
  EXPECT_THAT(found({}), ElementsAre(first));  // one page for the text
  EXPECT_THAT(found({.published_from = "2024-05-02"}), ElementsAre(copy));
  EXPECT_THAT(found({.published_from = "2024-05-03", .published_until = "2024-05-03"}), ElementsAre(copy));
  EXPECT_THAT(found({.published_until = "2024-05-01"}), ElementsAre(first));
  EXPECT_THAT(found({.published_until = "2024-05-01T07:59:59Z"}), IsEmpty());
  EXPECT_THAT(found({.published_from = "2024-05"}), ElementsAre(first));
  EXPECT_THAT(found({.published_from = "2025"}), IsEmpty());
  EXPECT_THAT(found({.source = "harbour.example"}), ElementsAre(copy));
  EXPECT_THAT(found({.source = "example"}), ElementsAre(copy));  // a domain with all below it
  EXPECT_THAT(found({.source = "bour.example"}), IsEmpty());
  EXPECT_THAT(found({.site = "copy.example"}), ElementsAre(copy));
  EXPECT_THAT(found({.site = "COPY post"}), ElementsAre(copy));
  EXPECT_THAT(found({.site = "undated.example"}), ElementsAre("http://undated.example/"));
  EXPECT_THAT(found({.published_from = "2024", .site = "undated.example"}), IsEmpty());
}

// A page with equal text must not hide near ones that pass.
TEST_F(PageIndexTraceTest, AFilterSearchesOn) {
  add("http://harbour.example/1", kFirst);
  add("http://copy.example/9", kReposted, 2);
  EXPECT_THAT(found({.source = "harbour.example"}), ElementsAre("http://copy.example/9"));
}

TEST_F(PageIndexTraceTest, StatementsFollowTheirPages) {
  const auto stated_date = [&](const std::string& id) {
    const Result<IndexedPage> page = index_->get(id);
    return page && page->stated ? page->stated->metadata.date_published : "none";
  };
  const std::string url = "http://harbour.example/1";
  add(url, kFirst);
  add(url, kFirst, 0, false);
  EXPECT_EQ(stated_date(url), "2024-05-01T08:00:00Z") << "the text is the same";
  add(url, {"2024-06-01", "", ""});
  EXPECT_EQ(stated_date(url), "2024-06-01");
  add(url, kFirst, 20, false);
  EXPECT_EQ(stated_date(url), "none") << "the text is another";
  add(url, kFirst, 3);
  ASSERT_TRUE(index_->remove(url).value_or(false));
  add(url, kFirst, 3, false);
  EXPECT_EQ(stated_date(url), "none") << "the page was removed";
}

TEST_F(PageIndexTraceTest, RefusesWhatIsNoStatementAndNoDate) {
  read("http://harbour.example/1", kFirst, 0);
  IndexPageInput input;
  input.url = "http://harbour.example/1";
  input.profile = &profile_;
  input.origin = "nonsense";
  EXPECT_EQ(index_->lookup_or_add(input, {}).error().code, ErrorCode::kInvalidArgument);
  EXPECT_EQ(index_->add(input).error().code, ErrorCode::kInvalidArgument);
  input.origin = {};
  AddOptions options;
  options.lookup.filter.site = "harbour.example";
  EXPECT_EQ(index_->lookup_or_add(input, options).error().code, ErrorCode::kInvalidArgument);
  for (const char* date : {"yesterday", "2024-13-01", "20245", "2024-00"}) {
    LookupOptions lookup;
    lookup.filter.published_until = date;
    const Result<LookupOutcome> answer = index_->lookup(input, lookup);
    ASSERT_FALSE(answer) << date;
    EXPECT_THAT(answer.error().message, AllOf(HasSubstr("published_until"), HasSubstr(date))) << date;
  }
  EXPECT_EQ(index_->get("http://harbour.example/1").error().code, ErrorCode::kNotFound);
}

// Without statements, the texts alone speak.
TEST_F(PageIndexTraceTest, TracesPagesWithoutStatements) {
  add("http://a.example/", kFirst, 0, false);
  add("http://b.example/", kFirst, 2, false);
  const Result<TracedCopies> traced = index_->trace("http://a.example/", {});
  ASSERT_TRUE(traced);
  EXPECT_THAT(traced->pages, SizeIs(2));
  for (const std::string& page : traced->pages) EXPECT_THAT(page, Not(HasSubstr("\"date\"")));
}

}  // namespace
}  // namespace paraprint
