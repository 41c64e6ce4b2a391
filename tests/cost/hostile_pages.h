// Pages made to be slow: for each known way to make one, a page of any wanted size, and harmless pages to compare with.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace paraprint {

// A way to fill a page: a head, a first unit repeated up to a share of the page, something between, and another unit
// repeated to the end. In units, `{n}` stands for the number of the repetition.
struct PageFamily {
  std::string_view name;
  std::string_view head;
  std::string_view first;
  double first_share = 0;
  std::string_view between;
  std::string_view unit;
  std::size_t growth = 1;  // normalisation makes the text this many times longer, in bytes
};

// About `size_bytes` of this family, in UTF-8 or, for families about encodings, whatever it consists of.
std::string page_of(const PageFamily& family, std::size_t size_bytes);

// An article of this size in prose, after a table of numbers with as many tags as fit, up to `tags`.
std::string harmless_page(std::size_t size_bytes, std::size_t tags = 0);

const std::vector<PageFamily>& hostile_page_families();

// Two pages that are to be compared with each other.
struct PagePair {
  std::string a;
  std::string b;
};

struct PairFamily {
  std::string_view name;
  PagePair (*pages)(std::size_t size_bytes);  // of the two together
};

// The first two are harmless: two articles that share every other paragraph, and two versions of a text of very many
// short paragraphs.
const std::vector<PairFamily>& pair_families();

}  // namespace paraprint
