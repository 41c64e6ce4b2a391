// Answers the calls of the explorer of an index (known_routes.h): a request in, JSON out, independent of sockets.
#pragma once

#include <string_view>

#include "view/explorer_frame.h"
#include "view/known/known_explorer.h"
#include "view/recent_searches.h"

namespace paraprint::inline explorer::inline known {

// Thread-safe.
class KnownService final : public ExplorerFrame {
 public:
  // `explorer` must outlive the object. It may still be loading: calls that need more are refused meanwhile.
  KnownService(const KnownExplorer& explorer, const ViewOptions& options);

 private:
  Answer<HttpResponse> dispatch(const RoutedTarget& target, const RequestHead& head, std::string_view body) override;
  Answer<HttpResponse> state() const;
  Answer<HttpResponse> overview() const;
  Answer<HttpResponse> find_pages(const RoutedTarget& target);
  Answer<HttpResponse> page(const RoutedTarget& target) const;
  Answer<HttpResponse> match(const RoutedTarget& target) const;

  const KnownExplorer& explorer_;
  RecentSearches searches_;
};

}  // namespace paraprint::inline explorer::inline known
