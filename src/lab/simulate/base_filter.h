// Chooses base articles that have nothing to do with each other, so that pages of different ones are different pages by
// construction.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "lab/simulate/language/article.h"

namespace paraprint {

// Remembers a sample of the shingles of every article it accepted: windows of kFilterUnits units whose hash is a
// multiple of the highest power of two that leaves kSampleMinimum of them. So a text of any length gives 64 to about
// 150 shingles (fewer if it has fewer), and the samples of two texts can be compared at the coarser of their levels.
// Memory: 16 to 32 bytes a sampled shingle, 2 to 4 KB an article.
class BaseFilter {
 public:
  static constexpr std::size_t kFilterUnits = 6;
  static constexpr std::size_t kSampleMinimum = 64;
  // Share of the sampled shingles that accepted articles have already, from which an article is refused. Chance makes a
  // hundredth; quoting the same source a few.
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
  std::vector<std::uint64_t> sample_;  // of the article in question
  unsigned level_ = 0;                 // the power of two its hashes are multiples of
};

// Cuts a long article between paragraphs into several, none longer than `characters_maximum` letters and digits unless
// a single paragraph is; parts below `characters_minimum` are left out. Titles of later parts are their first heading,
// or number the first one.
std::vector<Article> cut_article(Article&& article, std::uint32_t characters_minimum, std::uint32_t characters_maximum);

// Whether a text is something that people repost: enough running text, not only tables, code and lists of links.
bool is_prose_article(const Article& article);

}  // namespace paraprint
