// All visible text of <body>, without selection: the baseline that an extractor has to beat, and the text for
// comparisons that have their own weighting.
#include "extract/block_builder.h"
#include "extract/extractor.h"

namespace paraprint::inline extract {
namespace {

class WholePageExtractor final : public Extractor {
 public:
  void extract(const HtmlDocument& document, MainContent& content, StopCheck& stop,
               std::vector<ContentRun>* runs) override {
    builder_.begin(content, runs);
    builder_.add_subtree(document, document.body(), stop);
    builder_.finish();
    assign_collapsed(document.title(), content.title);
  }
  std::string_view name() const override { return "whole-page"; }
  HtmlAttributeSet attributes_read() const override { return {HtmlAttribute::kHidden, HtmlAttribute::kStyle}; }

 private:
  BlockBuilder builder_;
};

}  // namespace

std::unique_ptr<Extractor> make_whole_page_extractor() {
  return std::make_unique<WholePageExtractor>();
}

}  // namespace paraprint::inline extract
