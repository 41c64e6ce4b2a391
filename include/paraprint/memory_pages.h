// Works on pages and profiles in memory instead of files: serialises profiles, compares two pages, finds copies in a
// collection, reads pages with their bodies from archives, remembers ids. Language bindings are built on this header.
//
// Example:
//
//   std::vector<Page> pages(2);
//   pages[0].body = "<p>The river rose through the night.</p>";
//   pages[1].body = "<p>The river rose during the night.</p>";
//   Result<ComparePagesOutcome> compared = compare_pages(pages[0], pages[1], {});
//   const bool are_copies = compared && compared->pair.match.verdict == Verdict::kNear;
//   Result<DeduplicatePagesOutcome> outcome = deduplicate_pages(pages, {});
//   const bool is_kept = outcome && outcome->is_kept(1);
//   DedupOptions options;
//   options.output.out = "clean";
//   Result<DedupOutcome> written = deduplicate(PageSpan(pages), options);
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "paraprint/engine.h"
#include "paraprint/model.h"
#include "paraprint/options.h"
#include "paraprint/page_collection.h"
#include "paraprint/read_options.h"
#include "paraprint/result.h"
#include "paraprint/run_control.h"

namespace paraprint {

// ---------------------------------------------------------------------------------------------------------------------
// Profiles as bytes

// Serialises a profile obtained from Profiler or profile_from_bytes() as described in docs/formats/profile.md.
std::string profile_bytes(const Profile& profile);

// Safe on untrusted input: kUnsupported for another format version, kCorruptData for bytes that are not a profile.
Result<Profile> profile_from_bytes(std::string_view bytes);

// ---------------------------------------------------------------------------------------------------------------------
// Two pages

struct ComparePagesOutcome {
  CompareOutcome pair;
  MainContent content_a;
  MainContent content_b;
  std::uint32_t content_characters_a = 0;
  std::uint32_t content_characters_b = 0;
  std::string rendered;  // in CompareOptions::format
};

// Like compare_files(), for pages in memory. Their ids are used as names in `rendered`.
Result<ComparePagesOutcome> compare_pages(const Page& a, const Page& b, const CompareOptions& options);

// ---------------------------------------------------------------------------------------------------------------------
// Collections of pages

// What became of a page of a collection.
struct PageDecision {
  // As in clusters.tsv. Empty for a page that was not compared because it is blank or exceeds a limit of ReadOptions;
  // such a page is kept.
  std::optional<std::uint32_t> cluster;
  std::size_t kept_page = 0;  // position of the page that stays for its cluster: its own if it is kept
  // As in removed.jsonl, of this page and the kept one: "this page is VERDICT the kept page". Of a kept page, its own
  // with itself.
  Verdict verdict = Verdict::kSame;
  float resemblance = 1;
  float containment = 1;       // share of this page that is in the kept one
  float containment_kept = 1;  // share of the kept page that is in this one
};

// Whether an outcome lists the matches. They can be many more than the pages, and take time to be put in order.
enum class MatchList { kAll, kNone };

struct DeduplicatePagesOutcome {
  DedupOutcome counts;
  std::vector<PageDecision> pages;  // by position
  // As in matches.tsv; page_a and page_b are positions, page_a < page_b. Ascending. Empty with MatchList::kNone, and
  // counts.matches is then 0.
  std::vector<Match> matches;
  bool is_kept(std::size_t page) const { return pages[page].kept_page == page; }
};

// deduplicate() over pages in memory: the same decisions as over a file with these pages in this order, whatever the
// number of threads. Writes only work files, in ResourceOptions::tmp or the system's folder for temporary files, and
// removes them at the end. In addition to `pages` and the outcome, memory is bounded as in a run over files.
// `options.inputs` and `options.output` are ignored. A page without an id is named by its position, which matters only
// where ids decide an order: in the numbers of clusters. Errors: those of deduplicate(); kLimitExceeded for more than
// 2^32 - 1 pages.
Result<DeduplicatePagesOutcome> deduplicate_pages(const PageCollection& pages, const DedupOptions& options,
                                                  const RunControl& control = {}, MatchList matches = MatchList::kAll);
Result<DeduplicatePagesOutcome> deduplicate_pages(std::span<const Page> pages, const DedupOptions& options,
                                                  const RunControl& control = {});

// The same for any sequence, writing the output folder of a run over files (docs/output.md), with the same bytes as
// over a file of JSON lines with these pages in this order, except that the input has the name of the sequence, with
// the positions of pages as offsets. There are no records to copy: `options.output.records` and `options.inputs` are
// ignored. Calling it again with the same pages and options resumes a run that was killed or stopped; a folder with a
// run over other pages (PageSequence::digest()) is refused as kInvalidArgument, or replaced with
// `options.output.restart`. Such a folder cannot be reclustered, except by calling this again. Errors: those of
// deduplicate() and of the sequence; kLimitExceeded as above.
Result<DedupOutcome> deduplicate(const PageSequence& pages, const DedupOptions& options,
                                 const RunControl& control = {});
// The same with an index of known pages (paraprint/index.h).
Result<DedupOutcome> deduplicate_with_index(const PageSequence& pages, const DedupOptions& options,
                                            const std::string& index_folder, const RunControl& control = {});

// ---------------------------------------------------------------------------------------------------------------------
// Pages of archives

// Reads the pages of any input, with their bodies, in input order. Not thread-safe.
class PageReader {
 public:
  // `control` is copied and applies to next() too. Warnings: one per broken record. No progress. Errors: those of
  // for_each_page().
  static Result<std::unique_ptr<PageReader>> open(const std::vector<std::string>& inputs, const ReadOptions& options,
                                                  const RunControl& control = {});
  ~PageReader();
  PageReader(const PageReader&) = delete;
  PageReader& operator=(const PageReader&) = delete;

