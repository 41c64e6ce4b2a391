// Sums are taken in the order of sources and ids, and the weight of a page in a round of the bootstrap depends on its
// source and id alone. So the same pages give the same figures, to the last digit, in whatever order they are read. All
// extractors share the weights, which makes their differences paired.
#include "lab/extraction/extraction_figures.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <tuple>

#include "base/hash.h"
#include "base/propagate.h"
#include "base/stop.h"
#include "lab/evaluate/intervals.h"

namespace paraprint::inline lab::inline extraction {
namespace {

using PageNumbers = std::vector<std::uint32_t>;

double mean_of(double sum, std::uint64_t count) {
  return count == 0 ? 0 : sum / static_cast<double>(count);
}

double median_of(std::vector<double> values) {
  if (values.empty()) return 0;
  std::sort(values.begin(), values.end());
  const std::size_t middle = values.size() / 2;
  return values.size() % 2 == 1 ? values[middle] : (values[middle - 1] + values[middle]) / 2;
}

class FigureMaker {
 public:
  FigureMaker(const ScoredPages& scored, std::uint64_t seed, std::uint32_t rounds)
      : scored_(scored), seed_(seed), rounds_(rounds), order_(scored.pages.size()) {
    std::iota(order_.begin(), order_.end(), 0U);
    const auto key = [&](std::uint32_t page) {
      const ScoredPage& row = scored_.pages[page];
      return std::tie(scored_.sources[row.source], row.id);
    };
    std::sort(order_.begin(), order_.end(), [&](std::uint32_t x, std::uint32_t y) { return key(x) < key(y); });
    for (const ScoredPage& page : scored_.pages) {
      hashes_.push_back(mix64(hash64(scored_.sources[page.source])) ^ hash64(page.id));
    }
  }

  const PageNumbers& all() const { return order_; }

  Result<ExtractionGroup> group(std::string name, const PageNumbers& pages) const {
    ExtractionGroup group;
    group.name = std::move(name);
    group.pages = pages.size();
    for (std::size_t extractor = 0; extractor < scored_.extractors; ++extractor) {
      group.scores.push_back(scores(pages, extractor));
    }
    for (ExtractionScores& scores : group.scores) {
      scores.f1_difference = scores.f1 - group.scores.front().f1;
      scores.correct_difference = scores.correct_share - group.scores.front().correct_share;
    }
    PARAPRINT_TRY(add_intervals(pages, group));
    return group;
  }

  // A group per name, of the pages whose `member` is its number.
  Result<std::vector<ExtractionGroup>> groups(const std::vector<std::string>& names,
                                              std::uint32_t ScoredPage::*member) const {
    std::vector<PageNumbers> lists(names.size());
    for (const std::uint32_t page : order_) lists[scored_.pages[page].*member].push_back(page);
    std::vector<ExtractionGroup> made;
    for (std::size_t name = 0; name < names.size(); ++name) {
      PARAPRINT_ASSIGN(ExtractionGroup one, group(names[name], lists[name]));
      made.push_back(std::move(one));
    }
    std::sort(made.begin(), made.end(), [](const ExtractionGroup& x, const ExtractionGroup& y) {
      return x.pages != y.pages ? x.pages > y.pages : x.name < y.name;
    });
    return made;
  }

  ExtractionGroup mean_of_sources() const {
    ExtractionGroup mean;
    mean.name = "mean of sources";
    mean.scores.resize(scored_.extractors);
    std::vector<PageNumbers> lists(scored_.sources.size());
    for (const std::uint32_t page : order_) {
      if (!scored_.pages[page].is_tool_made) lists[scored_.pages[page].source].push_back(page);
    }
    // Sources by name, since their numbers depend on the order of files.
    PageNumbers by_name(lists.size());
    std::iota(by_name.begin(), by_name.end(), 0U);
    std::sort(by_name.begin(), by_name.end(),
              [&](std::uint32_t x, std::uint32_t y) { return scored_.sources[x] < scored_.sources[y]; });
    std::erase_if(by_name, [&](std::uint32_t source) { return lists[source].empty(); });
    mean.pages = by_name.size();
    for (std::size_t extractor = 0; extractor < scored_.extractors; ++extractor) {
      ExtractionScores& sum = mean.scores[extractor];
      for (const std::uint32_t source : by_name) {
        const ExtractionScores one = scores(lists[source], extractor);
        for (double ExtractionScores::*const figure : kFigures) sum.*figure += one.*figure;
      }
      for (double ExtractionScores::*const figure : kFigures) sum.*figure = mean_of(sum.*figure, mean.pages);
      sum.f1_difference = sum.f1 - mean.scores.front().f1;
      sum.correct_difference = sum.correct_share - mean.scores.front().correct_share;
    }
    return mean;
  }

  std::vector<PoorlyExtractedPage> poorest(std::size_t extractor) const {
    PageNumbers pages = order_;
    // Stable: equal scores stay in the order of sources and ids.
    std::stable_sort(pages.begin(), pages.end(), [&](std::uint32_t x, std::uint32_t y) {
      return scored_.of(x, extractor).f1 < scored_.of(y, extractor).f1;
    });
    std::vector<PoorlyExtractedPage> poorest;
    for (std::size_t i = 0; i < pages.size() && i < kPoorPagesMaximum; ++i) {
      const ScoredPage& page = scored_.pages[pages[i]];
      const Rates& rates = scored_.of(pages[i], extractor);
      poorest.push_back({page.id, scored_.sources[page.source], rates.precision, rates.recall, rates.f1});
    }
    return poorest;
  }

