// Describes a collection of pages: how many pages, words, letters and blocks, by page type and by language.
//
// usage: collection_figures crawl.warc.gz|pages.jsonl|folder ...
//
// Types and languages are the fields page_type (or type) and language (or lang) of JSON lines. Without them the type is
// "unknown", and the language is the script of the page's text. Output: a table with tabs, one row per type, one per
// language, one for all. Words are those of the segmenter, after extraction with the default options.
#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <map>
#include <numeric>
#include <stdexcept>
#include <unordered_map>

#include "bench/page_terms_reader.h"
#include "lab/evaluate/evaluate_inputs.h"
#include "text/script_name.h"

namespace {

using namespace paraprint;

struct Group {
  std::vector<std::uint32_t> words;  // per page
  std::uint64_t letters = 0;
  std::uint64_t blocks = 0;

  void add(const PageTerms& terms) {
    words.push_back(static_cast<std::uint32_t>(terms.tokens.size()));
    letters += terms.content_characters;
    blocks += terms.blocks.size();
  }
};

using Groups = std::map<std::string, Group>;

void print_rows(const char* kind, Groups& groups) {
  for (auto& [name, group] : groups) {
    std::vector<std::uint32_t>& words = group.words;
    std::sort(words.begin(), words.end());
    const auto pages = static_cast<double>(words.size());
    const double sum = std::accumulate(words.begin(), words.end(), 0.0);
    fmt::print("{}\t{}\t{}\t{:.0f}\t{}\t{}\t{}\t{:.0f}\t{:.1f}\n", kind, name, words.size(), sum / pages,
               words[words.size() / 4], words[words.size() / 2], words[words.size() * 3 / 4],
               static_cast<double>(group.letters) / pages, static_cast<double>(group.blocks) / pages);
  }
}

void describe(const std::vector<std::string>& paths) {
  const ReadOptions options;
  LabelledSetFiles files;
  Result<std::vector<InputFile>> inputs = expand_inputs(paths, options);
  if (!inputs) throw std::runtime_error(inputs.error().message);
  files.pages = std::move(*inputs);
  const std::unordered_map<std::string, PageLabels> labels = read_page_labels(files, options);
  Groups types;
  Groups languages;
  Groups all;
  read_page_terms(paths, [&](const Page& page, const PageTerms& terms) {
    const auto found = labels.find(page.id);
    const PageLabels own = found != labels.end() ? found->second : PageLabels{};
    types[own.page_type.empty() ? "unknown" : own.page_type].add(terms);
    languages[own.language.empty() ? std::string(script_name(terms.normalised)) : own.language].add(terms);
    all["all"].add(terms);
    return true;
  });
  if (all.empty()) throw std::runtime_error("no page in the inputs");
  fmt::print("by\tgroup\tpages\twords, mean\tfirst quartile\tmedian\tthird quartile\tletters, mean\tblocks, mean\n");
  print_rows("type", types);
  print_rows("language", languages);
  print_rows("all", all);
}

}  // namespace

int main(int count, char** arguments) {
  if (count < 2) {
    fmt::print(stderr, "usage: collection_figures crawl.warc.gz|pages.jsonl|folder ...\n");
    return 2;
  }
  try {
    describe(std::vector<std::string>(arguments + 1, arguments + count));
  } catch (const std::exception& error) {
    fmt::print(stderr, "collection_figures: {}\n", error.what());
    return 1;
  }
  return 0;
}
