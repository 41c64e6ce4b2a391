// Labels as files give them: which pairs of ids are copies, which are not, and what was done to make them.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "paraprint/result.h"

namespace paraprint {

enum class TruthLabel : std::uint8_t {
  kDuplicate,  // "dup": the same text
  kNear,       // "near": the same text, edited
  kTopic,      // "topic", "event", "event/topic": related, or revised beyond recognition, or a part
  kDifferent,  // "diff"
};
std::string_view truth_label_name(TruthLabel label);  // "dup", "near", "topic", "diff"
inline bool is_positive(TruthLabel label) {
  return label == TruthLabel::kDuplicate || label == TruthLabel::kNear;
}

// Strings as numbers, in the order of their first use.
class NameTable {
 public:
  std::uint32_t add(std::string_view name);
  const std::string& name(std::uint32_t index) const { return names_[index]; }
  std::uint32_t size() const { return static_cast<std::uint32_t>(names_.size()); }

 private:
  std::vector<std::string> names_;
  std::unordered_map<std::string, std::uint32_t> index_of_;
};

// Stands before what a column `kind` says of a pair: that is no edit.
inline constexpr char kKindMark = '#';

struct LabelRow {
  std::uint32_t id_a = 0;  // in LabelFile::ids
  std::uint32_t id_b = 0;
  TruthLabel label = TruthLabel::kDifferent;
  std::uint32_t edits = 0;  // in LabelFile::edits; 0: none
  std::uint64_t line = 0;
};

struct ClusterRow {
  std::uint32_t id = 0;
  std::uint32_t cluster = 0;  // in LabelFile::clusters
  std::uint64_t line = 0;
};

struct LabelFile {
  std::string path;
  std::string clusters_path;
  NameTable ids;
  NameTable clusters;
  NameTable edits;  // "synonyms+truncation#copy": edits, then kinds (kKindMark); the first is ""
  std::vector<LabelRow> pairs;
  std::vector<ClusterRow> cluster_rows;
  bool is_clusters_alone = false;  // the labels were `id, cluster`: every pair inside a cluster is near, others differ
};

// `labels`: id_a, id_b, label and more columns, of which `edits`, `edit` and `kind` are used where a header line (it
// begins with id_a) names them; or id, cluster. `clusters` (may be empty): id, cluster. `details` (may be empty): like
// labels, with a header that names such columns; other pairs and columns are not looked at.
//
// Errors: those of read_table; kInvalidArgument, naming file and line, for unknown labels, missing columns, a page
// paired with itself, a pair or a page's cluster given twice, pairs labelled in two ways, and files without any label.
Result<LabelFile> read_label_file(const std::string& labels, const std::string& clusters, const std::string& details);

}  // namespace paraprint
