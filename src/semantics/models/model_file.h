// The form that all models have in common: a header of 96 bytes, then sections that begin at multiples of 16 bytes,
// with zeros between them. A model is mapped into memory and never changed; its version is the digest of its content,
// so it is checksum and name at once.
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
#include "base/mapped_file.h"
#include "paraprint/model.h"
#include "paraprint/result.h"

namespace paraprint {

inline constexpr std::size_t kModelMagicBytes = 24;
inline constexpr std::size_t kModelFieldsBytes = 72;
inline constexpr std::size_t kModelHeaderBytes = 96;
inline constexpr std::size_t kModelAlignment = 16;

constexpr std::uint64_t aligned_section(std::uint64_t bytes) {
  return (bytes + kModelAlignment - 1) / kModelAlignment * kModelAlignment;
}

// B128 (algorithms.md 0.4) of the first kModelFieldsBytes and, behind them, of the B128 of each section without its
// padding, each as two u64, high half first.
Fingerprint128 model_version(std::string_view fields, std::span<const std::string_view> sections);

// Hands header, sections and padding to `write_part` in order. `fields` begins with the magic and has at most
// kModelFieldsBytes.
Status write_model_parts(std::string fields, std::span<const std::string_view> sections,
                         const std::function<Status(std::string_view)>& write_part);

// An error of kind kCorruptData: "NAME: WHAT; make or fetch the model again".
tl::unexpected<Error> damaged_model(const std::string& name, std::string_view what);

// A reader at the fields behind magic and format version. kInvalidArgument, "NAME: WHAT", for another magic;
// kUnsupported for another version; kCorruptData if the header is cut off.
Result<ByteReader> read_model_header(std::string_view bytes, std::string_view magic, std::string_view what,
                                     std::uint32_t format_version, const std::string& name);

// Cuts the sections, of the sizes that the header's fields imply, out of a whole model and compares its version.
// Requires kModelHeaderBytes. `sizes` and `sections` have one entry a section; the sum of sizes must fit 64 bits.
Result<Fingerprint128> find_model_sections(std::string_view bytes, std::span<const std::uint64_t> sizes,
                                           std::span<std::string_view> sections, const std::string& name);

// How models are opened. A Model names it a friend; it can be made without arguments and has `file_` (a MappedFile),
// `bytes_` and parse(name), which looks at all of bytes_.
class ModelAccess {
 public:
  // Maps the file. kNotFound, kInputOutput and the errors of parse().
  template <class Model>
  static Result<std::shared_ptr<const Model>> open(const std::string& path) {
    Result<MappedFile> file = MappedFile::open(path);
    if (!file) return tl::unexpected<Error>(file.error());
    auto model = std::shared_ptr<Model>(new Model());
    model->file_ = std::move(*file);
    model->bytes_ = model->file_.bytes();
    return parsed(std::move(model), path);
  }

  // Over bytes in memory, which must stay and be aligned to kModelAlignment.
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
    if (Status status = model->parse(name); !status) return tl::unexpected<Error>(status.error());
    return model;
  }
};

}  // namespace paraprint
