// The walk over the DOM that fills a PageTree. It is the most expensive step of extraction, so each node is visited
// once, text is counted as it is met, and attributes that the page never uses are not looked up.
//
// Invariants: the visitor's stack inline_names_ has one entry per open element, block or inline; a unit is open only
// between two borders (block elements or <br>), and all its text nodes are consecutive in PageTree::texts.
#include "extract/page_tree.h"

#include <algorithm>
#include <cstring>

#include "html/walker.h"

namespace paraprint::inline extract {
namespace {

// How an element takes part in the layout. Unlike in a browser, unknown and custom elements count as blocks.
enum class Display : std::uint8_t { kInline, kBlock, kLineBreak, kSkipped, kLink, kStrong, kHeading };

constexpr std::size_t kTagCount = LXB_TAG__LAST_ENTRY;

constexpr std::array<Display, kTagCount> make_displays() {
  std::array<Display, kTagCount> displays{};
  for (auto& display : displays) display = Display::kBlock;
  for (const auto tag :
       {LXB_TAG_ABBR,  LXB_TAG_ACRONYM, LXB_TAG_BDI,  LXB_TAG_BDO,  LXB_TAG_BLINK,   LXB_TAG_CITE, LXB_TAG_CODE,
        LXB_TAG_DATA,  LXB_TAG_DEL,     LXB_TAG_DFN,  LXB_TAG_EM,   LXB_TAG_I,       LXB_TAG_INS,  LXB_TAG_KBD,
        LXB_TAG_LABEL, LXB_TAG_MARK,    LXB_TAG_NOBR, LXB_TAG_Q,    LXB_TAG_RUBY,    LXB_TAG_RB,   LXB_TAG_RT,
        LXB_TAG_RTC,   LXB_TAG_S,       LXB_TAG_SAMP, LXB_TAG_SLOT, LXB_TAG_SMALL,   LXB_TAG_SPAN, LXB_TAG_STRIKE,
        LXB_TAG_SUB,   LXB_TAG_SUP,     LXB_TAG_TIME, LXB_TAG_TT,   LXB_TAG_U,       LXB_TAG_VAR,  LXB_TAG_WBR,
        LXB_TAG_IMG,   LXB_TAG_INPUT,   LXB_TAG_MAP,  LXB_TAG_AREA, LXB_TAG_PICTURE, LXB_TAG_MATH, LXB_TAG_MI,
        LXB_TAG_MN,    LXB_TAG_MO,      LXB_TAG_MS,   LXB_TAG_MTEXT}) {
    displays[tag] = Display::kInline;
  }
  for (const auto tag : {LXB_TAG_B, LXB_TAG_STRONG, LXB_TAG_FONT, LXB_TAG_BIG}) displays[tag] = Display::kStrong;
  for (const auto tag : {LXB_TAG_H1, LXB_TAG_H2, LXB_TAG_H3, LXB_TAG_H4, LXB_TAG_H5, LXB_TAG_H6}) {
    displays[tag] = Display::kHeading;
  }
  for (const auto tag :
       {LXB_TAG_SCRIPT, LXB_TAG_STYLE, LXB_TAG_TEMPLATE, LXB_TAG_SVG, LXB_TAG_SELECT, LXB_TAG_TEXTAREA, LXB_TAG_IFRAME,
        LXB_TAG_OBJECT, LXB_TAG_EMBED, LXB_TAG_HEAD, LXB_TAG_CANVAS, LXB_TAG_AUDIO, LXB_TAG_VIDEO, LXB_TAG_DATALIST,
        LXB_TAG_NOFRAMES, LXB_TAG_RP, LXB_TAG_PROGRESS, LXB_TAG_METER, LXB_TAG_ANNOTATION_XML}) {
    displays[tag] = Display::kSkipped;
  }
  displays[LXB_TAG_BR] = Display::kLineBreak;
  displays[LXB_TAG_A] = Display::kLink;
  return displays;
}
constexpr auto kDisplays = make_displays();

// Semantic elements are treated like names, so that models can use <nav> and class="nav" in the same way.
constexpr std::array<NameMask, kTagCount> make_tag_names() {
  std::array<NameMask, kTagCount> names{};
  names[LXB_TAG_ARTICLE] = name_bit(kInArticle);
  names[LXB_TAG_MAIN] = name_bit(kInMain);
  names[LXB_TAG_HEADER] = name_bit(kInHeader);
  names[LXB_TAG_FOOTER] = name_bit(kInFooter);
  names[LXB_TAG_NAV] = name_bit(kInNav);
  names[LXB_TAG_MENU] = name_bit(kInNav);
  names[LXB_TAG_ASIDE] = name_bit(kInAside);
  names[LXB_TAG_FORM] = name_bit(kInForm);
  names[LXB_TAG_BUTTON] = name_bit(kNameForm);
  names[LXB_TAG_DIALOG] = name_bit(kNameForm);
  names[LXB_TAG_FIGURE] = name_bit(kInFigure);
  names[LXB_TAG_TABLE] = name_bit(kInTable);
  names[LXB_TAG_UL] = name_bit(kInList);
  names[LXB_TAG_OL] = name_bit(kInList);
  names[LXB_TAG_DL] = name_bit(kInList);
  names[LXB_TAG_BLOCKQUOTE] = name_bit(kInQuote);
  names[LXB_TAG_SECTION] = name_bit(kInSection);
  names[LXB_TAG_NOSCRIPT] = name_bit(kInNoscript);
  return names;
}
constexpr auto kTagNames = make_tag_names();

constexpr std::uint8_t kMaxLineBreaks = 2;  // two end a block; more have no further effect
constexpr std::uint16_t kMaxDepth = 0xFFFF;
constexpr std::size_t kPrefixBytes = TitleSearch::kTextBytes;  // longer units are not compared with the title
constexpr std::uint32_t kMinTitleTokens = 2;                   // single words occur in the title by chance
constexpr std::uint32_t kFullShare = 255;

// Whether `text` has only white space and control characters. Most text nodes are indentation between elements, hence
// the check of eight bytes at once: no byte above ' ', including bytes with the high bit set.
bool is_blank_node(std::string_view text) {
  constexpr std::size_t kWordBytes = 8;
  constexpr std::uint64_t kOnes = 0x0101010101010101ULL;
  constexpr std::uint64_t kHighBits = kOnes * 0x80;
  std::size_t at = 0;
  for (; at + kWordBytes <= text.size(); at += kWordBytes) {
    std::uint64_t word;
    std::memcpy(&word, text.data() + at, kWordBytes);
    if (((((word & ~kHighBits) + kOnes * (0x7F - ' ')) | word) & kHighBits) != 0) return false;
  }
  return std::all_of(text.begin() + static_cast<std::ptrdiff_t>(at), text.end(),
                     [](char c) { return static_cast<unsigned char>(c) <= ' '; });
}

}  // namespace

void PageTree::clear() {
  elements.clear();
  units.clear();
  texts.clear();
}

class PageTreeReader::Visitor {
 public:
  Visitor(const HtmlDocument& document, PageTree& tree, PageTreeReader& reader, StopCheck& stop)
      : document_(document),
        tree_(tree),
        stop_(stop),
        names_(reader.names_),
        inline_names_(reader.inline_names_),
        title_(reader.title_) {
    inline_names_.assign(1, 0);
    // Most pages use none of these attributes, and each lookup costs a search through an element's attribute list.
    asks_role_ = document.page_has_attribute(HtmlAttribute::kRole);
    asks_property_ = document.page_has_attribute(HtmlAttribute::kItemprop);
    asks_hidden_ = document.page_has_attribute(HtmlAttribute::kStyle) ||
                   document.page_has_attribute(HtmlAttribute::kHidden) ||
                   document.page_has_attribute(HtmlAttribute::kAriaHidden);
  }

