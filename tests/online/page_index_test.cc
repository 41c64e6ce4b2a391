// Tests the calls of PageIndex one by one on a few pages.
#include <gmock/gmock.h>

#include <filesystem>
#include <fstream>

#include "engine/pair_scorer.h"
#include "online/generated_profiles.h"
#include "paraprint/index.h"
#include "temporary_folder.h"

namespace paraprint {
namespace {

using ::testing::ElementsAre;

class PageIndexTest : public ::testing::Test {
 protected:
  void SetUp() override {
    IndexOptions options;
    options.identity = "test";
    options.sync = SyncMode::kNone;
    auto opened = PageIndex::open(folder_ / "index", options);
    ASSERT_TRUE(opened) << opened.error().message;
    index_ = std::move(*opened);
  }

  AddOutcome add(const std::string& id, const ArticleGenerator::Article& article, const AddOptions& options = {},
                 std::uint64_t seen_at_seconds = 1000) {
    const Profile profile = ArticleGenerator::profile_of(article);
    const std::string url = "http://example.org/" + id;
    IndexPageInput input;
    input.id = id;
    input.url = url;
    input.date = "2026-01-01";
    input.seen_at_seconds = seen_at_seconds;
    input.profile = &profile;
    Result<AddOutcome> answer = index_->lookup_or_add(input, options);
    EXPECT_TRUE(answer) << answer.error().message;
    return std::move(*answer);
  }

  std::vector<std::string> cluster_of(const std::string& name) const {
    std::vector<std::string> ids;
    for (const IndexedPage& page : index_->get_cluster(name, 10).value_or(std::vector<IndexedPage>())) {
      ids.push_back(page.id);
    }
    return ids;
  }

  void TearDown() override {
    const Result<VerifyOutcome> verification = index_->verify(true);
    ASSERT_TRUE(verification);
    for (const IndexFinding& finding : verification->findings) ADD_FAILURE() << finding.what;
  }

