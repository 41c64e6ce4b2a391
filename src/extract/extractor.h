// The step from a parsed page to what a reader came for. Extractors differ in what they choose; how the chosen nodes
// become blocks of text is the same for all (block_builder.h).
#pragma once

#include <memory>
#include <string_view>

#include "html/document.h"
#include "paraprint/model.h"

namespace paraprint {

// One instance a thread: an extractor may keep scratch memory from page to page, but never results, so the same page
// gives the same content whatever came before.
class Extractor {
 public:
  virtual ~Extractor() = default;
  // Replaces `content`. Any tree gives a result, at worst an empty one. Cost: O(size of the tree).
  virtual void extract(const HtmlDocument& document, MainContent& content) = 0;
  virtual std::string_view name() const = 0;  // as --extractor takes it
  // What it asks elements for: a document made for it alone need keep no other attributes.
  virtual HtmlAttributeSet attributes_read() const = 0;
};

// The weighted DOM tree of algorithms.md 18 (weighted_dom.cc).
struct WeightedDomOptions {
  double density_weight = 0.5;      // of text outside links per character of the serialised element
  double type_weight = 0.3;         // of the element type
  double depth_weight = 0.2;        // of the depth below <body>
  double minimum_weight = 0.5;      // tau: carriers below are dropped
  double maximum_link_share = 0.5;  // carriers with a larger share of link text are dropped
};

std::unique_ptr<Extractor> make_weighted_dom_extractor(const WeightedDomOptions& options = {});

// The default: a weighted DOM tree with learnt weights (learned_dom.cc).
std::unique_ptr<Extractor> make_learned_dom_extractor();

// All visible text of <body>: the baseline that chooses nothing (whole_page.cc).
std::unique_ptr<Extractor> make_whole_page_extractor();

}  // namespace paraprint