  // Inline elements only change the state that applies to text; blocks end the open unit and become elements. Hidden
  // elements are not skipped but named kPageHides and left to the model.
  WalkAction enter(const HtmlNode* node, std::uint32_t depth) {
    if (is_text(node)) {
      add_text(node);
      return stop_.after(StopCheck::kUnitsPerNode + text_of(node).size()) ? WalkAction::kStop
                                                                          : WalkAction::kSkipSubtree;
    }
    if (stop_.after(StopCheck::kUnitsPerNode)) return WalkAction::kStop;
    if (!is_element(node)) return WalkAction::kSkipSubtree;
    const HtmlTag tag = tag_of(node);
    const Display display = display_of(tag);
    switch (display) {
      case Display::kSkipped:
        if (tag == LXB_TAG_SCRIPT) read_script(node);  // JSON-LD is often in the body
        return WalkAction::kSkipSubtree;
      // A line break ends the unit but not the block; learned_dom.cc decides from line_breaks what to write.
      case Display::kLineBreak:
        end_unit();
        line_break_ = node;
        if (line_breaks_ < kMaxLineBreaks) ++line_breaks_;
        return WalkAction::kSkipSubtree;
      case Display::kInline:
      case Display::kLink:
      case Display::kStrong:
        inline_names_.push_back(inline_names_.back() | own_names(node));
        if (display == Display::kLink) {
          ++link_depth_;
          is_new_link_ = true;
        }
        if (display == Display::kStrong) ++strong_depth_;
        return WalkAction::kContinue;
      case Display::kHeading:
        // Nested headings are invalid; the outer one counts.
        if (heading_level_ == 0) heading_level_ = static_cast<std::uint8_t>(tag - LXB_TAG_H1 + 1);
        break;
      case Display::kBlock:
        break;
    }
    end_unit();
    line_breaks_ = 0;
    begin_element(node, tag, depth);
    return WalkAction::kContinue;
  }

