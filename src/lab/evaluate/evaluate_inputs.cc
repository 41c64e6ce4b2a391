// A labelled set is a directory with fixed file names (docs/evaluation.md), or is named file by file in the options.
// Everything is located before the first page is read: a missing label file must not cost hours of reading.
#include "lab/evaluate/evaluate_inputs.h"

#include <fmt/format.h>
#include <simdjson.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <iterator>

#include "base/propagate.h"

namespace paraprint::inline lab::inline evaluation {
namespace {

namespace fs = std::filesystem;

// In the order of preference.
constexpr std::array<std::string_view, 2> kCompressions = {".gz", ""};

// `folder`/`name` or its gzip form; empty if neither is there.
std::string file_of(const fs::path& folder, std::string_view name) {
  for (const std::string_view compression : kCompressions) {
    std::error_code ignored;
    const fs::path path = folder / fmt::format("{}{}", name, compression);
    if (fs::is_regular_file(path, ignored)) return path.string();
  }
  return {};
}

// Web archives in the folder or below it. If there are any, they are the pages: docs.jsonl then only describes them and
// would otherwise add every page a second time.
std::vector<std::string> archives_of(const fs::path& folder) {
  std::vector<std::string> archives;
  std::error_code failed;
  for (fs::recursive_directory_iterator entry(folder, failed), end; !failed && entry != end; entry.increment(failed)) {
    const std::string name = entry->path().filename().string();
    const bool is_archive = name.find(".warc") != std::string::npos || name.find(".arc") != std::string::npos;
    if (is_archive && entry->is_regular_file(failed)) archives.push_back(entry->path().string());
  }
  return archives;
}

// set.json is optional, and so is its "world"; a value other than the two is refused, because a wrong world changes
// every precision figure.
Result<std::string> world_of(const fs::path& folder) {
  const std::string path = (folder / "set.json").string();
  std::error_code ignored;
  if (!fs::exists(path, ignored)) return std::string{};
  simdjson::dom::parser parser;
  simdjson::dom::object object;
  if (parser.load(path).get(object) != simdjson::SUCCESS) {
    return failure(ErrorCode::kInvalidArgument, fmt::format("{}: not a JSON object", path));
  }
  std::string_view world;
  if (object["world"].get(world) != simdjson::SUCCESS) return std::string{};
  if (world != "open" && world != "closed") {
    return failure(ErrorCode::kInvalidArgument,
                   fmt::format("{}: \"world\" is '{}'; it must be open or closed", path, world));
  }
  return std::string(world);
}

// The set's name is that of its folder, with or without a trailing slash in the path.
Result<LabelledSetFiles> find_set(const std::string& path, const EvaluateOptions& options) {
  LabelledSetFiles set;
  const fs::path folder(path);
  set.path = path;
  set.name = folder.has_filename() ? folder.filename().string() : folder.parent_path().filename().string();
  std::error_code ignored;
  if (!fs::is_directory(folder, ignored)) {
    return failure(ErrorCode::kNotFound, fmt::format("{}: not a directory; a labelled set must be a directory", path));
  }
  set.labels = file_of(folder, "labels.tsv");
  set.clusters = file_of(folder, "clusters.tsv");
  set.details = file_of(folder, "labels_detail.tsv");
  set.documents = file_of(folder, "docs.jsonl");
  // Clusters alone are labels too: every pair inside a cluster is near, all others differ.
  if (set.labels.empty()) std::swap(set.labels, set.clusters);
  if (set.labels.empty()) {
    return failure(ErrorCode::kInvalidArgument, fmt::format("{}: contains no labels.tsv[.gz]", path));
  }
  PARAPRINT_ASSIGN(std::string world, world_of(folder));
  set.world = options.world.empty() ? world : options.world;
  std::vector<std::string> inputs = archives_of(folder);
  if (inputs.empty() && !set.documents.empty()) inputs = {set.documents};
  if (inputs.empty()) {
    return failure(ErrorCode::kInvalidArgument, fmt::format("{}: contains neither docs.jsonl[.gz] nor archives", path));
  }
  PARAPRINT_ASSIGN(std::vector<InputFile> pages, expand_inputs(inputs, options.reading));
  set.pages = std::move(pages);
  return set;
}

// The set given by --pages and --labels. Its name in tables is that of the label file up to the first dot.
Result<LabelledSetFiles> find_named(const EvaluateOptions& options) {
  LabelledSetFiles set;
  set.path = options.inputs.labels;
  set.name = fs::path(options.inputs.labels).filename().string();
  set.name = set.name.substr(0, set.name.find('.'));
  set.labels = options.inputs.labels;
  set.clusters = options.inputs.clusters;
  set.world = options.world;
  PARAPRINT_ASSIGN(std::vector<InputFile> pages, expand_inputs(options.inputs.pages, options.reading));
  set.pages = std::move(pages);
  return set;
}

// By name: a file of pages in JSON lines.
bool is_json_lines(const InputFile& input) {
  const std::string name = fs::path(input.path).filename().string();
  return input.kind == InputKind::kFile && !input.wacz &&
         (name.find(".jsonl") != std::string::npos || name.find(".ndjson") != std::string::npos);
}

}  // namespace

Result<std::vector<LabelledSetFiles>> find_labelled_sets(const EvaluateOptions& options) {
  std::vector<LabelledSetFiles> sets;
  for (const std::string& path : options.sets) {
    PARAPRINT_ASSIGN(LabelledSetFiles set, find_set(path, options));
    sets.push_back(std::move(set));
  }
  if (!options.inputs.pages.empty()) {
    PARAPRINT_ASSIGN(LabelledSetFiles set, find_named(options));
    sets.push_back(std::move(set));
  }
  return sets;
}

// Errors end the loop quietly: without labels, a page is classified by its script.
std::unordered_map<std::string, PageLabels> read_page_labels(const LabelledSetFiles& set, const ReadOptions& reading) {
  std::unordered_map<std::string, PageLabels> labels;
  std::vector<InputFile> inputs;
  if (!set.documents.empty()) {
    Result<std::vector<InputFile>> documents = expand_inputs({set.documents}, reading);
    if (documents) inputs = std::move(*documents);
  } else {
    std::copy_if(set.pages.begin(), set.pages.end(), std::back_inserter(inputs), is_json_lines);
  }
  GoldParser parser(reading);
  GoldSource source(inputs, reading);
  for (Result<std::optional<GoldBatch>> batch = source.next(); batch && *batch; batch = source.next()) {
    for (const RawRecord& line : (*batch)->lines) {
      PageLabels found = parser.labels(line);
      if (!found.language.empty() || !found.page_type.empty()) labels.emplace(line.id, std::move(found));
    }
  }
  return labels;
}

}  // namespace paraprint::inline lab::inline evaluation
