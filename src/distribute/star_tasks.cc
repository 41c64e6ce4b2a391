// Connected components without a table of all pages: alternating large-star and small-star (R. Kiveris, S. Lattanzi, V.
// Mirrokni, V. Rastogi, S. Vassilvitskii, "Connected Components in MapReduce and Beyond", SoCC 2014, algorithm 3).
//
//   repeats, verify -> links -> large-star -> low-links -> small-star -> links -> large-star -> ... -> places
//
// A large-star links the larger neighbours of a page to the smallest page of its neighbourhood, a small-star the
// smaller ones. Both keep components as they are and never add links. When neither moves a link, every page is linked
// to the smallest page of its component and to no other. The paper proves O(log^2 n) rounds; chains, the worst case
// known, take a number that grows with the logarithm of their length. A small-star cannot know that its round is the
// last one, so each tells the owners of pages the component of a page as far as it is known: 10 bytes per link, which
// saves a stage after the last round.
//
// The links of a page are sorted and read once, in order, so a page with ten million links takes no more memory than
// one with two.
#include <algorithm>

#include "base/propagate.h"
#include "distribute/link_box.h"
#include "distribute/task_base.h"

namespace paraprint::distribute {
namespace {

struct PageLinkTraits {
  static std::uint64_t key(const PageLink& link) { return std::uint64_t{link.page} << 32 | link.other; }
  static bool combine(PageLink& into, const PageLink& from) { return into == from; }
};

// Calls add_link() for the links of each page, ascending; `begins` with the first of a page.
class StarTask : public TaskBase {
 public:
  StarTask(TaskInput&& input, std::string_view given)
      : TaskBase(std::move(input)),
        given_(add_box(given, settings_.partitions), settings_.partitions),
        links_(sort_options(1)) {}

  Status read_parcel(std::string_view /*kind*/, std::string_view bytes) override {
    return for_each_record(bytes, "links", read_page_link, [this](const PageLink& link) -> Status {
      const bool is_possible = is_page(link.page) && is_page(link.other) && may_have(link);
      return is_possible ? links_.push(link) : corrupt("links");
    });
  }

  Status finish() override {
    PARAPRINT_TRY(links_.finish());
    PageLink link;
    for (bool is_first = true; links_.next(link); is_first = false) {
      const bool begins = is_first || link.page != page_;
      if (begins) smallest_ = std::min(link.page, link.other);
      page_ = link.page;
      add_link(link, begins);
    }
    if (!links_.status()) return links_.status();
    count(counters_, "links_moved", moved_);
    end_boxes();
    return {};
  }

 protected:
  virtual bool may_have(const PageLink& link) const = 0;
  virtual void add_link(const PageLink& link, bool begins) = 0;

  LinkBox given_;
  std::uint32_t smallest_ = 0;  // page of the neighbourhood
  std::uint64_t moved_ = 0;

 private:
  ExternalSorter<PageLink, PageLinkTraits> links_;
  std::uint32_t page_ = 0;
};

class LargeStarTask : public StarTask {
 public:
  explicit LargeStarTask(TaskInput&& input) : StarTask(std::move(input), "low-links") {}

 protected:
  bool may_have(const PageLink& link) const override { return link.page != link.other; }

  // A link to a smaller page is the smaller page's to move.
  void add_link(const PageLink& link, bool) override {
    if (link.other < link.page) return;
    given_.give(link.other, smallest_);
    moved_ += smallest_ == link.page ? 0 : 1;
  }
};

class SmallStarTask : public StarTask {
 public:
  explicit SmallStarTask(TaskInput&& input)
      : StarTask(std::move(input), "links"), places_(add_box("places", settings_.partitions)) {}

 protected:
  bool may_have(const PageLink& link) const override { return link.other < link.page; }

  void add_link(const PageLink& link, bool begins) override {
    const std::uint32_t moving = begins ? link.page : link.other;
    given_.connect(moving, smallest_);
    moved_ += begins ? 0 : 1;
    if (!begins) return;
    place(link.page);
    if (smallest_ != last_smallest_) place(smallest_);
    last_smallest_ = smallest_;
  }

 private:
  // Tells the owner of the page its component.
  void place(std::uint32_t page) {
    ByteWriter out(places_.record_for(owner_of(page)));
    write_page_link({page, smallest_}, out);
  }

  ParcelBox& places_;
  std::uint32_t last_smallest_ = kAnySize;  // which has been placed
};

}  // namespace

std::unique_ptr<StageTask> make_large_star_task(TaskInput&& input) {
  return std::make_unique<LargeStarTask>(std::move(input));
}
std::unique_ptr<StageTask> make_small_star_task(TaskInput&& input) {
  return std::make_unique<SmallStarTask>(std::move(input));
}

}  // namespace paraprint::distribute
