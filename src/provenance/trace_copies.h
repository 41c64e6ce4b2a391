// Who was first in a cluster, and who copied from whom (docs/provenance.md).
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "base/stop.h"
#include "provenance/traced_page.h"

namespace paraprint::inline provenance {

// In clusters of up to this many pages every page is weighed against every other one.
inline constexpr std::size_t kPagesInFull = 64;
// In larger ones, each page against the pages that it names and at most this many others.
inline constexpr std::size_t kCandidateSources = 24;
// Texts of a cluster that are compared with each other, and their sentences; pages with other texts are traced by dates
// and statements. The caller leaves out the sentences of texts beyond the second limit.
inline constexpr std::size_t kTextsCompared = 4096;
inline constexpr std::size_t kSentencesCompared = 1'000'000;
// Sentences visited while texts are compared, those of both once for each pair; twice as many as 64 texts need that
// have a million together. If the pairs have more, the longest texts are compared with none, like those beyond the
// limits above.
inline constexpr std::uint64_t kSentencesVisited = std::uint64_t{1} << 27;

// One result per page. Every page but the first one has a source, whatever the confidence; sources form a tree.
//
// Dates, stated sources, canonical addresses, links and texts are weighed for each pair of pages as log odds; the tree
// is the maximum spanning arborescence of these. The result depends on the pages alone: their order decides nothing but
// which of two equally likely pages is named, so pages are given in the order of ids. The date of a capture only limits
// what a page can truly state.
//
// Requires at most kTracedPagesMaximum pages. Pure. Cost: pairs of pages up to kPagesInFull, and beyond it pages times
// kCandidateSources; for each pair of texts among these the sentences of both, within kSentencesVisited. Counts a unit
// for each of them.
inline constexpr std::size_t kTracedPagesMaximum = 100'000;
std::vector<TracedOrigin> trace_copies(std::span<const TracedPage> pages, StopCheck& stop);
inline std::vector<TracedOrigin> trace_copies(std::span<const TracedPage> pages) {
  StopCheck never;
  return trace_copies(pages, never);
}

}  // namespace paraprint::inline provenance
