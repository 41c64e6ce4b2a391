// Parses and matches robots.txt (RFC 9309). Patterns are converted once to a comparable form and targets when they are
// asked about, so percent-encoding does not influence a match. Files are written by people: unknown lines, missing
// groups and common misspellings must not make the rest of a file ineffective.
#include "web/robots.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <utility>

#include "http/header_block.h"

namespace paraprint::inline web {
namespace {

// The crawl reads fewer per host anyway; this bounds memory for a hostile file.
constexpr std::size_t kSitemapsMaximum = 1000;

// RFC 3986 2.3: characters with the same meaning whether percent-encoded or not.
bool is_unreserved(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' || c == '.' ||
         c == '_' || c == '~';
}

// RFC 9309 2.2.2 treats "?a=https://b" and "?a=https%3A%2F%2Fb" as equal: in a query these characters have no special
// meaning that encoding them would remove.
bool is_plain_in_query(char c) {
  return c == ':' || c == '/' || c == '?' || c == '@' || c == '[' || c == ']';
}

int hexadecimal_value(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

void append_encoded(std::string& out, char c) {
  constexpr std::string_view kDigits = "0123456789ABCDEF";
  const auto byte = static_cast<unsigned char>(c);
  out += '%';
  out += kDigits[byte >> 4];
  out += kDigits[byte & 15];
}

// The form in which patterns and targets are compared: octets outside ASCII are encoded, unreserved ones decoded, and
// encodings in upper case. '*' and '$' are encoded; in a pattern only literal ones reach this class.
class ComparableText {
 public:
  void append(std::string_view text) {
    for (std::size_t i = 0; i < text.size(); ++i) {
      const int high = text[i] == '%' && i + 2 < text.size() ? hexadecimal_value(text[i + 1]) : -1;
      const int low = high >= 0 ? hexadecimal_value(text[i + 2]) : -1;
      if (low >= 0) i += 2;
      append_octet(low >= 0 ? static_cast<char>(high * 16 + low) : text[i], low >= 0);
    }
  }
  std::string take() { return std::exchange(out_, {}); }

 private:
  void append_octet(char c, bool was_encoded) {
    if (c == '?' && !was_encoded) is_in_query_ = true;
    const auto byte = static_cast<unsigned char>(c);
    const bool is_visible = byte > 0x20 && byte < 0x7F;
    const bool stays =
        was_encoded ? is_unreserved(c) || (is_in_query_ && is_plain_in_query(c)) : is_visible && c != '*' && c != '$';
    if (stays) {
      out_ += c;
    } else {
      append_encoded(out_, c);
    }
  }

  std::string out_;
  bool is_in_query_ = false;
};

// Kinds of lines; their names below include common misspellings.
enum class LineKind { kUserAgent, kAllow, kDisallow, kCrawlDelay, kSitemap, kOther };

struct LineName {
  std::string_view name;
  LineKind kind;
};
constexpr std::array kLineNames = {
    LineName{"user-agent", LineKind::kUserAgent},  LineName{"useragent", LineKind::kUserAgent},
    LineName{"user agent", LineKind::kUserAgent},  LineName{"allow", LineKind::kAllow},
    LineName{"disallow", LineKind::kDisallow},     LineName{"crawl-delay", LineKind::kCrawlDelay},
    LineName{"crawldelay", LineKind::kCrawlDelay}, LineName{"sitemap", LineKind::kSitemap},
    LineName{"site-map", LineKind::kSitemap},
};

LineKind line_kind(std::string_view name) {
  const auto* found = std::find_if(kLineNames.begin(), kLineNames.end(),
                                   [&](const LineName& line) { return equals_ignoring_case(line.name, name); });
  return found == kLineNames.end() ? LineKind::kOther : found->kind;
}

struct Line {
  LineKind kind = LineKind::kOther;
  std::string_view value;
};

// Everything from '#' on is a comment. A line without a colon has no kind and is ignored.
Line parse_line(std::string_view line) {
  line = trim(line.substr(0, line.find('#')));
  const std::size_t colon = line.find(':');
  if (colon == std::string_view::npos) return {};
  return {line_kind(trim(line.substr(0, colon))), trim(line.substr(colon + 1))};
}

// Any of CR, LF and CRLF ends a line; CRLF gives an empty line in between, which is ignored.
std::string_view take_line(std::string_view& text) {
  const std::size_t end = std::min(text.find_first_of("\r\n"), text.size());
  const std::string_view line = text.substr(0, end);
  text.remove_prefix(std::min(end + 1, text.size()));
  return line;
}

// Negative for anything that is not a usable number. from_chars() does not depend on the locale.
double parse_delay(std::string_view value) {
  double seconds = -1;
  const auto [end, error] = std::from_chars(value.data(), value.data() + value.size(), seconds);
  return error == std::errc() && std::isfinite(seconds) && seconds >= 0 ? seconds : -1;
}

}  // namespace

std::string_view product_token(std::string_view user_agent) {
  const auto is_token = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '-' || c == '_'; };
  const auto end = std::find_if_not(user_agent.begin(), user_agent.end(), is_token);
  return user_agent.substr(0, static_cast<std::size_t>(end - user_agent.begin()));
}

RobotsRules RobotsRules::disallow_all() {
  RobotsRules robots;
  robots.rules_.push_back(make_rule("/", false));
  return robots;
}

// The pieces between stars are converted by one ComparableText, because "?" in an earlier piece affects the later ones.
RobotsRules::Rule RobotsRules::make_rule(std::string_view pattern, bool is_allow) {
  ComparableText comparable;
  return {WildcardPattern(pattern,
                          [&](std::string_view piece) {
                            comparable.append(piece);
                            return comparable.take();
                          }),
          is_allow};
}

// One pass collects the rules of both kinds of groups; which of them apply is only known at the end, because a group
// that names us may come last. Consecutive user-agent lines form one group; lines that are not rules do not end it.
RobotsRules RobotsRules::parse(std::string_view bytes, std::string_view token) {
  if (bytes.size() > kRobotsBytesMaximum) {
    bytes = bytes.substr(0, kRobotsBytesMaximum);
    // The last line is dropped, because half a rule may say the opposite of the whole one.
    bytes = bytes.substr(0, bytes.find_last_of("\r\n") + 1);
  }
  if (bytes.starts_with("\xEF\xBB\xBF")) bytes.remove_prefix(3);

  RobotsRules named;
  RobotsRules general;
  std::vector<std::string> sitemaps;
  bool is_named = false;       // the current group names us
  bool is_general = false;     // the current group is for "*"
  bool has_named = false;      // some group named us
  bool is_agent_list = false;  // the last rule or user-agent line was a user-agent line
  while (!bytes.empty()) {
    const Line line = parse_line(take_line(bytes));
    switch (line.kind) {
      case LineKind::kUserAgent: {
        if (!is_agent_list) is_named = is_general = false;
        is_agent_list = true;
        is_general |= line.value.starts_with('*');
        const std::string_view agent = product_token(line.value);
        is_named |= !agent.empty() && equals_ignoring_case(agent, token);
        has_named |= is_named;
        break;
      }
      case LineKind::kAllow:
      case LineKind::kDisallow: {
        is_agent_list = false;
        if (line.value.empty()) break;
        const Rule rule = make_rule(line.value, line.kind == LineKind::kAllow);
        if (is_named) named.rules_.push_back(rule);
        if (is_general) general.rules_.push_back(rule);
        break;
      }
      case LineKind::kCrawlDelay: {
        const double seconds = parse_delay(line.value);
        if (is_named) named.crawl_delay_seconds_ = std::max(named.crawl_delay_seconds_, seconds);
        if (is_general) general.crawl_delay_seconds_ = std::max(general.crawl_delay_seconds_, seconds);
        break;
      }
      case LineKind::kSitemap:
        if (sitemaps.size() < kSitemapsMaximum && !line.value.empty()) sitemaps.emplace_back(line.value);
        break;
      case LineKind::kOther:
        break;
    }
  }
  RobotsRules chosen = has_named ? std::move(named) : std::move(general);
  chosen.rules_.shrink_to_fit();
  chosen.sitemaps_ = std::move(sitemaps);
  return chosen;
}

std::size_t RobotsRules::memory_bytes() const {
  std::size_t sum = rules_.capacity() * sizeof(Rule) + sitemaps_.capacity() * sizeof(std::string);
  for (const Rule& rule : rules_) sum += rule.pattern.memory_bytes();
  for (const std::string& sitemap : sitemaps_) sum += sitemap.capacity();
  return sum;
}

// Rules that cannot be better than the best one so far are not matched.
bool RobotsRules::allows(std::string_view target, std::uint64_t* steps) const {
  if (rules_.empty() || target == "/robots.txt") return true;
  ComparableText text;
  text.append(target);
  const std::string comparable = text.take();
  const Rule* best = nullptr;
  std::uint64_t done = 0;
  bool is_within_bound = true;
  for (const Rule& rule : rules_) {
    const std::size_t size = rule.pattern.size_bytes();
    const bool is_better = best == nullptr || size > best->pattern.size_bytes() ||
                           (size == best->pattern.size_bytes() && rule.is_allow && !best->is_allow);
    ++done;
    if (!is_better) continue;
    const std::optional<bool> matches = rule.pattern.matches(comparable, kStepsMaximum, done);
    is_within_bound = matches && done <= kStepsMaximum;
    if (!is_within_bound) break;
    if (*matches) best = &rule;
  }
  if (steps != nullptr) *steps += done;
  return is_within_bound && (best == nullptr || best->is_allow);
}

}  // namespace paraprint::inline web
