// Pages for tests: a text is a list of sentences by number, each of 40 characters.
#pragma once

#include <initializer_list>
#include <string>
#include <vector>

#include "provenance/traced_page.h"

namespace paraprint {

inline TracedPage traced_page(const std::string& id, const std::vector<std::uint64_t>& sentences) {
  TracedPage page;
  page.id = id;
  page.url = "http://" + id + ".example/";
  for (const std::uint64_t sentence : sentences) {
    page.sentences.push_back({sentence, 40, {128, 128}});
    page.text_hash[0] = page.text_hash[0] * 1'000'003 + sentence;
  }
  return page;
}

// Gives the page marks of rarity and cohesion, in 255ths, for the sentences at these places.
inline void mark_sentences(TracedPage& page, std::initializer_list<std::size_t> places, SentenceMarks marks) {
  for (const std::size_t place : places) page.sentences[place].marks = marks;
}

}  // namespace paraprint
