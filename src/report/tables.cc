// Writers of the tab-separated tables. Each row is built in a reused line and written to a temporary file that finish()
// moves into place; a writer that is destroyed before that leaves no file.
#include "report/tables.h"

#include <fmt/format.h>

#include <iterator>
#include <utility>

#include "base/assert.h"
#include "base/propagate.h"
#include "report/row_order.h"
#include "report/text_safety.h"
#include "report/verdict_text.h"

namespace paraprint::inline report {

Result<ClusterTableWriter> ClusterTableWriter::create(std::string path) {
  return AtomicFile::create(std::move(path)).map([](AtomicFile&& file) { return ClusterTableWriter(std::move(file)); });
}

Status ClusterTableWriter::add(std::string_view id, std::uint64_t cluster) {
  PARAPRINT_TRY(check_ascending(file_, rows_, last_id_, id));
  last_id_ = id;
  ++rows_;
  line_.clear();
  append_cluster_row(line_, id, cluster);
  return file_.write(line_);
}

Status ClusterTableWriter::finish() {
  return file_.commit();
}

Result<MatchTableWriter> MatchTableWriter::create(std::string path) {
  return AtomicFile::create(std::move(path)).map([](AtomicFile&& file) { return MatchTableWriter(std::move(file)); });
}

Status MatchTableWriter::add(std::string_view id_a, std::string_view id_b, double resemblance, Verdict verdict) {
  PARAPRINT_TRY(check_pair_ascending(file_, rows_, last_id_a_, last_id_b_, id_a, id_b));
  last_id_a_ = id_a;
  last_id_b_ = id_b;
  ++rows_;
  line_.clear();
  append_match_row(line_, id_a, id_b, resemblance, verdict);
  return file_.write(line_);
}

Status MatchTableWriter::finish() {
  return file_.commit();
}

// Ids come from archives and may contain tabs or line ends.
void append_cluster_row(std::string& out, std::string_view id, std::uint64_t cluster) {
  append_tsv_field(out, id);
  fmt::format_to(std::back_inserter(out), "\t{}\n", cluster);
}

void append_match_row(std::string& out, std::string_view id_a, std::string_view id_b, double resemblance,
                      Verdict verdict) {
  append_tsv_field(out, id_a);
  out += '\t';
  append_tsv_field(out, id_b);
  fmt::format_to(std::back_inserter(out), "\t{:.4f}\t{}\n", resemblance, verdict_name(verdict));
}

Status number_clusters(std::span<const std::uint32_t> cluster_of_page, std::span<const std::uint32_t> pages_by_id,
                       SpillArray<std::uint32_t>& numbers) {
  PARAPRINT_ASSERT(cluster_of_page.size() == pages_by_id.size());
  // Pages are visited in the order of ids, so a label gets its number when its
  // smallest id comes. 0 means "no number yet".
  SpillArray<std::uint32_t> number_of_label(numbers.budget());
  PARAPRINT_TRY(number_of_label.assign(cluster_of_page.size(), 0));
  PARAPRINT_TRY(numbers.assign(cluster_of_page.size(), 0));
  std::uint32_t next = 1;
  for (const std::uint32_t page : pages_by_id) {
    // Lets the budget move pages of the arrays to disk between rows.
    tick(numbers.budget());
    PARAPRINT_ASSERT(page < cluster_of_page.size() && cluster_of_page[page] < number_of_label.size());
    std::uint32_t& number = number_of_label[cluster_of_page[page]];
    if (number == 0) number = next++;
    numbers[page] = number;
  }
  return {};
}

}  // namespace paraprint::inline report
