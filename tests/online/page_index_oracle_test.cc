// Compares the index with a slow reference: a list of all stored texts, each of which is compared with every page.
#include <gmock/gmock.h>

#include <map>
#include <memory>

#include "engine/pair_scorer.h"
#include "online/candidate_search.h"
#include "online/generated_profiles.h"
#include "paraprint/index.h"
#include "temporary_folder.h"

namespace paraprint {
namespace {

// The behaviour of PageIndex in its simplest form: pages, texts in the order of their arrival, votes of sites.
class IndexOracle {
 public:
  struct Text {
    Profile profile;
    std::uint64_t site = 0;
    std::vector<std::uint8_t> template_flags;
    std::string owner;
    std::vector<std::string> others;  // ascending
  };
  struct Page {
    std::uint64_t text = 0;
    std::string cluster;
  };

  explicit IndexOracle(const IndexOptions& options) : options_(options), judge_(options.match, options.candidates) {}

  std::vector<FoundText> lookup(const Profile& profile, const std::string& url, std::uint64_t excluded) {
    SearchQuery query;
    make_query(profile, site_of_url(url), templates_, options_.match, options_.candidates, query);
    std::vector<FoundText> found;
    for (auto& [number, text] : texts_) {
      if (number == excluded) continue;
      std::vector<std::uint8_t> flags = text.template_flags;
      templates_.flag(text.site, text.profile, flags);
      FoundText match;
      bool was_compared = false;
      if (!judge_.judge(query, {&text.profile, flags}, false, match, was_compared)) continue;
      match.text = number;
      match.owner = text.owner;
      found.push_back(match);
    }
    std::sort(found.begin(), found.end(), is_better);
    return found;
  }

  // Returns the matches, without the page's own text.
  std::vector<FoundText> lookup_or_add(const std::string& id, const std::string& url, const Profile& profile) {
    const auto old = pages_.find(id);
    std::uint64_t excluded = CandidateSearch::kNoText;
    if (old != pages_.end()) {
      const Text& text = texts_.at(old->second.text);
      if (text.owner == id && text.others.empty()) excluded = old->second.text;
    }
    std::vector<FoundText> found = lookup(profile, url, excluded);
    if (old != pages_.end() && texts_.at(old->second.text).profile.text_hash == profile.text_hash) return found;
    SearchQuery query;
    make_query(profile, site_of_url(url), templates_, options_.match, options_.candidates, query);
    std::string kept_cluster;  // that the page began with a text near to the new one
    bool is_voter = true;
    for (const FoundText& match : found) is_voter = is_voter && match.verdict == Verdict::kOverlap;
    if (old != pages_.end()) {
      ParagraphMatcher matcher(options_.match);
      const Text& text = texts_.at(old->second.text);
      std::vector<std::uint8_t> flags = text.template_flags;
      templates_.flag(text.site, text.profile, flags);
      const Match previous =
          match_of(matcher.score(profile, text.profile, query.template_flags, flags), 0, 1, options_.match);
      is_voter = is_voter && (previous.verdict == Verdict::kDistinct || previous.verdict == Verdict::kOverlap);
      const bool is_near = previous.verdict == Verdict::kSame || previous.verdict == Verdict::kNear;
      if (is_near && begins(id, old->second.cluster)) kept_cluster = old->second.cluster;
      remove(id);
    }
    std::string cluster;
    for (const FoundText& match : found) {
      if (match.verdict != Verdict::kSame && match.verdict != Verdict::kNear) continue;
      const std::string& known = representative(match.text, id);
      if (match.verdict == Verdict::kSame || begins(known, pages_.at(known).cluster)) {
        cluster = pages_.at(known).cluster;
        break;
      }
    }
    if (cluster.empty()) cluster = kept_cluster.empty() ? free_name(id) : kept_cluster;
    if (!found.empty() && found.front().verdict == Verdict::kSame) {
      Text& text = texts_.at(found.front().text);
      text.others.push_back(id);
      std::sort(text.others.begin(), text.others.end());
      pages_[id] = {found.front().text, cluster};
      return found;
    }
    texts_[next_text_] = {profile, site_of_url(url), query.template_flags, id, {}};
    pages_[id] = {next_text_++, cluster};
    if (is_voter) templates_.add_votes(site_of_url(url), profile);
    return found;
  }

