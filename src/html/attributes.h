// The attributes that stages read, and sets of them. A document can omit all others from its tree (attribute_filter.h).
#pragma once

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <string_view>

namespace paraprint::inline html {

enum class HtmlAttribute : std::uint8_t {
  kAlt,
  kAriaHidden,
  kAriaLabel,
  kClass,
  kContent,
  kDatetime,
  kHidden,
  kHref,
  kHreflang,
  kHttpEquiv,
  kId,
  kItemprop,
  kItemscope,
  kItemtype,
  kLang,
  kName,
  kProperty,
  kRel,
  kRole,
  kSrc,
  kStart,
  kStyle,
  kTitle,
  kType,
};
inline constexpr std::size_t kHtmlAttributeCount = static_cast<std::size_t>(HtmlAttribute::kType) + 1;

// The name in markup, in lower case.
std::string_view attribute_name(HtmlAttribute attribute);

class HtmlAttributeSet {
 public:
  constexpr HtmlAttributeSet(std::initializer_list<HtmlAttribute> attributes) {
    for (const HtmlAttribute attribute : attributes) bits_ |= bit(attribute);
  }
  // Every attribute, including those not enumerated above.
  static constexpr HtmlAttributeSet everything() {
    HtmlAttributeSet set{};
    set.is_everything_ = true;
    return set;
  }
  constexpr bool is_everything() const { return is_everything_; }
  constexpr bool contains(HtmlAttribute attribute) const { return is_everything_ || (bits_ & bit(attribute)) != 0; }
  // The attributes of either.
  friend constexpr HtmlAttributeSet operator|(HtmlAttributeSet a, HtmlAttributeSet b) {
    a.bits_ |= b.bits_;
    a.is_everything_ = a.is_everything_ || b.is_everything_;
    return a;
  }

 private:
  static constexpr std::uint32_t bit(HtmlAttribute attribute) {
    return std::uint32_t{1} << static_cast<unsigned>(attribute);
  }
  static_assert(kHtmlAttributeCount <= 32);

  std::uint32_t bits_ = 0;
  bool is_everything_ = false;
};

}  // namespace paraprint::inline html
