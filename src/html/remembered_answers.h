// Answers to one yes-or-no question about texts, remembered by their hashes. Values of attributes repeat, and each
// paragraph copies the formatting elements and the link that are open, with their attributes: a page of 64 KB may give
// a thousand elements one value of a kilobyte each, and the parser has copied it in a moment.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace paraprint::inline html {

// Not thread-safe: use one per thread and question.
class RememberedAnswers {
 public:
  // question(text), which must be the same for equal texts. Answers do not depend on earlier calls: at 64 bits
  // collisions are negligible, and hashes are seeded, so that no page can make one. Cost: a hash of the text if it has
  // been asked about before.
  template <class Question>
  bool ask(std::string_view text, Question&& question) {
    const std::uint64_t hash = hash_of(text);
    const std::uint64_t key = (hash | kIsKnown) & ~kIsTrue;
    std::uint64_t& answer = answers_[(hash >> 20) % kAnswers];  // a text with the same place replaces it
    if ((answer & ~kIsTrue) != key) answer = key | (question(text) ? kIsTrue : 0);
    return (answer & kIsTrue) != 0;
  }

 private:
  static constexpr std::size_t kAnswers = 1024;  // 8 KiB: more than the styles of a page
  static constexpr std::uint64_t kIsTrue = 1;
  static constexpr std::uint64_t kIsKnown = 2;  // unlike an empty entry

  static std::uint64_t hash_of(std::string_view text);

  std::array<std::uint64_t, kAnswers> answers_{};  // hashes whose lowest bit is the answer
};

}  // namespace paraprint::inline html
