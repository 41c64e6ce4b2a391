// Training reads the corpus several times, so it is written to disk once, in an unnamed file that a killed process does
// not leave behind. fastText opens it through /proc/self/fd, which is why training needs Linux.
#include "semantics/vectors/vector_corpus.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <unordered_set>
#include <utility>

#include "api/corpus_stream.h"
#include "base/hash.h"
#include "base/progress.h"
#include "base/propagate.h"
#include "base/system_error.h"
#include "memory/scratch_folder.h"
#include "memory/seeded_hash.h"
#include "memory/temporary_file.h"
#include "text/normalise.h"
#include "text/word_segmenter.h"

namespace paraprint::inline semantics::inline vectors {
namespace {

// Repeated pages are recognised by the hash of their text: 8 bytes per page, and a collision merely skips a page.
class CorpusWriter {
 public:
  explicit CorpusWriter(VectorCorpus& corpus) : corpus_(corpus) {}

  Status add_page(const MainContent& content) {
    if (!known_.insert(hash64(content.text)).second) {
      ++corpus_.pages_repeated;
      return {};
    }
    ++corpus_.pages;
    for (const TextBlock& block : content.blocks) {
      add_block(std::string_view(content.text).substr(block.span.begin_bytes, block.span.size_bytes()));
    }
    return buffer_.size() < kBufferBytes ? Status{} : flush();
  }

  Status flush() {
    Status written = corpus_.file.append(buffer_);
    buffer_.clear();
    return written;
  }

 private:
  static constexpr std::size_t kBufferBytes = std::size_t{1} << 20;

  // A block is a line because fastText takes context windows within lines only: words of a menu entry and of the next
  // paragraph are not neighbours.
  void add_block(std::string_view text) {
    normalised_.clear();
    normaliser_.append_normalised(text, normalised_);
    WordSegmenter::shared().segment(normalised_, tokens_);
    for (const Token& token : tokens_) {
      buffer_ += token.word(normalised_);
      buffer_ += ' ';
    }
    if (!tokens_.empty()) buffer_.back() = '\n';
    corpus_.words += tokens_.size();
  }

  VectorCorpus& corpus_;
  Normaliser normaliser_;
  std::string normalised_;
  std::vector<Token> tokens_;
  std::string buffer_;
  std::unordered_set<std::uint64_t, SeededHash> known_;
};

}  // namespace

Result<CorpusFile> CorpusFile::create(const std::string& folder) {
  PARAPRINT_ASSIGN(int descriptor, open_nameless_file(folder));
  return CorpusFile(descriptor, folder);
}

CorpusFile::CorpusFile(CorpusFile&& other) noexcept
    : descriptor_(std::exchange(other.descriptor_, -1)), folder_(std::move(other.folder_)) {}

CorpusFile& CorpusFile::operator=(CorpusFile&& other) noexcept {
  std::swap(descriptor_, other.descriptor_);
  std::swap(folder_, other.folder_);
  return *this;
}

CorpusFile::~CorpusFile() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

// write() may store a part and may be interrupted; a return of 0 means that the disk is full.
Status CorpusFile::append(std::string_view text) const {
  while (!text.empty()) {
    const ssize_t written = ::write(descriptor_, text.data(), text.size());
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) {
      return tl::unexpected<Error>(system_error("write a temporary file in", folder_, written < 0 ? errno : ENOSPC));
    }
    text.remove_prefix(static_cast<std::size_t>(written));
  }
  return {};
}

// The file has no name of its own, but the descriptor has one.
std::string CorpusFile::path() const {
  return fmt::format("/proc/self/fd/{}", descriptor_);
}

// Pages arrive in input order for any number of threads, so the corpus, and with one training thread the model, is
// reproducible.
Result<VectorCorpus> write_vector_corpus(const TrainVectorsOptions& options, const RunControl& control) {
  PARAPRINT_ASSIGN(CorpusFile file, CorpusFile::create(temporary_folder(options.tmp)));
  VectorCorpus corpus{std::move(file)};
  CorpusWriter writer(corpus);
  ProgressReporter reporter(control);
  const PageStreamOptions stream = corpus_stream_options(options, options.file.threads);
  reporter.begin("read", 0, "pages");
  PARAPRINT_ASSIGN(PageStreamOutcome outcome, for_each_page(
                                                  stream,
                                                  [&](const StreamedPage& page) {
                                                    Status added = writer.add_page(page.content);
                                                    const std::uint64_t pages = corpus.pages + corpus.pages_repeated;
                                                    reporter.update(pages, pages);
                                                    return added;
                                                  },
                                                  control));
  PARAPRINT_TRY(writer.flush());
  reporter.end();
  corpus.broken_records = outcome.broken_records;
  corpus.unreadable_inputs = outcome.unreadable_inputs;
  if (corpus.words == 0) return failure(ErrorCode::kInvalidArgument, "the input contains no text to train on");
  return corpus;
}

}  // namespace paraprint::inline semantics::inline vectors
