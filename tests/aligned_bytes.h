// Bytes aligned for any scalar type, like those of a mapped file.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace paraprint {

class AlignedBytes {
 public:
  explicit AlignedBytes(const std::string& bytes) : storage_(bytes.size() / sizeof(Unit) + 1), size_(bytes.size()) {
    bytes.copy(reinterpret_cast<char*>(storage_.data()), bytes.size());
  }
  std::string_view view() const { return {reinterpret_cast<const char*>(storage_.data()), size_}; }

 private:
  struct alignas(16) Unit {
    char bytes[16];
  };
  std::vector<Unit> storage_;
  std::size_t size_;
};

}  // namespace paraprint
