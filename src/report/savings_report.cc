// The sums, and savings.json.
#include "report/savings_report.h"

#include "base/atomic_file.h"
#include "base/propagate.h"
#include "report/json_writer.h"

namespace paraprint::inline report {
namespace {

void write_amounts(JsonWriter& json, const SavedBytes& amounts) {
  json.member("records", amounts.records);
  json.member("bytes_before", amounts.bytes_before);
  json.member("bytes_after", amounts.bytes_after);
  json.member("bytes_saved", amounts.bytes_saved());
}

void write_classes(JsonWriter& json, const SavingsRow& row) {
  json.key("classes");
  json.begin_object();
  for (std::size_t i = 0; i < row.classes.size(); ++i) {
    if (row.classes[i].records == 0) continue;
    json.key(kSavingsClassNames[i]);
    json.begin_object();
    write_amounts(json, row.classes[i]);
    json.end_object();
  }
  json.end_object();
}

void write_row(JsonWriter& json, const SavingsRow& row) {
  write_amounts(json, row.all());
  json.member("records_removed", row.records_removed());
  write_classes(json, row);
}

// "other" is there even if it is empty, so that readers need not ask.
void write_table(JsonWriter& json, std::string_view name_member, const SavingsTable& table) {
  json.begin_object();
  json.member("total", table.size());
  json.key("rows");
  json.begin_array();
  for (const SavingsRow& row : table.rows()) {
    json.begin_object();
    json.member(name_member, std::string_view(row.name));
    write_row(json, row);
    json.end_object();
  }
  json.end_array();
  json.key("other");
  json.begin_object();
  write_row(json, table.other());
  json.end_object();
  json.end_object();
}

}  // namespace

void SavedBytes::add(const SavedBytes& other) {
  records += other.records;
  bytes_before += other.bytes_before;
  bytes_after += other.bytes_after;
}

void SavingsRow::add(const SavingsRow& other) {
  for (std::size_t i = 0; i < classes.size(); ++i) classes[i].add(other.classes[i]);
}

SavedBytes SavingsRow::all() const {
  SavedBytes sum;
  for (const SavedBytes& of_class : classes) sum.add(of_class);
  return sum;
}

bool SavingsTable::BySaving::operator()(const SavingsRow& a, const SavingsRow& b) const {
  const std::int64_t saved_a = a.all().bytes_saved();
  const std::int64_t saved_b = b.all().bytes_saved();
  return saved_a != saved_b ? saved_a > saved_b : a.name < b.name;
}

void SavingsTable::add(SavingsRow row) {
  ++size_;
  rows_.insert(std::move(row));
  if (rows_.size() <= limit_) return;
  const auto last = std::prev(rows_.end());
  other_.add(*last);
  rows_.erase(last);
}

std::string savings_json(const SavingsReport& report) {
  JsonWriter json(JsonLayout::kIndented);
  json.begin_object();
  json.key("totals");
  json.begin_object();
  write_row(json, report.totals);
  json.member("file_bytes_before", report.file_bytes_before);
  json.member("file_bytes_after", report.file_bytes_after);
  json.end_object();
  json.key("media_types");
  write_table(json, "media_type", report.media_types);
  json.key("hosts");
  write_table(json, "host", report.hosts);
  json.end_object();
  return json.take() + "\n";
}

Status write_savings(const std::string& folder, const SavingsReport& report) {
  PARAPRINT_TRY(write_file_atomically(folder + "/savings.json", savings_json(report)));
  return write_file_atomically(folder + "/savings.html", savings_page(report));
}

}  // namespace paraprint::inline report
