// `paraprint compare A B`: two pages from files, verified and laid out side by side.
#include <fmt/format.h>

#include <algorithm>

#include "archive/http_payload.h"
#include "archive/input_files.h"
#include "archive/record_reader.h"
#include "engine/fingerprint_set.h"
#include "engine/page_profiler.h"
#include "engine/registry.h"
#include "engine/shown_page.h"
#include "paraprint/engine.h"
#include "report/compare_report.h"
#include "verify/paragraph_matching.h"

namespace paraprint {
namespace {

// The first page of a file: the page itself, or the first page of an archive.
Result<Page> read_first_page(const std::string& path, const ReadOptions& options) {
  Result<std::vector<InputFile>> inputs = expand_inputs({path}, options);
  if (!inputs) return tl::unexpected<Error>(inputs.error());
  Result<std::unique_ptr<RecordReader>> reader = open_records(inputs->front(), options, [](const Defect&) {});
  if (!reader) return tl::unexpected<Error>(reader.error());
  for (;;) {
    Result<std::optional<RawRecord>> record = (*reader)->next();
    if (!record) return tl::unexpected<Error>(record.error());
    if (!record->has_value()) return failure(ErrorCode::kNotFound, fmt::format("{}: holds no page", path));
    DecodedRecord decoded = decode_page(std::move(**record), options, path);
    if (decoded.outcome == PageOutcome::kAccepted) return std::move(decoded.page);
  }
}

struct Side {
  Profile profile;
  PageFingerprint fingerprint;
  ShownPage shown;
};

Result<Side> read_side(const std::string& path, PageProfiler& profiler) {
  Result<Page> page = read_first_page(path, ReadOptions{});
  if (!page) return tl::unexpected<Error>(page.error());
  Side side;
  side.profile = profiler.profile(*page);
  side.fingerprint = profiler.page_fingerprint();
  side.shown = shown_page(profiler.content(), side.profile.content_characters);
  side.shown.id = path;
  side.shown.url = page->url;
  side.shown.date = page->date;
  return side;
}

}  // namespace

Result<CompareOutcome> compare_files(const std::string& path_a, const std::string& path_b,
                                     const CompareOptions& options) {
  if (options.format != "text" && options.format != "json" && options.format != "html") {
    return failure(ErrorCode::kInvalidArgument,
                   fmt::format("format is '{}'; it must be one of text, json, html", options.format));
  }
  Result<std::unique_ptr<PageProfiler>> profiler = PageProfiler::create(options.profile, WordWeights::bundled());
  if (!profiler) return tl::unexpected<Error>(profiler.error());
  Result<Side> a = read_side(path_a, **profiler);
  if (!a) return tl::unexpected<Error>(a.error());
  Result<Side> b = read_side(path_b, **profiler);
  if (!b) return tl::unexpected<Error>(b.error());
  Result<ComparedPair> pair = compare(a->profile, b->profile, options.match);
  if (!pair) return tl::unexpected<Error>(pair.error());
  Result<AlgorithmChoice> algorithm = choose_algorithm(options.profile.algorithm);
  if (!algorithm) return tl::unexpected<Error>(algorithm.error());
  if (!algorithm->is_paragraph_method()) {
    const FingerprintSet set(*algorithm, {std::move(a->fingerprint), std::move(b->fingerprint)});
    pair->match = set.match(0, 1, a->profile.content_characters, b->profile.content_characters, options.match);
  }
  const Normaliser normaliser(NormaliseOptions{options.profile.fold_traditional});
  Comparison comparison;
  comparison.a = std::move(a->shown);
  comparison.b = std::move(b->shown);
  comparison.match = pair->match;
  comparison.spans = std::move(pair->spans);
  comparison.fold = fold_of(normaliser);
  CompareOutcome outcome;
  outcome.match = pair->match;
  if (options.format == "json") {
    outcome.rendered = comparison_json(comparison);
  } else if (options.format == "html") {
    outcome.rendered = comparison_html(comparison);
  } else {
    TerminalOptions terminal;
    terminal.use_colour = options.use_colour;
    terminal.width_columns = std::clamp<std::size_t>(options.width_columns, 40, 400);
    outcome.rendered = comparison_text(comparison, terminal);
  }
  return outcome;
}

}  // namespace paraprint
