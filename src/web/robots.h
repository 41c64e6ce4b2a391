// robots.txt as specified by RFC 9309, plus the crawl-delay that many sites use.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "web/wildcard.h"

namespace paraprint::inline web {

// RFC 9309 2.5: at least this much of the file must be processed; we read no more.
inline constexpr std::size_t kRobotsBytesMaximum = std::size_t{500} << 10;

// The rules of one robots.txt for one crawler. A value; matching is thread-safe.
class RobotsRules {
 public:
  // Everything is allowed: the site has no robots.txt (2.3.1.3).
  RobotsRules() = default;

  // Everything except /robots.txt is disallowed: the file could not be fetched (2.3.1.4).
  static RobotsRules disallow_all();

  // Accepts any bytes; unknown lines are ignored. All groups that name `product_token` (case-insensitive) apply
  // together; without one, those for "*"; without these, everything is allowed. Cost: O(size).
  static RobotsRules parse(std::string_view bytes, std::string_view product_token);

  // The work of one allows(), in comparisons of a byte or what takes as long: some ten milliseconds. A file of the
  // maximum size with ordinary patterns and an address of the maximum length take less than half of it.
  static constexpr std::uint64_t kStepsMaximum = std::uint64_t{1} << 24;

  // Whether `target` (path and query, as in Url::target) may be requested. The longest matching rule decides; of rules
  // of equal length, allow wins. If matching the rules takes more than kStepsMaximum, the target is disallowed. Adds
  // the work to `steps`, if given. Cost: number of rules times length of the target.
  bool allows(std::string_view target, std::uint64_t* steps = nullptr) const;

  // Crawl-delay of the applicable groups in seconds; negative if there is none.
  double crawl_delay_seconds() const { return crawl_delay_seconds_; }
  // Values of the sitemap lines, which apply to all crawlers; not checked to be URLs.
  const std::vector<std::string>& sitemaps() const { return sitemaps_; }
  std::size_t rule_count() const { return rules_.size(); }

  // Memory of the rules, without this object: up to some tens of times the size of a file made of short rules. Cost:
  // number of rules.
  std::size_t memory_bytes() const;
  // Frees the sitemap lines.
  void forget_sitemaps() { sitemaps_ = {}; }

 private:
  struct Rule {
    WildcardPattern pattern;  // in comparable form (robots.cc)
    bool is_allow = false;
  };
  static Rule make_rule(std::string_view pattern, bool is_allow);

  std::vector<Rule> rules_;
  std::vector<std::string> sitemaps_;
  double crawl_delay_seconds_ = -1;
};

// The name of a crawler in robots.txt: the letters, '-' and '_' at the beginning of its user agent.
std::string_view product_token(std::string_view user_agent);

}  // namespace paraprint::inline web
