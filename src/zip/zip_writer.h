// Writes a ZIP file (zip64 where it has to be), complete or absent, with the same bytes for the same members.
//
//   PARAPRINT_ASSIGN(std::unique_ptr<ZipWriter> zip, ZipWriter::create("crawl.wacz"));
//   PARAPRINT_TRY(zip->begin("pages/pages.jsonl", ZipMethod::kDeflate));
//   PARAPRINT_TRY(zip->write(line));
//   PARAPRINT_ASSIGN(ZipWritten member, zip->end());
//   PARAPRINT_TRY(zip->commit());
//
// All members have the time 1 January 1980, 00:00, the first one that the format has.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "base/atomic_file.h"
#include "paraprint/result.h"
#include "zip/zip_directory.h"

namespace paraprint::inline zip {

enum class ZipMethod : std::uint8_t { kStore, kDeflate };

struct ZipWritten {
  std::string name;
  ZipPlace place;
  std::string sha256;  // of the content, in hexadecimal digits
};

// Not thread-safe. Errors: those of base/atomic_file.h. After an error, the object can only be destroyed.
class ZipWriter final : public ByteSink {
 public:
  static Result<std::unique_ptr<ZipWriter>> create(const std::string& path);
  ~ZipWriter() override;

  // Call order: (begin, write*, end)*, commit. Members of any size; at most 65,535 bytes of name.
  Status begin(const std::string& name, ZipMethod method);
  Status write(std::string_view bytes) override;
  Result<ZipWritten> end();

  // The file that has the members ended so far, until commit().
  Result<std::string> readable_path();

  // Returns the size of the file in bytes.
  Result<std::uint64_t> commit();

 private:
  struct Implementation;
  explicit ZipWriter(std::unique_ptr<Implementation> implementation);

  std::unique_ptr<Implementation> implementation_;
};

}  // namespace paraprint::inline zip
