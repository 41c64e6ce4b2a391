// Small models for tests.
#pragma once

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "base/split_mix.h"
#include "vectors/word_vectors.h"
#include "vectors/word_vectors_builder.h"

namespace paraprint {

struct TestRandom {
  explicit TestRandom(std::uint64_t seed) : state(seed) {}
  std::uint64_t next() { return split_mix_output(state += kSplitMixStep); }
  std::uint64_t state;
};

struct TestVector {
  std::string word;
  std::vector<float> components;
};

inline WordVectorsBuilder builder_of(const std::vector<TestVector>& vectors) {
  VectorFacts facts;
  facts.dimension = static_cast<std::uint32_t>(vectors.at(0).components.size());
  WordVectorsBuilder builder(facts, kVectorWordsMaximum);
  std::uint64_t count = 1000;
  for (const TestVector& vector : vectors) EXPECT_TRUE(builder.add(vector.word, vector.components, count--));
  return builder;
}

// Bytes where a mapped file would have them: aligned for any number.
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
