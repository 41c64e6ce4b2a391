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

// Texts of one byte are looked up, whatever lanes are busy with.
TEST(ManyDigests, EqualThoseOfBytesAmongOtherTexts) {
  std::vector<std::string> texts;
  for (std::size_t byte = 0; byte < 256; ++byte) {
    texts.emplace_back(1, static_cast<char>(byte));
    if (byte % 5 < 2) texts.push_back(counted_text(byte));
  }
  std::vector<Fingerprint128> hashes;
  for (std::size_t first = 0; first < texts.size(); first += 7) {
    const std::vector<std::string_view> chosen(texts.begin() + static_cast<std::ptrdiff_t>(first), texts.end());
    blake2b128_of_each(chosen, hashes);
    ASSERT_EQ(hashes.size(), chosen.size());
    for (std::size_t i = 0; i < chosen.size(); ++i) ASSERT_EQ(hashes[i], blake2b128(chosen[i])) << first << " " << i;
  }
}

}  // namespace
}  // namespace paraprint
