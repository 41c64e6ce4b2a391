// What holds for every row of every table, present and future.
#include "options/option_table.h"

#include <gtest/gtest.h>

#include <regex>
#include <set>

#include "command_arguments.h"
#include "options/command_tables.h"

namespace paraprint {
namespace {

// Calls visit(rows) for each table of the program.
template <class Visit>
void for_each_table(Visit&& visit) {
  DedupOptions run;
  for_each_run_table(run, [&](const auto rows, auto&) { visit(rows); });
  visit(preset_option_rows());
  visit(labelled_input_option_rows());
  visit(sample_option_rows());
  visit(evaluate_option_rows());
  visit(simulate_option_rows());
  visit(crawl_option_rows());
  visit(payload_option_rows());
  visit(cdx_option_rows());
  visit(wacz_option_rows());
  visit(plan_option_rows());
  visit(view_option_rows());
  visit(serve_option_rows());
  visit(service_limit_option_rows());
  visit(feed_option_rows());
  visit(topic_option_rows());
  visit(vector_file_option_rows());
  visit(vector_option_rows());
  visit(import_option_rows());
  visit(reduction_option_rows());
  visit(lookup_option_rows());
  visit(index_add_option_rows());
  visit(index_option_rows());
  visit(page_stream_option_rows());
  visit(dedup_argument_rows());
  visit(page_stream_argument_rows());
  visit(evaluate_argument_rows());
  visit(simulate_argument_rows());
  visit(payload_argument_rows());
  visit(cdx_argument_rows());
  visit(wacz_argument_rows());
  visit(crawl_argument_rows());
  visit(topic_argument_rows());
  visit(vector_argument_rows());
  visit(reduction_argument_rows());
  visit(cli::progress_argument_rows());
  visit(cli::warning_argument_rows());
  visit(cli::dedup_command_rows());
  visit(cli::recluster_command_rows());
  visit(cli::plan_command_rows());
  visit(cli::extract_command_rows());
  visit(cli::profile_command_rows());
  visit(cli::compare_command_rows());
  visit(cli::algorithms_command_rows());
  visit(cli::simulate_command_rows());
  visit(cli::view_command_rows());
  visit(cli::serve_command_rows());
  visit(cli::index_folder_rows());
  visit(cli::index_delete_rows());
  visit(cli::index_expire_rows());
  visit(cli::index_verify_rows());
  visit(cli::index_export_rows());
  visit(cli::index_backup_rows());
  visit(cli::index_restore_rows());
  visit(cli::model_rows());
  visit(cli::topics_show_rows());
  visit(cli::topics_infer_rows());
  visit(cli::vectors_neighbours_rows());
}

template <class Options>
Options options_of(std::span<const OptionRow<Options>>) {
  return {};
}

TEST(OptionTable, NamesAndHelpHaveTheirForm) {
  const std::regex name("[a-z]+(_[a-z]+|_[0-9]+)*");
  for_each_table([&](const auto rows) {
    for (const auto& row : rows) {
      EXPECT_TRUE(std::regex_match(std::string(row.name), name)) << row.name;
      EXPECT_FALSE(row.help.empty()) << row.name;
      EXPECT_NE(row.help.back(), '.') << row.name << ": a help line has no full stop at its end";
      EXPECT_EQ(row.help.find('\n'), std::string_view::npos) << row.name;
      EXPECT_FALSE(row.group.empty()) << row.name;
    }
  });
}

TEST(OptionTable, DefaultsAreInRange) {
  for_each_table([](const auto rows) {
    const auto defaults = options_of(rows);
    for (const auto& row : rows) {
      if (!has_default(row)) continue;
      const Status checked = check_option(row, defaults);
      EXPECT_TRUE(checked) << (checked ? "" : checked.error().message);
    }
  });
}

TEST(OptionTable, TheTextOfADefaultSetsTheDefault) {
  for_each_table([](const auto rows) {
    const auto defaults = options_of(rows);
    for (const auto& row : rows) {
      auto options = defaults;
      std::vector<std::string> texts;
      std::string text = option_text(row, defaults);
      for (std::size_t comma; is_list(row) && (comma = text.find(',')) != std::string::npos;) {
        texts.push_back(text.substr(0, comma));
        text.erase(0, comma + 1);
      }
      texts.push_back(text);
      const Status set = set_option(row, options, texts);
      ASSERT_TRUE(set) << set.error().message;
      EXPECT_EQ(option_text(row, options), option_text(row, defaults)) << row.name;
    }
  });
}

// A positional argument has no other name than its own, so only such a row can have a flag of another name.
TEST(OptionTable, OnlyPositionalRowsHaveAnotherFlag) {
  for_each_table([](const auto rows) {
    for (const auto& row : rows) {
      EXPECT_TRUE(row.flag.empty() || row.has(kPositional)) << row.name;
      EXPECT_FALSE(row.has(kPositional) && is_switch(row)) << row.name;
    }
  });
}

TEST(OptionTable, ARunHasEveryNameOnce) {
  std::set<std::string_view> names;
  DedupOptions run;
  for_each_run_table(run, [&](const auto rows, auto&) {
    for (const auto& row : rows) EXPECT_TRUE(names.insert(row.name).second) << row.name;
  });
}

// Stored with profiles and scores: an index or a run of an earlier build must find the same text.
TEST(OptionTable, IdentitiesOfTheDefaultsHaveNotChanged) {
  const DedupOptions run;
  EXPECT_EQ(identity_of(profile_option_rows(), run.profile, kProfileIdentity),
            " extractor=learned-dom fold-traditional=true paragraph-words=full word-hash=murmur3 idf=bundled anchors=2"
            " sentence-candidate-characters=20 simhash-distinct-words=8");
  EXPECT_EQ(identity_of(profile_option_rows(), run.profile, kProfileIdentityIfSet), "");
  EXPECT_EQ(identity_of(candidate_option_rows(), run.candidates, kScoresIdentity) +
                identity_of(match_option_rows(), run.match, kScoresIdentity),
            " candidate-distance-bits=6 group-cap=256 boilerplate=true paragraph-distance-bits=24"
            " stored-characters=100 overlap-share=0.1 list-weight=1 after-heading-weight=1 opening-weight=1"
            " nested-list-weight=1 sentences=true whole-text=true");
}

// A run is repeated from its summary, so an option that is not in it must not change the output.
TEST(OptionTable, OnlyPlacesAndLimitsAreLeftOutOfTheSummary) {
  std::set<std::string_view> left_out;
  DedupOptions run;
  for_each_run_table(run, [&](const auto rows, auto&) {
    for (const auto& row : rows) {
      if (row.has(kKeepsOutput)) left_out.insert(row.name);
    }
  });
  EXPECT_EQ(left_out, (std::set<std::string_view>{"out", "restart", "report", "max_removed_share", "max_files",
                                                  "threads", "memory", "tmp"}));
}

}  // namespace
}  // namespace paraprint
