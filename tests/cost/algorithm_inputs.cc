// Texts for the classic algorithms: all of them with their default parameters read a page after the paragraph method,
// and those whose cost depends on a parameter read it with a large one. Then pages for options of the paragraph method.
#include <algorithm>
#include <array>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "base/assert.h"
#include "feature/page_terms.h"
#include "hostile_pages.h"
#include "input_kinds.h"
#include "paraprint/extensions.h"
#include "profile/page_profiler.h"
#include "profile/registry.h"
#include "repeated_text.h"

namespace paraprint {
namespace {

using Methods = std::vector<std::unique_ptr<PageFingerprinter>>;

constexpr std::array<std::string_view, 3> kLargeParameters = {"minhash-one-permutation:permutations=4096,width=1",
                                                              "minhash-one-permutation:permutations=1024",
                                                              "spotsigs:chain=10"};

std::unique_ptr<PageProfiler> profiler_with(const ProfileOptions& options) {
  auto created = PageProfiler::create(options, WordWeights::bundled());
  PARAPRINT_ASSERT(created.has_value());
  return std::move(*created);
}

Methods methods_by_default() {
  enable_laboratory();
  Methods methods;
  for (const AlgorithmRow& row : algorithm_rows()) {
    if (row.factory != nullptr) methods.push_back(row.factory->make(ParameterValues(row.factory->parameters)));
  }
  return methods;
}

Methods methods_with_large_parameters() {
  enable_laboratory();
  Methods methods;
  for (const std::string_view specification : kLargeParameters) {
    const Result<AlgorithmChoice> choice = choose_algorithm(specification);
    PARAPRINT_ASSERT(choice.has_value());
    methods.push_back(choice->make());
  }
  return methods;
}

class AlgorithmReader {
 public:
  explicit AlgorithmReader(Methods methods)
      : terms_builder_(WordWeights::bundled(), true),
        profiler_(profiler_with(ProfileOptions{})),
        methods_(std::move(methods)) {
    PARAPRINT_ASSERT(!methods_.empty());
  }

  void read(std::string_view text) {
    Page page;
    page.id = "p";
    page.format = PageFormat::kPlainText;
    page.body = text;
    page.body_is_utf8 = true;
    const Profile profile = profiler_->profile(page);
    terms_builder_.build(profiler_->content(), terms_);
    PageFingerprint fingerprint;
    for (const auto& method : methods_) make_page_fingerprint(*method, {page, terms_, profile}, fingerprint);
  }

 private:
  PageTermsBuilder terms_builder_;
  std::unique_ptr<PageProfiler> profiler_;
  Methods methods_;
  PageTerms terms_;
};

void read_by_algorithms(std::string_view text) {
  static AlgorithmReader reader(methods_by_default());
  reader.read(text);
}

// What a method prepares for all pages, it prepares for the first that needs it.
void read_with_large_parameters(std::string_view text) {
  static AlgorithmReader reader = [] {
    AlgorithmReader made(methods_with_large_parameters());
    made.read("a b c d e f a b c d e f");
    return made;
  }();
  reader.read(text);
}

// By the fingerprints of the preset seed-004.
void read_with_long_sentences(std::string_view bytes) {
  static const std::unique_ptr<PageProfiler> profiler = [] {
    ProfileOptions options;
    options.paragraph_words = ParagraphWords::kLong;
    return profiler_with(options);
  }();
  Page page;
  page.id = "p";
  page.body = bytes;
  page.content_type = "text/html";
  page.body_is_utf8 = true;
  (void)profiler->profile(page);
}

// Function words, each of which begins a chain of the words after the last of them.
std::string function_words_before_long_words(std::size_t size_bytes) {
  std::string text;
  fill("the ", size_bytes / 2, text);
  text.append(size_bytes / 4, 'x') += ' ';
  text.append(size_bytes / 4, 'y') += ' ';
  return text += "zeta";
}

// Each of them begins a chain of the same ten words, which are as long as a chain takes them.
std::string function_words_before_ten_words(std::size_t size_bytes) {
  constexpr std::size_t kWordBytes = 256;
  std::string text;
  std::string words;
  for (char letter = 'b'; letter < 'b' + 10; ++letter) words.append(kWordBytes, letter) += ' ';
  fill("the ", size_bytes - std::min(size_bytes, words.size()), text);
  return text + words;
}

// A heading is never cut, however many sentences it has. Those of one letter weigh nothing.
std::string heading_of_sentences(std::size_t size_bytes) {
  std::string page = "<article><h1>";
  for (const std::string_view word : {"alpha", "beta", "gamma", "delta", "epsilon", "zeta", "eta", "theta", "iota",
                                      "kappa", "lambda", "sigma", "tau", "upsilon", "phi", "chi", "psi", "omega"}) {
    page.append(word) += "? ";
  }
  fill("z? ", size_bytes, page);
  return page + "</h1>";
}

std::string heading_of_long_sentences(std::size_t size_bytes) {
  std::string page = "<article><h1>";
  fill("The pilot of ferry {n} knows it? ", size_bytes, page);
  return page + "</h1>";
}

}  // namespace

void add_algorithm_inputs(std::vector<HostileKind>& kinds) {
  constexpr std::size_t kParagraphBytes = 500;
  kinds.push_back({"algorithms",
                   '\n',
                   items_of_text("", "{text}\n", "", ' ', kParagraphBytes),
                   read_by_algorithms,
                   {
                       {"function_words_before_long_words", function_words_before_long_words},
                       {"function_words", repeated("", "the of and to ")},
                       {"function_words_and_words", repeated("", "the word{n} ")},
                       {"words", repeated("", "w{n} ")},
                       {"words_of_one_letter", repeated("", "a b c d e f ")},
                       {"sentences", repeated("", "Ab cd. ")},
                       {"numbers", repeated("", "{n} ")},
                   }});
  kinds.push_back({"algorithms_with_large_parameters",
                   '\n',
                   items_of_text("", "{text}\n", "", ' ', kParagraphBytes),
                   read_with_large_parameters,
                   {
                       {"one_word", repeated("", "word ")},
                       {"two_words", repeated("", "one two ")},
                       {"ten_words", repeated("", "one two six ten red sun sky sea ice air ")},
                       {"words_of_one_letter", repeated("", "a b c d e f g h i j k l m n o p q r s t u v w x y z ")},
                       {"function_words", repeated("", "the of and to ")},
                       {"function_words_before_ten_words", function_words_before_ten_words},
                   }});
  kinds.push_back({"long_sentences",
                   '<',
                   harmless_page,
                   read_with_long_sentences,
                   {
                       {"heading_of_sentences", heading_of_sentences},
                       {"heading_of_long_sentences", heading_of_long_sentences},
                       {"tiny_sentences", repeated("<p>", "A b. ")},
                   }});
}

}  // namespace paraprint
