// Pages to the text that word vectors are trained on: words as the fingerprints see them, a block of content a line.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

#include "paraprint/vectors.h"

namespace paraprint {

// A nameless file of text, which goes away with this object.
class CorpusFile {
 public:
  static Result<CorpusFile> create(const std::string& folder);
  CorpusFile(CorpusFile&& other) noexcept;
  CorpusFile& operator=(CorpusFile&& other) noexcept;
  ~CorpusFile();

  // kNoSpace and the like name the folder.
  Status append(std::string_view text) const;
  // Where this process can open the file again: fastText takes paths.
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

// Pages whose text was there before are left out: a mirrored site would count for many. kInvalidArgument if there is no
// word at all.
Result<VectorCorpus> write_vector_corpus(const TrainVectorsOptions& options, const ProgressCallback& progress,
                                         const std::function<void(std::string_view)>& complain);

}  // namespace paraprint
