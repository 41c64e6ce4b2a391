// One table names the fields and says how each is written; the three forms walk it.
#include "report/annotation.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "base/propagate.h"
#include "report/verdict_text.h"

namespace paraprint::inline report {
namespace {

// Which pages have a value for a field: all; those that another one is kept for or that are kept themselves; copies.
enum class OfPages : std::uint8_t { kAll, kWithAKeptOne, kCopies };

struct FieldRow {
  std::string_view name;
  OfPages pages = OfPages::kAll;
  bool is_of_page = false;  // a property of the page and no decision: the record's own value stays
  void (*write)(const PageAnnotation&, JsonWriter&);
};

// The names are stored in users' records: they never change.
constexpr std::array<FieldRow, 9> kFields{{
    {"cluster", OfPages::kAll, false, [](const PageAnnotation& page, JsonWriter& json) { json.value(page.cluster); }},
    {"cluster_size", OfPages::kAll, false,
     [](const PageAnnotation& page, JsonWriter& json) { json.value(page.cluster_size); }},
    {"is_kept", OfPages::kAll, false, [](const PageAnnotation& page, JsonWriter& json) { json.value(page.is_kept); }},
    {"kept_id", OfPages::kWithAKeptOne, false,
     [](const PageAnnotation& page, JsonWriter& json) { json.value(page.kept_id); }},
    {"verdict", OfPages::kCopies, false,
     [](const PageAnnotation& page, JsonWriter& json) { json.value(verdict_name(page.verdict)); }},
    {"score", OfPages::kCopies, false,
     [](const PageAnnotation& page, JsonWriter& json) { json.value(Real{page.score}); }},
    {"content_characters", OfPages::kAll, false,
     [](const PageAnnotation& page, JsonWriter& json) { json.value(page.content_characters); }},
    {"language", OfPages::kAll, true,
     [](const PageAnnotation& page, JsonWriter& json) { json.value(std::string_view(page.language)); }},
    {kBoilerplateShareField, OfPages::kAll, false,
     [](const PageAnnotation& page, JsonWriter& json) { json.value(Real{page.boilerplate_share}); }},
}};

bool has_field(const PageAnnotation& annotation, const FieldRow& row) {
  return row.pages == OfPages::kAll || annotation.is_copy ||
         (row.pages == OfPages::kWithAKeptOne && annotation.is_kept);
}

// The text of a JSON value as a line of a WARC record has it: of a string, the characters themselves.
std::string plain_text(const PageAnnotation& annotation, const FieldRow& row) {
  if (row.name == "kept_id") return std::string(annotation.kept_id);
  JsonWriter json;
  row.write(annotation, json);
  std::string text = json.take();
  if (text.size() >= 2 && text.front() == '"') text = text.substr(1, text.size() - 2);  // a name without escapes
  return text;
}

bool is_usable_name(std::string_view name) {
  return !name.empty() && std::none_of(name.begin(), name.end(), [](char c) {
    const auto byte = static_cast<unsigned char>(c);
    return byte < 0x20 || byte == 0x7F || c == ':';
  });
}

}  // namespace

std::span<const std::string_view> annotation_field_names() {
  static constexpr auto kNames = [] {
    std::array<std::string_view, kFields.size()> names;
    std::transform(kFields.begin(), kFields.end(), names.begin(), [](const FieldRow& row) { return row.name; });
    return names;
  }();
  return kNames;
}

Result<std::vector<AnnotationField>> parse_annotation_fields(std::span<const std::string> names) {
  std::vector<AnnotationField> fields;
  for (const std::string& item : names) {
    const std::size_t equals = item.find('=');
    const std::string_view name = std::string_view(item).substr(0, equals);
    const auto* const row =
        std::find_if(kFields.begin(), kFields.end(), [&](const FieldRow& known) { return known.name == name; });
    if (row == kFields.end()) {
      return failure(ErrorCode::kInvalidArgument, fmt::format("unknown field '{}' in annotation_fields; expected {}",
                                                              name, fmt::join(annotation_field_names(), ", ")));
    }
    const std::string written = equals == std::string::npos ? std::string(name) : item.substr(equals + 1);
    if (!is_usable_name(written)) {
      return failure(ErrorCode::kInvalidArgument,
                     fmt::format("annotation_fields has '{}': a name must not be empty nor have a colon or control "
                                 "characters",
                                 item));
    }
    const bool is_repeated =
        std::any_of(fields.begin(), fields.end(), [&](const AnnotationField& field) { return field.name == written; });
    if (is_repeated) {
      return failure(ErrorCode::kInvalidArgument, fmt::format("annotation_fields has the name '{}' twice", written));
    }
    fields.push_back({static_cast<std::size_t>(row - kFields.begin()), written});
  }
  return fields;
}

void write_annotation(const PageAnnotation& annotation, std::span<const AnnotationField> fields, JsonWriter& json) {
  for (const AnnotationField& field : fields) {
    const FieldRow& row = kFields[field.index];
    json.key(field.name);
    has_field(annotation, row) ? row.write(annotation, json) : json.null();
  }
}

std::vector<std::pair<std::string, std::string>> annotation_lines(const PageAnnotation& annotation,
                                                                  std::span<const AnnotationField> fields) {
  std::vector<std::pair<std::string, std::string>> lines;
  for (const AnnotationField& field : fields) {
    const FieldRow& row = kFields[field.index];
    if (has_field(annotation, row)) lines.emplace_back(field.name, plain_text(annotation, row));
  }
  return lines;
}

Result<std::string_view> AnnotatedLines::annotated(std::string_view line, const PageAnnotation& annotation) {
  bool is_empty = true;
  std::vector<AnnotationField> added(fields_.begin(), fields_.end());
  PARAPRINT_TRY(editor_.for_each_member(line, [&](std::string_view name, TextSpan) -> Status {
    is_empty = false;
    for (const AnnotationField& field : fields_) {
      if (field.name != name) continue;
      if (kFields[field.index].is_of_page) {
        std::erase_if(added, [&](const AnnotationField& other) { return other.name == name; });
        continue;
      }
      return failure(ErrorCode::kInvalidArgument,
                     fmt::format("there is a field \"{0}\" already; give the new one another name, like "
                                 "annotation_fields \"{1}=new_{1}\", or leave it out",
                                 name, kFields[field.index].name));
    }
    return {};
  }));
  json_.begin_object();
  write_annotation(annotation, added, json_);
  json_.end_object();
  const std::string members = json_.take();
  return editor_.with_members(line, is_empty, std::string_view(members).substr(1, members.size() - 2));
}

Result<AnnotationWriter> AnnotationWriter::create(std::string path, std::span<const AnnotationField> fields) {
  PARAPRINT_ASSIGN(AtomicFile file, AtomicFile::create(std::move(path)));
  return AnnotationWriter(std::move(file), fields);
}

Status AnnotationWriter::add(const PageAnnotation& annotation) {
  json_.begin_object();
  json_.member("id", annotation.id);
  write_annotation(annotation, fields_, json_);
  json_.end_object();
  std::string line = json_.take();
  line += '\n';
  return file_.write(line);
}

}  // namespace paraprint::inline report
