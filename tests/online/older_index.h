// Makes an index of the oldest format out of one of this build. Real ones, made by older builds, are in
// tests/cli/data.
#pragma once

#include <gtest/gtest.h>
#include <rocksdb/db.h>

#include <fstream>
#include <memory>
#include <string>

namespace paraprint {

// Format 4 has no generations of profiles and no table of what pages state. `identity` replaces the stored one, unless
// it is empty.
inline void make_format_4(const std::string& folder, const std::string& identity = {}) {
  std::vector<std::string> names;
  ASSERT_TRUE(rocksdb::DB::ListColumnFamilies({}, folder + "/database", &names).ok());
  std::vector<rocksdb::ColumnFamilyDescriptor> descriptors;
  for (const std::string& name : names) descriptors.emplace_back(name, rocksdb::ColumnFamilyOptions());
  std::vector<rocksdb::ColumnFamilyHandle*> handles;
  rocksdb::DB* opened = nullptr;
  ASSERT_TRUE(rocksdb::DB::Open({}, folder + "/database", descriptors, &handles, &opened).ok());
  const std::unique_ptr<rocksdb::DB> database(opened);
  ASSERT_TRUE(database->Delete({}, "generations").ok());
  if (!identity.empty()) {
    ASSERT_TRUE(database->Put({}, "identity", identity).ok());
  }
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (names[i] == "origins") ASSERT_TRUE(database->DropColumnFamily(handles[i]).ok());
    database->DestroyColumnFamilyHandle(handles[i]);
  }
  std::ofstream(folder + "/format") << "paraprint index 4\n";
}

}  // namespace paraprint
