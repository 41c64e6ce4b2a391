// The version is a digest over the header's fields and the digests of the sections. It covers neither itself nor the
// padding, and is verified over the whole file whenever a model is opened.
#include "semantics/models/model_file.h"

#include <fmt/format.h>

#include <array>

#include "base/assert.h"
#include "base/byte_codec.h"
#include "base/hash.h"
#include "base/propagate.h"

namespace paraprint::inline semantics::inline models {

Fingerprint128 model_version(std::string_view fields, std::span<const std::string_view> sections) {
  std::string text(fields);
  ByteWriter writer(text);
  for (const std::string_view section : sections) {
    const Fingerprint128 digest = blake2b128(section);
    writer.fixed(digest.high);
    writer.fixed(digest.low);
  }
  return blake2b128(text);
}

Status write_model_parts(std::string fields, std::span<const std::string_view> sections,
                         const std::function<Status(std::string_view)>& write_part) {
  PARAPRINT_ASSERT(fields.size() <= kModelFieldsBytes);
  fields.resize(kModelFieldsBytes, '\0');
  const Fingerprint128 version = model_version(fields, sections);
  ByteWriter writer(fields);
  writer.fixed(version.high);
  writer.fixed(version.low);
  fields.resize(kModelHeaderBytes, '\0');
  PARAPRINT_TRY(write_part(fields));
  static constexpr std::array<char, kModelAlignment> kPadding{};
  for (const std::string_view section : sections) {
    PARAPRINT_TRY(write_part(section));
    const std::uint64_t padding = aligned_section(section.size()) - section.size();
    PARAPRINT_TRY(write_part({kPadding.data(), padding}));
  }
  return {};
}

tl::unexpected<Error> damaged_model(const std::string& name, std::string_view what) {
  return failure(ErrorCode::kCorruptData, fmt::format("{}: {}; rebuild the model or download it again", name, what));
}

Result<ByteReader> read_model_header(std::string_view bytes, std::string_view magic, std::string_view what,
                                     std::uint32_t format_version, const std::string& name) {
  // Before the size, so that any other kind of file, however short, is reported as such and not as a damaged model.
  if (!bytes.starts_with(magic)) {
    return failure(ErrorCode::kInvalidArgument, fmt::format("{}: {}", name, what));
  }
  if (bytes.size() < kModelHeaderBytes) return damaged_model(name, "truncated header");
  ByteReader reader(bytes.substr(kModelMagicBytes));
  const auto found = reader.fixed<std::uint32_t>();
  if (found == format_version) return reader;
  return failure(ErrorCode::kUnsupported,
                 fmt::format("{}: format version is {}; this program reads version {}", name, found, format_version));
}

Result<Fingerprint128> find_model_sections(std::string_view bytes, std::span<const std::uint64_t> sizes,
                                           std::span<std::string_view> sections, const std::string& name) {
  PARAPRINT_ASSERT(bytes.size() >= kModelHeaderBytes && sizes.size() == sections.size());
  std::uint64_t offset = kModelHeaderBytes;
  for (std::size_t section = 0; section < sizes.size(); ++section) {
    // Compared without adding sizes, which come from the file and might overflow.
    if (offset > bytes.size() || sizes[section] > bytes.size() - offset) return damaged_model(name, "truncated");
    sections[section] = bytes.substr(offset, sizes[section]);
    offset += aligned_section(sizes[section]);
  }
  // Changed field values are detected here as well: the version covers them.
  ByteReader reader(bytes.substr(kModelFieldsBytes));
  Fingerprint128 version;
  version.high = reader.fixed<std::uint64_t>();
  version.low = reader.fixed<std::uint64_t>();
  if (model_version(bytes.substr(0, kModelFieldsBytes), sections) != version) {
    return damaged_model(name, "the content does not match its checksum");
  }
  return version;
}

}  // namespace paraprint::inline semantics::inline models
