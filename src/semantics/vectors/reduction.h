// Principal components of the paragraphs of a corpus in the space of a model of word vectors, frozen: what fingerprints
// of meaning are made with (algorithms.md 22). One immutable file (docs/formats/reduction.md).
//
// Mean and directions are integers, so that what is computed with them is the same everywhere.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/mapped_file.h"
#include "paraprint/model.h"
#include "paraprint/result.h"
#include "semantics/vectors/principal_components.h"

namespace paraprint {

inline constexpr std::uint32_t kReductionFormatVersion = 1;  // persisted
inline constexpr std::uint32_t kComponentsMaximum = 256;
inline constexpr std::uint32_t kMeanOne = 1U << 18;       // 1.0 of the mean
inline constexpr std::uint32_t kDirectionOne = 1U << 16;  // 1.0 of a direction

struct ReductionFacts {
  std::uint32_t dimension = 0;   // of the word vectors
  std::uint32_t components = 0;  // at most the dimension
  Fingerprint128 vectors;        // version of the model of word vectors
  std::uint64_t paragraphs = 0;  // of the sample
  float share = 0;               // of the variance that is kept
};

class Reduction {
 public:
  // kCorruptData names the file and what is wrong; kUnsupported for another version of the format; kNotFound,
  // kInputOutput.
  static Result<std::shared_ptr<const Reduction>> open(const std::string& path);
  // The same over bytes in memory, which must stay; aligned to 16. `name` goes into messages.
  static Result<std::shared_ptr<const Reduction>> read(std::string_view bytes, const std::string& name);

  const ReductionFacts& facts() const { return facts_; }
  const Fingerprint128& version() const { return version_; }
  std::uint64_t size_bytes() const { return bytes_.size(); }
  std::span<const std::int32_t> mean() const { return {mean_, facts_.dimension}; }
  std::span<const std::int32_t> direction(std::uint32_t component) const {
    return {directions_ + std::size_t{component} * facts_.dimension, facts_.dimension};
  }

 private:
  friend class ModelAccess;
  Reduction() = default;
  Status parse(const std::string& name);

  MappedFile file_;
  std::string_view bytes_;
  ReductionFacts facts_;
  Fingerprint128 version_;
  const std::int32_t* mean_ = nullptr;
  const std::int32_t* directions_ = nullptr;
};

// `facts` but for dimension, components and share, which are those of `components`. At most kComponentsMaximum; numbers
// of the mean within [-1, 1]. The file appears complete or not at all; kNoSpace, kInputOutput.
Status write_reduction(const std::string& path, const ReductionFacts& facts, const PrincipalComponents& components);
// The bytes of such a file.
std::string reduction_bytes(const ReductionFacts& facts, const PrincipalComponents& components);

}  // namespace paraprint
