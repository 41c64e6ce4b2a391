// Chooses base articles that share no text, so that pages of different base articles are different by construction.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "lab/simulate/language/article.h"

namespace paraprint::inline lab::inline simulate {

// Keeps a sample of the shingles of every accepted article: windows of kFilterUnits units whose hash is a multiple of
// the highest power of two that leaves at least kSampleMinimum of them. A text of any length therefore gives 64 to
// about 150 shingles (fewer if it has fewer), and two samples can be compared at the coarser of their levels. Memory:
// 16 to 32 bytes per sampled shingle, 2 to 4 KB per article.
class BaseFilter {
 public:
  static constexpr std::size_t kFilterUnits = 6;
  static constexpr std::size_t kSampleMinimum = 64;
  // An article is refused if a larger share of its sampled shingles occurs in accepted articles. Chance accounts for
  // about 1 %, quoting a common source for a few percent.
  static constexpr double kKnownShare = 0.1;

  BaseFilter();

  // True if the article shares next to nothing with those accepted before; it is then accepted itself.
  bool accept(const Article& article);

 private:
  void sample_article(const Article& article);
  bool is_known_at(unsigned level) const;
  bool contains(std::uint64_t hash) const;
  void insert(std::uint64_t hash);
  void grow();

  std::vector<std::uint64_t> slots_;  // open addressing, 0: empty; size a power of two
  std::size_t used_ = 0;
  std::vector<std::uint32_t> units_;
  std::vector<std::uint64_t> sample_;  // of the article being tested
  unsigned level_ = 0;                 // sample_ holds the hashes that are multiples of 2^level_
};

// Cuts a long article between paragraphs into parts of at most about `characters_maximum` letters and digits (more if a
// single paragraph is longer). Parts below `characters_minimum` are dropped. Later parts are titled with their first
// heading, or else with the article's title and a number.
std::vector<Article> cut_article(Article&& article, std::uint32_t characters_minimum, std::uint32_t characters_maximum);

// True if the article is mostly running text rather than tables, code and lists of links: text that people repost.
bool is_prose_article(const Article& article);

}  // namespace paraprint::inline lab::inline simulate
