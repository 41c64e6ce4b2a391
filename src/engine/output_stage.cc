// Expands matches between representatives to matches between all pages, orders them by id, and writes the tables.
//
// Rows can outnumber pages by far (groups of equal text multiply them), so they go through an external sorter, and
// large groups are reported as stars. Order and content depend on ids and scores only, so output is reproducible.
#include "engine/output_stage.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>
#include <memory>
#include <tuple>

#include "base/atomic_file.h"
#include "base/ordered_parallel.h"
#include "base/propagate.h"
#include "base/system_error.h"
#include "cluster/page_groups.h"
#include "engine/pair_scorer.h"
#include "report/json_lines.h"
#include "report/tables.h"
#include "report/verdict_text.h"

namespace paraprint::inline engine {
namespace {

// In the order in which they are removed.
constexpr std::array<std::string_view, 19> kOutputNames = {
    kSummaryName,       "timing.json",   "records",       "report",        "report.html",
    "clusters.tsv",     "matches.tsv",   "removed.jsonl", "matches.jsonl", "annotations.jsonl",
    "provenance.jsonl", "trimmed.jsonl", "texts.jsonl",   kRevisitsName,   "input-revisits.jsonl",
    "index.cdxj",       "index.cdx",     "savings.json",  "savings.html"};

// What divided runs have in their output folder beside that and their metrics
// (python/src/paraprint/stages/output_folder.py).
constexpr std::array<std::string_view, 3> kDividedNames = {"survivors", ".records-attempts", kDividedMark};
// Of kOutputNames, those that divided runs write, too. Their mark says nothing of the others.
constexpr std::array<std::string_view, 8> kNamesOfBoth = {
    "records",       "clusters.tsv", "matches.tsv",          "removed.jsonl",
    "matches.jsonl", "savings.json", "input-revisits.jsonl", "savings.html"};

// Work folders may be removed once a run has finished.
Result<bool> has_summary_of_run(const std::string& folder) {
  const Result<std::string> text = read_whole_file(fmt::format("{}/{}", folder, kSummaryName));
  if (!text && text.error().code == ErrorCode::kNotFound) return false;
  PARAPRINT_TRY(text);
  return text->starts_with("{\n  \"version\": \"") && text->find("\n  \"command\": \"") != std::string::npos;
}

// Evidence rows that a thread computes before it hands them over.
constexpr std::size_t kEvidenceRowsPerPiece = 256;

// A match with its sort key for matches.tsv: the ranks of its pages' ids, so that sorting never compares strings. All
// scores take part in the comparison, which makes the order total and the first of two equal pairs well defined.
struct RankedMatch {
  std::uint32_t rank_a = 0;
  std::uint32_t rank_b = 0;
  Match match;
  friend bool operator<(const RankedMatch& x, const RankedMatch& y) {
    const auto key = [](const RankedMatch& ranked) {
      const Match& scores = ranked.match;
      return std::tuple(ranked.rank_a, ranked.rank_b, scores.verdict, scores.resemblance, scores.containment_a,
                        scores.containment_b, scores.matched_characters);
    };
    return key(x) < key(y);
  }
};

struct RankedMatchTraits {
  static std::uint64_t key(const RankedMatch& ranked) { return std::uint64_t{ranked.rank_a} << 32 | ranked.rank_b; }
  // A pair can occur twice, as a stored match and as a check made by clustering; the first one in the order is kept.
  static bool combine(RankedMatch& into, const RankedMatch& from) { return key(into) == key(from); }
};

using MatchSorter = ExternalSorter<RankedMatch, RankedMatchTraits>;

// Expands matches between representatives to matches between all pages, and pushes them to the sorter.
class MatchExpander {
 public:
  MatchExpander(const PageTable& pages, const SpillArray<std::uint32_t>& representatives,
                std::span<const std::uint32_t> rank, MatchSorter& sorter)
      : pages_(pages), representatives_(representatives), rank_(rank), sorter_(sorter), groups_(pages.budget()) {}

