#include "verify/assignment.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

namespace paraprint {
namespace {

std::vector<std::uint32_t> best_of(const std::vector<AssignmentEdge>& edges) {
  StopCheck never;
  return best_assignment(edges, never);
}

double total(const std::vector<AssignmentEdge>& edges, const std::vector<std::uint32_t>& chosen) {
  double sum = 0;
  for (const std::uint32_t index : chosen) sum += edges[index].gain;
  return sum;
}

bool is_one_to_one(const std::vector<AssignmentEdge>& edges, const std::vector<std::uint32_t>& chosen) {
  for (std::size_t i = 0; i < chosen.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      if (edges[chosen[i]].left == edges[chosen[j]].left || edges[chosen[i]].right == edges[chosen[j]].right)
        return false;
    }
  }
  return true;
}

// The best total over all subsets of edges that are one-to-one.
double best_by_trying_all(const std::vector<AssignmentEdge>& edges, std::size_t from,
                          std::vector<std::uint32_t>& chosen) {
  if (from == edges.size()) return total(edges, chosen);
  double best = best_by_trying_all(edges, from + 1, chosen);
  chosen.push_back(static_cast<std::uint32_t>(from));
  if (is_one_to_one(edges, chosen)) best = std::max(best, best_by_trying_all(edges, from + 1, chosen));
  chosen.pop_back();
  return best;
}

TEST(Assignment, EqualsExhaustiveSearch) {
  std::mt19937 random(7);
  for (int world = 0; world < 400; ++world) {
    std::vector<AssignmentEdge> edges;
    for (std::uint32_t left = 0; left < 4; ++left) {
      for (std::uint32_t right = 0; right < 5; ++right) {
        if (random() % 2 == 0) edges.push_back({left * 3, right + 100, static_cast<double>(1 + random() % 50)});
      }
    }
    if (edges.size() > 12) edges.resize(12);
    const std::vector<std::uint32_t> chosen = best_of(edges);
    ASSERT_TRUE(is_one_to_one(edges, chosen));
    std::vector<std::uint32_t> none;
    ASSERT_DOUBLE_EQ(total(edges, chosen), best_by_trying_all(edges, 0, none)) << "world " << world;
  }
}

TEST(Assignment, PrefersTwoGoodPairsToTheBestOne) {
  const std::vector<AssignmentEdge> edges = {{0, 0, 10}, {0, 1, 9}, {1, 0, 9}};
  EXPECT_EQ(best_of(edges), (std::vector<std::uint32_t>{1, 2}));
}

TEST(Assignment, LargeComponentsReachAtLeastHalfTheOptimum) {
  std::vector<AssignmentEdge> edges;  // a long path, where greedy choices are not optimal
  for (std::uint32_t i = 0; i < 200; ++i) {
    edges.push_back({i, i, 10});
    edges.push_back({i, i + 1, 11});
  }
  const std::vector<std::uint32_t> chosen = best_of(edges);
  EXPECT_TRUE(is_one_to_one(edges, chosen));
  EXPECT_GE(total(edges, chosen), 0.5 * 200 * 11);
}

// Of one large component: the best edge that is left, again and again.
std::vector<std::uint32_t> chosen_one_by_one(const std::vector<AssignmentEdge>& edges) {
  std::vector<std::uint32_t> chosen;
  std::vector<bool> is_open(edges.size(), true);
  for (;;) {
    std::size_t best = edges.size();
    for (std::size_t i = 0; i < edges.size(); ++i) {
      if (is_open[i] && (best == edges.size() || edges[i].gain > edges[best].gain)) best = i;
    }
    if (best == edges.size()) break;
    chosen.push_back(static_cast<std::uint32_t>(best));
    for (std::size_t i = 0; i < edges.size(); ++i) {
      if (edges[i].left == edges[best].left || edges[i].right == edges[best].right) is_open[i] = false;
    }
  }
  std::sort(chosen.begin(), chosen.end());
  return chosen;
}

TEST(Assignment, LargeComponentsAreChosenByGainThenInOrder) {
  std::mt19937 random(5);
  for (const double unit : {1.0, 0.37, 1e-9, 1e12}) {
    for (const unsigned gains : {1U, 2U, 7U, 100'000U}) {
      std::vector<AssignmentEdge> edges;
      for (std::uint32_t left = 0; left < 70; ++left) {
        for (std::uint32_t right = 0; right < 60; ++right) {
          if (right == left % 60 || random() % 6 == 0)
            edges.push_back({2 * left, 3 * right, unit * static_cast<double>(1 + random() % gains)});
        }
      }
      ASSERT_EQ(best_of(edges), chosen_one_by_one(edges)) << unit << " of " << gains;
    }
  }
}

TEST(Assignment, OfNothingIsNothing) {
  EXPECT_TRUE(best_of({}).empty());
}

TEST(Assignment, IsIndependentOfTheOrderOfEdges) {
  std::mt19937 random(11);
  std::vector<AssignmentEdge> edges;
  for (std::uint32_t i = 0; i < 60; ++i) edges.push_back({i % 9, (i * 7) % 11, 5});
  std::sort(edges.begin(), edges.end(), [](const auto& x, const auto& y) {
    return std::pair{x.left, x.right} < std::pair{y.left, y.right};
  });
  edges.erase(std::unique(edges.begin(), edges.end(),
                          [](const auto& x, const auto& y) { return x.left == y.left && x.right == y.right; }),
              edges.end());
  const auto pairs = [](const std::vector<AssignmentEdge>& list) {
    std::vector<std::pair<std::uint32_t, std::uint32_t>> result;
    for (const std::uint32_t index : best_of(list)) result.emplace_back(list[index].left, list[index].right);
    std::sort(result.begin(), result.end());
    return result;
  };
  const auto expected = pairs(edges);
  std::shuffle(edges.begin(), edges.end(), random);
  EXPECT_EQ(pairs(edges), expected);
}

}  // namespace
}  // namespace paraprint
