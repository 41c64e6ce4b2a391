// Fuzzes the parser of robots.txt and the matching of rules; the text after the last line feed is the requested target.
#include "web/robots.h"

#include <cstdlib>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  const std::size_t split = bytes.rfind('\n') + 1;
  const std::string_view target = bytes.substr(split);
  const paraprint::RobotsRules rules = paraprint::RobotsRules::parse(bytes.substr(0, split), "paraprint");
  const bool is_allowed = rules.allows(target);
  if (rules.rule_count() == 0 && !is_allowed) std::abort();
  if (!rules.allows("/robots.txt")) std::abort();
  if (paraprint::RobotsRules::disallow_all().allows("/" + std::string(target)) && target != "robots.txt") std::abort();
  return 0;
}
