// Descriptions of pages in JSON-LD, the vocabulary of schema.org.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>

namespace paraprint::inline corpus {

// The members of an article or a page that corpora keep; empty where there is none.
struct JsonLdPage {
  std::string title;           // headline, otherwise name
  std::string author;          // names, joined by ", "
  std::string publisher;       // name
  std::string date_published;  // as written
  std::string date_modified;   // likewise
  std::string based_on;        // address of what it is based on, as written
  std::string licence;         // address, as written
};

// Keeps its memory between texts. Not thread-safe.
class JsonLdReader {
 public:
  JsonLdReader();
  ~JsonLdReader();
  JsonLdReader(const JsonLdReader&) = delete;
  JsonLdReader& operator=(const JsonLdReader&) = delete;

  // Adds to `page` the members that it lacks. Looks at the objects of the text, at those of arrays and of "@graph",
  // and takes articles before other things that are published. Text that is not JSON, or longer than 1 MiB, is
  // ignored. Cost: O(size).
  void read(std::string_view json, JsonLdPage& page);

 private:
  struct Implementation;
  std::unique_ptr<Implementation> implementation_;
};

}  // namespace paraprint::inline corpus