  Status group_pages() {
    SpillArray<std::uint32_t> pages(pages_.budget());
    for (std::uint32_t page = 0; page < pages_.size(); ++page) {
      PARAPRINT_TRY(pages.push_back(page));
    }
    return groups_.build(pages_.size(), pages, [&](std::uint32_t page) { return representatives_[page]; });
  }

  // Pairs within each group of equal text. They are not stored matches; the representatives imply them.
  Status add_same_text_pairs() {
    Status status;
    for (std::uint32_t page = 0; page < pages_.size() && status; ++page) {
      const std::span<const std::uint32_t> group = groups_.of(page);
      if (group.size() < 2) continue;
      const auto characters = static_cast<float>(pages_.row(page).content_characters);
      for (std::size_t i = 0; i < same_text_centres(group.size()); ++i) {
        for (std::size_t j = i + 1; j < group.size() && status; ++j) {
          status = add({group[i], group[j], Verdict::kSame, 1.0F, 1.0F, 1.0F, characters});
        }
      }
    }
    return status;
  }

  // `match` is between representatives.
  Status add_group_pairs(const Match& match) {
    if (match.verdict == Verdict::kDistinct) return {};
    const std::span<const std::uint32_t> group_a = groups_.of(match.page_a);
    const std::span<const std::uint32_t> group_b = groups_.of(match.page_b);
    for (const std::uint32_t a : group_a) {
      for (const std::uint32_t b : group_b) {
        if (!has_pair_row(group_a.size(), group_b.size(), a == match.page_a, b == match.page_b)) continue;
        Match expanded = match;
        expanded.page_a = a;
        expanded.page_b = b;
        PARAPRINT_TRY(add(expanded));
      }
    }
    return {};
  }

 private:
  Status add(const Match& match) {
    tick(pages_.budget());
    const std::uint32_t rank_a = rank_[match.page_a];
    const std::uint32_t rank_b = rank_[match.page_b];
    return rank_a < rank_b ? sorter_.push({rank_a, rank_b, match}) : sorter_.push({rank_b, rank_a, reversed(match)});
  }

