// Writes provenance.jsonl: reads back what the log has of each cluster's pages, traces them, and compares each copy
// with its source. Clusters are independent of each other, so threads take them in pieces and their lines are written
// in order.
#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <optional>
#include <utility>

#include "base/atomic_file.h"
#include "base/ordered_parallel.h"
#include "base/propagate.h"
#include "base/stop.h"
#include "cluster/page_groups.h"
#include "engine/output_stage.h"
#include "engine/pair_scorer.h"
#include "profile/profile_codec.h"
#include "provenance/origin_record.h"
#include "provenance/provenance_lines.h"
#include "provenance/trace_copies.h"
#include "provenance/traced_cluster.h"

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
    TracedCluster traced;
    for (std::size_t i = 0; i < count; ++i) PARAPRINT_TRY(read_page(cluster[i], traced));
    StopCheck stop(StopScope::current());
    const std::vector<TracedOrigin> origins = trace_copies(traced.pages(), stop);
    PARAPRINT_TRY(stop.status());
    for (std::size_t i = 0; i < cluster.size(); ++i) {
      ProvenanceRow row;
      row.id = pages_.id(cluster[i]);
      row.url = pages_.url(cluster[i]);
      row.cluster = rows_.cluster_numbers[cluster[i]];
      if (i < count) {
        row.stated = &traced.pages()[i].stated;
        row.traced = &origins[i];
        if (const std::optional<std::uint32_t> source = origins[i].copied_from) {
          row.copied_from = pages_.id(cluster[*source]);
          PARAPRINT_ASSIGN(row.change, change_between(cluster[*source], cluster[i]));
        }
      }
      lines += provenance_object(row);
      lines += '\n';
    }
    return {};
  }

 private:
  Status read_profile(std::uint32_t page, Profile& profile) {
    const PageRow& row = pages_.row(page);
    PARAPRINT_TRY(log_.read_bytes(row.profile_offset_bytes, row.profile_bytes, bytes_));
    return decode_profile(bytes_, profile);
  }

  Status read_page(std::uint32_t page, TracedCluster& traced) {
    const OriginPlace place = places_[page];
    PARAPRINT_TRY(log_.read_bytes(place.offset_bytes, place.size_bytes, bytes_));
    OriginRecord record;
    if (Status decoded = decode_origin(bytes_, record); !decoded) {
      return failure(decoded.error().code, fmt::format("page {}: {}", pages_.id(page), decoded.error().message));
    }
    PARAPRINT_TRY(read_profile(page, profile_));
    traced.add({pages_.id(page), pages_.url(page), pages_.date(page)}, std::move(record), profile_);
    return {};
  }

  Result<TextChange> change_between(std::uint32_t source, std::uint32_t copy) {
    std::vector<MatchedSpan> spans;
    PARAPRINT_TRY(scorer_.score(source, copy, &spans));
    PARAPRINT_TRY(read_profile(source, source_));
    PARAPRINT_TRY(read_profile(copy, profile_));
    return text_change(source_, profile_, spans);
  }

  const PageLog& log_;
  const PageTable& pages_;
  const OutputRows& rows_;
  const SpillArray<OriginPlace>& places_;
  PairScorer scorer_;
  Profile profile_;
  Profile source_;
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

Result<CanonicalAddresses> read_canonical_addresses(const PageLog& log, const PageTable& pages) {
  CanonicalAddresses addresses(pages.budget());
  OriginRecord record;
  PARAPRINT_TRY(log.read(
      [&](const LoggedPage& logged) -> Status {
        if (const Status decoded = decode_origin(logged.origin, record); !decoded) {
          return failure(decoded.error().code, fmt::format("page {}: {}", logged.id, decoded.error().message));
        }
        return addresses.add(logged.url, record.stated.metadata.canonical_url);
      },
      [](const PageBatch&) -> Status { return {}; }));
  return addresses;
}

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