  TemporaryFolder folder_;
  std::unique_ptr<PageIndex> index_;
  ArticleGenerator generator_{3};
};

TEST_F(PageIndexTest, RecognisesKnownTexts) {
  const auto article = generator_.article(8);
  EXPECT_EQ(add("a", article).lookup.verdict, Verdict::kDistinct);
  const AddOutcome same = add("b", article);
  EXPECT_EQ(same.lookup.verdict, Verdict::kSame);
  EXPECT_EQ(same.lookup.matches.front().page.id, "a");
  EXPECT_EQ(same.lookup.matches.front().page.url, "http://example.org/a");
  EXPECT_EQ(same.cluster, "a");
  auto edited = article;
  generator_.edit_paragraph(edited.paragraphs[2], 5);
  AddOptions with_evidence;
  with_evidence.lookup.evidence = true;
  const AddOutcome near = add("c", edited, with_evidence);
  EXPECT_EQ(near.lookup.verdict, Verdict::kNear);
  EXPECT_EQ(near.lookup.matches.front().pages_of_text, 2U);
  EXPECT_EQ(near.lookup.matches.front().spans.size(), 8U);
  EXPECT_EQ(near.cluster, "a");
  auto excerpt = article;
  excerpt.paragraphs.resize(3);
  excerpt.pairs = generator_.article(1).pairs;
  const AddOutcome part = add("d", excerpt);
  EXPECT_EQ(part.lookup.verdict, Verdict::kContained);
  EXPECT_FLOAT_EQ(part.lookup.matches.front().containment_asked, 1);
  EXPECT_EQ(part.cluster, "d");
  EXPECT_THAT(cluster_of("a"), ElementsAre("a", "b", "c"));
  EXPECT_EQ(index_->get_cluster("b", 10).error().code, ErrorCode::kNotFound);
  for (const std::size_t wanted : {1, 2, 3}) {  // all but the last one end the walk early
    std::vector<std::string> members;
    EXPECT_TRUE(index_->for_each_page_of_cluster("a", [&](IndexedPage&& page) {
      members.push_back(std::move(page.id));
      return members.size() < wanted;
    }));
    EXPECT_EQ(members.size(), wanted);
    EXPECT_EQ(index_->get_cluster("a", wanted)->size(), wanted);
  }
}

// The mirrors of the first text keep the name by which they are known.
TEST_F(PageIndexTest, AClusterIsNotThatOfAnotherText) {
  for (const std::string home : {"changed", "removed", "added"}) {
    const auto first = generator_.article(8);
    const auto second = generator_.article(8);
    const std::uint64_t text = index_->statistics()->next_text;
    add(home, first);
    add("mirror of " + home, first);
    if (home == "removed") {
      ASSERT_TRUE(*index_->remove(home));
    }
    const std::string name = home + "##" + std::to_string(text + 1);
    if (home == "added") {
      const Profile profile = ArticleGenerator::profile_of(second);
      IndexPageInput input;
      input.id = home;
      input.profile = &profile;
      EXPECT_EQ(index_->add(input), PageChange::kChanged);
    } else {
      EXPECT_EQ(add(home, second).cluster, name);
    }
    EXPECT_EQ(index_->get(home)->cluster, name);
    EXPECT_EQ(add("another mirror of " + home, second).cluster, name);
    EXPECT_EQ(add("late mirror of " + home, first).cluster, home);
    EXPECT_THAT(cluster_of(name), ElementsAre(home, "another mirror of " + home));
    EXPECT_THAT(cluster_of(home), ElementsAre("late mirror of " + home, "mirror of " + home));
    EXPECT_EQ(index_->trace(home, {})->pages.size(), 2U);
    EXPECT_EQ(index_->trace("mirror of " + home, {})->pages.size(), 2U);
    // The page is the centre of its second star, too, and stays it if it is edited.
    auto edited = second;
    generator_.edit_paragraph(edited.paragraphs[2], 5);
    EXPECT_EQ(add("edited " + home, edited).cluster, name);
    generator_.edit_paragraph(edited.paragraphs[4], 5);
    EXPECT_EQ(add(home, edited).cluster, name);
    EXPECT_THAT(cluster_of(name), ElementsAre(home, "another mirror of " + home, "edited " + home));
  }
}

TEST_F(PageIndexTest, AClusterIsNotCalledLikeThatOfAnotherPage) {
  const auto one = generator_.article(8);
  const auto other = generator_.article(8);
  add("a", one);
  add("b", one);
  EXPECT_EQ(add("a##2", generator_.article(8)).cluster, "a##2");
  EXPECT_EQ(add("a", other).cluster, "a##3");
  add("c", other);
  EXPECT_EQ(add("a##3", generator_.article(8)).cluster, "a##3##3");
  EXPECT_THAT(cluster_of("a##3"), ElementsAre("a", "c"));
}

// Neither by being near to the page that began the cluster nor by having its text.
TEST_F(PageIndexTest, APageDoesNotTakeTheClusterThatItsIdNames) {
  for (const std::string home : {"a", "b"}) {
    const auto first = generator_.article(8);
    const auto second = generator_.article(8);
    add(home, first);
    add("mirror of " + home, first);
    const std::string name = add(home, second).cluster;
    EXPECT_EQ(name, home + "##" + std::to_string(index_->statistics()->next_text - 1));
    auto edited = second;
    if (home == "a") generator_.edit_paragraph(edited.paragraphs[2], 5);
    const AddOutcome added = add(name, edited);
    EXPECT_EQ(added.lookup.verdict, home == "a" ? Verdict::kNear : Verdict::kSame);
    EXPECT_EQ(added.cluster.substr(0, name.size() + 2), name + "##");
    auto near = second;
    generator_.edit_paragraph(near.paragraphs[5], 5);
    EXPECT_EQ(add("near to " + home, near).cluster, name);
    EXPECT_EQ(add("another mirror of " + home, second).cluster, name);
    EXPECT_THAT(cluster_of(name), ElementsAre(home, "another mirror of " + home, "near to " + home));
    EXPECT_THAT(cluster_of(added.cluster), ElementsAre(name));
  }
}

// As runs give them to pages whose ids occur again. A page of the cluster is not the one that began it, also once that
// is gone, and nothing joins the cluster for resembling it.
TEST_F(PageIndexTest, AnIdWithANumberIsNotTheNameOfASecondCluster) {
  ArticleGenerator::Article all = generator_.article(14);
  for (ArticleGenerator::Paragraph& paragraph : all.paragraphs) {
    paragraph = generator_.paragraph(3);
    for (ArticleGenerator::Sentence& sentence : paragraph.sentences) sentence.characters = 50;
  }
  // Ten paragraphs from `first` on: two thirds of two such texts are in both if one begins two paragraphs later.
  const auto part = [&](std::ptrdiff_t first) {
    ArticleGenerator::Article made = generator_.article(1);
    made.paragraphs.assign(all.paragraphs.begin() + first, all.paragraphs.begin() + first + 10);
    return made;
  };
  EXPECT_EQ(add("x#2", part(0)).cluster, "x#2");
  EXPECT_EQ(add("x", part(2)).cluster, "x#2");
  ASSERT_TRUE(*index_->remove("x#2"));
  const AddOutcome last = add("y", part(4));
  EXPECT_EQ(last.lookup.verdict, Verdict::kNear);
  EXPECT_EQ(last.cluster, "y");
}

TEST_F(PageIndexTest, AnEditedPageKeepsItsCluster) {
  auto article = generator_.article(8);
  add("a", article);
  add("b", article);
  generator_.edit_paragraph(article.paragraphs[2], 5);
  EXPECT_EQ(add("a", article).cluster, "a");
  EXPECT_THAT(cluster_of("a"), ElementsAre("a", "b"));
}

TEST_F(PageIndexTest, ReportsWhetherAKnownPageChanged) {
  const auto article = generator_.article(8);
  EXPECT_EQ(add("a", article).change, PageChange::kNew);
  const AddOutcome unchanged = add("a", article, {}, 2000);
  EXPECT_EQ(unchanged.change, PageChange::kUnchanged);
  EXPECT_EQ(unchanged.lookup.verdict, Verdict::kDistinct);  // its own text is not a match
  EXPECT_EQ(index_->get("a")->first_seen_seconds, 1000U);
  EXPECT_EQ(index_->get("a")->last_seen_seconds, 2000U);
  auto edited = article;
  generator_.edit_paragraph(edited.paragraphs[0], 3);
  const AddOutcome changed = add("a", edited, {}, 3000);
  EXPECT_EQ(changed.change, PageChange::kChanged);
  EXPECT_EQ(changed.lookup.verdict, Verdict::kDistinct);
  ASSERT_TRUE(changed.previous);
  EXPECT_EQ(changed.previous->verdict, Verdict::kNear);
  EXPECT_EQ(index_->statistics()->texts, 1U);
  EXPECT_EQ(index_->statistics()->pages, 1U);
  EXPECT_EQ(index_->get_profile("a")->text_hash, ArticleGenerator::profile_of(edited).text_hash);
}

TEST_F(PageIndexTest, TextStaysWhileAPageHasIt) {
  const auto article = generator_.article(5);
  add("a", article);
  add("b", article);
  add("c", article);
  EXPECT_EQ(index_->statistics()->texts, 1U);
  EXPECT_TRUE(*index_->remove("a"));
  EXPECT_FALSE(*index_->remove("a"));
  EXPECT_EQ(add("x", article).lookup.matches.front().page.id, "b");
  EXPECT_TRUE(*index_->remove("b"));
  EXPECT_TRUE(*index_->remove("x"));
  EXPECT_TRUE(*index_->remove("c"));
  EXPECT_EQ(index_->statistics()->texts, 0U);
  EXPECT_EQ(add("d", article).lookup.verdict, Verdict::kDistinct);
}

TEST_F(PageIndexTest, CopiesCanBeLeftOut) {
  const auto article = generator_.article(5);
  AddOptions options;
  options.copies = false;
  EXPECT_TRUE(add("a", article, options).is_stored);
  const AddOutcome copy = add("b", article, options);
  EXPECT_FALSE(copy.is_stored);
  EXPECT_EQ(copy.cluster, "a");
  EXPECT_EQ(index_->get("b").error().code, ErrorCode::kNotFound);
}

TEST_F(PageIndexTest, PagesExpireByTheirLastVisit) {
  add("old", generator_.article(3), {}, 100);
  const auto kept = generator_.article(3);
  add("seen again", kept, {}, 100);
  add("seen again", kept, {}, 300);
  add("young", generator_.article(3), {}, 200);
  add("changed in an older crawl", generator_.article(3), {}, 300);
  add("changed in an older crawl", generator_.article(3), {}, 100);
  EXPECT_EQ(*index_->expire(200), 1U);
  EXPECT_EQ(index_->get("old").error().code, ErrorCode::kNotFound);
  EXPECT_EQ(index_->find_by_url("http://example.org/old").error().code, ErrorCode::kNotFound);
  EXPECT_EQ(index_->find_by_url("http://example.org/young")->id, "young");
}

TEST_F(PageIndexTest, HandlesShortAndEmptyPages) {
  ArticleGenerator::Article tiny;
  tiny.paragraphs.push_back(generator_.paragraph(1));
  tiny.paragraphs[0].sentences[0].characters = 30;
  EXPECT_EQ(add("a", tiny).lookup.verdict, Verdict::kDistinct);
  EXPECT_EQ(add("b", tiny).lookup.verdict, Verdict::kSame);
  const ArticleGenerator::Article empty;
  EXPECT_EQ(add("c", empty).lookup.verdict, Verdict::kDistinct);
  EXPECT_EQ(add("d", empty).lookup.verdict, Verdict::kDistinct);
  EXPECT_EQ(add("d", empty).change, PageChange::kUnchanged);
  EXPECT_EQ(index_->statistics()->pages, 4U);
}

TEST_F(PageIndexTest, SiteTemplatesHaveNoWeight) {
  // Half of each page is the site's template: pages match each other only until the template is known.
  const auto frame = generator_.article(6);
  Verdict last = Verdict::kSame;
  for (int page = 0; page < 20; ++page) {
    auto article = generator_.article(8);
    article.paragraphs.insert(article.paragraphs.end(), frame.paragraphs.begin(), frame.paragraphs.end());
    last = add("page" + std::to_string(page), article).lookup.verdict;
    if (page == 1) {
      EXPECT_NE(last, Verdict::kDistinct);
    }
  }
  EXPECT_EQ(last, Verdict::kDistinct);
}

// Versions of one page, which are added by a call that compares it with no other.
TEST_F(PageIndexTest, VersionsOfAPageAreNoTemplate) {
  const auto add_version = [&](const std::string& id, const ArticleGenerator::Article& article) {
    const Profile profile = ArticleGenerator::profile_of(article);
    const std::string url = "http://example.org/" + id;
    IndexPageInput input;
    input.id = id;
    input.url = url;
    input.profile = &profile;
    ASSERT_TRUE(index_->add(input));
  };
  for (int page = 0; page < 12; ++page) add_version("page" + std::to_string(page), generator_.article(8));
  auto article = generator_.article(8);
  for (int version = 0; version < 8; ++version) {
    add_version("article", article);
    generator_.edit_paragraph(article.paragraphs[0], 5);
  }
  EXPECT_TRUE(index_->for_each_text([](const IndexedText& text) -> Status {
    EXPECT_THAT(text.template_paragraphs, ElementsAre()) << text.page.id;
    return {};
  }));
}

TEST_F(PageIndexTest, PagesWithoutUsableNamesAreRefused) {
  const Profile profile = ArticleGenerator::profile_of(generator_.article(2));
  IndexPageInput input;
  EXPECT_EQ(index_->lookup_or_add(input, {}).error().code, ErrorCode::kInvalidArgument);
  input.profile = &profile;
  EXPECT_EQ(index_->lookup_or_add(input, {}).error().code, ErrorCode::kInvalidArgument);
  const std::string long_url(9000, 'u');
  input.url = long_url;
  EXPECT_EQ(index_->lookup_or_add(input, {}).error().code, ErrorCode::kLimitExceeded);
}

TEST_F(PageIndexTest, AUrlLeadsToThePageThatCameWithItLast) {
  const auto article = generator_.article(6);
  const Profile one = ArticleGenerator::profile_of(article);
  const Profile other = ArticleGenerator::profile_of(generator_.article(6));
  const auto add_with = [&](const char* id, const char* url, const Profile& profile) {
    IndexPageInput input;
    input.id = id;
    input.url = url;
    input.seen_at_seconds = 1000;
    input.profile = &profile;
    ASSERT_TRUE(index_->lookup_or_add(input, {}));
  };
  const auto id_of = [&](const char* url) {
    const Result<IndexedPage> page = index_->find_by_url(url);
    return page ? page->id : std::string(page.error().code == ErrorCode::kNotFound ? "none" : "error");
  };
  const char* const url = "http://u.example/";
  add_with("a", url, one);
  add_with("b", url, other);
  EXPECT_EQ(id_of(url), "b");
  ASSERT_TRUE(index_->remove("b"));
  EXPECT_EQ(id_of(url), "none");
  add_with("a", url, one);
  EXPECT_EQ(id_of(url), "a") << "the page was unchanged, but nothing led to it";
  // An id that turns out to be the URL, and a page whose URL changes to its id.
  add_with("http://w.example/", "", one);
  EXPECT_EQ(id_of("http://w.example/"), "none");
  add_with("http://w.example/", "http://w.example/", one);
  EXPECT_EQ(id_of("http://w.example/"), "http://w.example/");
  add_with("http://z.example/", "http://old.example/", one);
  EXPECT_EQ(id_of("http://old.example/"), "http://z.example/");
  add_with("http://z.example/", "http://z.example/", one);
  EXPECT_EQ(id_of("http://old.example/"), "none");
  EXPECT_EQ(id_of("http://z.example/"), "http://z.example/");
}

// What an interrupted backup left is replaced; a folder of that name that holds anything else is left alone.
TEST_F(PageIndexTest, ABackupRemovesOnlyWhatABackupLeft) {
  add("a", generator_.article(6));
  const std::filesystem::path left = folder_ / "copy.partial";
  std::filesystem::create_directories(left / "database");
  std::ofstream(left / "lock") << "";
  std::ofstream(left / "notes.txt") << "mine";
  const Status refused = index_->backup(folder_ / "copy");
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, ErrorCode::kInvalidArgument);
  EXPECT_THAT(refused.error().message, ::testing::HasSubstr("notes.txt"));
  EXPECT_TRUE(std::filesystem::exists(left / "notes.txt"));
  std::filesystem::remove(left / "notes.txt");
  const Status copied = index_->backup(folder_ / "copy");
  EXPECT_TRUE(copied) << copied.error().message;
  EXPECT_FALSE(std::filesystem::exists(left));
}

TEST_F(PageIndexTest, MirrorsShareOneText) {
  const auto article = generator_.article(6);
  for (int mirror = 0; mirror < 2000; ++mirror) add("mirror" + std::to_string(mirror), article);
  const AddOutcome answer = add("another", article);
  EXPECT_EQ(answer.lookup.verdict, Verdict::kSame);
  EXPECT_EQ(answer.lookup.work.profiles_read, 1U);
  EXPECT_EQ(index_->statistics()->texts, 1U);
}

// "m" had the text first; then it passes to the next page by id, and after the last one to the first.
TEST_F(PageIndexTest, ATextPassesToTheNextPage) {
  const auto article = generator_.article(5);
  for (const char* id : {"m", "z", "a", "n"}) add(id, article);
  const Profile profile = ArticleGenerator::profile_of(article);
  IndexPageInput input;
  input.profile = &profile;
  for (const char* id : {"m", "n", "z", "a"}) {
    const Result<LookupOutcome> answer = index_->lookup(input, {});
    ASSERT_TRUE(answer);
    ASSERT_EQ(answer->matches.size(), 1U);
    EXPECT_EQ(answer->matches.front().page.id, id);
    EXPECT_EQ(answer->matches.front().pages_of_text, *id == 'a' ? 1U : 2U);
    ASSERT_TRUE(*index_->remove(id));
  }
  EXPECT_EQ(index_->statistics()->texts, 0U);
}

// The second text passes to another page while the first one is visited.
TEST_F(PageIndexTest, TextsAreListedAsOfOneMoment) {
  const auto shared = generator_.article(5);
  add("first", generator_.article(5));
  add("second", shared);
  add("third", shared);
  std::vector<std::string> ids;
  const Status listed = index_->for_each_text([&](const IndexedText& text) -> Status {
    ids.push_back(text.page.id);
    if (ids.size() > 1) return {};
    const Result<bool> removed = index_->remove("second");
    EXPECT_TRUE(removed && *removed);
    return {};
  });
  EXPECT_TRUE(listed) << listed.error().message;
  EXPECT_THAT(ids, ElementsAre("first", "second"));
}

TEST_F(PageIndexTest, IdsCanBeListedInPieces) {
  for (const char* id : {"d", "b", "a", "bb", "c"}) add(id, generator_.article(8));
  EXPECT_THAT(*index_->ids_after("", 3), ElementsAre("a", "b", "bb"));
  EXPECT_THAT(*index_->ids_after("bb", 3), ElementsAre("c", "d"));
  EXPECT_THAT(*index_->ids_after("ba", 1), ElementsAre("bb"));
  EXPECT_THAT(*index_->ids_after("d", 3), ElementsAre());
  EXPECT_THAT(*index_->ids_after("", 0), ElementsAre());
}

}  // namespace
}  // namespace paraprint
