// Pages as a kind of input, for the fuzzer of cost and cost.memory. cost.pages measures the same families with
// page_cost.cc.
#include <memory>

#include "base/assert.h"
#include "hostile_pages.h"
#include "input_kinds.h"
#include "profile/page_profiler.h"

namespace paraprint {
namespace {

void read_page(std::string_view bytes) {
  static const std::unique_ptr<PageProfiler> profiler = [] {
    auto created = PageProfiler::create(ProfileOptions{}, WordWeights::bundled());
    PARAPRINT_ASSERT(created.has_value());
    return std::move(*created);
  }();
  Page page;
  page.id = "p";
  page.body = bytes;
  page.content_type = "text/html";
  page.body_is_utf8 = true;  // detecting a charset has a fixed cost, beside which others would not be seen
  (void)profiler->profile(page);
}

}  // namespace

void add_page_inputs(std::vector<HostileKind>& kinds) {
  HostileKind kind = {"page", '<', harmless_page, read_page, {}};
  for (const PageFamily& family : hostile_page_families()) {
    kind.families.push_back({family.name, [&](std::size_t size_bytes) { return page_of(family, size_bytes); }});
  }
  kinds.push_back(std::move(kind));
}

}  // namespace paraprint