  bool remove(const std::string& id) {
    const auto page = pages_.find(id);
    if (page == pages_.end()) return false;
    Text& text = texts_.at(page->second.text);
    if (text.owner != id) {
      std::erase(text.others, id);
    } else if (text.others.empty()) {
      texts_.erase(page->second.text);
    } else {
      const auto heir = next_page(text);
      text.owner = *heir;
      text.others.erase(heir);
    }
    pages_.erase(page);
    return true;
  }

  const std::string& representative(std::uint64_t number, const std::string& asked_id) const {
    const Text& text = texts_.at(number);
    return text.owner != asked_id || text.others.empty() ? text.owner : *next_page(text);
  }

  const std::map<std::string, Page>& pages() const { return pages_; }
  std::size_t texts() const { return texts_.size(); }

 private:
  // The one after the owner by id, or else the first. There must be one.
  static std::vector<std::string>::const_iterator next_page(const Text& text) {
    const auto next = std::upper_bound(text.others.begin(), text.others.end(), text.owner);
    return next == text.others.end() ? text.others.begin() : next;
  }
  static bool begins(const std::string& id, const std::string& cluster) {
    return cluster == id || cluster.starts_with(id + "##");
  }
  // The pages that a cluster's first page has left keep its name.
  std::string free_name(const std::string& id) const {
    const bool is_taken =
        std::any_of(pages_.begin(), pages_.end(), [&](const auto& page) { return page.second.cluster == id; });
    return is_taken ? id + "##" + std::to_string(next_text_) : id;
  }

  IndexOptions options_;
  PairJudge judge_;
  SiteTemplates templates_;
  std::map<std::uint64_t, Text> texts_;
  std::map<std::string, Page> pages_;
  std::uint64_t next_text_ = 0;
};

// Generates pages of several sites: new articles, copies of earlier ones, site templates, pages with little or no text.
class PageStream {
 public:
  explicit PageStream(std::uint64_t seed) : generator_(seed) {
    for (std::size_t site = 0; site < kSites; ++site) templates_.push_back(generator_.paragraph(3));
  }

  std::string url(std::uint64_t page) {
    return "http://site" + std::to_string(page % kSites) + ".example/" + std::to_string(page);
  }

  Profile next(std::uint64_t page) {
    const std::uint64_t kind = generator_.below(10);
    ArticleGenerator::Article article;
    if (kind < 5 || articles_.empty()) {
      article = generator_.article(1 + generator_.below(12));
    } else if (kind < 7) {
      article = articles_[generator_.below(articles_.size())];
    } else if (kind < 8) {
      article = generator_.reworded(articles_[generator_.below(articles_.size())], 20 + generator_.below(50));
    } else {
      article = generator_.edited(articles_[generator_.below(articles_.size())], 1 + generator_.below(6));
    }
    articles_.push_back(article);
    if (generator_.below(20) == 0) article.paragraphs.resize(generator_.below(2), generator_.paragraph(1));
    if (page % kSites < kSites / 2) article.paragraphs.push_back(templates_[page % kSites]);
    return ArticleGenerator::profile_of(article);
  }

  std::uint64_t below(std::uint64_t limit) { return generator_.below(limit); }

