// `paraprint compare A B`: verifies two pages, from files or from memory, and lays them out side by side.
//
// The profiler and matcher are those of a run, but site boilerplate and document frequencies of a corpus are missing: a
// single pair has neither. It can therefore score differently here than within a run.
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <fstream>

#include "archive/http_payload.h"
#include "archive/input_files.h"
#include "archive/record_reader.h"
#include "base/atomic_file.h"
#include "base/propagate.h"
#include "engine/shown_page.h"
#include "paraprint/engine.h"
#include "paraprint/memory_pages.h"
#include "profile/page_profiler.h"
#include "profile/registry.h"
#include "profile/synonym_choice.h"
#include "report/compare_report.h"
#include "verify/paragraph_matching.h"

namespace paraprint {
namespace {

// Reads the page of an HTML or text file, or the first page of an archive. Defects are not reported: a file in which no
// record decodes is the error that the user needs.
Result<Page> read_first_page(const std::string& path, const ReadOptions& options) {
  PARAPRINT_ASSIGN(std::vector<InputFile> inputs, expand_inputs({path}, options));
  for (const InputFile& input : inputs) {
    PARAPRINT_ASSIGN(std::unique_ptr<RecordReader> reader, open_records(input, options, [](const Defect&) {}));
    for (;;) {
      PARAPRINT_ASSIGN(std::optional<RawRecord> record, reader->next());
      if (!record.has_value()) break;
      DecodedRecord decoded = decode_page(std::move(*record), options, path);
      if (decoded.outcome == PageOutcome::kAccepted) return std::move(decoded.page);
    }
  }
  return failure(ErrorCode::kNotFound, fmt::format("{}: contains no page", path));
}

// One page of the pair. The profiler is shared and overwrites its content with each page, hence the copies.
struct Side {
  MainContent content;
  Profile profile;
  PageFingerprint fingerprint;
};

Side profile_side(const Page& page, PageProfiler& profiler) {
  Side side;
  side.profile = profiler.profile(page);
  side.fingerprint = profiler.page_fingerprint();
  side.content = profiler.content();
  return side;
}

// Id, URL and date come from the page: extraction does not know them.
ShownPage shown_side(const Page& page, const Side& side) {
  ShownPage shown = shown_page(side.content, side.profile.content_characters);
  shown.id = page.id;
  shown.url = page.url;
  shown.date = page.date;
  return shown;
}

// The width is limited to what still reads as two columns.
std::string render(const Comparison& comparison, const CompareOptions& options) {
  if (options.format == "json") return comparison_json(comparison);
  if (options.format == "html") return comparison_html(comparison);
  TerminalOptions terminal;
  terminal.use_colour = options.use_colour;
  terminal.width_columns = std::clamp<std::size_t>(options.width_columns, 40, 400);
  return comparison_text(comparison, terminal);
}

}  // namespace

Result<ComparePagesOutcome> compare_pages(const Page& page_a, const Page& page_b, const CompareOptions& options) {
  if (options.format != "text" && options.format != "json" && options.format != "html") {
    return failure(ErrorCode::kInvalidArgument,
                   fmt::format("format is '{}'; it must be one of text, json, html", options.format));
  }
  PARAPRINT_ASSIGN(std::unique_ptr<PageProfiler> profiler,
                   PageProfiler::create(options.profile, WordWeights::bundled()));
  Side a = profile_side(page_a, *profiler);
  Side b = profile_side(page_b, *profiler);
  PARAPRINT_ASSIGN(CompareOutcome pair, compare(a.profile, b.profile, options.match));
  PARAPRINT_ASSIGN(const AlgorithmChoice algorithm, choose_algorithm(options.profile.algorithm));
  // Another algorithm decides the match; the spans of the paragraph method remain as evidence.
  if (!algorithm.is_paragraph_method()) {
    PARAPRINT_ASSIGN(pair.match, compare(FingerprintedPage{a.fingerprint, a.profile.content_characters},
                                         FingerprintedPage{b.fingerprint, b.profile.content_characters},
                                         algorithm.canonical, options.match));
  }
  const Normaliser normaliser(NormaliseOptions{options.profile.fold_traditional});
  Comparison comparison;
  comparison.a = shown_side(page_a, a);
  comparison.b = shown_side(page_b, b);
  comparison.match = pair.match;
  comparison.spans = pair.spans;
  comparison.fold = fold_of(normaliser);
  PARAPRINT_ASSIGN(std::shared_ptr<const Synonyms> synonyms, load_shown_synonyms(options.profile));
  comparison.synonyms = &synonyms->table;
  ComparePagesOutcome compared;
  compared.rendered = render(comparison, options);
  compared.pair = std::move(pair);
  compared.content_a = std::move(a.content);
  compared.content_b = std::move(b.content);
  compared.content_characters_a = a.profile.content_characters;
  compared.content_characters_b = b.profile.content_characters;
  return compared;
}

// The paths become the ids: what the page calls itself is of no use to someone comparing two files.
Result<CompareFilesOutcome> compare_files(const std::string& path_a, const std::string& path_b,
                                          const CompareOptions& options) {
  PARAPRINT_ASSIGN(Page a, read_first_page(path_a, ReadOptions{}));
  PARAPRINT_ASSIGN(Page b, read_first_page(path_b, ReadOptions{}));
  a.id = path_a;
  b.id = path_b;
  PARAPRINT_ASSIGN(ComparePagesOutcome compared, compare_pages(a, b, options));
  return CompareFilesOutcome{compared.pair.match, std::move(compared.rendered)};
}

Status write_file(const std::string& path, std::string_view bytes) {
  std::error_code ignored;
  // A rename would replace what is not a file: /dev/stdout, for example.
  if (std::filesystem::exists(path, ignored) && !std::filesystem::is_regular_file(path, ignored)) {
    std::ofstream target(path, std::ios::binary);
    target << bytes;
    if (target.flush()) return {};
    return failure(ErrorCode::kInputOutput, fmt::format("{}: cannot be written", path));
  }
  return write_file_atomically(canonical_path(path), bytes);
}

}  // namespace paraprint
