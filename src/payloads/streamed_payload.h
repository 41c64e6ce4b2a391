// Digests of a payload that is too large to be held, from its pieces.
#pragma once

#include <cstdint>
#include <memory>
#include <string_view>

#include "archive/record_reader.h"
#include "archive/revisit_target.h"
#include "payloads/capture.h"

namespace paraprint::inline payloads {

// For RecordReader::digest_oversized(). The key is equal to that of the same payload in memory. Not thread-safe.
// Memory: the states of two digests.
class StreamedPayload final : public PayloadObserver {
 public:
  explicit StreamedPayload(PayloadDigest digest);
  ~StreamedPayload() override;

  void begin() override;
  void add(std::string_view piece) override;

  std::uint64_t size_bytes() const { return size_bytes_; }
  // Once after a payload has been seen whole. `target` is that of its record.
  PayloadKey key(const RevisitTarget& target);

 private:
  struct State;

  const PayloadDigest digest_;
  std::uint64_t size_bytes_ = 0;
  std::unique_ptr<State> state_;
};

}  // namespace paraprint::inline payloads
