// The text compiler's entry point and helpers; compiler.h describes the program.
//
// usage: paraprint_text_compiler JIEBA_DIRECTORY STOP_WORD_DIRECTORY DOCUMENT_FREQUENCY_TSV OUTPUT_DIRECTORY
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iterator>

#include "base/hash.h"
#include "text/compiler/compiler.h"
#include "text/utf8.h"

namespace paraprint::compiler {

void fail(const std::string& message) {
  std::fprintf(stderr, "paraprint_text_compiler: %s\n", message.c_str());
  std::exit(EXIT_FAILURE);
}

std::string read_file(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) fail("cannot read " + path);
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

std::vector<char32_t> decode(std::string_view utf8) {
  std::vector<char32_t> out;
  const char* position = utf8.data();
  const char* end = position + utf8.size();
  while (position < end) {
    const DecodedCharacter character = decode_character(position, end);
    if (character.code_point == kInvalidCharacter) fail("not UTF-8: " + std::string(utf8));
    out.push_back(character.code_point);
    position += character.size_bytes;
  }
  return out;
}

void TableWriter::write_bytes(const std::string& name, std::string_view bytes) {
  const std::string path = directory_ + "/" + name + ".bin";
  std::ofstream file(path, std::ios::binary | std::ios::trunc);
  file.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  if (!file.flush()) fail("cannot write " + path);
  // Covers names and bytes, so any change of the data changes the version of the text tables.
  version_ = mix64(version_ ^ hash64(bytes)) + hash64(name);
}

}  // namespace paraprint::compiler

int main(int argument_count, char** arguments) {
  using namespace paraprint::compiler;
  if (argument_count != 5) {
    fail("usage: paraprint_text_compiler JIEBA_DIRECTORY STOP_WORD_DIRECTORY DOCUMENT_FREQUENCY_TSV OUTPUT_DIRECTORY");
  }
  TableWriter writer(arguments[4]);
  write_unicode_tables(writer);
  write_word_tables(read_jieba(arguments[1]), arguments[2], arguments[3], writer);
  return EXIT_SUCCESS;
}
