#include "fingerprint/many_digests.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "base/hash.h"

namespace paraprint {
namespace {

std::string counted_text(std::size_t size) {
  std::string text;
  for (std::size_t i = 0; i < size; ++i) text += static_cast<char>(i * 37 + 11 + size);
  return text;
}

// Long and short texts in every number and order, so that lanes end at different times.
TEST(ManyDigests, EqualThoseOfEachTextAlone) {
  std::vector<std::string> texts;
  for (std::size_t i = 0; i < 300; ++i) texts.push_back(counted_text(i * 131 % 300));
  std::vector<Fingerprint128> hashes;
  for (std::size_t count = 0; count <= texts.size(); count += count < 40 ? 1 : 65) {
    const std::vector<std::string_view> chosen(texts.begin(), texts.begin() + static_cast<std::ptrdiff_t>(count));
    blake2b128_of_each(chosen, hashes);
    ASSERT_EQ(hashes.size(), count);
    for (std::size_t i = 0; i < count; ++i) ASSERT_EQ(hashes[i], blake2b128(texts[i])) << i << " of " << count;
  }
}

}  // namespace
}  // namespace paraprint