  const PageTable& pages_;
  const SpillArray<std::uint32_t>& representatives_;
  std::span<const std::uint32_t> rank_;
  MatchSorter& sorter_;
  PageGroups groups_;  // of equal text
};

// The matches are in the order of the table already (list_matches).
Status write_match_table(const std::string& path, const PageTable& pages, const SpillArray<Match>& matches) {
  PARAPRINT_ASSIGN(MatchTableWriter writer, MatchTableWriter::create(path));
  for (const Match& match : matches) {
    PARAPRINT_TRY(writer.add(pages.id(match.page_a), pages.id(match.page_b), match.resemblance, match.verdict));
  }
  return writer.finish();
}

// In the order of ids, in which clusters are numbered too.
Status write_cluster_table(const std::string& path, const PageTable& pages,
                           const SpillArray<std::uint32_t>& cluster_numbers) {
  PARAPRINT_ASSIGN(ClusterTableWriter writer, ClusterTableWriter::create(path));
  for (const std::uint32_t page : pages.pages_by_id()) {
    PARAPRINT_TRY(writer.add(pages.id(page), cluster_numbers[page]));
  }
  return writer.finish();
}

void describe_known(const KnownPage& known, RemovedRow& removed) {
  removed.verdict = known.verdict;
  removed.kept_id = known.id;
  removed.kept_url = known.url;
  removed.resemblance = known.resemblance;
  removed.containment_removed = known.containment;
  removed.containment_kept = known.containment_known;
  removed.reason = kReasonKnown;
}

// Which of two pages the other one names as canonical; empty if none does, or `canonical` is null.
std::string_view canonical_name(const CanonicalAddresses* canonical, std::uint32_t page_a, std::uint32_t page_b,
                                std::string_view name_a, std::string_view name_b) {
  if (canonical == nullptr) return {};
  switch (canonical->relation(page_a, page_b)) {
    case CanonicalRelation::kNamesA:
      return name_a;
    case CanonicalRelation::kNamesB:
      return name_b;
    case CanonicalRelation::kSameAddress:
      return "same";
    case CanonicalRelation::kNone:
      break;
  }
  return {};
}

// A removed page was in another language, known to an earlier crawl, which takes precedence over what the run finds, or
// lost to the survivor of its cluster.
Status write_removed(const std::string& path, const std::vector<InputFile>& inputs, const PageTable& pages,
                     const Decisions& decisions, const SpillArray<std::uint32_t>& cluster_numbers,
                     const CanonicalAddresses* canonical) {
  PARAPRINT_ASSIGN(RemovedWriter writer, RemovedWriter::create(path));
  std::string language;
  for (const std::uint32_t page : pages.pages_by_id()) {
    if (is_kept(decisions, page)) continue;
    const PageRow& row = pages.row(page);
    RemovedRow removed;
    removed.id = pages.id(page);
    removed.url = pages.url(page);
    removed.date = pages.date(page);
    if (is_in_other_language(decisions, page)) {
      language = row.language.text();
      removed.other_language = language;
      removed.reason = kReasonLanguage;
    } else if (const std::optional<KnownPage> known = decisions.known.find(page)) {
      describe_known(*known, removed);
    } else {
      const PageCluster& cluster = decisions.clustering.pages[page];
      removed.verdict = cluster.verdict;
      removed.kept_id = pages.id(cluster.kept_page);
      removed.kept_url = pages.url(cluster.kept_page);
      removed.kept_date = pages.date(cluster.kept_page);
      removed.resemblance = cluster.resemblance;
      removed.containment_removed = cluster.containment;
      removed.containment_kept = cluster.containment_kept;
      removed.reason = reason_of_removal(decisions, pages, page);
      removed.canonical = canonical_name(canonical, page, cluster.kept_page, "removed", "kept");
    }
    removed.cluster = cluster_numbers[page];
    removed.file = inputs[row.location.file_index].path;
    removed.offset_bytes = row.location.offset_bytes;
    PARAPRINT_TRY(writer.add(removed));
  }
  return writer.finish();
}

// `representatives`: the first page of each text (ScoredPairs).
bool has_evidence(const Match& match, const SpillArray<std::uint32_t>& representatives) {
  const auto is_representative = [&](std::uint32_t page) {
    tick(representatives.budget());
    return representatives[page] == page;
  };
  return has_evidence_row(match.verdict, is_representative(match.page_a), is_representative(match.page_b));
}

// Matches whose passages one thread looks up; spans[i] belongs to matches[i].
struct EvidencePiece {
  std::vector<Match> matches;
  std::vector<std::vector<MatchedSpan>> spans;
};

}  // namespace

// Passages are not stored with the scores, since that would multiply their size; profiles are matched once more. Only
// the spans are used: verdict and scores stay those that clustering saw, possibly changed by alignment or an algorithm.
Status write_evidence(const RunSetup& run, const PageLog& log, const PageTable& pages, const MatchOutcome& matched,
                      const OutputRows& rows, const CanonicalAddresses* canonical, ProgressReporter& progress) {
  PARAPRINT_ASSIGN(EvidenceWriter writer, EvidenceWriter::create(run.options.output.out + "/matches.jsonl"));
  std::vector<std::unique_ptr<PairScorer>> scorers;
  for (unsigned worker = 0; worker < run.threads; ++worker) {
    scorers.push_back(std::make_unique<PairScorer>(log, pages, matched.basis.boilerplate, run.options.match));
  }
  const SpillArray<Match>& matches = rows.matches;
  const SpillArray<std::uint32_t>& representatives = matched.scored.representatives;
  std::size_t next = 0;
  std::uint64_t done = 0;
  const auto total = std::count_if(matches.begin(), matches.end(),
                                   [&](const Match& match) { return has_evidence(match, representatives); });
  progress.begin("evidence", static_cast<std::uint64_t>(total), "pairs");
  PARAPRINT_TRY(run_in_order<EvidencePiece, Result<EvidencePiece>>(
      run.threads,
      [&]() -> Result<std::optional<EvidencePiece>> {
        EvidencePiece piece;
        for (; next < matches.size() && piece.matches.size() < kEvidenceRowsPerPiece; ++next) {
          if (has_evidence(matches[next], representatives)) piece.matches.push_back(matches[next]);
        }
        if (piece.matches.empty()) return std::optional<EvidencePiece>{};
        return piece;
      },
      [&](unsigned worker, EvidencePiece&& piece) -> Result<EvidencePiece> {
        for (const Match& match : piece.matches) {
          PARAPRINT_TRY(scorers[worker]->score(match.page_a, match.page_b, &piece.spans.emplace_back()));
        }
        return std::move(piece);
      },
      [&](Result<EvidencePiece>&& piece) -> Status {
        if (!piece) return tl::unexpected<Error>(piece.error());
        for (std::size_t i = 0; i < piece->matches.size(); ++i) {
          const Match& match = piece->matches[i];
          const EvidenceRow row{pages.id(match.page_a),
                                pages.id(match.page_b),
                                match,
                                piece->spans[i],
                                matched.aligned.words.find(match.page_a, match.page_b),
                                canonical_name(canonical, match.page_a, match.page_b, "a", "b")};
          PARAPRINT_TRY(writer.add(row));
        }
        done += piece->matches.size();
        progress.update(done);
        return {};
      }));
  progress.end();
  return writer.finish();
}

Result<bool> has_divided_output(const std::string& folder) {
  PARAPRINT_ASSIGN(const bool is_marked, path_exists(fmt::format("{}/{}", folder, kDividedMark)));
  if (is_marked) return true;
  constexpr std::string_view kBeginning = "{\n  \"broken\": [";
  std::string beginning(kBeginning.size(), '\0');
  std::ifstream(fmt::format("{}/{}", folder, kDividedMetricsName), std::ios::binary)
      .read(beginning.data(), static_cast<std::streamsize>(beginning.size()));
  return beginning == kBeginning;
}

Status refuse_output_of_others(const std::string& folder, std::span<const std::string_view> signs) {
  PARAPRINT_ASSIGN(bool is_other, has_divided_output(folder));
  for (const std::string_view sign : signs) {
    PARAPRINT_ASSIGN(const bool exists, path_exists(fmt::format("{}/{}", folder, sign)));
    is_other = is_other || exists;
  }
  if (!is_other) return {};
  return failure(ErrorCode::kInvalidArgument, fmt::format("{}: holds another run; choose another --out", folder));
}

Status refuse_foreign_output(const std::string& folder, std::span<const std::string_view> more_names) {
  PARAPRINT_ASSIGN(const bool is_crawl, path_exists(folder + "/.paraprint/state"));
  if (is_crawl) {
    return failure(ErrorCode::kInvalidArgument, fmt::format("{}: holds a crawl; choose another --out", folder));
  }
  PARAPRINT_ASSIGN(const bool has_work_folder, path_exists(folder + "/.paraprint"));
  if (has_work_folder) return {};
  PARAPRINT_ASSIGN(const bool is_divided, has_divided_output(folder));
  std::string found;
  std::vector<std::string_view> names(kOutputNames.begin(), kOutputNames.end());
  names.insert(names.end(), more_names.begin(), more_names.end());
  for (const std::string_view name : names) {
    const bool is_of_both = std::find(kNamesOfBoth.begin(), kNamesOfBoth.end(), name) != kNamesOfBoth.end();
    if (is_divided && is_of_both) continue;
    PARAPRINT_ASSIGN(const bool exists, path_exists(fmt::format("{}/{}", folder, name)));
    if (exists) found += fmt::format("{}{}", found.empty() ? "" : ", ", name);
  }
  if (found.empty()) return {};
  PARAPRINT_ASSIGN(const bool has_summary, has_summary_of_run(folder));
  if (has_summary) return {};
  return failure(
      ErrorCode::kInvalidArgument,
      fmt::format("{}: holds {}, which no run has written there and a run would replace; choose another --out", folder,
                  found));
}

// Called after the input was read and all decisions are made, right before writing: an earlier run's output stays
// usable as long as possible.
Status remove_earlier_output(const std::string& folder) {
  const auto remove = [&](std::string_view name) -> Status {
    const std::string path = fmt::format("{}/{}", folder, name);
    std::error_code failed;
    const bool was_there = std::filesystem::remove_all(path, failed) > 0;
    if (failed) return tl::unexpected<Error>(system_error("remove", path, failed.value()));
    const bool says_output_is_whole = name == kSummaryName || name == kDividedMetricsName;
    return was_there && says_output_is_whole ? sync_folder_of(path) : Status{};
  };
  PARAPRINT_ASSIGN(const bool is_divided, has_divided_output(folder));
  if (is_divided) PARAPRINT_TRY(remove(kDividedMetricsName));
  for (const std::string_view name : kOutputNames) PARAPRINT_TRY(remove(name));
  if (!is_divided) return {};
  for (const std::string_view name : kDividedNames) PARAPRINT_TRY(remove(name));
  return {};
}

// The sorter and the ranks are freed before cluster numbers are made: both stages touch arrays of one entry per page.
Status list_matches(const PageTable& pages, const ScoredPairs& scored, const Clustering& clustering,
                    const ExternalSortOptions& sort_options, SpillArray<Match>& matches) {
  MemoryBudget* const budget = pages.budget();
  SpillArray<std::uint32_t> rank(budget);
  PARAPRINT_TRY(rank.resize_for_overwrite(pages.size()));
  for (std::uint32_t i = 0; i < pages.size(); ++i) {
    tick(budget);
    rank[pages.pages_by_id()[i]] = i;
  }
  MatchSorter sorter(sort_options);
  MatchExpander expander(pages, scored.representatives, rank, sorter);
  Status status = expander.group_pages();
  if (status) status = expander.add_same_text_pairs();
  for (std::size_t i = 0; i < scored.matches.size() && status; ++i) {
    status = expander.add_group_pairs(scored.matches[i]);
  }
  for (Match match : clustering.extra_matches) {
    match.page_a = scored.representatives[match.page_a];
    match.page_b = scored.representatives[match.page_b];
    if (status) status = expander.add_group_pairs(match);
  }
  if (status) status = sorter.finish();
  RankedMatch ranked;
  while (status && sorter.next(ranked)) status = matches.push_back(ranked.match);
  return status ? sorter.status() : status;
}

Status number_clusters(const Clustering& clustering, const PageTable& pages, SpillArray<std::uint32_t>& numbers) {
  SpillArray<std::uint32_t> kept_of_page(numbers.budget());
  for (const PageCluster& page : clustering.pages) {
    PARAPRINT_TRY(kept_of_page.push_back(page.kept_page));
  }
  return number_clusters(kept_of_page, pages.pages_by_id(), numbers);
}

Status write_tables(const std::string& folder, const std::vector<InputFile>& inputs, const PageTable& pages,
                    const Decisions& decisions, const OutputRows& rows, const CanonicalAddresses* canonical) {
  PARAPRINT_TRY(write_cluster_table(folder + "/clusters.tsv", pages, rows.cluster_numbers));
  PARAPRINT_TRY(write_match_table(folder + "/matches.tsv", pages, rows.matches));
  return write_removed(folder + "/removed.jsonl", inputs, pages, decisions, rows.cluster_numbers, canonical);
}

}  // namespace paraprint::inline engine
