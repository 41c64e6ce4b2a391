// Main-content extraction: from a parsed page to its main text. Extractors differ in the nodes they choose; converting
// chosen nodes into blocks of text is common to all of them (block_builder.h).
#pragma once

#include <memory>
#include <string_view>
#include <vector>

#include "base/stop.h"
#include "html/content_run.h"
#include "html/document.h"
#include "paraprint/model.h"

namespace paraprint::inline extract {

// One instance per thread: an extractor may keep scratch memory between pages, but no state that affects results, so
// the same page always gives the same content.
class Extractor {
 public:
  virtual ~Extractor() = default;
  // Replaces `content` and, unless null, `runs`: which element each stretch of the text came from. Every tree gives a
  // result, possibly an empty one, which is incomplete if `stop` is stopped in between. Cost: O(size of the tree).
  virtual void extract(const HtmlDocument& document, MainContent& content, StopCheck& stop,
                       std::vector<ContentRun>* runs) = 0;
  void extract(const HtmlDocument& document, MainContent& content) {
    StopCheck never;
    extract(document, content, never, nullptr);
  }
  virtual std::string_view name() const = 0;  // the value for --extractor
  // The attributes it reads. A document parsed only for this extractor need not keep any others.
  virtual HtmlAttributeSet attributes_read() const = 0;
};

// The weighted DOM tree with the published formula (weighted_dom.cc, docs/algorithms/extraction.md).
struct WeightedDomOptions {
  double density_weight = 0.5;      // of the share of text outside links in the serialised element
  double type_weight = 0.3;         // of the element type
  double depth_weight = 0.2;        // of the depth below <body>
  double minimum_weight = 0.5;      // tau: carriers below this weight are dropped
  double maximum_link_share = 0.5;  // carriers with a larger share of link text are dropped
};

std::unique_ptr<Extractor> make_weighted_dom_extractor(const WeightedDomOptions& options = {});

// The default: a weighted DOM tree with learned weights (learned_dom.cc).
std::unique_ptr<Extractor> make_learned_dom_extractor();

// All visible text of <body>: the baseline without selection (whole_page.cc).
std::unique_ptr<Extractor> make_whole_page_extractor();

}  // namespace paraprint::inline extract
