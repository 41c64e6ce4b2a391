// simulate_corpus(): pages -> base articles on disk -> plan -> groups of pages, made on all threads and written in
// order.
//
// Every random choice derives from the seed and numbers that identify its purpose (derive_seed), never from a generator
// shared by threads, so the corpus does not depend on their number. Groups are the unit of work: pages that quote each
// other (digests) are made together, and memory is that of the groups in flight plus an offset per base article.
#include <fmt/format.h>

#include <cmath>
#include <filesystem>
#include <numeric>
#include <thread>

#include "api/corpus_stream.h"
#include "base/ordered_parallel.h"
#include "base/progress.h"
#include "base/propagate.h"
#include "base/stop.h"
#include "lab/simulate/base_filter.h"
#include "lab/simulate/base_pool.h"
#include "lab/simulate/edit.h"
#include "lab/simulate/page_group.h"
#include "lab/simulate/simulated_files.h"
#include "options/command_tables.h"
#include "paraprint/simulate.h"
#include "profile/registry.h"

namespace paraprint {
namespace {

// Average pages per base article, unless the number of base articles is given.
constexpr std::uint64_t kPagesPerBase = 5;
// Base articles whose pages are made together; a digest combines articles of its group, up to this many.
constexpr std::size_t kFamiliesPerGroup = 4;
// Other articles from which a group takes inserted sentences, substituted words and titles of links.
constexpr std::size_t kDonorsPerGroup = 10;
constexpr std::uint32_t kSeriesPages = 10;
constexpr std::uint64_t kPagesPerSite = 50;
constexpr std::uint64_t kSitesLeast = 8;
constexpr std::uint64_t kSitesMost = 5000;
// Share of base articles that may have copies; the others have only their original page.
constexpr double kCopiedShare = 0.75;
// The limit of pages per article is at least this. It exists because all pairs of a family are measured and listed, so
// the work grows with the square of its size.
constexpr std::uint64_t kFamilyPagesLeastLimit = 40;

// Keeps the random streams of different decisions apart.
enum Purpose : std::uint64_t { kChoicePurpose = 101, kSizePurpose, kDonorPurpose };

Status wrong(std::string message) {
  return failure(ErrorCode::kInvalidArgument, std::move(message));
}

// Refuses an output folder that exists and is not empty: files of another corpus would be mixed in.
Status check_folder(const std::string& folder) {
  namespace fs = std::filesystem;
  std::error_code failed;
  const fs::file_status status = fs::status(folder, failed);
  if (!fs::exists(status)) return {};
  if (!fs::is_directory(status)) return wrong(fmt::format("{}: not a directory", folder));
  const bool is_empty = fs::is_empty(folder, failed);
  if (failed) return failure(ErrorCode::kPermissionDenied, fmt::format("{}: {}", folder, failed.message()));
  if (!is_empty) return wrong(fmt::format("{}: the output folder must be empty", folder));
  return {};
}

// Removes the output folder again if this call created it and the corpus was not finished.
class FolderGuard {
 public:
  explicit FolderGuard(const std::string& folder) : folder_(folder) {
    std::error_code ignored;
    was_there_ = std::filesystem::exists(folder, ignored);
  }
  FolderGuard(const FolderGuard&) = delete;
  FolderGuard& operator=(const FolderGuard&) = delete;
  ~FolderGuard() {
    std::error_code ignored;
    if (!is_kept_ && !was_there_) std::filesystem::remove(folder_, ignored);  // only if empty
  }
  void keep() { is_kept_ = true; }

 private:
  const std::string& folder_;
  bool was_there_ = false;
  bool is_kept_ = false;
};

// Extracted blocks as paragraphs. A page without a title gets its URL, because links and digests need something to
// show.
Article article_of(const StreamedPage& page) {
  Article article;
  article.title = page.content.title;
  for (const TextBlock& block : page.content.blocks) {
    std::string text = page.content.text.substr(block.span.begin_bytes, block.span.size_bytes());
    if (!text.empty()) article.paragraphs.push_back({std::move(text), block.role, block.heading_level});
  }
  if (article.title.empty() && !article.paragraphs.empty()) article.title = page.page.url;
  return article;
}

class CorpusSimulator {
 public:
  CorpusSimulator(const SimulateOptions& options, std::vector<EditChoice>&& edits, const RunControl& control)
      : options_(options), control_(control), progress_(control) {
    plan_.seed = options.seed;
    plan_.edits = std::move(edits);
    plan_.edits_per_page = options.edits_per_page;
    plan_.template_share = options.template_share;
    plan_.chain_share = options.chain_share;
    plan_.dated_share = options.dated_share;
    plan_.sourced_share = options.sourced_share;
    // Its dates and sources are random: pages would contradict the truth.
    if (plan_.is_traced()) {
      std::erase_if(plan_.edits, [](const EditChoice& choice) { return choice.row->info.name == kDatelineEdit; });
    }
    const std::uint64_t sites = std::clamp(options.pages / kPagesPerSite, kSitesLeast, kSitesMost);
    plan_.site_count = static_cast<std::uint32_t>(sites);
    threads_ = options.threads > 0 ? options.threads : std::max(1U, std::thread::hardware_concurrency());
  }

