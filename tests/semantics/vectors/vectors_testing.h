// Small models for tests.
#pragma once

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "aligned_bytes.h"
#include "base/split_mix.h"
#include "semantics/vectors/word_vectors.h"
#include "semantics/vectors/word_vectors_builder.h"

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

}  // namespace paraprint
