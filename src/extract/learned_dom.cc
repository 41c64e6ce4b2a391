// The default extractor: a weighted DOM tree whose weights are learnt. The page is cut into units of text
// (page_tree.h); each unit is weighed by what it is and where it stands (block_features.h, first model), then again
// with the weights of its surroundings, collected bottom-up over the elements (context_features.h, second model); the
// choice with the best expected F1 is kept (block_selection.h) and written by the block builder.
#include "extract/block_builder.h"
#include "extract/block_features.h"
#include "extract/block_model.h"
#include "extract/block_selection.h"
#include "extract/extractor.h"
#include "extract/page_tree.h"
#include "html/tag_traits.h"

namespace paraprint {
namespace {

// Tells a BlockBuilder the chosen text nodes of a page, with the elements passed on the way from each to the next.
class ChosenTextWriter {
 public:
  void write(const PageTree& tree, const std::vector<bool>& chosen, const HtmlNode* root, MainContent& content) {
    root_ = root;
    open_.clear();
    builder_.begin(content);
    std::size_t last = chosen.size();  // none
    for (std::size_t i = 0; i < chosen.size(); ++i) {
      if (!chosen[i]) continue;
      const TextUnit& unit = tree.units[i];
      const bool continues = unit.line_breaks != 0 && last + 1 == i;
      for (std::uint32_t n = unit.node_begin; n < unit.node_end; ++n) {
        const HtmlNode* node = tree.text_nodes[n];
        const bool crossed_border = move_to(node->parent);
        if (n == unit.node_begin && last != chosen.size() && !crossed_border) {
          if (!continues) {
            builder_.end_block();
          } else {
            for (std::uint8_t k = 0; k < unit.line_breaks; ++k) builder_.enter_element(unit.line_break);
          }
        }
        builder_.add_text(text_of(node));
      }
      last = i;
    }
    move_to(root_);
    builder_.finish();
  }

 private:
  // Leaves and enters elements until `target` is the innermost open one. True if a block border was passed.
  bool move_to(const HtmlNode* target) {
    if (!open_.empty() && open_.back() == target) return false;
    path_.clear();
    // The common ancestor is mostly among the last open elements; else the whole paths are compared.
    std::size_t common = 0;
    for (const HtmlNode* node = target; node != root_ && node != nullptr; node = node->parent) {
      common = place_among_last_open(node);
      if (common > 0) break;
      path_.push_back(node);
    }
    if (common == 0) {
      while (!path_.empty() && common < open_.size() && open_[common] == path_.back()) {
        path_.pop_back();
        ++common;
      }
    }
    bool crossed_border = false;
    while (open_.size() > common) {
      crossed_border |= is_block_element(open_.back());
      builder_.leave_element(open_.back());
      open_.pop_back();
    }
    for (std::size_t i = path_.size(); i-- > 0;) {
      crossed_border |= is_block_element(path_[i]);
      builder_.enter_element(path_[i]);
      open_.push_back(path_[i]);
    }
    return crossed_border;
  }

  // One more than the index of `node` if it is one of the innermost open elements, else 0.
  std::size_t place_among_last_open(const HtmlNode* node) const {
    constexpr std::size_t kLast = 6;
    std::size_t place = open_.size();
    for (std::size_t tried = 0; tried < kLast && place > 0; ++tried, --place) {
      if (open_[place - 1] == node) return place;
    }
    return 0;
  }

  BlockBuilder builder_;
  const HtmlNode* root_ = nullptr;
  std::vector<const HtmlNode*> open_;
  std::vector<const HtmlNode*> path_;
};

class LearnedDomExtractor final : public Extractor {
 public:
  void extract(const HtmlDocument& document, MainContent& content) override {
    content.clear();
    reader_.read(document, tree_);
    if (!tree_.units.empty()) {
      weigh();
      select_units(tree_, weights_, selection_);
      writer_.write(tree_, selection_.chosen, document.body(), content);
    }
    assign_collapsed(document.title(), content.title);
  }
  std::string_view name() const override { return "learned-dom"; }

 private:
  void weigh() {
    sums_.compute(tree_);
    matrix_.reset(block_feature_count() + context_feature_count(), tree_.units.size());
    block_features_.compute(tree_, sums_, matrix_);
    weigh_units(first_stage_model(), matrix_, weights_);
    context_features_.compute(tree_, weights_, block_feature_count(), matrix_);
    weigh_units(second_stage_model(), matrix_, weights_);
  }

  PageTreeReader reader_;
  PageTree tree_;
  UnitSums sums_;
  FeatureMatrix matrix_;
  BlockFeatures block_features_;
  ContextFeatures context_features_;
  std::vector<BlockWeight> weights_;
  BlockSelection selection_;
  ChosenTextWriter writer_;
};

}  // namespace

std::unique_ptr<Extractor> make_learned_dom_extractor() {
  return std::make_unique<LearnedDomExtractor>();
}

}  // namespace paraprint
