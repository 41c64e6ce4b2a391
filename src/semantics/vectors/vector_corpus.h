// Converts pages to the text that word vectors are trained on: words as segmented for fingerprints, one line per block.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

#include "paraprint/vectors.h"

namespace paraprint::inline semantics::inline vectors {

// An unnamed text file that disappears with this object.
class CorpusFile {
 public:
  static Result<CorpusFile> create(const std::string& folder);
  CorpusFile(CorpusFile&& other) noexcept;
  CorpusFile& operator=(CorpusFile&& other) noexcept;
  ~CorpusFile();

  // Errors such as kNoSpace name the folder.
  Status append(std::string_view text) const;
  // A path under which this process can open the file (fastText only accepts paths). Valid as long as this object.
  std::string path() const;

 private:
  CorpusFile(int descriptor, std::string folder) : descriptor_(descriptor), folder_(std::move(folder)) {}

  int descriptor_ = -1;
  std::string folder_;
};

struct VectorCorpus {
  CorpusFile file;
  std::uint64_t words = 0;
  std::uint64_t pages = 0;
  std::uint64_t pages_repeated = 0;
  std::uint64_t broken_records = 0;
  std::uint64_t unreadable_inputs = 0;
};

// Pages whose text occurred before are skipped, because a mirrored site would otherwise count several times.
// kInvalidArgument if there is no word at all.
Result<VectorCorpus> write_vector_corpus(const TrainVectorsOptions& options, const RunControl& control);

}  // namespace paraprint::inline semantics::inline vectors
