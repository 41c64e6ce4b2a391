// Start here: what paraprint does, as a library. The command line is a thin layer over these calls.
//
//   DedupOptions options;
//   options.inputs = {"crawl/"};
//   options.output.folder = "clean";
//   Result<DedupOutcome> outcome = deduplicate(options, {});
//
// Calls are independent of each other; each may be made from any thread. Nothing here throws.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "paraprint/model.h"
#include "paraprint/options.h"
#include "paraprint/page_fingerprint.h"
#include "paraprint/result.h"

namespace paraprint {

// How far a long call is. Calls come from one thread at a time, about ten a second, and once at the end of each stage.
struct Progress {
  std::string_view stage;  // "read", "candidates", "verify", "write", "report"
  std::uint64_t done = 0;
  std::uint64_t total = 0;  // 0: unknown
  std::string_view unit;    // of done and total: "bytes", "pages", "pairs"
  std::uint64_t pages = 0;  // pages so far, where the stage counts them
  bool is_finished = false;
};
using ProgressCallback = std::function<void(const Progress&)>;

// What a finished run says of itself; everything else is in the output folder.
struct DedupOutcome {
  std::uint64_t pages = 0;
  std::uint64_t pages_kept = 0;
  std::uint64_t pages_removed = 0;
  std::uint64_t pages_known = 0;        // of the removed ones: an earlier crawl had them (paraprint/index.h)
  std::uint64_t pages_empty = 0;        // of the kept ones: no text to compare
  std::uint64_t clusters = 0;           // of two or more pages
  std::uint64_t matches = 0;            // pairs in matches.tsv
  std::uint64_t broken_records = 0;     // counted in summary.json under "broken"
  std::uint64_t unreadable_inputs = 0;  // files that could not be read to their end
  std::uint64_t memory_peak_bytes = 0;  // resident size of the process; may pass ResourceOptions::memory_bytes
  std::string report_path;              // index.html, empty without a report
};

// Removes near-duplicate pages from `options.inputs` and writes what docs/output.md describes to the output folder. A
// run that was killed goes on where it stopped when it is called again with the same options, and ends with the same
// bytes.
//
// Errors: kInvalidArgument (options, or an output folder that holds another run), kNotFound and kPermissionDenied for
// inputs, kNoSpace, kInputOutput. Broken records are no errors: they are counted, reported and skipped.
Result<DedupOutcome> deduplicate(const DedupOptions& options, const ProgressCallback& progress);

// Applies other thresholds or another survivor policy to a finished run in `options.output.folder`, from its stored
// scores: no profile is made or compared again; match.align_words reads texts again. `options.inputs`, `reading` and
// `profile` must be those of the run.
Result<DedupOutcome> recluster(const DedupOptions& options, const ProgressCallback& progress);

// Pages of any input, one after the other.
struct PageStreamOptions {
  std::vector<std::string> inputs;  // files, folders, or "-" for standard input
  ReadOptions reading;
  ProfileOptions profile;
  bool with_profiles = true;  // false: extraction only
  unsigned threads = 0;       // 0: one a processor
};
struct StreamedPage {
  Page page;  // without its body
  MainContent content;
  Profile profile;              // empty without with_profiles
  PageFingerprint fingerprint;  // of ProfileOptions::algorithm; empty under the paragraph method
};
struct PageStreamOutcome {
  std::uint64_t pages = 0;
  std::uint64_t broken_records = 0;
  std::uint64_t unreadable_inputs = 0;
};

// Calls `visit` for every page, in the order of the input, from one thread at a time, and `complain` with a line for
// each broken record (file, place, reason). An error of `visit` ends the call and is returned.
Result<PageStreamOutcome> for_each_page(const PageStreamOptions& options,
                                        const std::function<Status(const StreamedPage&)>& visit,
                                        const std::function<void(std::string_view)>& complain);

// Two files (HTML or text; "-" once for standard input) side by side.
struct CompareOptions {
  ProfileOptions profile;
  MatchOptions match;
  std::string format = "text";      // "text" for a terminal, "json", or "html" (one self-contained page)
  bool use_colour = false;          // text only
  std::size_t width_columns = 100;  // text only
};
struct CompareOutcome {
  Match match;
  std::string rendered;
};
Result<CompareOutcome> compare_files(const std::string& path_a, const std::string& path_b,
                                     const CompareOptions& options);

// The names that ProfileOptions::extractor takes, with a line about each.
struct NamedChoice {
  std::string_view name;
  std::string_view summary;
};
std::vector<NamedChoice> extractor_names();

// One page at a time: extraction, profiles. Holds parser and scratch memory: one instance a thread.
class Profiler {
 public:
  static Result<Profiler> create(const ProfileOptions& options);
  Profiler(Profiler&&) noexcept;
  Profiler& operator=(Profiler&&) noexcept;
  ~Profiler();

  // Valid until the next call. Never fail: a page without text gives empty values.
  const MainContent& extract(const Page& page);
  const Profile& profile(const Page& page);
  const MainContent& content() const;  // of the last call
  // What ProfileOptions::algorithm makes of the page of the last profile(); empty under the paragraph method.
  const PageFingerprint& fingerprint() const;

  // Names everything that decides a profile; profiles of different identities are not comparable.
  const std::string& settings_identity() const;

 private:
  class Implementation;
  explicit Profiler(std::unique_ptr<Implementation> implementation);
  std::unique_ptr<Implementation> implementation_;
};

// Verdict, scores and evidence of two profiles of one identity. Reads "a is <verdict> b". page_a and page_b are 0
// and 1.
struct ComparedPair {
  Match match;
  std::vector<MatchedSpan> spans;  // by place in a
};
Result<ComparedPair> compare(const Profile& a, const Profile& b, const MatchOptions& options);

std::string_view version();

}  // namespace paraprint
