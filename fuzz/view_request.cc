// Fuzzes the explorer, of a run and of an index, with any request: it is answered or refused, never with an internal
// error, and always as a file of the page, as a saved table, or in JSON that a browser would not take for HTML. The
// first line is method and target, the second the content type, the rest the body. The mutator also sends a request to
// each row of the tables of calls, so that a new call needs no seed.
#include <simdjson.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "paraprint/engine.h"
#include "paraprint/index.h"
#include "temporary_folder.h"
#include "view/explorer.h"
#include "view/known/known_explorer.h"
#include "view/known/known_routes.h"
#include "view/known/known_service.h"
#include "view/view_routes.h"
#include "view/view_service.h"

namespace {

using namespace paraprint;

// Judgements are appended to a file. When it has grown to this, everything begins anew.
constexpr std::uintmax_t kJudgementBytesMaximum = 4 << 20;

std::string sentence(int from) {
  std::string words;
  for (int word = from; word < from + 12; ++word) words += "word" + std::to_string(word * 7 % 1000) + ' ';
  return words + ".";
}

// Groups of pages that share most of their sentences, with markup in what names them.
void write_fuzz_pages(const std::string& path) {
  std::ofstream file(path);
  for (int group = 0; group < 6; ++group) {
    for (int copy = 0; copy < 1 + group; ++copy) {
      file << R"({"id":"<b>)" << group << '-' << copy << R"(\u202e","url":"https://h)" << copy << ".example/<script>/"
           << group << R"(","date":"2025-0)" << 1 + copy << R"(-01T00:00:00Z","text":")";
      for (int i = 0; i < 12; ++i) file << sentence(group * 500 + i * 20 + (i < copy * 2 ? 3 : 0)) << "\\n\\n";
      file << "\"}\n";
    }
  }
}

template <class Value>
Value valid(Result<Value> result) {
  if (!result) std::abort();
  return std::move(*result);
}
void check(const Status& status) {
  if (!status) std::abort();
}

// A finished run and an index of the same pages in a temporary folder, both loaded.
class ScratchExplorers {
 public:
  ScratchExplorers() {
    DedupOptions run;
    run.inputs = {folder_ / "pages.jsonl"};
    write_fuzz_pages(run.inputs.front());
    run.output.out = folder_ / "clean";
    run.output.report = false;
    run.output.provenance = true;
    run.resources.threads = 1;
    valid(deduplicate(run));
    check(store_options(run.output.out, ""));
    options_.threads = 1;
    run_ = valid(Explorer::open(run, options_));
    check(run_->load({}));
    run_service_ = std::make_unique<ViewService>(*run_, options_);
    make_index();
    index_ = valid(KnownExplorer::open(folder_ / "known", options_, {}));
    check(index_->load({}));
    index_service_ = std::make_unique<KnownService>(*index_, options_);
  }
  ScratchExplorers(const ScratchExplorers&) = delete;
  ScratchExplorers& operator=(const ScratchExplorers&) = delete;

  std::vector<HttpService*> services() { return {run_service_.get(), index_service_.get()}; }
  bool is_full() const {
    std::error_code ignored;
    const std::uintmax_t size = std::filesystem::file_size(folder_ / "clean/judgements.jsonl", ignored);
    return size != static_cast<std::uintmax_t>(-1) && size > kJudgementBytesMaximum;
  }

 private:
  void make_index() {
    std::unique_ptr<Profiler> profiler = std::make_unique<Profiler>(valid(Profiler::create({})));
    IndexOptions options;
    options.identity = profiler->settings_identity();
    options.sync = SyncMode::kNone;
    const std::unique_ptr<PageIndex> index = valid(PageIndex::open(folder_ / "known", options));
    for (int number = 0; number < 12; ++number) {
      Page page;
      std::string text;
      for (int i = 0; i < 10; ++i) text += sentence(number / 4 * 400 + i * 20 + (i < number % 4 ? 3 : 0)) + "\n\n";
      page.body = text;
      page.format = PageFormat::kPlainText;
      const std::string id = "<i>" + std::to_string(number);
      IndexPageInput input;
      input.id = id;
      input.url = "https://h.example/";
      input.profile = &profiler->profile(page);
      valid(index->lookup_or_add(input, {}));
    }
  }

  // The members are destroyed from the last one to the first: each refers to those above it.
  TemporaryFolder folder_;
  ViewOptions options_;
  std::unique_ptr<Explorer> run_;
  std::unique_ptr<ViewService> run_service_;
  std::unique_ptr<KnownExplorer> index_;
  std::unique_ptr<KnownService> index_service_;
};

std::string_view take_request_line(std::string_view& rest) {
  const std::size_t end = rest.find('\n');
  const std::string_view line = rest.substr(0, end);
  rest.remove_prefix(end == std::string_view::npos ? rest.size() : end + 1);
  return line;
}

void check_view_json(std::string_view json) {
  static simdjson::dom::parser parser;
  if (parser.parse(json.data(), json.size()).error() != simdjson::SUCCESS) std::abort();
}

void check_response(const HttpResponse& response) {
  if (response.status == 500) std::abort();
  if (response.content_type == "application/json") {
    check_view_json(response.body);
    if (response.body.find_first_of("<>&") != std::string::npos) std::abort();
    return;
  }
  if (response.content_type == "application/x-ndjson") {
    for (std::string_view rest = response.body; !rest.empty();) check_view_json(take_request_line(rest));
    return;
  }
  // Files of the page come with its policy; tables are never shown by a browser.
  const bool is_table = response.content_type == "text/tab-separated-values";
  if (is_table == !response.security_policy.empty()) std::abort();
}

const Route& view_route(unsigned number) {
  const std::size_t rows = std::size(kViewRoutes) + std::size(kKnownRoutes);
  const std::size_t row = number % rows;
  return row < std::size(kViewRoutes) ? kViewRoutes[row] : kKnownRoutes[row - std::size(kViewRoutes)];
}

}  // namespace

extern "C" std::size_t LLVMFuzzerMutate(std::uint8_t* data, std::size_t size, std::size_t max_size);

extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size, std::size_t max_size,
                                               unsigned seed) {
  constexpr unsigned kUsualPerOtherCall = 16;
  if (seed % kUsualPerOtherCall != 0) return LLVMFuzzerMutate(data, size, max_size);
  const Route& route = view_route(seed / kUsualPerOtherCall);
  std::string_view rest(reinterpret_cast<const char*>(data), size);
  const std::string_view target = take_request_line(rest);
  // The parameters stay.
  const std::size_t query = std::min(target.find('?'), target.size());
  std::string request = std::string(route.method) + " " + std::string(route.path) + std::string(target.substr(query)) +
                        "\n" + std::string(rest);
  request.resize(std::min(request.size(), max_size));
  std::copy(request.begin(), request.end(), data);
  return request.size();
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static auto scratch = std::make_unique<ScratchExplorers>();
  if (scratch->is_full()) scratch = std::make_unique<ScratchExplorers>();
  for (HttpService* service : scratch->services()) {
    std::string_view rest(reinterpret_cast<const char*>(data), size);
    std::string_view target = take_request_line(rest);
    RequestHead head;
    head.method = target.substr(0, target.find(' '));
    target.remove_prefix(std::min(target.size(), head.method.size() + 1));
    head.target = target;
    head.host = "localhost";
    head.content_type = take_request_line(rest);
    head.has_body = !rest.empty();
    std::string allow;
    const Answer<RoutedTarget> routed = service->admit(head, allow);
    check_response(routed ? service->answer(*routed, head, rest) : response_of(routed.error()));
  }
  return 0;
}
