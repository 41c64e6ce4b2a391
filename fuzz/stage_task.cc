// Fuzzes the tasks of divided runs: parcels, blocks of known texts and batches of pages of any bytes are rejected or
// worked on without harm. They come from folders and networks that others may write to.
//
// Input: the number of the stage, options, then pieces: a byte that says what it is, two with its size, its bytes.
#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/byte_codec.h"
#include "paraprint/distributed.h"

namespace {

using namespace paraprint;

// Pieces that are no parcels.
constexpr std::uint8_t kKnownBlock = 0xF0;
constexpr std::uint8_t kFacts = 0xF1;
constexpr std::uint8_t kProfiles = 0xF2;

enum OptionBit : std::uint8_t {
  kPageLevel = 1,
  kRecords = 2,
  kRevisits = 4,
  kEvidence = 8,
  kConnected = 16,
  kNoJoin = 32,
  kSets = 64
};

DedupOptions options_of(std::uint8_t bits) {
  DedupOptions options;
  options.resources.memory = std::uint64_t{64} << 20;
  if ((bits & kPageLevel) != 0) options.profile.algorithm = "simhash-64";
  if ((bits & kSets) != 0) options.profile.algorithm = "spotsigs";
  options.output.records = (bits & (kRecords | kRevisits)) != 0;
  options.output.revisits = (bits & kRevisits) != 0;
  options.output.evidence = (bits & kEvidence) != 0;
  if ((bits & kConnected) != 0) options.survivors.clusters = ClusterMode::kConnected;
  if ((bits & kNoJoin) != 0) options.candidates.candidate_bits = -1;
  return options;
}

void add_stages(const std::vector<DistributedJob>& jobs, std::vector<DistributedStage>& stages) {
  for (const DistributedJob& job : jobs) {
    for (const auto& level : job.levels) {
      for (const DistributedStage& stage : level) {
        const bool is_there = std::any_of(stages.begin(), stages.end(),
                                          [&](const DistributedStage& other) { return other.name == stage.name; });
        if (!is_there) stages.push_back(stage);
      }
    }
  }
}

// All stages, in an order that does not change between runs of the fuzzer.
std::vector<DistributedStage> all_stages() {
  std::vector<DistributedStage> stages = {{"words", {"words"}}, {"rows", {}}, {"arrange", {"rows"}}};
  for (const int bits : {kEvidence | kRevisits, kPageLevel | kRecords, static_cast<int>(kSets)}) {
    const DedupOptions options = options_of(static_cast<std::uint8_t>(bits));
    add_stages(distributed_jobs(options, true), stages);
    add_stages(distributed_record_jobs(options), stages);
    add_stages(distributed_known_jobs(options), stages);
  }
  return stages;
}

std::string scratch_folder() {
  static const std::string folder = [] {
    const auto path = std::filesystem::temp_directory_path() / ("paraprint-fuzz-" + std::to_string(::getpid()));
    std::filesystem::create_directories(path);
    std::atexit([] {
      std::error_code ignored;
      std::filesystem::remove_all(
          std::filesystem::temp_directory_path() / ("paraprint-fuzz-" + std::to_string(::getpid())), ignored);
    });
    return path.string();
  }();
  return folder;
}

// The second of three tasks, with pages 4 to 7 of twelve.
StageSettings settings_of(const std::string& stage) {
  StageSettings settings;
  settings.stage = stage;
  settings.partitions = settings.shares = 3;
  settings.share = 1;
  if (stage != "words" && stage != "rows") settings.first_pages = {0, 4, 8, 12};
  settings.first_ids = {"h", "p"};
  settings.inputs = {"a.warc.gz", "b.warc.gz"};
  settings.known_texts = {0, 16, 40};
  settings.is_remembered = true;
  settings.fingerprints = 100;
  settings.temporary_folder = scratch_folder();
  return settings;
}

struct Piece {
  std::uint8_t kind = 0;
  std::string_view bytes;
};

void take_all(StageTask& task) {
  while (true) {
    const Result<std::vector<Parcel>> parcels = task.take_parcels();
    if (!parcels || parcels->empty()) return;
    for (const Parcel& parcel : *parcels) {
      if (parcel.kind.starts_with("known/") && !read_known_blocks(parcel.bytes)) std::abort();
    }
  }
}

bool give(StageTask& task, const std::vector<std::string>& kinds, const std::vector<Piece>& pieces) {
  for (const Piece& piece : pieces) {
    if (piece.kind >= kKnownBlock || kinds.empty()) continue;
    if (!task.add_parcel(kinds[piece.kind % kinds.size()], piece.bytes)) return false;
  }
  if (!task.end_parcels()) return false;
  for (const Piece& piece : pieces) {
    if (piece.kind != kKnownBlock || task.known_table().empty()) continue;
    if (task.needs_known(1, 0, ~std::uint64_t{0}) && !task.add_known(1, piece.bytes)) return false;
  }
  std::string_view facts;
  for (const Piece& piece : pieces) {
    if (piece.kind == kFacts) facts = piece.bytes;
    if (piece.kind != kProfiles || !task.needs_pages(4, 4)) continue;
    if (!task.add_pages(4, facts, task.needs_profiles() ? piece.bytes : std::string_view())) return false;
  }
  return task.finish().has_value();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const std::vector<DistributedStage> stages = all_stages();
  ByteReader in({reinterpret_cast<const char*>(data), size});
  const DistributedStage& stage = stages[in.fixed<std::uint8_t>() % stages.size()];
  const DedupOptions options = options_of(in.fixed<std::uint8_t>());
  std::vector<Piece> pieces;
  while (in.ok() && !in.at_end()) {
    Piece piece;
    piece.kind = in.fixed<std::uint8_t>();
    piece.bytes = in.bytes(in.fixed<std::uint16_t>());
    if (in.ok()) pieces.push_back(piece);
  }
  const Result<std::unique_ptr<StageTask>> task = StageTask::create(options, settings_of(stage.name));
  if (!task) return 0;
  give(**task, stage.kinds, pieces);
  take_all(**task);
  return 0;
}
