// Works on pages and profiles in memory instead of files: serialises profiles, compares two pages, reads pages with
// their bodies from archives. Language bindings are built on this header.
//
// Example:
//
//   Page a, b;
//   a.body = "<p>The river rose through the night.</p>";
//   b.body = "<p>The river rose during the night.</p>";
//   Result<ComparedPages> compared = compare_pages(a, b, {});
//   const bool are_copies = compared && compared->pair.match.verdict == Verdict::kNear;
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "paraprint/engine.h"
#include "paraprint/model.h"
#include "paraprint/options.h"
#include "paraprint/read_options.h"
#include "paraprint/result.h"

namespace paraprint {

// ---------------------------------------------------------------------------------------------------------------------
// Profiles as bytes

// Serialises a profile obtained from Profiler or profile_from_bytes() as described in docs/formats/profile.md.
std::string profile_bytes(const Profile& profile);

// Safe on untrusted input: kUnsupported for another format version, kCorruptData for bytes that are not a profile.
Result<Profile> profile_from_bytes(std::string_view bytes);

// ---------------------------------------------------------------------------------------------------------------------
// Two pages

struct ComparedPages {
  ComparedPair pair;
  MainContent content_a;
  MainContent content_b;
  std::uint32_t content_characters_a = 0;
  std::uint32_t content_characters_b = 0;
  std::string rendered;  // in CompareOptions::format
};

// Like compare_files(), for pages in memory. Their ids are used as names in `rendered`.
Result<ComparedPages> compare_pages(const Page& a, const Page& b, const CompareOptions& options);

// ---------------------------------------------------------------------------------------------------------------------
// Pages of archives

// Reads the pages of any input, with their bodies, in input order. Not thread-safe.
class PageReader {
 public:
  // `complain` gets one line per broken record (file, location, reason). Errors: those of for_each_page().
  static Result<std::unique_ptr<PageReader>> open(const std::vector<std::string>& inputs, const ReadOptions& options,
                                                  std::function<void(std::string_view)> complain);
  ~PageReader();
  PageReader(const PageReader&) = delete;
  PageReader& operator=(const PageReader&) = delete;

  // The next page, or nullopt at the end. A file that becomes unreadable is reported to `complain` and skipped.
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

}  // namespace paraprint
