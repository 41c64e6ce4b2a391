// Labels as read from files: which pairs of ids are copies, which are not, and which edits produced them.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "paraprint/result.h"

namespace paraprint::inline lab::inline evaluation {

enum class TruthLabel : std::uint8_t {
  kDuplicate,  // "dup": the same text
  kNear,       // "near": the same text, edited
  kTopic,      // "topic", "event", "event/topic": related, heavily revised, or a part
  kDifferent,  // "diff"
};
std::string_view truth_label_name(TruthLabel label);  // "dup", "near", "topic", "diff"
inline bool is_positive(TruthLabel label) {
  return label == TruthLabel::kDuplicate || label == TruthLabel::kNear;
}

// Numbers strings in the order of first use.
class NameTable {
 public:
  std::uint32_t add(std::string_view name);
  const std::string& name(std::uint32_t index) const { return names_[index]; }
  std::uint32_t size() const { return static_cast<std::uint32_t>(names_.size()); }

 private:
  std::vector<std::string> names_;
  std::unordered_map<std::string, std::uint32_t> index_of_;
};

// Precedes an entry from a column `kind`, which is not an edit.
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
  NameTable edits;  // e.g. "synonyms+truncation#copy": edits, then kinds (kKindMark); entry 0 is ""
  std::vector<LabelRow> pairs;
  std::vector<ClusterRow> cluster_rows;
  bool is_clusters_alone = false;  // labels were `id, cluster`: pairs within a cluster are near, others differ
};

// `labels` has the columns id_a, id_b, label and optionally more, of which `edits`, `edit` and `kind` are used if the
// first line, a heading that starts with id_a, names them; or the columns id, cluster. `clusters` (may be empty) has
// id, cluster. `details` (may be empty) is like `labels`, with a heading naming such columns; its other columns and
// unknown pairs are ignored.
//
// Errors: those of read_table; kInvalidArgument, naming file and line, for unknown labels, missing columns, a page
// paired with itself, a repeated pair, a page with two clusters, and files without labels.
Result<LabelFile> read_label_file(const std::string& labels, const std::string& clusters, const std::string& details);

}  // namespace paraprint::inline lab::inline evaluation