  Result<SimulateOutcome> run() {
    FolderGuard guard(options_.out);
    PARAPRINT_TRY(create_folders(options_.out));
    PARAPRINT_TRY(read_articles());
    PARAPRINT_TRY(plan_families());
    PARAPRINT_TRY(write_corpus());
    guard.keep();
    return outcome_;
  }

 private:
  Status read_articles();
  Status plan_families();
  Status write_corpus();
  Result<std::optional<GroupPlan>> next_group();
  Status read_families(GroupPlan& group);

  const SimulateOptions& options_;
  const RunControl& control_;
  ProgressReporter progress_;
  CorpusPlan plan_;
  unsigned threads_ = 1;
  SimulateOutcome outcome_;
  std::optional<BasePool> pool_;
  std::vector<std::uint32_t> bases_;         // of the corpus, as numbers of the pool
  std::vector<std::uint32_t> family_pages_;  // by place in bases_
  std::uint64_t formula_pages_ = 0;
  std::size_t next_family_ = 0;
  std::uint64_t next_group_ = 0;
};

// Streams the input once and keeps the usable articles in the pool. The filter rejects articles that resemble an
// accepted one: pages of different base articles must be different by construction, or labels would be wrong.
Status CorpusSimulator::read_articles() {
  PARAPRINT_ASSIGN(BasePool pool, BasePool::create(options_.out));
  pool_ = std::move(pool);
  BaseFilter filter;
  const PageStreamOptions stream = corpus_stream_options(options_, threads_);
  progress_.begin("read", 0, "pages");
  PARAPRINT_ASSIGN(const PageStreamOutcome read,
                   for_each_page(
                       stream,
                       [&](const StreamedPage& page) -> Status {
                         ++outcome_.pages_read;
                         progress_.update(outcome_.pages_read, outcome_.pages_read);
                         for (const Article& part :
                              cut_article(article_of(page), options_.min_characters, options_.max_characters)) {
                           if (!is_prose_article(part) || !filter.accept(part)) continue;
                           PARAPRINT_TRY(pool_->add(part));
                         }
                         return {};
                       },
                       control_));
  progress_.end();
  outcome_.broken_records = read.broken_records;
  outcome_.unreadable_inputs = read.unreadable_inputs;
  outcome_.bases_usable = pool_->size();
  return {};
}

// Chooses the base articles and the number of pages of each: an original, and copies that concentrate on some articles.
Status CorpusSimulator::plan_families() {
  if (pool_->size() == 0) {
    return wrong(
        fmt::format("none of the {} pages read has a new article of at least {} letters and digits: there is "
                    "nothing to copy",
                    outcome_.pages_read, options_.min_characters));
  }
  formula_pages_ =
      static_cast<std::uint64_t>(std::llround(options_.formula_share * static_cast<double>(options_.pages)));
  // A formula page is labelled against others of its series; one alone would be labelled against nothing.
  if (formula_pages_ < 2) formula_pages_ = 0;
  const std::uint64_t article_pages = options_.pages - formula_pages_;
  if (options_.bases > pool_->size()) {
    return wrong(fmt::format("--bases {}: the {} pages read give only {} usable base articles", options_.bases,
                             outcome_.pages_read, pool_->size()));
  }
  const std::uint64_t wanted =
      options_.bases > 0 ? options_.bases : (article_pages + kPagesPerBase - 1) / kPagesPerBase;
  const std::uint64_t count = std::min<std::uint64_t>(wanted, pool_->size());
  if (article_pages < count) {
    return wrong(fmt::format("--pages {}: {} of them are made from articles, fewer than the {} base articles",
                             options_.pages, article_pages, count));
  }
  bases_.resize(pool_->size());
  std::iota(bases_.begin(), bases_.end(), 0U);
  Random random(derive_seed(options_.seed, {kChoicePurpose}));
  random.shuffle(bases_);
  bases_.resize(count);
  family_pages_.assign(count, 1);
  const std::uint64_t most = std::max(kFamilyPagesLeastLimit, 4 * (article_pages / count + 1));
  const auto copied = std::max<std::size_t>(1, static_cast<std::size_t>(kCopiedShare * static_cast<double>(count)));
  Random sizes(derive_seed(options_.seed, {kSizePurpose}));
  for (std::uint64_t left = article_pages - count; left > 0; --left) {
    // The square of a uniform number has a density of 1 / sqrt(place): a few articles have many copies, most one or
    // two. The limit is far above the average, so the search for a family with room ends.
    const double unit = sizes.unit();
    auto family = static_cast<std::size_t>(unit * unit * static_cast<double>(copied));
    while (family_pages_[family] >= most) family = (family + 1) % count;
    ++family_pages_[family];
  }
  // Without this, all large families would be at the beginning of the corpus.
  sizes.shuffle(family_pages_);
  outcome_.bases_used = count;
  return {};
}

// Donors are drawn from the whole pool, not from the chosen articles alone, by a seed of the group's number.
Status CorpusSimulator::read_families(GroupPlan& group) {
  for (std::size_t i = 0; i < kFamiliesPerGroup && next_family_ < bases_.size(); ++i, ++next_family_) {
    PARAPRINT_ASSIGN(Article article, pool_->read(bases_[next_family_]));
    group.families.push_back({std::move(article), family_pages_[next_family_]});
  }
  Random random(derive_seed(options_.seed, {kDonorPurpose, group.number}));
  for (std::size_t i = 0; i < kDonorsPerGroup; ++i) {
    PARAPRINT_ASSIGN(Article donor, pool_->read(random.below(pool_->size())));
    group.donors.push_back(std::move(donor));
  }
  return {};
}

// Families first, then series of formula pages; called in one thread at a time.
Result<std::optional<GroupPlan>> CorpusSimulator::next_group() {
  GroupPlan group;
  group.number = next_group_++;
  if (next_family_ < bases_.size()) {
    PARAPRINT_TRY(read_families(group));
    return group;
  }
  if (formula_pages_ == 0) return std::optional<GroupPlan>();
  // The last series takes a remainder of one page with it: no series has a single page.
  const bool is_last = formula_pages_ < kSeriesPages + 2;
  group.formula_pages = is_last ? static_cast<std::uint32_t>(formula_pages_) : kSeriesPages;
  formula_pages_ -= group.formula_pages;
  return group;
}

// Workers make and compress groups; files are written by one thread at a time, in the order of group numbers.
Status CorpusSimulator::write_corpus() {
  PARAPRINT_ASSIGN(SimulatedFiles files, SimulatedFiles::create(options_, plan_.site_count, plan_.is_traced()));
  std::vector<GroupMaker> makers;
  for (unsigned worker = 0; worker < threads_; ++worker) makers.emplace_back(plan_);
  progress_.begin("write", options_.pages, "pages");
  std::uint64_t written = 0;
  PARAPRINT_TRY(run_in_order<GroupPlan, EncodedGroup>(
      threads_, [&] { return next_group(); },
      [&](unsigned worker, GroupPlan&& group) { return encode_group(makers[worker].make(group)); },
      [&](EncodedGroup&& group) -> Status {
        written += group.group.pages.size();
        progress_.update(written, written);
        return files.add(group);
      }));
  PARAPRINT_TRY(files.commit(outcome_));
  progress_.end();
  return {};
}

}  // namespace

Status SimulateOptions::validate() const {
  if (inputs.empty()) return wrong("no input given");
  if (out.empty()) return wrong("no output folder given (out)");
  PARAPRINT_TRY(check_options(simulate_option_rows(), *this));
  if (max_characters < 2 * min_characters) {
    return wrong(fmt::format("max_characters is {}; it must be at least twice min_characters ({})", max_characters,
                             min_characters));
  }
  PARAPRINT_TRY(choose_edits(edits));
  PARAPRINT_TRY(make_extractor(extractor));
  return {};
}

Result<SimulateOutcome> simulate_corpus(const SimulateOptions& options, const RunControl& control) {
  PARAPRINT_TRY(options.validate());
  const StopScope scope(control.stop);
  PARAPRINT_TRY(check_folder(options.out));
  PARAPRINT_ASSIGN(std::vector<EditChoice> edits, choose_edits(options.edits));
  // OpenCC's data may be missing at run time; find out before hours of reading, not at the first converted page.
  const bool needs_scripts = std::any_of(edits.begin(), edits.end(),
                                         [](const EditChoice& choice) { return choice.row->info.name == kScriptEdit; });
  if (needs_scripts) {
    PARAPRINT_TRY(ScriptConverter().check());
  }
  return CorpusSimulator(options, std::move(edits), control).run();
}

}  // namespace paraprint
