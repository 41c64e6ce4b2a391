// Expands matches between representatives to matches between all pages, orders them by id, and writes the tables.
//
// Rows can outnumber pages by far (groups of equal text multiply them), so they go through an external sorter, and
// large groups are reported as stars. Order and content depend on ids and scores only, so output is reproducible.
#include "engine/output_stage.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <memory>
#include <tuple>

#include "base/ordered_parallel.h"
#include "base/propagate.h"
#include "base/system_error.h"
#include "engine/page_groups.h"
#include "engine/pair_scorer.h"
#include "report/json_lines.h"
#include "report/tables.h"
#include "report/verdict_text.h"

namespace paraprint {
namespace {

// A match between two groups of equal text is expanded to all pairs of their members up to this many; above it, only
// the first page of each group is paired with all members of the other.
constexpr std::size_t kGroupPairsInFull = 10'000;

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
  MatchExpander(const DedupRun& run, std::span<const std::uint32_t> rank, MatchSorter& sorter)
      : run_(run), rank_(rank), sorter_(sorter), groups_(&run.budget) {}

  Status group_pages() {
    SpillArray<std::uint32_t> pages(&run_.budget);
    for (std::uint32_t page = 0; page < run_.pages.size(); ++page) {
      PARAPRINT_TRY(pages.push_back(page));
    }
    return groups_.build(run_.pages.size(), pages,
                         [&](std::uint32_t page) { return run_.scored.representatives[page]; });
  }

  // Pairs within each group of equal text. They are not stored matches; the representatives imply them.
  Status add_same_text_pairs() {
    Status status;
    for (std::uint32_t page = 0; page < run_.pages.size() && status; ++page) {
      const std::span<const std::uint32_t> group = groups_.of(page);
      if (group.size() < 2) continue;
      const auto characters = static_cast<float>(run_.pages.row(page).content_characters);
      // A star has one centre, the first page; in full, every page is one for those after it.
      const std::size_t centres = group.size() <= kSameTextPagesInFull ? group.size() : 1;
      for (std::size_t i = 0; i < centres; ++i) {
        for (std::size_t j = i + 1; j < group.size() && status; ++j) {
          status = add({group[i], group[j], Verdict::kSame, 1.0F, 1.0F, 1.0F, characters});
        }
      }
    }
    return status;
  }

