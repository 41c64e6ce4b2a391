// Pages that are made and labelled together: a few base articles with their copies, or a series of formula pages. A
// group depends only on its plan and the corpus's seed, so groups can be made in any order and on any thread.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "lab/simulate/edit.h"
#include "lab/simulate/language/article.h"
#include "lab/simulate/language/script_converter.h"
#include "lab/simulate/shared_text.h"

namespace paraprint::inline lab::inline simulate {

struct CorpusPlan {
  std::uint64_t seed = 0;
  std::vector<EditChoice> edits;
  int edits_per_page = 1;
  double template_share = 0;
  std::uint32_t site_count = 4;
  // SimulateOptions of the same names.
  double chain_share = 0;
  double dated_share = 0;
  double sourced_share = 0;

  // Whether the corpus is made to trace copies.
  bool is_traced() const { return chain_share > 0 || dated_share > 0 || sourced_share > 0; }
};

struct FamilyPlan {
  Article article;
  std::uint32_t pages = 1;  // original and copies
};

struct GroupPlan {
  std::uint64_t number = 0;
  std::vector<FamilyPlan> families;  // empty: a formula series
  std::vector<Article> donors;
  std::uint32_t formula_pages = 0;
};

enum class PageRole : std::uint8_t { kOriginal, kCopy, kFormula };
std::string_view page_role_name(PageRole role);  // "original", "copy", "formula"

struct AppliedEdit {
  const EditRow* row = nullptr;
  double strength = 0;
  std::uint64_t seed = 0;
  std::uint64_t changes = 0;
  std::vector<std::uint32_t> places;  // paragraphs, numbered as before the edit; empty for page edits
  std::string note;
};

// Where a page comes from and what it states of that. Pages are numbers of the group.
struct PageOrigin {
  std::optional<std::size_t> copied_from;
  std::size_t original = 0;
  std::string published;    // "2012-03-04"
  std::string stated_date;  // empty: none
  std::string date_form;    // of statements.h, or "kept" if it is that of the page that was copied
  std::optional<std::size_t> stated_source;
  std::string source_form;
};

struct SimulatedPage {
  std::string id;  // "urn:uuid:..."
  std::string url;
  std::string date;
  PageRole role = PageRole::kOriginal;
  ArticleLanguage language = ArticleLanguage::kOther;
  std::vector<std::uint32_t> bases;  // its base articles; for formula pages, the number in the series
  std::uint32_t site = 0;
  std::vector<AppliedEdit> edits;
  std::string charset;
  std::string http_content_type;
  std::string body;
  std::string title;
  std::string text;          // the text that labels were measured on, one paragraph per line
  std::size_t cluster = 0;   // page of the group that names its cluster
  std::uint64_t random = 0;  // for the writer: chooses file and record id
  PageOrigin origin;         // of pages of articles in a traced corpus
};

enum class PairKind : std::uint8_t { kCopy, kFormula, kSameSite, kSameTopic };
std::string_view pair_kind_name(PairKind kind);  // "copy", "formula", "same-site", "same-topic"

struct LabelledPair {
  std::size_t a = 0;  // pages of the group, a < b
  std::size_t b = 0;
  PairLabel label = PairLabel::kDifferent;
  PairKind kind = PairKind::kCopy;
  SharedText shared;
};

// Hashes of the most characteristic words of a base article; 0 if there are fewer.
inline constexpr std::size_t kTopicWords = 6;
using TopicWords = std::array<std::uint64_t, kTopicWords>;

struct PageGroup {
  std::vector<SimulatedPage> pages;
  std::vector<LabelledPair> pairs;  // every pair with a common base article, and all pairs of a series
  struct Family {
    std::size_t original = 0;  // page of the group
    TopicWords topic_words{};
  };
  std::vector<Family> families;
  std::string formula;  // topic of a series; otherwise empty
};

// Not thread-safe; use one per thread.
class GroupMaker {
 public:
  explicit GroupMaker(const CorpusPlan& plan) : plan_(plan) {}
  PageGroup make(const GroupPlan& group);

 private:
  struct Draft;
  void make_family(const GroupPlan& group, std::size_t family, const EditMaterial& material);
  void make_copies(const FamilyPlan& family, const Draft& original, const EditMaterial& material, Random& random);
  void state_origin(Draft& draft, SimulatedPage& page);
  void make_series(const GroupPlan& group);
  std::vector<const EditChoice*> draw_edits(const Article& article, std::uint32_t pages_left, Random& random) const;
  void apply(Draft& draft, const std::vector<const EditChoice*>& edits, const std::vector<double>& strengths,
             const EditMaterial& material, Random& random);
  void apply_phases(Draft& draft, const std::vector<const EditChoice*>& edits, const std::vector<double>& strengths,
                    const EditMaterial& material, std::uint64_t seed, bool until_content);
  void add_page(Draft&& draft, const std::vector<std::string>& titles);
  void label_pairs(bool is_series);
  void name_clusters();

  const CorpusPlan& plan_;
  ScriptConverter converter_;
  std::uint64_t group_seed_ = 0;
  PageGroup group_;
  std::vector<TextUnits> units_;  // of the pages of group_
};

}  // namespace paraprint::inline lab::inline simulate
