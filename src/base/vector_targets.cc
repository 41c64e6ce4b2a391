// Which vector instruction sets this processor has, for Highway's dispatch at run time.
//
// Highway declares the two functions below and defines them in its library. That library also measures the resolution
// of the processor's clock when it is loaded, which took a fifth of the time that a short command needs
// (docs/decisions.md). With the functions defined here, the headers are all that is used of Highway, and the linker
// leaves the library out. Where the compiler cannot tell the sets apart, the library is used.
#include <hwy/highway.h>

#include <cstdint>

#if HWY_ARCH_X86_64 && HWY_COMPILER_GCC_ACTUAL

namespace hwy {
namespace {

// The conditions of Highway's library. The compiler's detection includes whether the operating system saves the wider
// registers.
std::int64_t detect_targets() {
  std::int64_t targets = HWY_SCALAR | HWY_EMU128 | HWY_STATIC_TARGET;
  if (!__builtin_cpu_supports("ssse3")) return targets;
  targets |= HWY_SSSE3;
  if (!__builtin_cpu_supports("x86-64-v2") || !__builtin_cpu_supports("pclmul") || !__builtin_cpu_supports("aes")) {
    return targets;
  }
  targets |= HWY_SSE4;
  if (!__builtin_cpu_supports("x86-64-v3")) return targets;
  targets |= HWY_AVX2;
  if (!__builtin_cpu_supports("x86-64-v4")) return targets;
  targets |= HWY_AVX3;
  if (__builtin_cpu_supports("avx512vnni") && __builtin_cpu_supports("vpclmulqdq") &&
      __builtin_cpu_supports("avx512vbmi") && __builtin_cpu_supports("avx512vbmi2") && __builtin_cpu_supports("vaes") &&
      __builtin_cpu_supports("avx512vpopcntdq") && __builtin_cpu_supports("avx512bitalg") &&
      __builtin_cpu_supports("gfni")) {
    targets |= HWY_AVX3_DL;
  }
  return targets;
}

}  // namespace

int64_t SupportedTargets() {
  static const std::int64_t targets = detect_targets();
  return targets;
}

ChosenTarget& GetChosenTarget() {
  static ChosenTarget target;
  return target;
}

}  // namespace hwy

#endif
