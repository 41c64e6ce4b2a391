// Writes the training data of the main-content model: the features of every unit of text, computed by the extractor's
// own code so that training and use cannot differ, and the units' text for labelling.
//
//   dump_features PAGES UNITS             first-stage features and texts
//   dump_features PAGES ROWS WEIGHTS      second-stage features, given one first-stage weight (a byte) per unit
//   dump_features PAGES WORDS --words     buckets of the words of each unit and of the names of its ancestors
//   dump_features --lexical-row           the row of the first of the three word-list features
//
// PAGES   per page: u32 size, id, u32 size, HTML (UTF-8); integers little-endian
// UNITS   per page: u32 units, u32 features, features * units bytes (row after row), per unit: u32 size, text
// ROWS    per page: u32 units, u32 features, features * units bytes
// WORDS   per page: u32 units, per unit: u32 words, u16 for each, u32 name words, u16 for each
#include <cstdint>
#include <cstdio>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "extract/block_features.h"
#include "extract/context_features.h"
#include "extract/page_tree.h"

namespace paraprint {
namespace {

struct CloseFile {
  void operator()(std::FILE* file) const { std::fclose(file); }
};
using File = std::unique_ptr<std::FILE, CloseFile>;

bool read_number(std::FILE* file, std::uint32_t& number) {
  return std::fread(&number, sizeof(number), 1, file) == 1;
}

bool read_string(std::FILE* file, std::string& text) {
  std::uint32_t size = 0;
  if (!read_number(file, size)) return false;
  text.resize(size);
  return std::fread(text.data(), 1, size, file) == size;
}

void write_number(std::FILE* file, std::size_t number) {
  const auto value = static_cast<std::uint32_t>(number);
  std::fwrite(&value, sizeof(value), 1, file);
}

void write_matrix(std::FILE* file, const FeatureMatrix& matrix, std::size_t features) {
  write_number(file, matrix.units());
  write_number(file, features);
  for (std::size_t i = 0; i < features; ++i) std::fwrite(matrix.row(i), 1, matrix.units(), file);
}

void write_texts(std::FILE* file, const PageTree& tree) {
  std::string text;
  for (const TextUnit& unit : tree.units) {
    text.clear();
    for (std::uint32_t n = unit.text_begin; n < unit.text_end; ++n) text.append(tree.texts[n].text);
    write_number(file, text.size());
    std::fwrite(text.data(), 1, text.size(), file);
  }
}

void write_words(std::FILE* file, const PageTree& tree) {
  write_number(file, tree.units.size());
  std::vector<std::uint16_t> buckets;
  const auto write_buckets = [&] {
    write_number(file, buckets.size());
    std::fwrite(buckets.data(), sizeof(buckets[0]), buckets.size(), file);
    buckets.clear();
  };
  for (const TextUnit& unit : tree.units) {
    for (std::uint32_t n = unit.text_begin; n < unit.text_end; ++n) list_tokens(tree.texts[n].text, buckets);
    write_buckets();
    const HtmlNode* node = tree.texts[unit.text_begin].parent;
    for (; node != nullptr && is_element(node) && !has_tag(node, LXB_TAG_HTML); node = node->parent) {
      if (!PageTreeReader::makes_element(tag_of(node))) continue;
      list_name_words(class_of(node), buckets);
      list_name_words(id_of(node), buckets);
    }
    write_buckets();
  }
}

int run(int argument_count, char** arguments) {
  if (argument_count == 2 && std::string_view(arguments[1]) == "--lexical-row") {
    std::printf("%zu\n", lexical_feature_row());
    return 0;
  }
  if (argument_count < 3) {
    std::fputs("usage: dump_features PAGES OUTPUT [WEIGHTS]\n", stderr);
    return 2;
  }
  const File pages(std::fopen(arguments[1], "rb"));
  const File output(std::fopen(arguments[2], "wb"));
  const bool words = argument_count > 3 && std::string_view(arguments[3]) == "--words";
  const bool second_stage = argument_count > 3 && !words;
  const File weight_file(second_stage ? std::fopen(arguments[3], "rb") : nullptr);
  if (!pages || !output || (second_stage && !weight_file)) {
    std::perror("dump_features");
    return 1;
  }
  HtmlDocument document;
  PageTreeReader reader;
  PageTree tree;
  UnitSums sums;
  BlockFeatures block_features;
  ContextFeatures context_features;
  FeatureMatrix matrix;
  std::vector<BlockWeight> weights;
  StopCheck never;
  std::string id;
  std::string html;
  while (read_string(pages.get(), id) && read_string(pages.get(), html)) {
    if (!document.parse(html)) return 1;
    reader.read(document, tree);
    if (words) {
      write_words(output.get(), tree);
    } else if (weight_file) {
      weights.resize(tree.units.size());
      if (std::fread(weights.data(), 1, weights.size(), weight_file.get()) != weights.size()) return 1;
      matrix.reset(context_feature_count(), tree.units.size());
      context_features.compute(tree, weights, 0, matrix, never);
      write_matrix(output.get(), matrix, context_feature_count());
    } else {
      sums.compute(tree);
      matrix.reset(block_feature_count(), tree.units.size());
      block_features.compute(tree, sums, matrix, never);
      write_matrix(output.get(), matrix, block_feature_count());
      write_texts(output.get(), tree);
    }
  }
  return std::fflush(output.get()) == 0 ? 0 : 1;
}

}  // namespace
}  // namespace paraprint

int main(int argument_count, char** arguments) {
  return paraprint::run(argument_count, arguments);
}