  // Undoes enter(). It is not called for skipped elements and line breaks, which are not entered.
  void leave(const HtmlNode* node, std::uint32_t) {
    const Display display = display_of(tag_of(node));
    if (display == Display::kInline || display == Display::kLink || display == Display::kStrong) {
      if (display == Display::kLink) --link_depth_;
      if (display == Display::kStrong) --strong_depth_;
      inline_names_.pop_back();
      return;
    }
    end_unit();
    line_breaks_ = 0;
    if (display == Display::kHeading) heading_level_ = 0;
    PageElement& element = tree_.elements[current_];
    element.unit_end = static_cast<std::uint32_t>(tree_.units.size());
    current_ = element.parent;
    inline_names_.pop_back();
  }

 private:
  static Display display_of(HtmlTag tag) { return is_known_tag(tag) ? kDisplays[tag] : Display::kBlock; }

  // Some sites put JSON-LD into the body, where read_page_hints() does not look.
  void read_script(const HtmlNode* node) {
    if (node->first_child != nullptr && document_.attribute(node, HtmlAttribute::kType) == "application/ld+json") {
      tree_.hints |= match_json_ld_types(text_of(node->first_child));
    }
  }

  // The name groups of an element's own attributes. Also sets own_lexical_ and own_word_, for begin_element().
  NameMask own_names(const HtmlNode* node) {
    own_lexical_ = 0;
    own_word_ = 0;
    if (element_of(node)->first_attr == nullptr) return 0;
    const NameMatcher::NameMatch by_class = names_.match(class_of(node));
    const NameMatcher::NameMatch by_id = names_.match(id_of(node));
    own_lexical_ = by_class.lexical + by_id.lexical;
    own_word_ = by_class.first_word;
    NameMask mask = by_class.mask | by_id.mask;
    if (asks_role_) mask |= names_.match(document_.attribute(node, HtmlAttribute::kRole)).mask;
    if (asks_property_) mask |= names_.match(document_.attribute(node, HtmlAttribute::kItemprop)).mask;
    if (asks_hidden_ && document_.is_hidden(node)) mask |= name_bit(kPageHides);
    return mask;
  }

  // Names of inline elements around a block (<a><div>, <span><p>) are inherited by the block. Distances grow by one per
  // level and stop at kFarDistance, so they are computed from the parent alone.
  void begin_element(const HtmlNode* node, HtmlTag tag, std::uint32_t depth) {
    const auto index = static_cast<std::uint32_t>(tree_.elements.size());
    NameMask mask = own_names(node) | inline_names_.back();
    if (is_known_tag(tag)) mask |= kTagNames[tag];
    if (link_depth_ > 0) mask |= name_bit(kInLink);
    PageElement& element = tree_.elements.emplace_back();
    element.node = node;
    element.parent = index == 0 ? 0 : current_;
    element.tag = is_known_tag(tag) ? static_cast<std::uint16_t>(tag) : 0;
    element.depth = static_cast<std::uint16_t>(std::min<std::uint32_t>(depth, kMaxDepth));
    element.unit_begin = static_cast<std::uint32_t>(tree_.units.size());
    element.signature = own_word_ + element.tag;
    element.run_first = index;
    element.chain_lexical = own_lexical_ + (index == 0 ? 0 : tree_.elements[current_].chain_lexical);
    if (index == 0) {
      element.distances.fill(kFarDistance);
    } else {
      link_to_siblings(element, index);
      const NameDistances& above = tree_.elements[current_].distances;
      for (std::size_t i = 0; i < above.size(); ++i) {
        const auto distance = static_cast<std::uint8_t>(above[i] + 1);
        element.distances[i] = std::min(distance, kFarDistance);
      }
    }
    for (; mask != 0; mask &= mask - 1) element.distances[static_cast<std::size_t>(__builtin_ctzll(mask))] = 0;
    current_ = index;
    inline_names_.push_back(0);
  }

  // Counts runs of adjacent siblings with the same signature: lists of teasers, comments or table rows.
  void link_to_siblings(PageElement& element, std::uint32_t index) {
    PageElement& parent = tree_.elements[current_];
    ++parent.children;
    if (parent.last_child != 0) {
      const PageElement& before = tree_.elements[parent.last_child];
      if (before.signature == element.signature) {
        element.run_first = before.run_first;
        ++tree_.elements[before.run_first].run_length;
      }
    }
    parent.last_child = index;
  }

