// Writes provenance.jsonl: reads back what the log has of each cluster's pages, traces them, and compares each copy
// with its source. Clusters are independent of each other, so threads take them in pieces and their lines are written
// in order.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <memory>
#include <set>

#include "base/atomic_file.h"
#include "base/ordered_parallel.h"
#include "base/propagate.h"
#include "cluster/page_groups.h"
#include "engine/output_stage.h"
#include "engine/pair_scorer.h"
#include "profile/profile_codec.h"
#include "provenance/origin_record.h"
#include "provenance/provenance_lines.h"
#include "provenance/trace_copies.h"

namespace paraprint::inline engine {
namespace {

// Pages whose clusters a thread traces before it hands their lines over.
constexpr std::size_t kTracedPagesPerPiece = 256;

// Where the log has what a page says of its origin; no bytes if it is in no cluster.
struct OriginPlace {
  std::uint64_t offset_bytes = 0;
  std::uint32_t size_bytes = 0;
};

// The pages of some clusters, each in the order of ids.
struct ProvenancePiece {
  std::vector<std::vector<std::uint32_t>> clusters;
};

struct ProvenanceText {
  std::string lines;
  std::uint64_t pages = 0;
};

// One per thread.
class ClusterTracer {
 public:
  ClusterTracer(const RunSetup& run, const PageLog& log, const PageTable& pages, const MatchOutcome& matched,
                const OutputRows& rows, const SpillArray<OriginPlace>& places)
      : log_(log),
        pages_(pages),
        rows_(rows),
        places_(places),
        scorer_(log, pages, matched.basis.boilerplate, run.options.match) {}

  Status add_lines(std::span<const std::uint32_t> cluster, std::string& lines) {
    const std::size_t count = std::min(cluster.size(), kTracedPagesMaximum);
    std::vector<TracedPage> traced(count);
    texts_.clear();
    sentences_ = 0;
    for (std::size_t i = 0; i < count; ++i) PARAPRINT_TRY(read_page(cluster[i], traced[i]));
    const std::vector<TracedOrigin> origins = trace_copies(traced);
    for (std::size_t i = 0; i < cluster.size(); ++i) {
      ProvenanceRow row;
      row.id = pages_.id(cluster[i]);
      row.url = pages_.url(cluster[i]);
      row.cluster = rows_.cluster_numbers[cluster[i]];
      if (i < count) {
        row.stated = &traced[i].stated;
        row.traced = &origins[i];
        if (const std::optional<std::uint32_t> source = origins[i].copied_from) {
          row.copied_from = pages_.id(cluster[*source]);
          PARAPRINT_ASSIGN(row.change, change_between(cluster[*source], cluster[i]));
        }
      }
      lines += provenance_line(row);
    }
    return {};
  }

 private:
  Status read_profile(std::uint32_t page, Profile& profile) {
    const PageRow& row = pages_.row(page);
    PARAPRINT_TRY(log_.read_bytes(row.profile_offset_bytes, row.profile_bytes, bytes_));
    return decode_profile(bytes_, profile);
  }

  // Of pages with equal text, the first one gets the sentences, and only as many texts as are compared.
  Status read_page(std::uint32_t page, TracedPage& traced) {
    traced.id = pages_.id(page);
    traced.url = pages_.url(page);
    traced.capture_date = pages_.date(page);
    const OriginPlace place = places_[page];
    PARAPRINT_TRY(log_.read_bytes(place.offset_bytes, place.size_bytes, bytes_));
    OriginRecord record;
    PARAPRINT_TRY(decode_origin(bytes_, record));
    traced.stated = std::move(record.stated);
    PARAPRINT_TRY(read_profile(page, profile_));
    traced.text_hash = profile_.text_hash;
    const bool is_beyond = texts_.size() >= kTextsCompared || sentences_ >= kSentencesCompared;
    if (is_beyond || !texts_.insert(profile_.text_hash).second) return {};
    sentences_ += profile_.sentences.size();
    traced.sketch = profile_.sketch;
    for (std::size_t i = 0; i < profile_.sentences.size(); ++i) {
      const SentenceProfile& sentence = profile_.sentences[i];
      const SentenceMarks marks = i < record.marks.size() ? record.marks[i] : SentenceMarks{};
      traced.sentences.push_back({sentence.hash, sentence.content_characters, marks});
    }
    return {};
  }

  Result<TextChange> change_between(std::uint32_t source, std::uint32_t copy) {
    std::vector<MatchedSpan> spans;
    PARAPRINT_TRY(scorer_.score(source, copy, &spans));
    TextChange change;
    PARAPRINT_TRY(read_profile(source, profile_));
    add_unmatched(&MatchedSpan::a, spans, change.lost_characters, change.lost_paragraphs);
    PARAPRINT_TRY(read_profile(copy, profile_));
    add_unmatched(&MatchedSpan::b, spans, change.added_characters, change.added_paragraphs);
    return change;
  }

