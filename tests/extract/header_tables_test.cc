// Weights of tables with a header row: raised to those of their surroundings and never lowered.
#include "extract/header_tables.h"

#include <gtest/gtest.h>

#include <string>

namespace paraprint {
namespace {

constexpr BlockWeight kTableProse = 180;
constexpr BlockWeight kCell = 90;
constexpr BlockWeight kTableClutter = 20;

// The weights of a page's units after lifting. Table cells start with kCell, all other units with `other`.
std::vector<BlockWeight> lifted(const std::string& body, BlockWeight other) {
  HtmlDocument document;
  EXPECT_TRUE(document.parse("<html><body>" + body + "</body></html>"));
  PageTreeReader reader;
  PageTree tree;
  reader.read(document, tree);
  std::vector<BlockWeight> weights;
  for (const TextUnit& unit : tree.units) {
    const auto tag = tree.elements[unit.element].tag;
    weights.push_back(tag == LXB_TAG_TD || tag == LXB_TAG_TH ? kCell : other);
  }
  HeaderTables().lift(tree, weights);
  return weights;
}

constexpr const char* kBefore = "<div><p>The tides of the harbour, by day of the week.</p>";
constexpr const char* kAfter = "<p>Times are those of the harbour master.</p></div>";
constexpr const char* kRows = "<tr><td>Monday</td><td>7:10</td></tr></table>";

TEST(HeaderTables, LiftsTablesToTheirSurroundings) {
  for (const std::string head :
       {"<table><tr><th>Day</th><th>High</th></tr>", "<table><thead><tr><td>Day</td><td>High</td></tr></thead>"}) {
    const std::vector<BlockWeight> weights = lifted(kBefore + head + kRows + kAfter, kTableProse);
    EXPECT_EQ(weights, std::vector<BlockWeight>(6, kTableProse)) << head;
  }
}

TEST(HeaderTables, NeverLowersWeights) {
  const std::string head = "<table><tr><th>Day</th><th>High</th></tr>";
  const std::vector<BlockWeight> weights = lifted(kBefore + head + kRows + kAfter, kTableClutter);
  EXPECT_EQ(weights, (std::vector<BlockWeight>{kTableClutter, kCell, kCell, kCell, kCell, kTableClutter}));
}

TEST(HeaderTables, IgnoresTablesWithoutHeader) {
  const std::string head = "<table><tr><td>Day</td><td>High</td></tr>";
  const std::vector<BlockWeight> weights = lifted(kBefore + head + kRows + kAfter, kTableProse);
  EXPECT_EQ(weights, (std::vector<BlockWeight>{kTableProse, kCell, kCell, kCell, kCell, kTableProse}));
}

TEST(HeaderTables, HeaderTablesDoNotLiftEachOther) {
  const std::string table = std::string("<table><tr><th>Day</th><th>High</th></tr>") + kRows;
  const std::vector<BlockWeight> weights = lifted(kBefore + table + table + kAfter, kTableProse);
  EXPECT_EQ(weights, std::vector<BlockWeight>(10, kTableProse));
  EXPECT_EQ(lifted(table + table, kTableProse), std::vector<BlockWeight>(8, kCell)) << "there is nothing around them";
}

}  // namespace
}  // namespace paraprint
