// Reads labels from tables of pairs or of clusters. Repetitions and contradictions are errors, not warnings: a pair
// that is labelled twice would count twice or arbitrarily once, and every figure would be slightly wrong. They are
// reported here, where line numbers are known.
#include "lab/evaluate/label_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>
#include <span>
#include <utility>

#include "profile/table_reader.h"

namespace paraprint::inline lab::inline evaluation {
namespace {

using Fields = std::span<const std::string_view>;

struct NamedLabel {
  std::string_view name;
  TruthLabel label;
};
// Accepted spellings; "event" and "event/topic" mean "topic".
constexpr std::array kLabels = {
    NamedLabel{"dup", TruthLabel::kDuplicate},     NamedLabel{"near", TruthLabel::kNear},
    NamedLabel{"topic", TruthLabel::kTopic},       NamedLabel{"event", TruthLabel::kTopic},
    NamedLabel{"event/topic", TruthLabel::kTopic}, NamedLabel{"diff", TruthLabel::kDifferent}};
constexpr std::size_t kLabelColumn = 2;

tl::unexpected<Error> bad_line(const std::string& path, std::uint64_t line, std::string_view what) {
  return failure(ErrorCode::kInvalidArgument, fmt::format("{}: line {}: {}", path, line, what));
}

// Labels are not case-sensitive.
std::optional<TruthLabel> label_of(std::string_view text) {
  std::string lower(text);
  std::transform(lower.begin(), lower.end(), lower.begin(),
                 [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; });
  const auto found = std::find_if(kLabels.begin(), kLabels.end(), [&](const NamedLabel& l) { return l.name == lower; });
  return found == kLabels.end() ? std::nullopt : std::optional(found->label);
}

// Indices of the columns that say how a pair was made, ascending.
struct EditColumns {
  std::vector<std::size_t> edits;
  std::vector<std::size_t> kinds;
  bool empty() const { return edits.empty() && kinds.empty(); }
};

EditColumns edit_columns(Fields header) {
  EditColumns columns;
  for (std::size_t column = 0; column < header.size(); ++column) {
    if (header[column] == "edits" || header[column] == "edit") columns.edits.push_back(column);
    if (header[column] == "kind") columns.kinds.push_back(column);
  }
  return columns;
}

// Edits joined with '+', then kinds, each after kKindMark.
std::string edits_of(Fields fields, const EditColumns& columns) {
  std::string edits;
  const auto append = [&](const std::vector<std::size_t>& names, char separator) {
    for (const std::size_t column : names) {
      if (column >= fields.size()) break;  // they ascend, and a header may name far more than a row has
      if (fields[column].empty()) continue;
      if (!edits.empty() || separator == kKindMark) edits += separator;
      edits += fields[column];
    }
  };
  append(columns.edits, '+');
  append(columns.kinds, kKindMark);
  return edits;
}

// A pair is unordered.
std::uint64_t pair_key(std::uint32_t a, std::uint32_t b) {
  return std::uint64_t{std::min(a, b)} << 32 | std::max(a, b);
}

// A page may be called id_a, but no label is called label.
bool is_pair_heading(Fields fields) {
  return fields[0] == "id_a" && (fields.size() <= kLabelColumn || !label_of(fields[kLabelColumn]));
}

// Reads rows and finds repetitions. Only the first line of a file can be a heading: later ones are about pages with
// such names.
class LabelReader {
 public:
  explicit LabelReader(LabelFile& file) : file_(file) {}

  Status take(std::uint64_t line, Fields fields) {
    const bool is_cluster_row = fields.size() == 2;
    if (is_first_line()) {
      if (is_pair_heading(fields)) {
        edit_columns_ = edit_columns(fields);
        return {};
      }
      if (is_cluster_row && fields[0] == "id") return {};
    }
    // The first row decides whether the file holds pairs or clusters.
    if (rows_++ == 0) file_.is_clusters_alone = is_cluster_row;
    if (is_cluster_row != file_.is_clusters_alone) {
      return bad_line(file_.path, line, "mixes rows of two columns (id, cluster) and of three (id_a, id_b, label)");
    }
    return is_cluster_row ? add_cluster(file_.path, line, fields) : take_pair(line, fields);
  }

  Status take_cluster(const std::string& path, std::uint64_t line, Fields fields) {
    if (is_first_line() && fields[0] == "id") return {};
    return add_cluster(path, line, fields);
  }

  Status take_details(Fields fields) {
    if (is_first_line() && is_pair_heading(fields)) {
      edit_columns_ = edit_columns(fields);
    } else if (!edit_columns_.empty() && fields.size() > 1) {
      // Only pairs with a label get details; others are ignored, so details may cover a larger set.
      const auto row = row_of_.find(pair_key(file_.ids.add(fields[0]), file_.ids.add(fields[1])));
      if (row != row_of_.end()) file_.pairs[row->second].edits = file_.edits.add(edits_of(fields, edit_columns_));
    }
    return {};
  }

