// Decides whether a page passes a StatementFilter.
#pragma once

#include <string>
#include <string_view>

#include "paraprint/index.h"
#include "paraprint/result.h"

namespace paraprint::inline online {

// A StatementFilter that has been read once, for many pages. Thread-safe.
class KnownPageFilter {
 public:
  // Errors: those of StatementFilter::validate().
  static Result<KnownPageFilter> create(const StatementFilter& filter);

  bool is_empty() const { return is_empty_; }
  // Cost: O(size of the statement).
  bool passes(const IndexedPage& page) const;

 private:
  // A host or a name, in the forms in which they are compared.
  struct Name {
    std::string host;  // "example.org"
    std::string text;  // as written, without spaces
    bool is_empty() const { return text.empty(); }
    bool matches(std::string_view host_of_page, std::string_view name) const;
  };
  static Name name_of(std::string_view text);

  bool is_empty_ = true;
  std::string from_;
  std::string until_;
  Name source_;
  Name site_;
};

}  // namespace paraprint::inline online
