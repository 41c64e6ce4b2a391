// Fuzzes the files that a run keeps for the next one, with right checksums: a run that finds them there comes to its
// end or says that they are damaged. The first byte chooses the file: the log of pages, of which the pieces of the
// input are batches; the scores, of which they are blocks; or the known pages, of which the first one is the content. A
// piece is its size in two bytes, and its bytes. From 80 (hexadecimal) on, pages are compared by MinHash instead of
// paragraphs.
#include <unistd.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <string_view>
#include <vector>

#include "base/assert.h"
#include "base/byte_codec.h"
#include "base/hash.h"
#include "paraprint/engine.h"
#include "temporary_folder.h"

namespace {

using namespace paraprint;

constexpr std::string_view kBatchMagic = "PPB1";
constexpr std::uint8_t kByMinHash = 0x80;

std::string file_bytes(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

void write_bytes(const std::string& path, std::string_view bytes) {
  std::ofstream file(path, std::ios::binary);
  file << bytes;
  PARAPRINT_ASSERT(file.good());
}

// Pages in two inputs: of the same text, of nearly the same text, and of others.
void write_pages(const std::string& path, int first) {
  std::ofstream file(path);
  for (int page = first; page < first + 3; ++page) {
    file << R"({"id":"p)" << page << R"(","url":"https://h.example/)" << page << R"(","date":"2025-01-0)" << 1 + page
         << R"(T00:00:00Z","text":")";
    for (int word = 0; word < 80; ++word) {
      file << "word" << (word < page * 3 % 9 ? page * 100 : 0) + word << (word % 10 == 9 ? ".\\n\\n" : " ");
    }
    file << "\"}\n";
  }
}

// A run that is over, and what it left behind.
class FinishedRun {
 public:
  explicit FinishedRun(const std::string& algorithm) {
    options_.inputs = {folder_ / "a.jsonl", folder_ / "b.jsonl"};
    write_pages(options_.inputs[0], 0);
    write_pages(options_.inputs[1], 3);
    options_.output.out = folder_ / "clean";
    options_.profile.algorithm = algorithm;
    options_.output.report = false;
    options_.output.provenance = true;
    options_.resources.threads = 1;
    PARAPRINT_ASSERT(deduplicate(options_).has_value());
    log_ = file_bytes(path_of("pages.log"));
    scores_ = file_bytes(path_of("scores"));
    PARAPRINT_ASSERT(log_.find(kBatchMagic) != std::string::npos);
  }
  FinishedRun(const FinishedRun&) = delete;
  FinishedRun& operator=(const FinishedRun&) = delete;

  // The log is read to its end, and reading goes on from there.
  void run_with_log(const std::vector<std::string_view>& bodies) {
    std::string log = log_.substr(0, log_.find(kBatchMagic));
    for (const std::string_view body : bodies) {
      const std::string_view pages = body.substr(std::min<std::size_t>(1, body.size()));
      log += kBatchMagic;
      ByteWriter writer(log);
      writer.fixed(std::uint32_t{body.empty() ? 0U : static_cast<unsigned char>(body.front())});
      writer.fixed(static_cast<std::uint64_t>(pages.size()));
      writer.fixed(hash64(pages));
      log += pages;
    }
    write_bytes(path_of("pages.log"), log);
    write_bytes(path_of("scores"), scores_);
    check(deduplicate(options_));
  }

  void run_with_scores(const std::vector<std::string_view>& blocks) {
    constexpr std::size_t kMagicBytes = sizeof("paraprint scored pairs\n");  // and the version
    constexpr std::size_t kBlockHeadBytes = 12;
    const std::string_view identity =
        ByteReader(std::string_view(scores_).substr(kMagicBytes + kBlockHeadBytes)).text();
    std::string scores = scores_.substr(0, kMagicBytes);
    std::string block;
    ByteWriter(block).text(identity);
    const auto append_block = [&scores](std::string_view bytes) {
      ByteWriter writer(scores);
      writer.fixed(static_cast<std::uint32_t>(bytes.size()));
      writer.fixed(hash64(bytes));
      scores += bytes;
    };
    for (const std::string_view bytes : blocks) {
      block += bytes;
      append_block(block);
      block.clear();
    }
    append_block(block);
    write_bytes(path_of("scores"), scores);
    write_bytes(path_of("pages.log"), log_);
    check(recluster(options_));
  }

  void run_with_known(std::string_view content) {
    std::string known = "paraprint known pages\n";
    ByteWriter writer(known);
    writer.fixed(std::uint32_t{1});
    writer.fixed(static_cast<std::uint64_t>(log_.size()));
    writer.text("index");
    known += content;
    const std::uint64_t sum = hash64(known);
    ByteWriter(known).fixed(sum);
    write_bytes(path_of("known"), known);
    write_bytes(path_of("pages.log"), log_);
    write_bytes(path_of("scores"), scores_);
    check(recluster(options_));
    std::filesystem::remove(path_of("known"));
  }

 private:
  std::string path_of(std::string_view name) const { return options_.output.out + "/.paraprint/" + std::string(name); }

  static void check(const Result<DedupOutcome>& outcome) {
    if (outcome) {
      PARAPRINT_ASSERT(outcome->pages_kept + outcome->pages_removed == outcome->pages);
      return;
    }
    const ErrorCode code = outcome.error().code;
    for (const ErrorCode usual : {ErrorCode::kCorruptData, ErrorCode::kInvalidArgument, ErrorCode::kUnsupported}) {
      if (code == usual) return;
    }
    std::fprintf(stderr, "error %d: %s\n", static_cast<int>(code), outcome.error().message.c_str());
    std::abort();
  }

  TemporaryFolder folder_;
  DedupOptions options_;
  std::string log_;
  std::string scores_;
};

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static FinishedRun by_paragraphs("paragraph");
  static FinishedRun by_minhash("minhash");
  ByteReader in({reinterpret_cast<const char*>(data), size});
  const auto file = in.fixed<std::uint8_t>();
  FinishedRun& run = file < kByMinHash ? by_paragraphs : by_minhash;
  std::vector<std::string_view> pieces;
  while (in.ok() && !in.at_end()) {
    const std::string_view piece = in.bytes(in.fixed<std::uint16_t>());
    if (in.ok()) pieces.push_back(piece);
  }
  if (pieces.empty()) return 0;
  switch (file % kByMinHash % 3) {
    case 0:
      run.run_with_log(pieces);
      break;
    case 1:
      run.run_with_scores(pieces);
      break;
    default:
      run.run_with_known(pieces.front());
      break;
  }
  return 0;
}
