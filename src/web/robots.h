// robots.txt by RFC 9309, with the crawl-delay that many sites write beside it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "web/wildcard.h"

namespace paraprint {

// RFC 9309 2.5: at least so much of the file must be understood, and we read no more.
inline constexpr std::size_t kRobotsBytesMaximum = std::size_t{500} << 10;

// The rules of one robots.txt for one crawler. A value; matching is thread-safe.
class RobotsRules {
 public:
  // Everything allowed: there is no such file (2.3.1.3).
  RobotsRules() = default;

  // Everything but /robots.txt disallowed: the file can't be had (2.3.1.4).
  static RobotsRules disallow_all();

  // Any bytes; lines that say nothing we know are passed over. `product_token` is compared without case: groups that
  // name it, all of them together, else those for "*", else nothing is disallowed. Cost: O(size).
  static RobotsRules parse(std::string_view bytes, std::string_view product_token);

  // Whether `target` (path and query, as in Url::target) may be asked for: the longest rule that matches decides, allow
  // wins between equals. Cost: rules times length of the target.
  bool allows(std::string_view target) const;

  // Seconds between requests that the group asks for; negative if it names none.
  double crawl_delay_seconds() const { return crawl_delay_seconds_; }
  // Sitemap lines belong to no group. As they are written; not checked to be URLs.
  const std::vector<std::string>& sitemaps() const { return sitemaps_; }
  std::size_t rule_count() const { return rules_.size(); }

 private:
  struct Rule {
    WildcardPattern pattern;  // in the form of comparison (robots.cc)
    bool is_allow = false;
  };
  static Rule make_rule(std::string_view pattern, bool is_allow);

  std::vector<Rule> rules_;
  std::vector<std::string> sitemaps_;
  double crawl_delay_seconds_ = -1;
};

// The name a crawler is known by in robots.txt: the letters, '-' and '_' that its user agent begins with.
std::string_view product_token(std::string_view user_agent);

}  // namespace paraprint
