// WACZ files (Web Archive Collection Zipped) as inputs: each WARC file in one is an input of its own, read in place.
//
// A WARC file is a member "archive/NAME.warc" or "archive/NAME.warc.gz". Names are only shown, and become names of
// output files; those that could lead out of a folder are refused. Everything that is not read is a defect of the WACZ
// file.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "archive/content_stream.h"
#include "archive/input_files.h"
#include "archive/record.h"
#include "archive/record_reader.h"
#include "paraprint/byte_source.h"
#include "paraprint/read_options.h"
#include "paraprint/result.h"
#include "zip/zip_member.h"

namespace paraprint::inline archive {

// Members of one file; those behind are not read. A crawl of a year with a WARC file per hour has a tenth of it.
inline constexpr std::uint64_t kMaxWaczMembers = 100'000;
// Of datapackage.json, which has some 200 bytes per member. Compressed it would be small whatever it has, and parsed it
// takes eight times as much.
inline constexpr std::uint64_t kMaxWaczPackageBytes = std::uint64_t{1} << 20;
inline constexpr std::uint64_t kMaxWaczPackageBytesPerMember = 1024;

inline constexpr std::string_view kWaczEnding = ".wacz";
// Of a member's name or one of its folders: that of file names on most systems.
inline constexpr std::size_t kWaczNameBytesMaximum = 255;
inline constexpr std::string_view kWaczPageLists[] = {"pages/pages.jsonl", "pages/extraPages.jsonl"};

// Whether a file that starts with these bytes, as many if it has them, starts like a ZIP file.
inline constexpr std::size_t kZipStartBytes = 4;
bool is_zip_start(std::string_view start);

// `name` with "_" in place of what makes the name of a member one that is not read, and of bytes that are not UTF-8,
// which readers would change. It has no folders, and its length stays.
std::string safe_wacz_name(std::string_view name);

// Whether the file starts like a ZIP file; false if it can be opened but not read. Errors: kNotFound,
// kPermissionDenied.
Result<bool> is_zip_file(const std::string& path);

struct WaczListing {
  // The file itself (kWacz), then its WARC files in the order of their names. If the directory is unreadable, the
  // second one is the whole file, which is searched for compressed records.
  std::vector<InputFile> inputs;
  std::vector<Defect> defects;
};

// If there is a source, it reads the bytes of the file, here and below, and nothing is opened by the path. Errors:
// those of reading the file, not of its content.
Result<WaczListing> list_wacz(const std::string& path, std::shared_ptr<ByteSource> source = nullptr);

// The content of another member, such as "pages/pages.jsonl"; nullopt if there is none, or if the sink was told why the
// member cannot be used: it is checked to its end before, because half of a list looks like a list. Errors:
// kInputOutput, kCancelled. Cost: decompressing it twice.
Result<std::optional<InputWindow>> open_wacz_member(const std::string& path, std::string_view name,
                                                    const ReadOptions& options, std::shared_ptr<ByteSource> source,
                                                    const DefectSink& sink);

// The stored bytes of an input that is a file, in a WACZ file or not. Errors: as InputWindow::open().
struct StoredInput {
  InputWindow window;
  std::shared_ptr<ZipMemberStream> member;  // null if the input is not a member
};
Result<StoredInput> open_stored(const InputFile& input, const ReadOptions& options);

// The content of these bytes. Errors: kInputOutput.
Result<std::unique_ptr<ContentStream>> open_stored_content(const InputFile& input, InputWindow window,
                                                           const ReadOptions& options, DefectSink sink);

// Reads as `reader` does, and reports at the end whether the checksum of the member is right.
std::unique_ptr<RecordReader> check_member_at_end(std::unique_ptr<RecordReader> reader,
                                                  std::shared_ptr<ZipMemberStream> member, const InputFile& input,
                                                  DefectSink sink);

}  // namespace paraprint::inline archive