  // Of the sentences and paragraphs of profile_, those that no matched span touches.
  void add_unmatched(TextSpan MatchedSpan::*side, const std::vector<MatchedSpan>& spans, std::uint64_t& characters,
                     std::uint32_t& paragraphs) {
    join_spans(side, spans);
    const auto is_matched = [&](TextSpan wanted) {
      const auto found = std::partition_point(matched_.begin(), matched_.end(),
                                              [&](TextSpan span) { return span.end_bytes <= wanted.begin_bytes; });
      return found != matched_.end() && found->begin_bytes < wanted.end_bytes;
    };
    for (const SentenceProfile& sentence : profile_.sentences) {
      if (!is_matched(sentence.span)) characters += sentence.content_characters;
    }
    for (const ParagraphProfile& paragraph : profile_.paragraphs) {
      if (!is_matched(paragraph.span)) ++paragraphs;
    }
  }

  // Fills matched_ with what the spans of one side cover, ascending: an edited paragraph has spans of its sentences
  // too.
  void join_spans(TextSpan MatchedSpan::*side, const std::vector<MatchedSpan>& spans) {
    std::vector<TextSpan> sorted;
    for (const MatchedSpan& span : spans) sorted.push_back(span.*side);
    std::sort(sorted.begin(), sorted.end(), [](TextSpan x, TextSpan y) { return x.begin_bytes < y.begin_bytes; });
    matched_.clear();
    for (const TextSpan span : sorted) {
      if (!matched_.empty() && span.begin_bytes <= matched_.back().end_bytes) {
        matched_.back().end_bytes = std::max(matched_.back().end_bytes, span.end_bytes);
      } else {
        matched_.push_back(span);
      }
    }
  }

  const PageLog& log_;
  const PageTable& pages_;
  const OutputRows& rows_;
  const SpillArray<OriginPlace>& places_;
  PairScorer scorer_;
  Profile profile_;
  std::vector<TextSpan> matched_;
  std::set<std::array<std::uint64_t, 2>> texts_;  // of the cluster, with sentences
  std::size_t sentences_ = 0;                     // of these
  std::string bytes_;
};

Status find_origins(const PageLog& log, SpillArray<OriginPlace>& places) {
  return log.read(
      [&](const LoggedPage& page) -> Status {
        return places.push_back({page.origin_offset_bytes, static_cast<std::uint32_t>(page.origin.size())});
      },
      [](const PageBatch&) -> Status { return {}; });
}

}  // namespace

Status write_provenance(const RunSetup& run, const PageLog& log, const PageTable& pages, const MatchOutcome& matched,
                        const Decisions& decisions, const OutputRows& rows, ProgressReporter& progress) {
  SpillArray<OriginPlace> places(pages.budget());
  PARAPRINT_TRY(find_origins(log, places));
  PageGroups groups(pages.budget());
  PARAPRINT_TRY(groups.build(pages.size(), pages.pages_by_id(),
                             [&](std::uint32_t page) { return decisions.clustering.pages[page].kept_page; }));
  std::vector<std::unique_ptr<ClusterTracer>> tracers;
  for (unsigned worker = 0; worker < run.threads; ++worker) {
    tracers.push_back(std::make_unique<ClusterTracer>(run, log, pages, matched, rows, places));
  }
  PARAPRINT_ASSIGN(AtomicFile file, AtomicFile::create(run.options.output.out + "/provenance.jsonl"));
  // Clusters are numbered in the order of their first pages by id, and that is the order of the lines.
  std::size_t next = 0;
  std::uint64_t done = 0;
  progress.begin("provenance", 0, "pages");
  PARAPRINT_TRY(run_in_order<ProvenancePiece, Result<ProvenanceText>>(
      run.threads,
      [&]() -> Result<std::optional<ProvenancePiece>> {
        ProvenancePiece piece;
        for (std::size_t size = 0; next < pages.size() && size < kTracedPagesPerPiece; ++next) {
          const std::uint32_t page = pages.pages_by_id()[next];
          const std::span<const std::uint32_t> group = groups.of(decisions.clustering.pages[page].kept_page);
          if (group.size() < 2 || group.front() != page) continue;
          piece.clusters.emplace_back(group.begin(), group.end());
          size += group.size();
        }
        if (piece.clusters.empty()) return std::optional<ProvenancePiece>{};
        return piece;
      },
      [&](unsigned worker, ProvenancePiece&& piece) -> Result<ProvenanceText> {
        ProvenanceText text;
        for (const std::vector<std::uint32_t>& cluster : piece.clusters) {
          PARAPRINT_TRY(check_stop());
          PARAPRINT_TRY(tracers[worker]->add_lines(cluster, text.lines));
          text.pages += cluster.size();
        }
        return text;
      },
      [&](Result<ProvenanceText>&& text) -> Status {
        if (!text) return tl::unexpected<Error>(text.error());
        PARAPRINT_TRY(file.write(text->lines));
        progress.update(done += text->pages);
        return {};
      }));
  progress.end();
  return file.commit();
}

}  // namespace paraprint::inline engine
