// Pages and profiles that a program holds in memory instead of files: two pages compared, the pages of archives with
// their bodies, profiles as bytes. What the bindings of other languages stand on. Nothing here throws.
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

// The form that docs/formats/profile.md describes. For profiles that Profiler or profile_from_bytes() gave.
std::string profile_bytes(const Profile& profile);

// Safe on any bytes: kUnsupported for another version of the form, kCorruptData for bytes that are no profile.
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

// What compare_files() does, without files. Ids name the pages in what is rendered.
Result<ComparedPages> compare_pages(const Page& a, const Page& b, const CompareOptions& options);

// ---------------------------------------------------------------------------------------------------------------------
// Pages of archives

// Pages of any input, one after the other in the order of the input, with their bodies. One thread at a time.
class PageReader {
 public:
  // `complain` gets a line for each broken record (file, place, reason). Errors: those of for_each_page().
  static Result<std::unique_ptr<PageReader>> open(const std::vector<std::string>& inputs, const ReadOptions& options,
                                                  std::function<void(std::string_view)> complain);
  ~PageReader();
  PageReader(const PageReader&) = delete;
  PageReader& operator=(const PageReader&) = delete;

  // Nothing at the end. A file that can't be read on is a complaint; the next one follows.
  Result<std::optional<Page>> next();

  std::uint64_t broken_records() const;  // so far

 private:
  class Implementation;
  explicit PageReader(std::unique_ptr<Implementation> implementation);
  std::unique_ptr<Implementation> implementation_;
};

// Bodies to UTF-8, as a run decodes them: charset from byte-order mark, content type, <meta>, or the bytes. One
// instance a thread.
class BodyDecoder {
 public:
  BodyDecoder();
  ~BodyDecoder();
  BodyDecoder(const BodyDecoder&) = delete;
  BodyDecoder& operator=(const BodyDecoder&) = delete;

  // Never fails; what means nothing is left out. Valid until the next call, and as long as `body`.
  std::string_view decode(std::string_view body, std::string_view content_type, PageFormat format);

 private:
  class Implementation;
  std::unique_ptr<Implementation> implementation_;
};

}  // namespace paraprint