  // Adds a text node to the open unit, or opens one if the text is not blank.
  void add_text(const HtmlNode* node) {
    const std::string_view text = text_of(node);
    if (tree_.elements.empty() || is_blank_node(text)) {
      // White space between inline elements separates words of the open unit; elsewhere it means nothing.
      if (in_unit_ && !text.empty()) tree_.texts.push_back({node->parent, text});
      return;
    }
    const TextStatistics counts = count_text(text);
    if (!in_unit_) begin_unit();
    TextUnit& unit = tree_.units.back();
    tree_.texts.push_back({node->parent, text});
    unit.text.add(counts);
    unit.inline_names &= inline_names_.back();  // keeps only names around all of the unit's text
    if (link_depth_ > 0) {
      unit.link_tokens += counts.tokens;
      unit.links += is_new_link_;  // a link of several text nodes counts once
      is_new_link_ = false;
    }
    if (strong_depth_ > 0) unit.strong_tokens += counts.tokens;
    extend_prefix(text.substr(0, kPrefixBytes));
  }

  // The prefix is a view of the first text node as long as possible; most units have only one.
  void extend_prefix(std::string_view text) {
    if (prefix_.empty()) {
      prefix_ = text;
    } else if (prefix_.size() < kPrefixBytes) {
      if (prefix_.data() != prefix_storage_.data()) prefix_storage_.assign(prefix_);
      prefix_storage_.append(text);
      prefix_ = prefix_storage_;
    }
  }

  void begin_unit() {
    TextUnit& unit = tree_.units.emplace_back();
    unit.element = current_;
    unit.text_begin = static_cast<std::uint32_t>(tree_.texts.size());
    unit.line_break = line_break_;
    unit.line_breaks = line_breaks_;
    line_breaks_ = 0;
    unit.heading_level = heading_level_;
    unit.inline_names = ~NameMask{0};  // neutral for the intersection in add_text()
    prefix_ = {};
    in_unit_ = true;
    is_new_link_ = true;
  }

  // A unit ends with its last text node; its title share can be computed only now.
  void end_unit() {
    if (!in_unit_) return;
    in_unit_ = false;
    TextUnit& unit = tree_.units.back();
    unit.text_end = static_cast<std::uint32_t>(tree_.texts.size());
    unit.title_share = share_of_title(unit);
  }

  // The share of the title's letters and digits that the unit repeats as one piece. Cheap conditions come first,
  // because hardly any unit is part of the title.
  std::uint8_t share_of_title(const TextUnit& unit) {
    if (unit.text.tokens < kMinTitleTokens || prefix_.size() > kPrefixBytes ||
        unit.text.visible_bytes > title_.size() + kPrefixBytes / 4 || !title_.may_begin(prefix_)) {
      return 0;
    }
    letters_.clear();
    append_letters(prefix_, letters_);
    if (letters_.empty() || !title_.contains(letters_)) return 0;
    return static_cast<std::uint8_t>(kFullShare * letters_.size() / title_.size());
  }

  const HtmlDocument& document_;
  PageTree& tree_;
  StopCheck& stop_;
  NameMatcher& names_;
  std::vector<NameMask>& inline_names_;
  TitleSearch& title_;
  std::string_view prefix_;  // the start of the unit, in its first text node or in prefix_storage_
  std::string prefix_storage_;
  std::string letters_;
  std::uint32_t current_ = 0;
  std::uint32_t link_depth_ = 0;
  std::uint32_t strong_depth_ = 0;
  std::uint8_t heading_level_ = 0;
  bool in_unit_ = false;
  const HtmlNode* line_break_ = nullptr;
  std::int32_t own_lexical_ = 0;  // this and own_word_: from the last own_names()
  std::uint32_t own_word_ = 0;
  std::uint8_t line_breaks_ = 0;
  bool is_new_link_ = false;
  bool asks_role_ = false;
  bool asks_property_ = false;
  bool asks_hidden_ = false;
};

bool PageTreeReader::makes_element(HtmlTag tag) {
  const Display display = is_known_tag(tag) ? kDisplays[tag] : Display::kBlock;
  return display == Display::kBlock || display == Display::kHeading;
}

void PageTreeReader::read(const HtmlDocument& document, PageTree& tree, StopCheck& stop) {
  tree.clear();
  tree.hints = read_page_hints(document);
  title_.set_title(document.title());
  Visitor visitor(document, tree, *this, stop);
  walk_tree(document.body(), visitor);
  if (stop.is_stopped()) {  // elements and units may be open
    tree.clear();
    return;
  }
  // Parents precede children, so a parent's container is known when its children ask for it.
  for (PageElement& element : tree.elements) {
    const PageElement& parent = tree.elements[element.parent];
    const bool larger = parent.unit_begin != element.unit_begin || parent.unit_end != element.unit_end;
    element.container = larger ? element.parent : parent.container;
  }
}

}  // namespace paraprint::inline extract
