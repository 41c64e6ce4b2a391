// Inputs that the C++ library does not read, because well-kept Python libraries do: tables, and files in object stores.
// The Python package reads them, and the program hands runs over them to it.
//
// Example:
//
//   bool a = is_table("crawl/part-0.parquet");        // true
//   bool b = is_remote("s3://bucket/crawl.warc.gz");  // true
//
// Thread-safe.
#pragma once

#include <string>
#include <string_view>

namespace paraprint {

// A URI, "s3://bucket/name" or "https://example.org/a.parquet"; also a pattern of such.
bool is_remote(std::string_view path);

// Parquet (.parquet, .pq), Arrow (.arrow, .feather, .ipc, .arrows) and CSV (.csv, .tsv, also compressed: .gz, .zst), by
// the name. A local folder counts if there are such files in it or below, and none that are read as pages or archives;
// looking for them reads the folder. False if it cannot be read.
bool is_table(const std::string& path);

}  // namespace paraprint