 private:
  static constexpr std::size_t kSites = 8;
  ArticleGenerator generator_;
  std::vector<ArticleGenerator::Paragraph> templates_;
  std::vector<ArticleGenerator::Article> articles_;
};

IndexPageInput page_input(std::string_view id, std::string_view url, const Profile& profile) {
  IndexPageInput input;
  input.id = id;
  input.url = url;
  input.profile = &profile;
  return input;
}

void expect_equal(const LookupOutcome& answer, const std::vector<FoundText>& expected, const IndexOracle& oracle,
                  const std::string& asked_id) {
  ASSERT_EQ(answer.matches.size(), expected.size());
  for (std::size_t i = 0; i < expected.size(); ++i) {
    const IndexMatch& match = answer.matches[i];
    EXPECT_EQ(match.page.text, expected[i].text);
    EXPECT_EQ(match.page.id, oracle.representative(expected[i].text, asked_id));
    EXPECT_EQ(match.verdict, expected[i].verdict);
    EXPECT_EQ(match.resemblance, expected[i].resemblance);
    EXPECT_EQ(match.containment_asked, expected[i].containment_query);
    EXPECT_EQ(match.containment_known, expected[i].containment_text);
    EXPECT_EQ(match.page.content_characters, expected[i].content_characters);
  }
  EXPECT_EQ(answer.verdict, expected.empty() ? Verdict::kDistinct : expected.front().verdict);
  EXPECT_EQ(answer.work.candidates_left_out, 0U);
}

class PageIndexOracle : public ::testing::TestWithParam<std::uint64_t> {};

TEST_P(PageIndexOracle, AnswersLikeComparingWithEveryText) {
  const TemporaryFolder folder;
  IndexOptions options;
  options.identity = "test";
  options.sync = SyncMode::kNone;
  options.head_pages = 64;
  AddOptions add_options;
  add_options.lookup.all = true;
  add_options.lookup.matches = 1000;
  add_options.lookup.max_candidates = 1000;
  PageStream stream(GetParam());
  IndexOracle oracle(options);
  auto index = PageIndex::open(folder / "index", options);
  ASSERT_TRUE(index) << index.error().message;
  std::uint64_t matches = 0;
  for (std::uint64_t step = 0; step < 900; ++step) {
    SCOPED_TRACE(step);
    const std::uint64_t page = stream.below(600);
    const std::string url = stream.url(page);
    const std::string id = page % 3 == 0 ? url : "page-" + std::to_string(page);
    const Profile profile = stream.next(page);
    switch (stream.below(8)) {
      case 0: {
        const Result<LookupOutcome> answer = (*index)->lookup(page_input("", url, profile), add_options.lookup);
        ASSERT_TRUE(answer) << answer.error().message;
        expect_equal(*answer, oracle.lookup(profile, url, CandidateSearch::kNoText), oracle, "");
        break;
      }
      case 1: {
        const Result<bool> removed = (*index)->remove(id);
        ASSERT_TRUE(removed) << removed.error().message;
        EXPECT_EQ(*removed, oracle.remove(id));
        break;
      }
      default: {
        const bool was_known = oracle.pages().contains(id);
        const std::vector<FoundText> expected = oracle.lookup_or_add(id, url, profile);
        const Result<AddOutcome> answer = (*index)->lookup_or_add(page_input(id, url, profile), add_options);
        ASSERT_TRUE(answer) << answer.error().message;
        EXPECT_EQ(answer->change == PageChange::kNew, !was_known);
        // The oracle answers for the state after the change, which does not affect the ids of other pages.
        expect_equal(answer->lookup, expected, oracle, id);
        EXPECT_EQ(answer->cluster, oracle.pages().at(id).cluster);
        matches += expected.size();
      }
    }
    if (HasFatalFailure()) return;
    if (stream.below(150) == 0) {
      index = tl::unexpected<Error>(Error{});
      index = PageIndex::open(folder / "index", options);
      ASSERT_TRUE(index) << index.error().message;
      EXPECT_THAT((*index)->statistics()->warnings, ::testing::IsEmpty());
    }
    if (stream.below(300) == 0) {
      ASSERT_TRUE((*index)->compact());
    }
  }
  EXPECT_GT(matches, 50U);
  const Result<VerifyOutcome> verification = (*index)->verify(true);
  ASSERT_TRUE(verification) << verification.error().message;
  for (const IndexFinding& finding : verification->findings) ADD_FAILURE() << finding.what;
  EXPECT_EQ(verification->pages, oracle.pages().size());
  EXPECT_EQ(verification->texts, oracle.texts());
  for (const auto& [id, page] : oracle.pages()) {
    const Result<IndexedPage> stored = (*index)->get(id);
    ASSERT_TRUE(stored) << stored.error().message;
    EXPECT_EQ(stored->text, page.text);
    EXPECT_EQ(stored->cluster, page.cluster);
  }
}

INSTANTIATE_TEST_SUITE_P(Seeds, PageIndexOracle, ::testing::Range<std::uint64_t>(1, 5));

}  // namespace
}  // namespace paraprint
