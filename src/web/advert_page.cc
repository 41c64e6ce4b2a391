// Only what a page says of itself counts, and three limits must be passed at once, because a page that is taken for
// advertising is not compared with others. The lists are short: names that are used for something else as well, such as
// "banner" or "promo", are not in them.
#include "web/advert_page.h"

#include <algorithm>
#include <array>
#include <optional>
#include <string>

#include "html/remembered_answers.h"
#include "html/tag_traits.h"
#include "html/walker.h"
#include "http/header_block.h"
#include "text/normalise.h"

namespace paraprint::inline web {
namespace {

// Words of class and id values, and labels of hosts.
constexpr std::array<std::string_view, 16> kAdvertWords = {
    "ad",     "ads",     "adbox",     "adclick", "adsense",       "adserver", "adslot",    "adv",
    "advert", "adverts", "advertise", "adlink",  "advertisement", "sponsor",  "sponsored", "guanggao"};

constexpr std::array<std::string_view, 7> kAdvertDomains = {
    "doubleclick.net", "googleadservices.com", "googlesyndication.com",
    "taboola.com",     "outbrain.com",         "amazon-adsystem.com",
    "adnxs.com"};

constexpr std::array<std::string_view, 6> kAdvertSegments = {"adclick",    "adclick.php", "aclk",
                                                             "adredirect", "adserver",    "pagead"};

// Parts of all the names above. An address without any of them is not parsed, which would cost more than all the rest.
constexpr std::array<std::string_view, 8> kAdvertParts = {
    "ad", "aclk", "sponsor", "guanggao", "doubleclick", "googlesyndication", "taboola", "outbrain"};

bool contains(const auto& list, std::string_view word) {
  return std::find(list.begin(), list.end(), word) != list.end();
}

// Whether one of the pieces of `text` between `separators` is in the list, ignoring case.
bool has_piece(std::string_view text, std::string_view separators, const auto& list) {
  const std::string lower = to_lower(text);
  for (std::string_view rest = lower; !rest.empty();) {
    const std::size_t end = std::min(rest.find_first_of(separators), rest.size());
    if (contains(list, rest.substr(0, end))) return true;
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
  return false;
}

// Whether an address as written could be one of the names above.
bool may_be_advert(std::string_view address) {
  const std::string lower = to_lower(address);
  return std::any_of(kAdvertParts.begin(), kAdvertParts.end(),
                     [&](std::string_view part) { return lower.find(part) != std::string::npos; });
}

// Mail, scripts and the like lead to no page.
bool leads_nowhere(std::string_view address) {
  constexpr std::array<std::string_view, 4> kSchemes = {"mailto:", "javascript:", "tel:", "data:"};
  return std::any_of(kSchemes.begin(), kSchemes.end(),
                     [&](std::string_view scheme) { return address.starts_with(scheme); });
}

// Whether `host` is `domain` or below it.
bool is_below(std::string_view host, std::string_view domain) {
  return host.ends_with(domain) && (host.size() == domain.size() || host[host.size() - domain.size() - 1] == '.');
}

std::string_view without_www(std::string_view host) {
  constexpr std::string_view kPrefix = "www.";
  return host.starts_with(kPrefix) ? host.substr(kPrefix.size()) : host;
}

class AdvertisingVisitor {
 public:
  AdvertisingVisitor(const HtmlDocument& document, const Url& page, UrlParser& parser, std::uint64_t bytes_read_maximum,
                     StopCheck& stop)
      : document_(document),
        page_host_(without_www(page.host)),
        parser_(parser),
        bytes_read_maximum_(bytes_read_maximum),
        stop_(stop) {}

  WalkAction enter(const HtmlNode* node, std::uint32_t depth) {
    if (stop_.after(StopCheck::kUnitsPerNode)) return WalkAction::kStop;
    if (is_text(node)) {
      if (!is_inside()) own_characters_ += count_content_characters(text_of(node));
      return own_characters_ > kAdvertOwnCharactersMaximum ? WalkAction::kStop : WalkAction::kContinue;
    }
    if (!is_element(node)) return WalkAction::kContinue;
    if ((tag_traits(tag_of(node)) & kTagNeverText) != 0 || document_.is_hidden(node)) return WalkAction::kSkipSubtree;
    // <html> and <body> have classes for the whole page, which say for instance that it shows no advertising.
    const bool is_whole_page = has_tag(node, LXB_TAG_HTML) || has_tag(node, LXB_TAG_BODY);
    const bool is_marked = !is_whole_page && !is_inside() && (is_name(class_of(node)) || is_name(id_of(node)));
    const bool is_advert = has_tag(node, LXB_TAG_A) && is_advert_link(node, is_inside() || is_marked);
    if (!is_inside() && (is_marked || is_advert)) inside_depth_ = depth;
    return WalkAction::kContinue;
  }

  void leave(const HtmlNode*, std::uint32_t depth) {
    if (depth == inside_depth_) inside_depth_ = kOutside;
  }

  bool is_advertising_only() const {
    return !stop_.is_stopped() && own_characters_ <= kAdvertOwnCharactersMaximum && adverts_ >= kAdvertLinksMinimum &&
           static_cast<double>(adverts_) >= kAdvertLinkShare * static_cast<double>(links_);
  }

 private:
  static constexpr std::uint32_t kOutside = 0xFFFFFFFF;

  bool is_inside() const { return inside_depth_ != kOutside; }

  bool is_name(std::string_view names) {
    const auto has_advert_word = [](std::string_view list) { return has_piece(list, " \t\r\n\f-_", kAdvertWords); };
    return !names.empty() && is_name_.ask(names, has_advert_word);
  }

  bool is_sponsored(std::string_view relation) {
    const auto names_sponsors = [](std::string_view list) {
      return has_piece(list, " \t\r\n\f,", std::array<std::string_view, 1>{"sponsored"});
    };
    return !relation.empty() && is_sponsored_.ask(relation, names_sponsors);
  }

  // Counts the link. `is_marked`: an element around it says that it advertises.
  bool is_advert_link(const HtmlNode* node, bool is_marked) {
    if (!document_.has_attribute(node, HtmlAttribute::kHref)) return false;
    const std::string_view address = document_.attribute(node, HtmlAttribute::kHref);
    if (leads_nowhere(address)) return false;
    ++links_;
    const bool is_paid = is_marked || is_sponsored(document_.attribute(node, HtmlAttribute::kRel));
    if (address.empty() || (!is_paid && !may_be_advert_.ask(address, may_be_advert))) return false;
    if (parser_.bytes_read() >= bytes_read_maximum_) return false;
    const std::optional<Url> url = parser_.parse(address);
    const bool is_advert = url && leads_away(*url) && (is_paid || is_advert_address(*url));
    adverts_ += is_advert;
    return is_advert;
  }

  bool leads_away(const Url& url) const {
    const std::string_view host = without_www(url.host);
    return !is_below(host, page_host_) && !is_below(page_host_, host);
  }

  static bool is_advert_address(const Url& url) {
    const std::string_view host = without_www(url.host);
    return has_piece(host, ".", kAdvertWords) || has_piece(url.target, "/?", kAdvertSegments) ||
           std::any_of(kAdvertDomains.begin(), kAdvertDomains.end(),
                       [host](std::string_view domain) { return is_below(host, domain); });
  }

  const HtmlDocument& document_;
  std::string_view page_host_;
  UrlParser& parser_;
  std::uint64_t bytes_read_maximum_;
  StopCheck& stop_;
  RememberedAnswers is_name_;              // by the value of a class or id
  RememberedAnswers is_sponsored_;         // by relations
  RememberedAnswers may_be_advert_;        // by address
  std::uint32_t inside_depth_ = kOutside;  // of the outermost open element that advertises
  std::size_t own_characters_ = 0;
  std::size_t links_ = 0;
  std::size_t adverts_ = 0;
};

}  // namespace

bool is_advertising_only(const HtmlDocument& document, const Url& page, UrlParser& parser,
                         std::uint64_t bytes_read_maximum, StopCheck& stop) {
  AdvertisingVisitor visitor(document, page, parser, bytes_read_maximum, stop);
  walk_tree(document.body(), visitor);
  return visitor.is_advertising_only();
}

}  // namespace paraprint::inline web
