// Pages of a run that an earlier crawl already had: found in an index of known pages before the pages of the run are
// compared with each other. They are removed; what replaces them is not in the run but in the index.
//
// The answers are stored beside the run's other work (docs/formats/known-pages.md). Without that a run that goes on
// after a kill would find the pages that it added itself.
#pragma once

#include <cstdint>
#include <map>
#include <string>

#include "paraprint/model.h"
#include "paraprint/result.h"

namespace paraprint {

struct DedupRun;

// The known page that a page of the run matches best. Reads "the page of the run is <verdict> the known one".
struct KnownPage {
  std::string id;
  std::string url;
  Verdict verdict = Verdict::kSame;
  float resemblance = 1;
  float containment = 1;        // share of the page of the run that stands in the known one
  float containment_known = 1;  // share of the known page that stands in the one of the run
};

// By page number; pages of equal text are all in it or none.
using KnownPages = std::map<std::uint32_t, KnownPage>;

// The index, as a run sees it.
class KnownPagesSource {
 public:
  virtual ~KnownPagesSource() = default;
  virtual std::string name() const = 0;
  // The pages to remove.
  virtual Result<KnownPages> find(const DedupRun& run) = 0;
  // Adds the pages that the run keeps. Doing it again changes nothing.
  virtual Status add_kept(const DedupRun& run) = 0;
};

inline constexpr std::uint32_t kKnownPagesFormatVersion = 1;  // persisted

// The stored form. `log_bytes` and `source` say which run and which index the answers belong to.
struct StoredKnownPages {
  std::uint64_t log_bytes = 0;
  std::string source;
  KnownPages pages;
};
Status write_known_pages(const std::string& path, const StoredKnownPages& stored);
// kNotFound, kUnsupported, kCorruptData.
Result<StoredKnownPages> read_known_pages(const std::string& path);

}  // namespace paraprint
