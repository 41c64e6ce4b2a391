// The order in which the file of certificate authorities is looked for.
#include "web/certificate_file.h"

#include <gtest/gtest.h>

#include <array>
#include <fstream>
#include <string>

#include "temporary_folder.h"

namespace paraprint {
namespace {

TEST(CertificateFile, IsTheFirstThatExists) {
  const TemporaryFolder folder;
  const std::string missing = folder / "missing.pem";
  const std::string first = folder / "first.pem";
  const std::string second = folder / "second.pem";
  std::ofstream(first) << "one";
  std::ofstream(second) << "two";
  const std::array<std::string_view, 3> places = {missing, first, second};
  EXPECT_EQ(find_certificate_file(nullptr, places), first);
  EXPECT_EQ(find_certificate_file("", places), first);
  EXPECT_EQ(find_certificate_file(nullptr, std::span(places).first(1)), "");
}

TEST(CertificateFile, TheVariableIsNotSecondGuessed) {
  const TemporaryFolder folder;
  const std::string exists = folder / "exists.pem";
  std::ofstream(exists) << "one";
  const std::array<std::string_view, 1> places = {exists};
  EXPECT_EQ(find_certificate_file("/no/such/file.pem", places), "/no/such/file.pem");
}

}  // namespace
}  // namespace paraprint
