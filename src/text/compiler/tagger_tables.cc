// Writes the hidden Markov model of jieba's posseg in the form read by text/part_of_speech_tagger.cc: emissions grouped
// by character, with an offset table, because each character has only a few of the many possible states.
#include <algorithm>
#include <cstring>

#include "text/compiler/compiler.h"

namespace paraprint::compiler {

using text_data::TaggerEmission;
using text_data::TaggerTag;

void write_tagger_tables(const Jieba& jieba, const CharacterIds& ids, TableWriter& writer,
                         text_data::Constants& constants) {
  // The map is sorted by name, which gives tags the order that ties depend on.
  std::vector<TaggerTag> tags;
  std::map<std::string, std::uint8_t> number_of;
  for (const auto& [name, model] : jieba.tagger) {
    if (name.size() >= text_data::kTagNameSize) fail("a tag of jieba's posseg is too long: " + name);
    if (tags.size() == text_data::kTaggerTagsMaximum) fail("too many tags in jieba's posseg");
    number_of[name] = static_cast<std::uint8_t>(tags.size());
    TaggerTag& tag = tags.emplace_back(model);
    std::memset(tag.name, 0, sizeof(tag.name));
    std::memcpy(tag.name, name.data(), name.size());
  }
  std::vector<std::vector<TaggerEmission>> by_character(ids.count);
  for (const TaggerEmissionRow& row : jieba.tagger_emissions) {
    const auto id = ids.ids.find(row.character);
    if (id == ids.ids.end()) continue;  // outside the range of Han characters
    by_character[id->second].push_back({row.log_probability, row.place, number_of.at(row.tag), 0});
  }
  std::vector<std::uint32_t> begins;
  std::vector<TaggerEmission> emissions;
  for (std::vector<TaggerEmission>& of_character : by_character) {
    std::sort(of_character.begin(), of_character.end(), [](const TaggerEmission& a, const TaggerEmission& b) {
      return a.place != b.place ? a.place < b.place : a.tag < b.tag;
    });
    begins.push_back(static_cast<std::uint32_t>(emissions.size()));
    emissions.insert(emissions.end(), of_character.begin(), of_character.end());
  }
  begins.push_back(static_cast<std::uint32_t>(emissions.size()));
  constants.tagger_tag_count = static_cast<std::uint32_t>(tags.size());
  writer.write("tagger_tags", tags);
  writer.write("tagger_begins", begins);
  writer.write("tagger_emissions", emissions);
}

}  // namespace paraprint::compiler
