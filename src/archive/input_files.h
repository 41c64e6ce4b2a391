// Expands the paths given by a user into the list of inputs of a run.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "paraprint/byte_source.h"
#include "paraprint/read_options.h"
#include "paraprint/result.h"
#include "zip/zip_directory.h"

namespace paraprint {

class PageSequence;

}  // namespace paraprint

namespace paraprint::inline archive {

enum class InputKind : std::uint8_t {
  kFile,           // an archive, a JSONL file or a page; open_records detects which
  kPageFolder,     // a folder whose HTML and XML files are the records
  kStandardInput,  // "-"
  kMemory,         // pages that the caller provides (memory_reader.h)
  kWacz,           // a WACZ file: has no records, only the defects of its directory. Its WARC files follow as kFile
};

// An input that is part of a WACZ file. All offsets in it are those of the WARC file, as if it had been unpacked.
struct WaczPart {
  std::string file;  // path of the WACZ file
  ZipPlace place;
  // Not a member: the whole file, whose directory is unreadable. It is searched for the gzip members of its WARC files.
  bool is_recovered = false;
};

struct InputFile {
  InputKind kind = InputKind::kFile;
  std::string path;                    // of the file or page folder; "a.wacz/archive/b.warc.gz" in a WACZ file
  std::uint32_t index = 0;             // in the run's list; RecordLocation::file_index
  bool is_nameless = false;            // standard input or a copy of it, whose path says nothing of its content
  std::uint64_t size_bytes = 0;        // total of the input's files; 0 if unknown (standard input)
  std::vector<std::string> pages;      // page folder: paths relative to `path`, sorted bytewise
  std::optional<WaczPart> wacz;        // kFile only
  std::shared_ptr<ByteSource> source;  // kFile and kWacz: reads the bytes; null for a file of this machine
  // What the input's files were when they were listed: sizes and modification times, of a page folder with the names of
  // its pages, of others with the inode number; empty if unknown.
  std::string stamp;
  // kMemory only
  const PageSequence* memory = nullptr;
  std::string memory_digest;  // what tells the pages from all others; empty if the run is never resumed

  // The file or folder on disk that has the input.
  const std::string& stored_path() const { return wacz ? wacz->file : path; }
  // Whether reading may start anywhere without decompressing what lies before.
  bool is_seekable() const { return !wacz || !wacz->place.is_deflated; }
};

// Files are taken as they are; folders are searched recursively for archives, HTML and XML files by name (the endings
// are in archive_format.h and input_files.cc), XML files only if there are no archives. All HTML and XML files below
// one given folder form one input. A WACZ file gives an input for itself and one for each of its WARC files
// (wacz_input.h), and "a.wacz/archive/b.warc.gz" is that WARC file alone. The result is sorted bytewise by path and
// indexed in that order, without duplicates (links included), so it does not depend on the order of `paths`. "-" is
// standard input and must be the only path.
//
// Errors: kNotFound, kPermissionDenied or kInputOutput naming the file, both for given paths and for files in folders;
// kInvalidArgument for an empty list or a folder without any input; kLimitExceeded for more than max_files files.
Result<std::vector<InputFile>> expand_inputs(const std::vector<std::string>& paths, const ReadOptions& options = {});

// kCorruptData, naming the input, if its files are not those that were listed any more, as far as the stamp tells. To
// be called when an input has been read that must be the same as before. Cost: a look-up of each of its files.
Status check_unchanged(const InputFile& input);

// Whether the search of a folder that has no XML files takes a file of this name.
bool is_searched_name(std::string_view name);

}  // namespace paraprint::inline archive
