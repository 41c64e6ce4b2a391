// Writer and reader of a reduction. Variances are stored for information only; mean and directions are fixed-point,
// with a range that the reader enforces because exact sums depend on it (dense_paragraphs.cc).
#include "semantics/vectors/reduction.h"

#include <fmt/format.h>

#include <array>
#include <bit>
#include <cmath>
#include <cstdlib>
#include <numeric>

#include "base/assert.h"
#include "base/atomic_file.h"
#include "base/byte_codec.h"
#include "base/propagate.h"
#include "semantics/models/model_file.h"
#include "semantics/vectors/word_vectors.h"

namespace paraprint::inline semantics::inline vectors {
namespace {

constexpr std::string_view kMagic{"paraprint reduction\n\0\0\0\0", kModelMagicBytes};

enum Section : std::size_t { kMean, kVariances, kDirections };

// Compared with both limits, because the absolute value of the smallest integer overflows.
bool all_within(std::span<const std::int32_t> numbers, std::int32_t limit) {
  for (const std::int32_t number : numbers) {
    if (number < -limit || number > limit) return false;
  }
  return true;
}

// Slightly more than 1 is tolerated: a direction has length 1 up to rounding.
std::vector<std::int32_t> rounded(const std::vector<double>& numbers, std::uint32_t one) {
  std::vector<std::int32_t> integers;
  integers.reserve(numbers.size());
  for (const double number : numbers) {
    PARAPRINT_ASSERT(std::abs(number) <= 1.001);
    integers.push_back(static_cast<std::int32_t>(std::lround(number * one)));
  }
  return integers;
}

}  // namespace

std::array<std::uint64_t, kReductionSections> reduction_section_sizes(const ReductionFacts& facts) {
  const std::uint64_t dimension = facts.dimension;
  return {4 * dimension, std::uint64_t{4} * facts.components, 4 * dimension * facts.components};
}

Result<std::shared_ptr<const Reduction>> Reduction::open(const std::string& path) {
  return ModelAccess::open<Reduction>(path);
}

Result<std::shared_ptr<const Reduction>> Reduction::read(std::string_view bytes, const std::string& name) {
  return ModelAccess::read<Reduction>(bytes, name);
}

// Sizes of sections follow from the header, so its limits are checked before anything is computed from them.
Status Reduction::parse(const std::string& name) {
  PARAPRINT_ASSIGN(
      ByteReader header,
      read_model_header(bytes_, kMagic, "not a paraprint reduction; create one with `paraprint vectors reduce`",
                        kReductionFormatVersion, name));
  ByteReader& reader = header;
  facts_.dimension = reader.fixed<std::uint32_t>();
  facts_.components = reader.fixed<std::uint32_t>();
  facts_.share = std::bit_cast<float>(reader.fixed<std::uint32_t>());
  facts_.paragraphs = reader.fixed<std::uint64_t>();
  facts_.vectors.high = reader.fixed<std::uint64_t>();
  facts_.vectors.low = reader.fixed<std::uint64_t>();
  if (facts_.dimension == 0 || facts_.dimension > kVectorDimensionMaximum || facts_.components == 0 ||
      facts_.components > std::min(kComponentsMaximum, facts_.dimension) || !(facts_.share >= 0 && facts_.share <= 1)) {
    return damaged_model(name, "invalid header");
  }
  std::array<std::string_view, kReductionSections> sections;
  PARAPRINT_ASSIGN(Fingerprint128 version,
                   find_model_sections(bytes_, reduction_section_sizes(facts_), sections, name));
  version_ = version;
  mean_ = reinterpret_cast<const std::int32_t*>(sections[kMean].data());
  directions_ = reinterpret_cast<const std::int32_t*>(sections[kDirections].data());
  // With larger numbers, sums would exceed the range in which doubles are exact.
  const bool are_small =
      all_within(mean(), kMeanOne) && all_within({directions_, sections[kDirections].size() / 4}, kDirectionOne);
  return are_small ? Status{} : damaged_model(name, "numbers out of range");
}

namespace {

// The fields of the header, then the sections in the order of Section. Points without any variance are kept completely.
Status for_each_part(ReductionFacts facts, const PrincipalComponents& components,
                     const std::function<Status(std::string_view)>& write_part) {
  facts.dimension = static_cast<std::uint32_t>(components.mean.size());
  facts.components = static_cast<std::uint32_t>(components.variances.size());
  PARAPRINT_ASSERT(facts.components >= 1 && facts.components <= kComponentsMaximum);
  const double kept = std::accumulate(components.variances.begin(), components.variances.end(), 0.0);
  facts.share = components.total_variance > 0 ? static_cast<float>(std::min(1.0, kept / components.total_variance)) : 1;
  std::string fields(kMagic);
  ByteWriter writer(fields);
  writer.fixed(kReductionFormatVersion);
  writer.fixed(facts.dimension);
  writer.fixed(facts.components);
  writer.fixed(std::bit_cast<std::uint32_t>(facts.share));
  writer.fixed(facts.paragraphs);
  writer.fixed(facts.vectors.high);
  writer.fixed(facts.vectors.low);
  const std::vector<float> variances(components.variances.begin(), components.variances.end());
  const std::vector<std::int32_t> mean = rounded(components.mean, kMeanOne);
  const std::vector<std::int32_t> directions = rounded(components.directions, kDirectionOne);
  const std::array<std::string_view, kReductionSections> sections = {section_bytes(mean), section_bytes(variances),
                                                                     section_bytes(directions)};
  return write_model_parts(std::move(fields), sections, write_part);
}

}  // namespace

Status write_reduction(const std::string& path, const ReductionFacts& facts, const PrincipalComponents& components) {
  PARAPRINT_ASSIGN(AtomicFile file, AtomicFile::create(path));
  PARAPRINT_TRY(for_each_part(facts, components, [&](std::string_view part) { return file.write(part); }));
  return file.commit();
}

std::string reduction_bytes(const ReductionFacts& facts, const PrincipalComponents& components) {
  std::string bytes;
  const Status written = for_each_part(facts, components, [&](std::string_view part) -> Status {
    bytes += part;
    return {};
  });
  PARAPRINT_ASSERT(written.has_value());
  return bytes;
}

}  // namespace paraprint::inline semantics::inline vectors
