// Principal components of the paragraphs of a corpus, in the space of one word vector model, stored for dense
// fingerprints (docs/algorithms/dense-paragraphs.md). One immutable file (docs/formats/reduction.md).
//
// Mean and directions are integers, so that computations with them give the same results on every machine.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "memory/mapped_file.h"
#include "paraprint/model.h"
#include "paraprint/result.h"
#include "semantics/vectors/principal_components.h"

namespace paraprint::inline semantics::inline models {

class ModelAccess;

}  // namespace paraprint::inline semantics::inline models

namespace paraprint::inline semantics::inline vectors {

inline constexpr std::uint32_t kReductionFormatVersion = 1;  // persisted
inline constexpr std::uint32_t kComponentsMaximum = 256;
inline constexpr std::uint32_t kMeanOne = 1U << 18;       // fixed-point 1.0 of the mean
inline constexpr std::uint32_t kDirectionOne = 1U << 16;  // fixed-point 1.0 of a direction

struct ReductionFacts {
  std::uint32_t dimension = 0;   // of the word vectors
  std::uint32_t components = 0;  // at most the dimension
  Fingerprint128 vectors;        // version of the word vector model
  std::uint64_t paragraphs = 0;  // in the sample
  float share = 0;               // share of the variance that is kept
};

inline constexpr std::size_t kReductionSections = 3;
// The size of each section in bytes, without padding: the mean, the variances, the directions. Cannot overflow if the
// facts are within their limits.
std::array<std::uint64_t, kReductionSections> reduction_section_sizes(const ReductionFacts& facts);

class Reduction {
 public:
  // Errors: kCorruptData (names the file and the damage), kUnsupported for another version of the format,
  // kInvalidArgument for another kind of file, kNotFound, kInputOutput.
  static Result<std::shared_ptr<const Reduction>> open(const std::string& path);
  // The same over bytes in memory, which must outlive the object and be aligned to 16. `name` is used in messages.
  static Result<std::shared_ptr<const Reduction>> read(std::string_view bytes, const std::string& name);

  const ReductionFacts& facts() const { return facts_; }
  const Fingerprint128& version() const { return version_; }
  std::uint64_t size_bytes() const { return bytes_.size(); }
  std::span<const std::int32_t> mean() const { return {mean_, facts_.dimension}; }
  std::span<const std::int32_t> direction(std::uint32_t component) const {
    return {directions_ + std::size_t{component} * facts_.dimension, facts_.dimension};
  }

 private:
  friend ModelAccess;
  Reduction() = default;
  Status parse(const std::string& name);

  MappedFile file_;
  std::string_view bytes_;
  ReductionFacts facts_;
  Fingerprint128 version_;
  const std::int32_t* mean_ = nullptr;
  const std::int32_t* directions_ = nullptr;
};

// Dimension, number of components and share are taken from `components`, the rest from `facts`. Requires at most
// kComponentsMaximum components, and a mean within [-1, 1]. The file appears complete or not at all. Errors: kNoSpace,
// kInputOutput.
Status write_reduction(const std::string& path, const ReductionFacts& facts, const PrincipalComponents& components);
// The bytes of such a file.
std::string reduction_bytes(const ReductionFacts& facts, const PrincipalComponents& components);

}  // namespace paraprint::inline semantics::inline vectors
