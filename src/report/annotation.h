// What a run says of a page in the page's own record, instead of removing it (`dedup --annotate`): named fields, as
// members of a JSON object, as lines of a WARC metadata record, and as a row of annotations.jsonl (docs/output.md).
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/atomic_file.h"
#include "paraprint/model.h"
#include "paraprint/result.h"
#include "report/json_line_editor.h"
#include "report/json_writer.h"

namespace paraprint::inline report {

// The views must outlive the object.
struct PageAnnotation {
  std::string_view id;  // as in clusters.tsv
  std::uint32_t cluster = 0;
  std::uint32_t cluster_size = 1;  // pages
  bool is_kept = true;
  bool is_copy = false;              // another page is kept in its place; otherwise it is kept or in another language
  std::string_view kept_id;          // of the page kept for the cluster: its own if it is kept
  Verdict verdict = Verdict::kSame;  // "the page is <verdict> the kept one"; only of copies
  double score = 1;                  // resemblance to the kept page; only of copies
  std::uint32_t content_characters = 0;
  std::string language;          // of the main content: "en"; "und" if it is unknown
  double boilerplate_share = 0;  // of the characters: in paragraphs that the page's site repeats
};

// A field to write, under the name that the user chose.
struct AnnotationField {
  std::size_t index = 0;  // in annotation_field_names()
  std::string name;
};

// The fields of PageAnnotation but for the id, in the order in which they are written by default.
std::span<const std::string_view> annotation_field_names();
inline constexpr std::string_view kBoilerplateShareField = "boilerplate_share";

// Fields from a list of "name" and "name=other name". kInvalidArgument for an unknown name, and for a name to be
// written that is empty, occurs twice, or has a colon or a control character.
Result<std::vector<AnnotationField>> parse_annotation_fields(std::span<const std::string> names);

// Members of an object. Fields that a kept page does not have are null.
void write_annotation(const PageAnnotation& annotation, std::span<const AnnotationField> fields, JsonWriter& json);

// For warc_fields(): fields that a kept page does not have are left out.
std::vector<std::pair<std::string, std::string>> annotation_lines(const PageAnnotation& annotation,
                                                                  std::span<const AnnotationField> fields);

// Adds members to JSON objects. Not thread-safe.
class AnnotatedLines {
 public:
  explicit AnnotatedLines(std::span<const AnnotationField> fields) : fields_(fields) {}

  // The object `line` with the fields as its last members; all other bytes stay as they are. Valid until the next call.
  // A language that it states already stays. kInvalidArgument if it has a member with the name of another field,
  // kCorruptData if it is not a JSON object.
  Result<std::string_view> annotated(std::string_view line, const PageAnnotation& annotation);

 private:
  std::span<const AnnotationField> fields_;
  JsonLineEditor editor_;
  JsonWriter json_;
};

// annotations.jsonl: a row per page, in the order of the input. The row has the page's id as "id". Errors: as
// AtomicFile.
class AnnotationWriter {
 public:
  // `fields` must outlive the writer.
  static Result<AnnotationWriter> create(std::string path, std::span<const AnnotationField> fields);
  Status add(const PageAnnotation& annotation);
  Status finish() { return file_.commit(); }

 private:
  AnnotationWriter(AtomicFile file, std::span<const AnnotationField> fields)
      : file_(std::move(file)), fields_(fields) {}
  AtomicFile file_;
  std::span<const AnnotationField> fields_;
  JsonWriter json_;
};

}  // namespace paraprint::inline report
