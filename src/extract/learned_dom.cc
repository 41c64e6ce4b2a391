// The default extractor: a weighted DOM tree with learned weights (docs/algorithms/extraction.md). The page is cut into
// units of text (page_tree.h). Each unit is weighed by its own features and position (block_features.h, first model),
// and again with the weights of its surroundings, collected bottom-up over the elements (context_features.h, second
// model). The selection with the best expected F1 is kept (block_selection.h) and written by the block builder.
#include "extract/block_builder.h"
#include "extract/block_features.h"
#include "extract/block_model.h"
#include "extract/block_selection.h"
#include "extract/code_containers.h"
#include "extract/comment_sections.h"
#include "extract/extractor.h"
#include "extract/header_tables.h"
#include "extract/page_tree.h"
#include "html/tag_traits.h"

namespace paraprint::inline extract {
namespace {

// Passes the chosen units of a page to a BlockBuilder, with the elements on the way from each unit to the next. The
// builder ignores inline elements, so the block-level elements recorded in the PageTree are sufficient.
class ChosenTextWriter {
 public:
  void write(const PageTree& tree, const std::vector<bool>& chosen, MainContent& content, StopCheck& stop,
             std::vector<ContentRun>* runs) {
    tree_ = &tree;
    current_ = 0;
    builder_.begin(content, runs);
    std::size_t last = chosen.size();  // none yet
    for (std::size_t i = 0; i < chosen.size(); ++i) {
      if (!chosen[i]) continue;
      const TextUnit& unit = tree.units[i];
      // Units separated only by <br> belong to one block if both are chosen; dropped text in between separates them.
      const bool continues = unit.line_breaks != 0 && last + 1 == i;
      const bool crossed_border = move_to(unit.element);
      if (last != chosen.size() && !crossed_border) {
        if (!continues) {
          builder_.end_block();
        } else {
          for (std::uint8_t k = 0; k < unit.line_breaks; ++k) builder_.enter_element(unit.line_break);
        }
      }
      std::uint64_t bytes = 0;
      for (std::uint32_t n = unit.text_begin; n < unit.text_end; ++n) {
        builder_.add_text(tree.texts[n].text, tree.texts[n].parent);
        bytes += tree.texts[n].text.size();
      }
      if (stop.after(StopCheck::kUnitsPerNode + bytes)) break;
      last = i;
    }
    move_to(0);
    builder_.finish();
  }

 private:
  // Leaves and enters elements until `target` is the innermost open one. Returns true if a block border was passed.
  // Parents precede their children in the table, so of two different elements the one with the higher index is never an
  // ancestor of the other, and can be left.
  bool move_to(std::uint32_t target) {
    path_.clear();
    bool crossed_border = false;
    for (std::uint32_t other = target; other != current_;) {
      if (other > current_) {
        path_.push_back(other);
        other = tree_->elements[other].parent;
      } else {
        const PageElement& left = tree_->elements[current_];
        crossed_border |= is_block_element(left.node);
        builder_.leave_element(left.node);
        current_ = left.parent;
      }
    }
    for (std::size_t i = path_.size(); i-- > 0;) {
      const PageElement& entered = tree_->elements[path_[i]];
      crossed_border |= is_block_element(entered.node);
      builder_.enter_element(entered.node);
    }
    current_ = target;
    return crossed_border;
  }

  BlockBuilder builder_;
  const PageTree* tree_ = nullptr;
  std::uint32_t current_ = 0;  // the innermost open element; initially the root, which is never entered or left
  std::vector<std::uint32_t> path_;
};

// The stages, with memory that they keep from page to page.
class LearnedDom {
 public:
  void extract(const HtmlDocument& document, MainContent& content, StopCheck& stop, std::vector<ContentRun>* runs) {
    reader_.read(document, tree_, stop);
    if (tree_.units.empty() || !weigh(stop)) return;
    select_units(tree_, weights_, selection_);
    code_containers_.complete(tree_, weights_, selection_);
    writer_.write(tree_, selection_.chosen, content, stop, runs);
  }

  // Whether it has grown with a page that is larger than most. All memory is in proportion to one of these.
  bool is_large() const {
    constexpr std::size_t kKept = std::size_t{1} << 16;  // units take half a kilobyte in all stages together
    return tree_.units.capacity() > kKept || tree_.elements.capacity() > kKept || tree_.texts.capacity() > 2 * kKept;
  }

 private:
  // Header tables are raised after each model: the second one sees their surroundings with the raised weights, and its
  // own weights for the cells are too low as well. Comments are lowered last, after both models. False if stopped.
  bool weigh(StopCheck& stop) {
    sums_.compute(tree_);
    if (!matrix_.reset(block_feature_count() + context_feature_count(), tree_.units.size(), stop)) return false;
    block_features_.compute(tree_, sums_, matrix_, stop);
    if (is_large()) block_features_ = BlockFeatures();  // all it has is in the matrix, and the next stage takes as much
    if (stop.is_stopped() || !weigh_units(first_stage_model(), matrix_, weights_, stop)) return false;
    header_tables_.lift(tree_, weights_);
    context_features_.compute(tree_, weights_, block_feature_count(), matrix_, stop);
    if (stop.is_stopped() || !weigh_units(second_stage_model(), matrix_, weights_, stop)) return false;
    header_tables_.lift(tree_, weights_);
    comment_sections_.lower(tree_, weights_);
    return true;
  }

  PageTreeReader reader_;
  PageTree tree_;
  UnitSums sums_;
  FeatureMatrix matrix_;
  BlockFeatures block_features_;
  HeaderTables header_tables_;
  CommentSections comment_sections_;
  ContextFeatures context_features_;
  std::vector<BlockWeight> weights_;
  BlockSelection selection_;
  CodeContainers code_containers_;
  ChosenTextWriter writer_;
};

class LearnedDomExtractor final : public Extractor {
 public:
  void extract(const HtmlDocument& document, MainContent& content, StopCheck& stop,
               std::vector<ContentRun>* runs) override {
    content.clear();
    if (runs != nullptr) runs->clear();
    if (!stages_) stages_ = std::make_unique<LearnedDom>();
    const LargeMemory released_at_the_end(stages_);
    stages_->extract(document, content, stop, runs);
    assign_collapsed(document.title(), content.title);
  }
  std::string_view name() const override { return "learned-dom"; }
  // The attributes used by page hints and the page tree.
  HtmlAttributeSet attributes_read() const override {
    return {HtmlAttribute::kClass,    HtmlAttribute::kContent, HtmlAttribute::kHidden,   HtmlAttribute::kId,
            HtmlAttribute::kItemprop, HtmlAttribute::kName,    HtmlAttribute::kProperty, HtmlAttribute::kRole,
            HtmlAttribute::kStyle,    HtmlAttribute::kType};
  }

 private:
  // Releases the memory of an unusual page, also when an exception ends the work on it.
  class LargeMemory {
   public:
    explicit LargeMemory(std::unique_ptr<LearnedDom>& stages) : stages_(stages) {}
    LargeMemory(const LargeMemory&) = delete;
    LargeMemory& operator=(const LargeMemory&) = delete;
    ~LargeMemory() {
      if (stages_->is_large()) stages_ = nullptr;
    }

   private:
    std::unique_ptr<LearnedDom>& stages_;
  };

  std::unique_ptr<LearnedDom> stages_;  // null until the first page, and after a large one
};

}  // namespace

std::unique_ptr<Extractor> make_learned_dom_extractor() {
  return std::make_unique<LearnedDomExtractor>();
}

}  // namespace paraprint::inline extract
