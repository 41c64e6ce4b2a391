// Connected components by stars, compared with union-find.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <numeric>
#include <random>

#include "base/union_find.h"
#include "distribute/link_box.h"
#include "distribute/records.h"
#include "distribute/wanted_pages.h"
#include "paraprint/engine.h"
#include "temporary_folder.h"

namespace paraprint {
namespace {

using namespace distribute;
using Parcels = std::vector<Parcel>;
using Links = std::vector<std::pair<std::uint32_t, std::uint32_t>>;

class StarTest : public ::testing::TestWithParam<std::uint32_t> {
 protected:
  static constexpr int kRoundsMaximum = 40;  // far above the logarithm of anything here

  // Runs a stage over `pages_` pages in as many tasks as the parameter says, and adds up the links moved.
  Parcels run(const std::string& stage, const Parcels& given, std::uint64_t& moved) {
    Parcels parcels;
    for (std::uint32_t number = 0; number < GetParam(); ++number) {
      StageSettings settings;
      settings.stage = stage;
      settings.partitions = GetParam();
      settings.share = number;
      settings.shares = GetParam();
      settings.first_pages = first_pages();
      settings.temporary_folder = folder_.path();
      const Result<std::unique_ptr<StageTask>> task = StageTask::create(options_, settings);
      EXPECT_TRUE(task.has_value()) << task.error().message;
      for (const Parcel& parcel : given) {
        if (parcel.partition != number || parcel.kind == "places") continue;
        EXPECT_TRUE((*task)->add_parcel(parcel.kind, parcel.bytes).has_value());
      }
      EXPECT_TRUE((*task)->end_parcels().has_value());
      EXPECT_TRUE((*task)->finish().has_value());
      Result<Parcels> taken = (*task)->take_parcels();
      for (Parcel& parcel : taken.value()) parcels.push_back(std::move(parcel));
      for (const auto& [name, amount] : (*task)->counters()) moved += amount;
    }
    return parcels;
  }

  std::vector<std::uint32_t> first_pages() const {
    std::vector<std::uint32_t> first;
    for (std::uint32_t number = 0; number <= GetParam(); ++number) first.push_back(pages_ * number / GetParam());
    return first;
  }

  static Parcels parcels_of(const Links& links) {
    ParcelBox box("links", GetParam());
    LinkBox given(box, GetParam());
    for (const auto& [first, second] : links) given.connect(first, second);
    Parcels parcels;
    box.take(parcels, true);
    return parcels;
  }

  // The places of the last round: the component of each page with a link.
  std::map<std::uint32_t, std::uint32_t> components(Parcels links) {
    std::map<std::uint32_t, std::uint32_t> found;
    std::uint64_t moved = 1;
    for (rounds_ = 0; moved > 0; ++rounds_) {
      EXPECT_LT(rounds_, kRoundsMaximum);
      if (rounds_ == kRoundsMaximum) break;
      moved = 0;
      links = run("small-star", run("large-star", links, moved), moved);
    }
    const std::vector<std::uint32_t> first = first_pages();
    for (const Parcel& parcel : links) {
      if (parcel.kind != "places") continue;
      for (ByteReader in(parcel.bytes); !in.at_end();) {
        const PageLink place = read_page_link(in);
        EXPECT_EQ(owner_of_page(first, place.page), parcel.partition);
        EXPECT_EQ(found.emplace(place.page, place.other).first->second, place.other);
      }
    }
    return found;
  }

  void expect_components(const Links& links, std::uint32_t pages) {
    std::vector<std::uint32_t> roots(pages);
    UnionFind<std::uint32_t> expected(roots);
    for (const auto& [first, second] : links) expected.join(first, second);
    expected.flatten();
    std::map<std::uint32_t, std::uint32_t> components_of_pages;
    for (const auto& [first, second] : links) {
      for (const std::uint32_t page : {first, second}) components_of_pages[page] = roots[page];
    }
    pages_ = pages;
    EXPECT_EQ(components(parcels_of(links)), components_of_pages);
  }

  TemporaryFolder folder_;
  DedupOptions options_;
  std::uint32_t pages_ = 0;
  int rounds_ = 0;
};

INSTANTIATE_TEST_SUITE_P(Tasks, StarTest, ::testing::Values(1U, 3U, 16U));

TEST_P(StarTest, ALongChainTakesFewRounds) {
  constexpr std::uint32_t kPages = 20'000;
  Links links;
  for (std::uint32_t page = 0; page + 1 < kPages; ++page) links.emplace_back(page, page + 1);
  expect_components(links, kPages);
  EXPECT_LE(rounds_, 17);  // two more than the logarithm of its length
}

TEST_P(StarTest, AChainInRandomOrder) {
  constexpr std::uint32_t kPages = 20'000;
  std::vector<std::uint32_t> order(kPages);
  std::iota(order.begin(), order.end(), 0U);
  std::shuffle(order.begin(), order.end(), std::mt19937(3));
  Links links;
  for (std::size_t at = 0; at + 1 < order.size(); ++at) links.emplace_back(order[at], order[at + 1]);
  expect_components(links, kPages);
  EXPECT_LE(rounds_, 17);  // two more than the logarithm of its length
}

TEST_P(StarTest, AHubWithTheLargestNumber) {
  constexpr std::uint32_t kPages = 100'000;
  Links links;
  for (std::uint32_t page = 0; page < kPages - 1; ++page) links.emplace_back(page, kPages - 1);
  expect_components(links, kPages);
  EXPECT_LE(rounds_, 3);
}

TEST_P(StarTest, RandomGraphsWithRepeatedLinks) {
  std::mt19937 random(GetParam());
  for (const std::uint32_t pages : {2U, 10U, 300U, 5000U}) {
    for (const double links_per_page : {0.2, 0.5, 0.8, 2.0}) {
      Links links;
      for (double made = 0; made < links_per_page * pages; ++made) {
        const auto first = static_cast<std::uint32_t>(random() % pages);
        const auto second = static_cast<std::uint32_t>(random() % pages);
        if (first != second) links.insert(links.end(), 1 + random() % 2, {first, second});
      }
      expect_components(links, pages);
    }
  }
}

TEST_P(StarTest, RejectsLinksThatCannotBe) {
  const auto code = [this](const std::string& stage, const std::string& kind, PageLink link) {
    StageSettings settings;
    settings.stage = stage;
    settings.first_pages = {0, 3};
    settings.temporary_folder = folder_.path();
    const Result<std::unique_ptr<StageTask>> task = StageTask::create(options_, settings);
    EXPECT_TRUE(task.has_value());
    std::string bytes;
    ByteWriter out(bytes);
    write_page_link(link, out);
    const Status added = (*task)->add_parcel(kind, bytes);
    return added ? "none" : error_code_name(added.error().code);
  };
  EXPECT_EQ(code("large-star", "links", {1, 2}), "none");
  EXPECT_EQ(code("large-star", "links", {2, 2}), "corrupt-data");
  EXPECT_EQ(code("large-star", "links", {2, 3}), "corrupt-data");
  EXPECT_EQ(code("small-star", "low-links", {2, 1}), "none");
  EXPECT_EQ(code("small-star", "low-links", {1, 2}), "corrupt-data");
}

}  // namespace
}  // namespace paraprint
