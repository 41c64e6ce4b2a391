// Texts for the classic algorithms: all of them with their default parameters read a page after the paragraph method.
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "base/assert.h"
#include "feature/page_terms.h"
#include "input_kinds.h"
#include "paraprint/extensions.h"
#include "profile/page_profiler.h"
#include "profile/registry.h"
#include "repeated_text.h"

namespace paraprint {
namespace {

class AlgorithmReader {
 public:
  AlgorithmReader() : terms_builder_(WordWeights::bundled(), true) {
    enable_laboratory();
    auto created = PageProfiler::create(ProfileOptions{}, WordWeights::bundled());
    PARAPRINT_ASSERT(created.has_value());
    profiler_ = std::move(*created);
    for (const AlgorithmRow& row : algorithm_rows()) {
      if (row.factory != nullptr) methods_.push_back(row.factory->make(ParameterValues(row.factory->parameters)));
    }
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
  std::vector<std::unique_ptr<PageFingerprinter>> methods_;
  PageTerms terms_;
};

void read_by_algorithms(std::string_view text) {
  static AlgorithmReader reader;
  reader.read(text);
}

// Function words, each of which begins a chain of the words after the last of them.
std::string function_words_before_long_words(std::size_t size_bytes) {
  std::string text;
  fill("the ", size_bytes / 2, text);
  text.append(size_bytes / 4, 'x') += ' ';
  text.append(size_bytes / 4, 'y') += ' ';
  return text += "zeta";
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
}

}  // namespace paraprint