  // `match` is between representatives. A star still names every page of both groups at least once.
  Status add_group_pairs(const Match& match) {
    if (match.verdict == Verdict::kDistinct) return {};
    const std::span<const std::uint32_t> group_a = groups_.of(match.page_a);
    const std::span<const std::uint32_t> group_b = groups_.of(match.page_b);
    const bool in_full = group_a.size() * group_b.size() <= kGroupPairsInFull;
    for (const std::uint32_t a : group_a) {
      for (const std::uint32_t b : group_b) {
        if (!in_full && a != match.page_a && b != match.page_b) continue;
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
    tick(&run_.budget);
    const std::uint32_t rank_a = rank_[match.page_a];
    const std::uint32_t rank_b = rank_[match.page_b];
    return rank_a < rank_b ? sorter_.push({rank_a, rank_b, match}) : sorter_.push({rank_b, rank_a, reversed(match)});
  }

  const DedupRun& run_;
  std::span<const std::uint32_t> rank_;
  MatchSorter& sorter_;
  PageGroups groups_;  // of equal text
};

// run.matches is in the order of the table already (prepare_output).
Status write_match_table(const DedupRun& run) {
  PARAPRINT_ASSIGN(MatchTableWriter writer, MatchTableWriter::create(run.options.output.folder + "/matches.tsv"));
  for (const Match& match : run.matches) {
    PARAPRINT_TRY(writer.add(run.pages.id(match.page_a), run.pages.id(match.page_b), match.resemblance, match.verdict));
  }
  return writer.finish();
}

// In the order of ids, in which clusters are numbered too.
Status write_cluster_table(const DedupRun& run) {
  PARAPRINT_ASSIGN(ClusterTableWriter writer, ClusterTableWriter::create(run.options.output.folder + "/clusters.tsv"));
  for (const std::uint32_t page : run.pages.pages_by_id()) {
    PARAPRINT_TRY(writer.add(run.pages.id(page), run.cluster_numbers[page]));
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
  removed.reason = "known";
}

// A removed page was either known to an earlier crawl, which takes precedence, or lost to the survivor of its cluster.
Status write_removed(const DedupRun& run) {
  PARAPRINT_ASSIGN(RemovedWriter writer, RemovedWriter::create(run.options.output.folder + "/removed.jsonl"));
  for (const std::uint32_t page : run.pages.pages_by_id()) {
    if (is_kept(run, page)) continue;
    const PageRow& row = run.pages.row(page);
    RemovedRow removed;
    removed.id = run.pages.id(page);
    removed.url = run.pages.url(page);
    if (const std::optional<KnownPage> known = run.known.find(page)) {
      describe_known(*known, removed);
    } else {
      const PageCluster& cluster = run.clustering.pages[page];
      removed.verdict = cluster.verdict;
      removed.kept_id = run.pages.id(cluster.kept_page);
      removed.kept_url = run.pages.url(cluster.kept_page);
      removed.resemblance = cluster.resemblance;
      removed.containment_removed = cluster.containment;
      removed.containment_kept = cluster.containment_kept;
      removed.reason = reason_of_removal(run, page);
    }
    removed.cluster = run.cluster_numbers[page];
    removed.file = run.inputs[row.location.file_index].path;
    removed.offset_bytes = row.location.offset_bytes;
    PARAPRINT_TRY(writer.add(removed));
  }
  return writer.finish();
}

// Matches whose passages one thread looks up; spans[i] belongs to matches[i].
struct EvidencePiece {
  std::vector<Match> matches;
  std::vector<std::vector<MatchedSpan>> spans;
};

// Passages are not stored with the scores, since that would multiply their size; profiles are matched once more. Only
// the spans are used: verdict and scores stay those that clustering saw, possibly changed by alignment or an algorithm.
Status write_evidence_file(const DedupRun& run, ProgressReporter& progress) {
  PARAPRINT_ASSIGN(EvidenceWriter writer, EvidenceWriter::create(run.options.output.folder + "/matches.jsonl"));
  std::vector<std::unique_ptr<PairScorer>> scorers;
  for (unsigned worker = 0; worker < run.threads; ++worker) {
    scorers.push_back(std::make_unique<PairScorer>(run.log, run.pages, run.boilerplate, run.options.match));
  }
  std::size_t next = 0;
  std::uint64_t done = 0;
  const auto total = std::count_if(run.matches.begin(), run.matches.end(),
                                   [&](const Match& match) { return has_evidence(run, match); });
  progress.begin("evidence", static_cast<std::uint64_t>(total), "pairs");
  PARAPRINT_TRY(run_in_order<EvidencePiece, Result<EvidencePiece>>(
      run.threads,
      [&]() -> Result<std::optional<EvidencePiece>> {
        EvidencePiece piece;
        for (; next < run.matches.size() && piece.matches.size() < kEvidenceRowsPerPiece; ++next) {
          if (has_evidence(run, run.matches[next])) piece.matches.push_back(run.matches[next]);
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
          const EvidenceRow row{run.pages.id(match.page_a), run.pages.id(match.page_b), match, piece->spans[i],
                                run.alignments.find(match.page_a, match.page_b)};
          PARAPRINT_TRY(writer.add(row));
        }
        done += piece->matches.size();
        progress.update(done);
        return {};
      }));
  progress.end();
  return writer.finish();
}

}  // namespace

// Kinds are kept sorted by name, so that the summary does not depend on which defect was met first. Examples beyond the
// maximum are counted only.
void DefectTally::add(const Defect& defect) {
  const std::string name(defect_name(defect.kind));
  auto found = std::lower_bound(kinds.begin(), kinds.end(), name,
                                [](const BrokenKind& kind, const std::string& key) { return kind.kind < key; });
  if (found == kinds.end() || found->kind != name) found = kinds.insert(found, BrokenKind{name, 0, {}});
  ++found->count;
  ++total;
  if (defect.kind == DefectKind::kUnreadableFile) ++unreadable_inputs;
  if (found->examples.size() >= kBrokenExamplesMaximum) return;
  std::string message = defect.message;
  if (defect.line > 0) message = fmt::format("line {}: {}", defect.line, message);
  if (defect.skipped_bytes > 0) message += fmt::format(" ({} bytes skipped)", defect.skipped_bytes);
  found->examples.push_back({defect.file, defect.offset_bytes, std::move(message)});
}

// Equal pages have equal evidence: pairs of different texts are shown for the representatives alone, and each page of
// equal text once, with its representative.
bool has_evidence(const DedupRun& run, const Match& match) {
  const auto is_representative = [&](std::uint32_t page) {
    tick(&run.budget);
    return run.scored.representatives[page] == page;
  };
  if (match.verdict == Verdict::kSame) return is_representative(match.page_a) || is_representative(match.page_b);
  return is_representative(match.page_a) && is_representative(match.page_b);
}

// Called after the input was read and all decisions are made, right before writing: an earlier run's output stays
// usable as long as possible.
Status remove_earlier_output(const DedupRun& run) {
  for (const char* name : {"records", "report", "matches.jsonl"}) {
    const std::string path = run.options.output.folder + "/" + name;
    std::error_code failed;
    std::filesystem::remove_all(path, failed);
    if (failed) return tl::unexpected<Error>(system_error("remove", path, failed.value()));
  }
  return {};
}

// The sorter and the ranks are freed before cluster numbers are made: both stages touch arrays of one entry per page.
Status prepare_output(DedupRun& run, const ExternalSortOptions& sort_options) {
  {
    SpillArray<std::uint32_t> rank(&run.budget);
    PARAPRINT_TRY(rank.resize_for_overwrite(run.pages.size()));
    for (std::uint32_t i = 0; i < run.pages.size(); ++i) {
      tick(&run.budget);
      rank[run.pages.pages_by_id()[i]] = i;
    }
    MatchSorter sorter(sort_options);
    MatchExpander expander(run, rank, sorter);
    Status status = expander.group_pages();
    if (status) status = expander.add_same_text_pairs();
    for (std::size_t i = 0; i < run.scored.matches.size() && status; ++i) {
      status = expander.add_group_pairs(run.scored.matches[i]);
    }
    for (Match match : run.clustering.extra_matches) {
      match.page_a = run.scored.representatives[match.page_a];
      match.page_b = run.scored.representatives[match.page_b];
      if (status) status = expander.add_group_pairs(match);
    }
    if (status) status = sorter.finish();
    RankedMatch ranked;
    while (status && sorter.next(ranked)) status = run.matches.push_back(ranked.match);
    if (status) status = sorter.status();
    if (!status) return status;
  }
  SpillArray<std::uint32_t> kept_of_page(&run.budget);
  for (const PageCluster& page : run.clustering.pages) {
    PARAPRINT_TRY(kept_of_page.push_back(page.kept_page));
  }
  return number_clusters(kept_of_page, run.pages.pages_by_id(), run.cluster_numbers);
}

Status write_tables(const DedupRun& run, ProgressReporter& progress) {
  PARAPRINT_TRY(write_cluster_table(run));
  PARAPRINT_TRY(write_match_table(run));
  PARAPRINT_TRY(write_removed(run));
  if (run.options.output.write_evidence) return write_evidence_file(run, progress);
  return {};
}

}  // namespace paraprint
