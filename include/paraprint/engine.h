// Start here: the main entry points of the library. The command line is a thin layer over these calls.
//
// Example:
//
//   DedupOptions options;
//   options.inputs = {"crawl/"};
//   options.output.out = "clean";
//   Result<DedupOutcome> outcome = deduplicate(options);
//
// Calls are independent of each other and may be made from any thread. What a call reports of its work has a type that
// ends with Outcome.
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
#include "paraprint/run_control.h"

namespace paraprint {

// Summary of a finished run; everything else is in the output folder.
struct DedupOutcome {
  std::uint64_t pages = 0;
  std::uint64_t pages_kept = 0;
  std::uint64_t pages_removed = 0;
  std::uint64_t pages_known = 0;                // removed because the index already had them (paraprint/index.h)
  std::uint64_t known_replaced = 0;             // pages of the index whose text was replaced by that of a kept page
  std::uint64_t pages_not_indexed = 0;          // kept pages that no index takes (PageIndex::is_about_page())
  std::uint64_t pages_in_other_languages = 0;   // removed: not in SurvivorOptions::languages
  std::uint64_t pages_empty = 0;                // kept because they have no text to compare
  std::uint64_t clusters = 0;                   // of two or more pages
  std::uint64_t matches = 0;                    // pairs in matches.tsv
  std::uint64_t broken_records = 0;             // counted in summary.json under "broken"
  std::uint64_t unreadable_inputs = 0;          // files that could not be read to the end
  std::vector<std::string> unreadable_reasons;  // why, with the name of the file; of the first hundred files
  std::vector<std::string> ignored_pairs;       // of SurvivorOptions::never and always: how many and why, by file
  std::uint64_t memory_peak_bytes = 0;          // peak resident size of the process; may exceed ResourceOptions::memory
  std::string report_path;                      // index.html; empty without a report
};

// Removes near-duplicate pages from `options.inputs` and writes the files described in docs/output.md to the output
// folder. Calling it again with the same options resumes a killed run, with byte-identical results.
//
// Errors: kInvalidArgument (options, or an output folder that holds another run), kNotFound and kPermissionDenied for
// inputs, kNoSpace, kInputOutput, kCancelled. Broken records are not errors: they are counted, reported and skipped,
// each with a warning when it is read. A resumed run does not read or report them again, except for inputs that could
// not be read to their end: these are read again from there, and until they can be read, no page is added to an index.
Result<DedupOutcome> deduplicate(const DedupOptions& options, const RunControl& control = {});

// Applies different thresholds or another survivor policy to a finished run in `options.output.out`, using its
// stored scores: nothing is profiled or compared again, but match.align_words reads the texts again. `options.inputs`,
// `reading` and `profile` must be those of the run.
Result<DedupOutcome> recluster(const DedupOptions& options, const RunControl& control = {});

// A program may keep the options of a finished run in its output folder, in any form, and start from them when it
// reclusters, as the command line does. deduplicate() removes them before it replaces the output of an earlier run, so
// they are always those of the output.
std::string stored_options_path(const std::string& out_folder);
// Replaces that file. After an error, a kill or a power failure, it is complete, as it was before, or absent.
// Errors: kNoSpace, kPermissionDenied, kNotFound (the folder holds no run), kInputOutput.
Status store_options(const std::string& out_folder, std::string_view text);

// Streaming the pages of any input.
struct PageStreamOptions {
  std::vector<std::string> inputs;  // files, folders, or "-" for standard input
  ReadOptions reading;
  ProfileOptions profile;
  bool with_profiles = true;           // false: extraction only
  ExtractDetail detail;                // `markdown` and `metadata` only without profiles, `provenance` only with them
  std::vector<std::string> languages;  // of the main content, as SurvivorOptions::languages; empty: all
  unsigned threads = 0;                // 0: one per processor
};
struct StreamedPage {
  Page page;  // without its body
  MainContent content;
  std::string markdown;         // the content, if PageStreamOptions::detail asks for it
  PageMetadata metadata;        // likewise
  Profile profile;              // empty without with_profiles
  PageFingerprint fingerprint;  // of ProfileOptions::algorithm; empty under the paragraph method
  std::string origin;           // if PageStreamOptions::detail asks for it
};

// Streamed pages as printed by `paraprint extract` and `paraprint profile`, without a trailing newline. The JSON is one
// object; docs/cli.md describes its fields. Thread-safe.
std::string_view text_of(const StreamedPage& page);      // the extracted text; valid as long as `page`
std::string_view markdown_of(const StreamedPage& page);  // likewise
std::string content_json(const StreamedPage& page);      // id, URL, title, text_of() and metadata
// The page's fingerprints, labelled with the Profiler::settings_identity() they were made under. With `with_bytes`,
// also the serialised profile (docs/formats/profile.md) in base64, which the service accepts instead of a page.
std::string profile_json(const StreamedPage& page, std::string_view settings_identity, bool with_bytes);

struct PageStreamOutcome {
  std::uint64_t pages = 0;
  std::uint64_t pages_in_other_languages = 0;  // not visited and not among `pages`
  std::uint64_t broken_records = 0;
  std::uint64_t unreadable_inputs = 0;
};

// Calls `visit` for every page in input order, from one thread at a time. Warnings: one per broken record. No progress.
// An error from `visit` ends the call and is returned.
Result<PageStreamOutcome> for_each_page(const PageStreamOptions& options,
                                        const std::function<Status(const StreamedPage&)>& visit,
                                        const RunControl& control = {});

// Compares two files (HTML or text; one may be "-" for standard input) side by side.
struct CompareOptions {
  ProfileOptions profile;
  MatchOptions match;
  std::string format = "text";      // "text" for a terminal, "json", or "html" (one self-contained page)
  bool use_colour = false;          // text only
  std::size_t width_columns = 100;  // text only
};
struct CompareFilesOutcome {
  Match match;
  std::string rendered;
};
Result<CompareFilesOutcome> compare_files(const std::string& path_a, const std::string& path_b,
                                          const CompareOptions& options);

// Writes a file that is complete, as it was before, or absent, also after an error, a kill or a power failure. A link
// stays a link; to a device or pipe, the bytes are written as they are.
// Errors: kNoSpace, kPermissionDenied, kNotFound (no such folder), kInputOutput.
Status write_file(const std::string& path, std::string_view bytes);

// The valid values of ProfileOptions::extractor, each with a one-line summary.
struct NamedChoice {
  std::string_view name;
  std::string_view summary;
};
std::vector<NamedChoice> extractor_names();

// Extracts and profiles one page at a time. Holds a parser and scratch memory. Not thread-safe: use one per thread.
class Profiler {
 public:
  static Result<Profiler> create(const ProfileOptions& options, const ExtractDetail& detail = {});
  Profiler(Profiler&&) noexcept;
  Profiler& operator=(Profiler&&) noexcept;
  ~Profiler();

