#include "lab/evaluate/label_file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "evaluate_testing.h"

namespace paraprint {
namespace {

using ::testing::HasSubstr;
using testing::ScratchFile;

Result<LabelFile> read(std::string_view labels, std::string_view clusters = "", std::string_view details = "") {
  const ScratchFile label_file("labels.tsv", labels);
  const ScratchFile cluster_file("clusters.tsv", clusters);
  const ScratchFile details_file("details.tsv", details);
  return read_label_file(label_file.path(), clusters.empty() ? "" : cluster_file.path(),
                         details.empty() ? "" : details_file.path());
}

void expect_refused(std::string_view labels, std::string_view clusters, std::string_view reason) {
  const Result<LabelFile> file = read(labels, clusters);
  ASSERT_FALSE(file) << labels;
  EXPECT_EQ(file.error().code, ErrorCode::kInvalidArgument);
  EXPECT_THAT(file.error().message, HasSubstr(std::string(reason)));
}

TEST(LabelFile, AcceptsEverySpellingOfLabels) {
  const Result<LabelFile> file =
      read("a\tb\tDup\na\tc\tnear\tmore\tcolumns\nb\td\tevent/topic\nc\td\tevent\na\td\tdiff\n");
  ASSERT_TRUE(file) << file.error().message;
  ASSERT_EQ(file->pairs.size(), 5U);
  EXPECT_EQ(file->pairs[0].label, TruthLabel::kDuplicate);
  EXPECT_EQ(file->pairs[1].label, TruthLabel::kNear);
  EXPECT_EQ(file->pairs[2].label, TruthLabel::kTopic);
  EXPECT_EQ(file->pairs[3].label, TruthLabel::kTopic);
  EXPECT_EQ(file->pairs[4].label, TruthLabel::kDifferent);
  EXPECT_FALSE(file->is_clusters_alone);
}

TEST(LabelFile, ReadsEditsFromANamedColumnOfLabelsOrDetails) {
  const Result<LabelFile> named = read("id_a\tid_b\tlabel\tnote\tedits\na\tb\tnear\tx\ttypos=0.2+truncation\n");
  ASSERT_TRUE(named) << named.error().message;
  EXPECT_EQ(named->edits.name(named->pairs[0].edits), "typos=0.2+truncation");
  const Result<LabelFile> detailed =
      read("a\tb\tnear\nc\td\tdiff\n", "", "id_a\tid_b\tlabel\tedit\nb\ta\tnear\tocr\nx\ty\tnear\tother\n");
  ASSERT_TRUE(detailed) << detailed.error().message;
  EXPECT_EQ(detailed->edits.name(detailed->pairs[0].edits), "ocr");
  EXPECT_EQ(detailed->edits.name(detailed->pairs[1].edits), "");
}

TEST(LabelFile, AcceptsClustersInsteadOfLabels) {
  const Result<LabelFile> file = read("id\tcluster\na\t1\nb\t1\nc\t2\n");
  ASSERT_TRUE(file) << file.error().message;
  EXPECT_TRUE(file->is_clusters_alone);
  EXPECT_EQ(file->cluster_rows.size(), 3U);
}

// Only the first line can be a heading, and one with a label is none.
TEST(LabelFile, ReadsLabelsOfPagesNamedLikeHeadings) {
  const Result<LabelFile> headed =
      read("id_a\tid_b\tlabel\tedits\nid_a\tb\tdup\tocr\nid\tc\tnear\ttypos\n", "id\tcluster\nid\t1\nid_a\t2\n");
  ASSERT_TRUE(headed) << headed.error().message;
  ASSERT_EQ(headed->pairs.size(), 2U);
  EXPECT_EQ(headed->ids.name(headed->pairs[0].id_a), "id_a");
  EXPECT_EQ(headed->edits.name(headed->pairs[0].edits), "ocr");
  EXPECT_EQ(headed->ids.name(headed->pairs[1].id_a), "id");
  EXPECT_EQ(headed->edits.name(headed->pairs[1].edits), "typos");
  EXPECT_EQ(headed->cluster_rows.size(), 2U);
  for (const std::string first : {"id_a", "id"}) {
    const Result<LabelFile> bare = read(first + "\tb\tdup\na\tb\tdiff\n");
    ASSERT_TRUE(bare) << bare.error().message;
    ASSERT_EQ(bare->pairs.size(), 2U) << first;
    EXPECT_EQ(bare->ids.name(bare->pairs[0].id_a), first);
  }
  const Result<LabelFile> detailed =
      read("id_a\tb\tnear\nid\tb\tnear\n", "", "id_a\tid_b\tedits\nid_a\tb\tocr\nid\tb\ttypos\n");
  ASSERT_TRUE(detailed) << detailed.error().message;
  EXPECT_EQ(detailed->edits.name(detailed->pairs[0].edits), "ocr");
  EXPECT_EQ(detailed->edits.name(detailed->pairs[1].edits), "typos");
}

TEST(LabelFile, RejectsContradictions) {
  expect_refused("", "", "no labels");
  expect_refused("# nothing\nid_a\tid_b\tlabel\n", "", "no labels");
  expect_refused("a\tb\tsame\n", "", "line 1: unknown label 'same'");
  expect_refused("a\ta\tdup\n", "", "paired with itself");
  expect_refused("a\tb\tdup\nb\ta\tdup\n", "", "line 2: the pair 'b', 'a' is already labelled on line 1, as dup");
  expect_refused("a\tb\tdup\nb\ta\tdiff\n", "", "as dup, and now as diff");
  expect_refused("a\tb\tdup\na\tc\n", "", "mixes rows");
  expect_refused("a\tb\tdup\nid_a\tid_b\tlabel\n", "", "line 2: unknown label 'label'");
  expect_refused("a\n", "", "expected id_a, id_b and a label");
  expect_refused("a\tb\tdup\n", "a\t1\na\t2\n", "line 2: 'a' already has a cluster, given on line 1 as '1'");
  expect_refused("a\t1\nb\t1\n", "a\t1\n", "clusters are given twice");
}

}  // namespace
}  // namespace paraprint
