// Runs a service on its own thread until stop() or the end of the test.
#pragma once

#include <atomic>
#include <cstdint>
#include <future>
#include <string>
#include <string_view>
#include <thread>
#include <utility>

#include "paraprint/serve.h"

namespace paraprint {

class RunningService {
 public:
  explicit RunningService(ServeOptions options) {
    std::promise<std::uint16_t> ready;
    std::future<std::uint16_t> port = ready.get_future();
    thread_ = std::thread([this, options = std::move(options), &ready] {
      RunControl control;
      control.stop = &stop_;
      ServeEvents events;
      events.ready = [&](std::uint16_t chosen) { ready.set_value(chosen); };
      events.log = [this](std::string_view line) { log_.append(line).append("\n"); };
      ended_ = serve(options, control, events);
    });
    port_ = port.get();
  }
  ~RunningService() {
    if (thread_.joinable()) static_cast<void>(stop());
  }
  RunningService(const RunningService&) = delete;
  RunningService& operator=(const RunningService&) = delete;

  Status stop() {
    stop_ = true;
    thread_.join();
    return ended_;
  }
  std::uint16_t port() const { return port_; }
  std::string address() const { return "http://127.0.0.1:" + std::to_string(port_); }
  const std::string& log() const { return log_; }  // only after stop()

 private:
  std::atomic<bool> stop_{false};
  std::uint16_t port_ = 0;
  std::string log_;
  Status ended_;
  std::thread thread_;
};

}  // namespace paraprint