  // Results are valid until the next call. These never fail: a page without text gives empty values.
  const MainContent& extract(const Page& page);
  const Profile& profile(const Page& page);
  // The same, but a long page is left in the middle when `control.stop` is set: kCancelled, without results.
  Result<const MainContent*> extract(const Page& page, const RunControl& control);
  Result<const Profile*> profile(const Page& page, const RunControl& control);
  const MainContent& content() const;  // of the last call
  // Of the page of the last call, if ExtractDetail asked for them; otherwise empty. Made by each call. kCancelled if
  // `control.stop` is set.
  Result<std::string> markdown(const RunControl& control = {});
  Result<PageMetadata> metadata(const RunControl& control = {});
  // What the last profiled page states of its publication, in the form that an index keeps of it
  // (IndexPageInput::origin), if ExtractDetail asked for it; otherwise empty. kCancelled likewise.
  Result<std::string> origin(const RunControl& control = {});
  // The fingerprint by ProfileOptions::algorithm of the last profiled page; empty under the paragraph method.
  const PageFingerprint& fingerprint() const;

  // Identifies all settings and data that affect a profile; profiles with different identities are not comparable.
  const std::string& settings_identity() const;

 private:
  class Implementation;
  explicit Profiler(std::unique_ptr<Implementation> implementation);
  std::unique_ptr<Implementation> implementation_;
};

// Verdict, scores and evidence for two profiles with the same identity. The verdict reads "a is <verdict> b".
struct CompareOutcome {
  Match match;                     // page_a is 0, page_b is 1
  std::vector<MatchedSpan> spans;  // by position in a
};
Result<CompareOutcome> compare(const Profile& a, const Profile& b, const MatchOptions& options);
// The same by a page-level algorithm (`specification`, paraprint/algorithms.h), which finds no spans. Errors: those of
// canonical_algorithm(); kInvalidArgument for the paragraph method and for fingerprints that it did not make.
struct FingerprintedPage {
  const PageFingerprint& fingerprint;
  std::uint32_t content_characters;  // of its profile
};
Result<Match> compare(const FingerprintedPage& a, const FingerprintedPage& b, std::string_view specification,
                      const MatchOptions& options);

// "distinct", "same", "near", "contained", "contains", "overlap": as in tables and JSON, never changed.
std::string_view verdict_name(Verdict verdict);

std::string_view version();

}  // namespace paraprint
