// rc::check only prints failures; this also fails the test.
#pragma once

#include <gtest/gtest.h>
#include <rapidcheck.h>

#define CHECK_PROPERTY(...) EXPECT_TRUE(rc::check(__VA_ARGS__))
