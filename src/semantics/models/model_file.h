// The file format shared by all models: a 96-byte header, then sections aligned to 16 bytes and padded with zeros. A
// model is mapped into memory and never modified. Its version is a digest of its content, which serves both as a
// checksum and as an identity.
//
//   magic and fields, zeros up to 72 bytes | version: high and low half, 2 x u64 | 8 bytes of zeros | sections
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "base/assert.h"
#include "base/byte_codec.h"
#include "base/propagate.h"
#include "memory/mapped_file.h"
#include "paraprint/model.h"
#include "paraprint/result.h"

namespace paraprint::inline semantics::inline models {

inline constexpr std::size_t kModelMagicBytes = 24;
inline constexpr std::size_t kModelFieldsBytes = 72;
inline constexpr std::size_t kModelHeaderBytes = 96;
inline constexpr std::size_t kModelAlignment = 16;

constexpr std::uint64_t aligned_section(std::uint64_t bytes) {
  return (bytes + kModelAlignment - 1) / kModelAlignment * kModelAlignment;
}

// B128 (docs/algorithms/hashes.md) of the first kModelFieldsBytes followed by the B128 of each section without padding,
// each as two u64, high half first.
Fingerprint128 model_version(std::string_view fields, std::span<const std::string_view> sections);

// Passes header, sections and padding to `write_part` in order. `fields` starts with the magic; kModelFieldsBytes is
// its maximum size.
Status write_model_parts(std::string fields, std::span<const std::string_view> sections,
                         const std::function<Status(std::string_view)>& write_part);

// A kCorruptData error: "NAME: WHAT; rebuild the model or download it again".
tl::unexpected<Error> damaged_model(const std::string& name, std::string_view what);

// Returns a reader at the first field after magic and format version. Errors: kInvalidArgument, "NAME: WHAT", for
// another magic; kUnsupported for another format version; kCorruptData if the header is truncated.
Result<ByteReader> read_model_header(std::string_view bytes, std::string_view magic, std::string_view what,
                                     std::uint32_t format_version, const std::string& name);

// Locates the sections of a model, whose sizes the caller derives from the header's fields, and verifies its version.
// Requires a complete header. `sizes` and `sections` have one entry per section; the sum of sizes must fit in 64 bits.
// Errors: kCorruptData.
Result<Fingerprint128> find_model_sections(std::string_view bytes, std::span<const std::uint64_t> sizes,
                                           std::span<std::string_view> sections, const std::string& name);

// The bytes of a section that is an array.
template <class Value>
std::string_view section_bytes(const std::vector<Value>& values) {
  return {reinterpret_cast<const char*>(values.data()), values.size() * sizeof(Value)};
}

// Opens models. A Model makes this class a friend, is default-constructible, and has `file_` (a MappedFile), `bytes_`
// and parse(name), which validates all of bytes_.
class ModelAccess {
 public:
  // Maps the file. Errors: those of MappedFile::open() and parse().
  template <class Model>
  static Result<std::shared_ptr<const Model>> open(const std::string& path) {
    PARAPRINT_ASSIGN(MappedFile file, MappedFile::open(path));
    auto model = std::shared_ptr<Model>(new Model());
    model->file_ = std::move(file);
    model->bytes_ = model->file_.bytes();
    return parsed(std::move(model), path);
  }

  // Uses bytes in memory, which must be aligned to kModelAlignment and outlive the model.
  template <class Model>
  static Result<std::shared_ptr<const Model>> read(std::string_view bytes, const std::string& name) {
    PARAPRINT_ASSERT(reinterpret_cast<std::uintptr_t>(bytes.data()) % kModelAlignment == 0);
    auto model = std::shared_ptr<Model>(new Model());
    model->bytes_ = bytes;
    return parsed(std::move(model), name);
  }

 private:
  template <class Model>
  static Result<std::shared_ptr<const Model>> parsed(std::shared_ptr<Model> model, const std::string& name) {
    PARAPRINT_TRY(model->parse(name));
    return model;
  }
};

}  // namespace paraprint::inline semantics::inline models