 private:
  static constexpr double ExtractionScores::*kFigures[] = {
      &ExtractionScores::precision, &ExtractionScores::recall,        &ExtractionScores::f1,
      &ExtractionScores::median_f1, &ExtractionScores::correct_share, &ExtractionScores::bad_share};

  ExtractionScores scores(const PageNumbers& pages, std::size_t extractor) const {
    ExtractionScores sum;
    std::vector<double> values;
    for (const std::uint32_t page : pages) {
      const Rates& rates = scored_.of(page, extractor);
      sum.precision += rates.precision;
      sum.recall += rates.recall;
      sum.f1 += rates.f1;
      sum.correct += rates.f1 >= kCorrectF1 ? 1 : 0;
      sum.bad += rates.f1 < kBadF1 ? 1 : 0;
      values.push_back(rates.f1);
    }
    for (double* const mean : {&sum.precision, &sum.recall, &sum.f1}) *mean = mean_of(*mean, pages.size());
    sum.correct_share = mean_of(static_cast<double>(sum.correct), pages.size());
    sum.bad_share = mean_of(static_cast<double>(sum.bad), pages.size());
    sum.median_f1 = median_of(std::move(values));
    return sum;
  }

  // One value per round.
  struct Samples {
    std::vector<double> f1;
    std::vector<double> correct;
    std::vector<double> bad;
    std::vector<double> f1_difference;
    std::vector<double> correct_difference;
  };

  void add_sample(const PageNumbers& pages, const std::vector<std::uint64_t>& weights, std::uint64_t total,
                  std::size_t extractor, std::vector<Samples>& samples) const {
    double f1 = 0;
    std::uint64_t correct = 0;
    std::uint64_t bad = 0;
    for (std::size_t i = 0; i < pages.size(); ++i) {
      const double value = scored_.of(pages[i], extractor).f1;
      f1 += static_cast<double>(weights[i]) * value;
      correct += value >= kCorrectF1 ? weights[i] : 0;
      bad += value < kBadF1 ? weights[i] : 0;
    }
    Samples& own = samples[extractor];
    own.f1.push_back(mean_of(f1, total));
    own.correct.push_back(mean_of(static_cast<double>(correct), total));
    own.bad.push_back(mean_of(static_cast<double>(bad), total));
    own.f1_difference.push_back(own.f1.back() - samples.front().f1.back());
    own.correct_difference.push_back(own.correct.back() - samples.front().correct.back());
  }

  Status add_intervals(const PageNumbers& pages, ExtractionGroup& group) const {
    std::vector<Samples> samples(scored_.extractors);
    std::vector<std::uint64_t> weights(pages.size());
    for (std::uint32_t round = 0; round < rounds_; ++round) {
      PARAPRINT_TRY(check_stop());
      std::uint64_t total = 0;
      for (std::size_t i = 0; i < pages.size(); ++i) {
        weights[i] = bootstrap_weight(seed_, round, hashes_[pages[i]]);
        total += weights[i];
      }
      // A sample without pages, which only small groups have, has no mean.
      if (total == 0) continue;
      for (std::size_t extractor = 0; extractor < samples.size(); ++extractor) {
        add_sample(pages, weights, total, extractor, samples);
      }
    }
    for (std::size_t extractor = 0; extractor < samples.size(); ++extractor) {
      ExtractionScores& scores = group.scores[extractor];
      scores.f1_interval = middle_of(samples[extractor].f1);
      scores.correct_interval = middle_of(samples[extractor].correct);
      scores.bad_interval = middle_of(samples[extractor].bad);
      scores.f1_difference_interval = middle_of(samples[extractor].f1_difference);
      scores.correct_difference_interval = middle_of(samples[extractor].correct_difference);
    }
    return {};
  }

  const ScoredPages& scored_;
  std::uint64_t seed_;
  std::uint32_t rounds_;
  PageNumbers order_;
  std::vector<std::uint64_t> hashes_;  // by page
};

}  // namespace

Status add_extraction_figures(const ScoredPages& scored, ExtractionEvaluation& evaluation) {
  const FigureMaker maker(scored, evaluation.seed, evaluation.bootstrap_rounds);
  evaluation.pages = scored.pages.size();
  PARAPRINT_ASSIGN(ExtractionGroup all, maker.group("all", maker.all()));
  evaluation.all = std::move(all);
  PageNumbers pages = maker.all();
  std::erase_if(pages, [&](std::uint32_t page) { return scored.pages[page].is_tool_made; });
  PARAPRINT_ASSIGN(ExtractionGroup without_tools, maker.group("without tools' output", pages));
  evaluation.without_tools = std::move(without_tools);
  evaluation.mean_of_sources = maker.mean_of_sources();
  PARAPRINT_ASSIGN(std::vector<ExtractionGroup> types, maker.groups(scored.page_types, &ScoredPage::page_type));
  evaluation.by_page_type = std::move(types);
  PARAPRINT_ASSIGN(std::vector<ExtractionGroup> languages, maker.groups(scored.languages, &ScoredPage::language));
  evaluation.by_language = std::move(languages);
  PARAPRINT_ASSIGN(std::vector<ExtractionGroup> sources, maker.groups(scored.sources, &ScoredPage::source));
  evaluation.by_source = std::move(sources);
  for (std::size_t extractor = 0; extractor < scored.extractors; ++extractor) {
    evaluation.poorest.push_back(maker.poorest(extractor));
  }
  return {};
}

}  // namespace paraprint::inline lab::inline extraction
