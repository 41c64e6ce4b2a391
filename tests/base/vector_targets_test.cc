// Our detection of vector instruction sets gives the sets that Highway's own library gives on the same processor.
#include <dlfcn.h>
#include <gtest/gtest.h>
#include <hwy/highway.h>

#include <cstdint>

namespace {

TEST(VectorTargets, AreThoseOfHighwaysLibrary) {
  void* const library = ::dlopen("libhwy.so.1", RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) GTEST_SKIP() << "Highway's library is not installed";
  using Function = std::int64_t (*)();
  const auto theirs = reinterpret_cast<Function>(::dlsym(library, "_ZN3hwy16SupportedTargetsEv"));
  if (theirs == nullptr) GTEST_SKIP() << "this version of the library has other names";
  const std::int64_t compared = HWY_SSSE3 | HWY_SSE4 | HWY_AVX2 | HWY_AVX3 | HWY_AVX3_DL;
  EXPECT_EQ(hwy::SupportedTargets() & compared, theirs() & compared);
  // What every build has as its last resort.
  EXPECT_NE(hwy::SupportedTargets() & HWY_STATIC_TARGET, 0);
}

}  // namespace
