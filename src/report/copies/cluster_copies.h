// Who copied from whom in one cluster, as the report shows it: the tree of copies and the dates of publication.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace paraprint::inline report::inline copies {

// What is shown per cluster. The section states what it leaves out.
inline constexpr std::size_t kCopiesListed = 100;
inline constexpr std::size_t kDatedPagesShown = 200;
inline constexpr std::size_t kUndatedPagesListed = 20;

// The name of a page, as titles are not known of all.
struct PageName {
  std::string id;
  std::string url;
  std::string title;  // empty if unknown
};

// A page of the tree.
struct ListedCopy {
  PageName page;
  std::uint32_t depth = 0;
  std::optional<std::uint32_t> source;  // index of the page that it was copied from
  std::string date;                     // of publication, as the page states it; may be empty
  std::string date_place;
  double confidence = 0;  // in [0, 1]; of a page with a source
  std::vector<std::string> reasons;
  std::vector<std::string> against;
  std::vector<std::string> problems;
  std::string source_name;  // as the page states it
  std::string source_url;
  bool is_first = false;
  double first_confidence = 0;          // in [0, 1]
  std::uint64_t copies_not_listed = 0;  // made of it, directly or over others
};

struct DatedPage {
  PageName page;
  std::string day;  // "2010-03-01"
  bool is_first = false;
};

struct ClusterCopies {
  std::vector<ListedCopy> tree;  // a source before its copies, each with all of its own copies before the next
  std::uint64_t tree_pages = 0;  // in all
  std::uint64_t pages_apart = 0;
  std::vector<DatedPage> dated;  // by day, then id
  std::uint64_t dated_pages = 0;
  std::vector<PageName> undated;
  std::uint64_t undated_pages = 0;
};

}  // namespace paraprint::inline report::inline copies