  // The next page, or nullopt at the end. A file that becomes unreadable is skipped, with a warning.
  Result<std::optional<Page>> next();

  std::uint64_t broken_records() const;  // so far

 private:
  class Implementation;
  explicit PageReader(std::unique_ptr<Implementation> implementation);
  std::unique_ptr<Implementation> implementation_;
};

// Decodes page bodies to UTF-8 as a run does: the charset comes from the byte-order mark, the content type, <meta>, or
// the bytes. Not thread-safe: use one per thread.
class BodyDecoder {
 public:
  BodyDecoder();
  ~BodyDecoder();
  BodyDecoder(const BodyDecoder&) = delete;
  BodyDecoder& operator=(const BodyDecoder&) = delete;

  // Never fails; undecodable bytes are dropped. The result is valid until the next call and while `body` is.
  std::string_view decode(std::string_view body, std::string_view content_type, PageFormat format);

 private:
  class Implementation;
  std::unique_ptr<Implementation> implementation_;
};

// Writes pages as lines of JSON, which read as these pages. Uses the names of fields in the options, and nothing else
// of them. Keeps its buffers; not thread-safe.
class PageLineWriter {
 public:
  explicit PageLineWriter(const ReadOptions& fields = {});
  ~PageLineWriter();
  PageLineWriter(const PageLineWriter&) = delete;
  PageLineWriter& operator=(const PageLineWriter&) = delete;

  // The line without its end. `body` is the decoded body of the page; it and the id must be valid UTF-8. A URL or date
  // that is empty or not valid UTF-8 is left out, and so is the score if it has no field. An id of the place
  // (Page::has_id_of_place) becomes one that the page states, unless there is a field for places.
  std::string line(const Page& page, std::string_view body);

 private:
  class Implementation;
  std::unique_ptr<Implementation> implementation_;
};

// ---------------------------------------------------------------------------------------------------------------------
// Ids of pages

// The ids that a call has seen. Keeps 128 bits of BLAKE2b for each instead of the id, 24 to 48 bytes: two different ids
// are never taken for one, even if a stranger chose them. Not thread-safe.
class IdSet {
 public:
  // Returns whether the id is new.
  bool insert(std::string_view id);
  bool contains(std::string_view id) const;
  std::size_t size() const { return size_; }

 private:
  using Hash = std::array<std::uint64_t, 2>;
  static Hash hash_of(std::string_view id);
  std::size_t place(const Hash& hash) const;
  void grow();

  std::vector<Hash> slots_;  // open addressing; the size is a power of two, zeros are a free slot
  std::size_t size_ = 0;
};

}  // namespace paraprint
