// Answers the calls of the explorer (view_routes.h): a request in, JSON out, independent of sockets.
#pragma once

#include <atomic>
#include <string>
#include <string_view>

#include "paraprint/serve.h"
#include "paraprint/view.h"
#include "serve/http_service.h"
#include "view/explorer.h"

namespace paraprint::inline explorer {

// Thread-safe.
class ViewService final : public HttpService {
 public:
  // `explorer` must outlive the object. It may still be loading: calls that need more are refused meanwhile.
  ViewService(Explorer& explorer, const ViewOptions& options);

  Answer<RoutedTarget> admit(const RequestHead& head, std::string& allow) const override;
  HttpResponse answer(const RoutedTarget& target, const RequestHead& head, std::string_view body) override;
  void cut_off() override { is_cut_off_ = true; }
  bool is_cut_off() const override { return is_cut_off_; }
  const ServiceLimits& limits() const override { return limits_; }
  TransportGauges& gauges() override { return gauges_; }
  void count_request(const RequestRecord&) override {}

 private:
  Answer<HttpResponse> dispatch(const RoutedTarget& target, const RequestHead& head, std::string_view body);
  Answer<HttpResponse> state() const;
  Answer<HttpResponse> overview() const;
  Answer<HttpResponse> find_pages(const RoutedTarget& target);
  Answer<HttpResponse> titles(const RoutedTarget& target);
  Answer<HttpResponse> cluster(const RoutedTarget& target) const;
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
  const ViewOptions options_;
  ServiceLimits limits_;
  TransportGauges gauges_;
  std::atomic<bool> is_cut_off_ = false;
};

}  // namespace paraprint::inline explorer
