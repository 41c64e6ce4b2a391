// Answers the calls of the explorer (view_routes.h): a request in, JSON out, independent of sockets.
#pragma once

#include <string_view>

#include "view/explorer.h"
#include "view/explorer_frame.h"
#include "view/recent_searches.h"

namespace paraprint::inline explorer {

// Thread-safe.
class ViewService final : public ExplorerFrame {
 public:
  // `explorer` must outlive the object. It may still be loading: calls that need more are refused meanwhile.
  ViewService(Explorer& explorer, const ViewOptions& options);

 private:
  Answer<HttpResponse> dispatch(const RoutedTarget& target, const RequestHead& head, std::string_view body) override;
  Answer<HttpResponse> state() const;
  Answer<HttpResponse> overview() const;
  Answer<HttpResponse> find_pages(const RoutedTarget& target);
  Answer<HttpResponse> titles(const RoutedTarget& target);
  Answer<HttpResponse> cluster(const RoutedTarget& target) const;
  Answer<HttpResponse> copies(const RoutedTarget& target) const;
  Answer<HttpResponse> find_pairs(const RoutedTarget& target) const;
  Answer<HttpResponse> pair(const RoutedTarget& target);
  Answer<HttpResponse> thresholds() const;
  Answer<HttpResponse> threshold(const RoutedTarget& target) const;
  Answer<HttpResponse> rulings() const;
  Answer<HttpResponse> rule(const RequestHead& head, std::string_view body);
  Answer<HttpResponse> judging(const RoutedTarget& target);
  Answer<HttpResponse> draw_sample(const RequestHead& head, std::string_view body);
  Answer<HttpResponse> judge(const RequestHead& head, std::string_view body);

  Explorer& explorer_;
  RecentSearches searches_;  // of pages
};

}  // namespace paraprint::inline explorer
