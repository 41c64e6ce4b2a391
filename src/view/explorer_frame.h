// What the services of the explorer have in common: who may ask, the files of the page, limits, and errors that become
// refusals. A service adds its calls.
#pragma once

#include <atomic>
#include <span>
#include <string>
#include <string_view>

#include "paraprint/serve.h"
#include "paraprint/view.h"
#include "serve/http_service.h"

namespace paraprint::inline explorer {

// Thread-safe.
class ExplorerFrame : public HttpService {
 public:
  // `routes`: of the calls, which must outlive the object. Of `options`, token and address.
  ExplorerFrame(std::span<const Route> routes, const ViewOptions& options);

  Answer<RoutedTarget> admit(const RequestHead& head, std::string& allow) const override;
  HttpResponse answer(const RoutedTarget& target, const RequestHead& head, std::string_view body) override;
  void cut_off() override { is_cut_off_ = true; }
  bool is_cut_off() const override { return is_cut_off_; }
  const ServiceLimits& limits() const override { return limits_; }
  TransportGauges& gauges() override { return gauges_; }
  void count_request(const RequestRecord&) override {}

 protected:
  virtual Answer<HttpResponse> dispatch(const RoutedTarget& target, const RequestHead& head, std::string_view body) = 0;

 private:
  const std::span<const Route> routes_;
  const std::string token_;
  const std::string address_;
  ServiceLimits limits_;
  TransportGauges gauges_;
  std::atomic<bool> is_cut_off_ = false;
};

// A file of the page by its name. kNoSuchCall for another name.
Answer<HttpResponse> find_asset(std::string_view name);

// A table that the page saves.
HttpResponse file_response(std::string_view content_type, std::string body);

}  // namespace paraprint::inline explorer
