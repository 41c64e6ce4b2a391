// A thin wrapper of OpenCC's C interface. Each configuration is opened on first use, because loading its dictionaries
// takes noticeable time and memory and most threads need only some of them; check() opens all of them to report missing
// data before any page is made.
#include "lab/simulate/language/script_converter.h"

#include <opencc/opencc.h>

#include <array>
#include <filesystem>
#include <system_error>

#include "base/assert.h"

namespace paraprint::inline lab::inline simulate::inline language {
namespace {

// Indexed by ScriptConversion.
constexpr std::array<const char*, 6> kConfigurations = {"s2t.json",  "t2s.json",   "s2twp.json",
                                                        "tw2s.json", "tw2sp.json", "s2tw.json"};

// opencc_open() returns this on failure, not a null pointer.
opencc_t failed_handle() {
  return reinterpret_cast<opencc_t>(-1);
}

// A relocatable package brings the data along, in share/opencc next to the program's folder. Otherwise the name alone
// lets OpenCC look where it was installed.
std::string configuration_path(const char* name) {
  std::error_code error;
  const std::filesystem::path program = std::filesystem::read_symlink("/proc/self/exe", error);
  if (error) return name;
  const std::filesystem::path own = program.parent_path().parent_path() / "share" / "opencc" / name;
  return std::filesystem::exists(own, error) ? own.string() : name;
}

}  // namespace

struct ScriptConverter::Handles {
  std::array<opencc_t, kConfigurations.size()> handles{};
  Handles() = default;
  Handles(const Handles&) = delete;
  Handles& operator=(const Handles&) = delete;
  ~Handles() {
    for (const opencc_t handle : handles) {
      if (handle != nullptr && handle != failed_handle()) opencc_close(handle);
    }
  }
  opencc_t open(std::size_t index) {
    if (handles[index] == nullptr) handles[index] = opencc_open(configuration_path(kConfigurations[index]).c_str());
    return handles[index];
  }
};

ScriptConverter::ScriptConverter() : handles_(std::make_unique<Handles>()) {}
ScriptConverter::~ScriptConverter() = default;
ScriptConverter::ScriptConverter(ScriptConverter&&) noexcept = default;
ScriptConverter& ScriptConverter::operator=(ScriptConverter&&) noexcept = default;

Status ScriptConverter::check() {
  for (std::size_t i = 0; i < kConfigurations.size(); ++i) {
    if (handles_->open(i) != failed_handle()) continue;
    return failure(
        ErrorCode::kUnsupported,
        std::string("the edits 'script' and 'regional-words' need OpenCC's data (package libopencc-data): ") +
            kConfigurations[i] + ": " + opencc_error());
  }
  return {};
}

std::string ScriptConverter::convert(ScriptConversion conversion, std::string_view text) {
  const opencc_t handle = handles_->open(static_cast<std::size_t>(conversion));
  PARAPRINT_ASSERT(handle != failed_handle());
  char* converted = opencc_convert_utf8(handle, text.data(), text.size());
  // OpenCC rejects invalid UTF-8; the edit then leaves the paragraph as it is.
  if (converted == nullptr) return std::string(text);
  std::string result(converted);
  opencc_convert_utf8_free(converted);
  return result;
}

}  // namespace paraprint::inline lab::inline simulate::inline language