  std::uint64_t rows() const { return rows_; }
  // The heading of one file says nothing about the next.
  void begin_file() {
    is_begun_ = false;
    edit_columns_ = {};
  }

 private:
  bool is_first_line() { return !std::exchange(is_begun_, true); }

  Status add_cluster(const std::string& path, std::uint64_t line, Fields fields) {
    if (fields.size() < 2) return bad_line(path, line, "expected an id and a cluster");
    const ClusterRow row{file_.ids.add(fields[0]), file_.clusters.add(fields[1]), line};
    const auto [known, is_new] = cluster_of_.try_emplace(row.id, row);
    if (!is_new) {
      const bool agrees = known->second.cluster == row.cluster;
      return bad_line(path, line,
                      fmt::format("'{}' already has a cluster, given on line {}{}", fields[0], known->second.line,
                                  agrees ? "" : fmt::format(" as '{}'", file_.clusters.name(known->second.cluster))));
    }
    file_.cluster_rows.push_back(row);
    return {};
  }

  Status take_pair(std::uint64_t line, Fields fields) {
    if (fields.size() <= kLabelColumn) return bad_line(file_.path, line, "expected id_a, id_b and a label");
    const std::optional<TruthLabel> label = label_of(fields[kLabelColumn]);
    if (!label) {
      return bad_line(
          file_.path, line,
          fmt::format("unknown label '{}'; expected dup, near, topic, event or diff", fields[kLabelColumn]));
    }
    LabelRow row{file_.ids.add(fields[0]), file_.ids.add(fields[1]), *label, 0, line};
    if (row.id_a == row.id_b) return bad_line(file_.path, line, fmt::format("'{}' is paired with itself", fields[0]));
    const auto [known, is_new] = row_of_.try_emplace(pair_key(row.id_a, row.id_b), file_.pairs.size());
    if (!is_new) {
      const LabelRow& first = file_.pairs[known->second];
      return bad_line(
          file_.path, line,
          fmt::format("the pair '{}', '{}' is already labelled on line {}, as {}{}", fields[0], fields[1], first.line,
                      truth_label_name(first.label),
                      first.label == *label ? "" : fmt::format(", and now as {}", truth_label_name(*label))));
    }
    if (!edit_columns_.empty()) row.edits = file_.edits.add(edits_of(fields, edit_columns_));
    file_.pairs.push_back(row);
    return {};
  }

  LabelFile& file_;
  std::uint64_t rows_ = 0;  // of labels
  bool is_begun_ = false;
  EditColumns edit_columns_;
  std::unordered_map<std::uint64_t, std::size_t> row_of_;  // by pair_key
  std::unordered_map<std::uint32_t, ClusterRow> cluster_of_;
};

}  // namespace

std::string_view truth_label_name(TruthLabel label) {
  switch (label) {
    case TruthLabel::kDuplicate:
      return "dup";
    case TruthLabel::kNear:
      return "near";
    case TruthLabel::kTopic:
      return "topic";
    case TruthLabel::kDifferent:
      return "diff";
  }
  return "diff";
}

std::uint32_t NameTable::add(std::string_view name) {
  const auto [found, is_new] = index_of_.try_emplace(std::string(name), size());
  if (is_new) names_.emplace_back(name);
  return found->second;
}

Result<LabelFile> read_label_file(const std::string& labels, const std::string& clusters, const std::string& details) {
  LabelFile file;
  file.path = labels;
  file.clusters_path = clusters;
  // Entry 0, for pairs without edits.
  file.edits.add("");
  LabelReader reader(file);
  Status read = read_table(labels, [&](std::uint64_t line, Fields fields) { return reader.take(line, fields); });
  if (!read) return tl::unexpected<Error>(read.error());
  if (reader.rows() == 0) return failure(ErrorCode::kInvalidArgument, fmt::format("{}: no labels", labels));
  if (!clusters.empty() && file.is_clusters_alone) {
    return failure(ErrorCode::kInvalidArgument,
                   fmt::format("clusters are given twice: in {} and in {}", labels, clusters));
  }
  if (!clusters.empty()) {
    reader.begin_file();
    read = read_table(clusters,
                      [&](std::uint64_t line, Fields fields) { return reader.take_cluster(clusters, line, fields); });
    if (!read) return tl::unexpected<Error>(read.error());
  }
  if (!details.empty()) {
    reader.begin_file();
    read = read_table(details, [&](std::uint64_t, Fields fields) { return reader.take_details(fields); });
    if (!read) return tl::unexpected<Error>(read.error());
  }
  return file;
}

}  // namespace paraprint::inline lab::inline evaluation
