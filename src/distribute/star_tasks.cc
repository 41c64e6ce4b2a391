// Connected components without a table of all pages: alternating large-star and small-star (R. Kiveris, S. Lattanzi, V.
// Mirrokni, V. Rastogi, S. Vassilvitskii, "Connected Components in MapReduce and Beyond", SoCC 2014, algorithm 3).
//
//   connect (matches, copies) -> links -> large-star -> low-links -> small-star -> links -> large-star -> ...
//   -> settle -> places
//
// A large-star links the larger neighbours of a page to the smallest page of its neighbourhood, a small-star the
// smaller ones. Both keep components as they are and never add links. When neither moves a link, every page is linked
// to the smallest page of its component and to no other. The paper proves O(log^2 n) rounds; chains, the worst case
// known, take a number that grows with the logarithm of their length.
//
// The links of a page are sorted and read once, in order, so a page with ten million links takes no more memory than
// one with two.
#include <algorithm>

#include "base/hash.h"
#include "base/propagate.h"
#include "cluster/clustering.h"
#include "distribute/task_base.h"
#include "engine/cluster_stage.h"

namespace paraprint::distribute {
namespace {

struct PageLinkTraits {
  static std::uint64_t key(const PageLink& link) { return std::uint64_t{link.page} << 32 | link.other; }
  static bool combine(PageLink& into, const PageLink& from) { return into == from; }
};

// What the three stages share: where a link goes.
class LinkTask : public TaskBase {
 public:
  LinkTask(TaskInput&& input, std::string_view kind)
      : TaskBase(std::move(input)), box_(add_box(kind, settings_.partitions)) {}

 protected:
  // To the task of `page`.
  void give(std::uint32_t page, std::uint32_t other) {
    ByteWriter out(box_.record_for(static_cast<std::uint32_t>(mix64(page) % settings_.partitions)));
    write_page_link({page, other}, out);
  }

 private:
  ParcelBox& box_;
};

// The links that clusters grow along, in both directions: matches, and equal texts.
class ConnectTask : public LinkTask {
 public:
  explicit ConnectTask(TaskInput&& input) : LinkTask(std::move(input), "links") {}

  Status read_parcel(std::string_view kind, std::string_view bytes) override {
    if (kind == "copies") {
      return for_each_record(bytes, "copies", read_copied_page, [this](const CopiedPage& copy) -> Status {
        connect(copy.first, copy.page);
        return {};
      });
    }
    return for_each_record(bytes, "matches", read_match, [this](const Match& match) -> Status {
      if (is_cluster_link(match.verdict, clustering_)) connect(match.page_a, match.page_b);
      return {};
    });
  }

  Status finish() override {
    end_boxes();
    return {};
  }

 private:
  void connect(std::uint32_t page, std::uint32_t other) {
    give(page, other);
    give(other, page);
  }

  const ClusteringOptions clustering_ = clustering_options(options_.survivors, nullptr);
};

// Calls add_link() for the links of each page, ascending; `begins` with the first of a page.
class StarTask : public LinkTask {
 public:
  StarTask(TaskInput&& input, std::string_view kind) : LinkTask(std::move(input), kind), links_(sort_options(1)) {}

  Status read_parcel(std::string_view /*kind*/, std::string_view bytes) override {
    return for_each_record(bytes, "links", read_page_link, [this](const PageLink& link) -> Status {
      return is_possible(link) ? links_.push(link) : corrupt("links");
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
  virtual bool is_possible(const PageLink& link) const = 0;
  virtual void add_link(const PageLink& link, bool begins) = 0;

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
  bool is_possible(const PageLink& link) const override { return link.page != link.other; }

  // A link to a smaller page is the smaller page's to move.
  void add_link(const PageLink& link, bool) override {
    if (link.other < link.page) return;
    give(link.other, smallest_);
    moved_ += smallest_ == link.page ? 0 : 1;
  }
};

class SmallStarTask : public StarTask {
 public:
  explicit SmallStarTask(TaskInput&& input) : StarTask(std::move(input), "links") {}

 protected:
  bool is_possible(const PageLink& link) const override { return link.other < link.page; }

  void add_link(const PageLink& link, bool begins) override {
    const std::uint32_t moving = begins ? link.page : link.other;
    give(moving, smallest_);
    give(smallest_, moving);
    moved_ += begins ? 0 : 1;
  }
};

// When no link moves any more: tells the owner of each page with a link its component.
class SettleTask : public StarTask {
 public:
  explicit SettleTask(TaskInput&& input)
      : StarTask(std::move(input), "links"), places_(add_box("places", settings_.partitions)) {}

 protected:
  bool is_possible(const PageLink& link) const override {
    return link.page != link.other && is_page(link.page) && is_page(link.other);
  }

  void add_link(const PageLink& link, bool begins) override {
    if (!begins) return;
    ByteWriter out(places_.record_for(owner_of(link.page)));
    write_page_link({link.page, smallest_}, out);
  }

 private:
  ParcelBox& places_;
};

}  // namespace

std::unique_ptr<StageTask> make_settle_task(TaskInput&& input) {
  return std::make_unique<SettleTask>(std::move(input));
}
std::unique_ptr<StageTask> make_connect_task(TaskInput&& input) {
  return std::make_unique<ConnectTask>(std::move(input));
}
std::unique_ptr<StageTask> make_large_star_task(TaskInput&& input) {
  return std::make_unique<LargeStarTask>(std::move(input));
}
std::unique_ptr<StageTask> make_small_star_task(TaskInput&& input) {
  return std::make_unique<SmallStarTask>(std::move(input));
}

}  // namespace paraprint::distribute
