#include "semantics/vectors/principal_components.h"

#include <Eigen/Dense>
#include <atomic>
#include <cmath>
#include <numeric>

#include "base/stop.h"
#include "vectors_testing.h"

namespace paraprint {
namespace {

// Points along `dimension` hidden directions with decreasing spread, shifted away from the origin.
std::vector<float> cloud(std::size_t count, std::uint32_t dimension, double fall, std::uint64_t seed) {
  TestRandom random(seed);
  const auto normal = [&] {
    double sum = 0;
    for (int i = 0; i < 12; ++i) sum += static_cast<double>(random.next() >> 11) * 0x1p-53;
    return sum - 6;
  };
  Eigen::MatrixXd mix(dimension, dimension);
  for (Eigen::Index i = 0; i < mix.size(); ++i) mix.data()[i] = normal();
  const Eigen::MatrixXd turned = Eigen::HouseholderQR<Eigen::MatrixXd>(mix).householderQ();
  std::vector<float> points;
  for (std::size_t point = 0; point < count; ++point) {
    Eigen::VectorXd hidden(dimension);
    for (Eigen::Index i = 0; i < hidden.size(); ++i) hidden(i) = normal() * std::pow(fall, static_cast<double>(i));
    const Eigen::VectorXd seen = turned * hidden;
    for (const double value : seen) points.push_back(static_cast<float>(value + 0.5));
  }
  return points;
}

TEST(PrincipalComponents, MatchWorkedExample) {
  const std::vector<float> points = {2, 0, 0, 2, 3, 1, 1, 3};
  const PrincipalComponents found = *find_principal_components(points, 2, {});
  EXPECT_NEAR(found.mean[0], 1.5, 1e-12);
  EXPECT_NEAR(found.mean[1], 1.5, 1e-12);
  ASSERT_EQ(found.variances.size(), 2U) << "the first keeps 80 %, and 90 % are required";
  EXPECT_NEAR(found.variances[0], 2, 1e-12);
  EXPECT_NEAR(found.variances[1], 0.5, 1e-12);
  EXPECT_NEAR(found.directions[0], std::sqrt(0.5), 1e-12);
  EXPECT_NEAR(found.directions[1], -std::sqrt(0.5), 1e-12);
  EXPECT_EQ(find_principal_components(points, 2, {.share = 0.8 - 1e-9})->variances.size(), 1U);
}

// Eigen's full decomposition gives the same variances and the same subspace.
TEST(PrincipalComponents, AgreeWithFullDecomposition) {
  for (const auto& [count, dimension, fall] :
       {std::tuple<std::size_t, std::uint32_t, double>{400, 60, 0.9}, {300, 40, 0.7}, {30, 80, 0.8}, {500, 5, 1.0}}) {
    const std::vector<float> points = cloud(count, dimension, fall, count);
    const ComponentSettings settings{.share = 0.95, .maximum = 12};
    const PrincipalComponents found = *find_principal_components(points, dimension, settings);
    using RowMajor = Eigen::Matrix<float, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
    Eigen::MatrixXd centred =
        Eigen::Map<const RowMajor>(points.data(), static_cast<Eigen::Index>(count), dimension).cast<double>();
    const Eigen::RowVectorXd mean = centred.colwise().mean();
    centred.rowwise() -= mean;
    const Eigen::JacobiSVD<Eigen::MatrixXd> full(centred, Eigen::ComputeThinV);
    const Eigen::VectorXd variances = full.singularValues().array().square() / static_cast<double>(count);
    EXPECT_NEAR(found.total_variance, variances.sum(), 1e-9 * variances.sum());
    const auto kept = static_cast<Eigen::Index>(found.variances.size());
    ASSERT_LE(kept, 12);
    const bool is_enough = variances.head(kept).sum() >= 0.95 * variances.sum() * (1 - 1e-6);
    EXPECT_TRUE(is_enough || kept == 12);
    EXPECT_TRUE(kept == 1 || variances.head(kept - 1).sum() < 0.95 * variances.sum());
    double lost = 0;
    for (Eigen::Index i = 0; i < kept; ++i) {
      EXPECT_NEAR(found.variances[static_cast<std::size_t>(i)], variances(i), 2e-3 * variances(i)) << i;
      const Eigen::Map<const Eigen::VectorXd> direction(found.directions.data() + i * dimension, dimension);
      EXPECT_NEAR(direction.norm(), 1, 1e-9);
      Eigen::Index largest = 0;
      direction.cwiseAbs().maxCoeff(&largest);
      EXPECT_GT(direction(largest), 0);
      lost += (centred * direction).squaredNorm() / static_cast<double>(count) - variances(i);
    }
    EXPECT_NEAR(lost, 0, 1e-3 * variances.sum()) << "the kept directions are the best ones";
  }
}

TEST(PrincipalComponents, EvenDirectionsSpreadPointsEqually) {
  const std::vector<float> points = cloud(400, 8, 0.6, 2);
  PrincipalComponents found = *find_principal_components(points, 8, {.share = 1});
  ASSERT_EQ(found.variances.size(), 8U);
  even_out(found);
  for (std::size_t i = 0; i < 8; ++i) {
    double variance = 0;
    for (std::size_t point = 0; point < 400; ++point) {
      double along = 0;
      for (std::size_t j = 0; j < 8; ++j) {
        along += found.directions[i * 8 + j] * (static_cast<double>(points[point * 8 + j]) - found.mean[j]);
      }
      variance += along * along / 400;
    }
    EXPECT_NEAR(variance, found.variances[7], 1e-6 * found.variances[0]) << i;
  }
  PrincipalComponents steep{{0, 0}, {1, 0, 0, 1}, {4, 0}, 4};
  even_out(steep);
  EXPECT_EQ(steep.directions, (std::vector<double>{0.01, 0, 0, 1})) << "at most a factor of 100";
}

TEST(PrincipalComponents, AreDeterministic) {
  const std::vector<float> points = cloud(200, 30, 0.8, 7);
  EXPECT_EQ(find_principal_components(points, 30, {})->directions,
            find_principal_components(points, 30, {})->directions);
}

TEST(PrincipalComponents, EqualPointsHaveOneDirectionOfZeroVariance) {
  const std::vector<float> points = {1, 2, 3, 1, 2, 3};
  const PrincipalComponents found = *find_principal_components(points, 3, {});
  ASSERT_EQ(found.variances.size(), 1U);
  EXPECT_NEAR(found.variances[0], 0, 1e-20);
  EXPECT_NEAR(found.total_variance, 0, 1e-20);
  double length = 0;
  for (const double number : found.directions) length += number * number;
  EXPECT_NEAR(length, 1, 1e-9);
}

TEST(PrincipalComponents, StopOnRequest) {
  const std::vector<float> points = {1, 2, 3, 4};
  const std::atomic<bool> asked{true};
  const StopScope scope(&asked);
  EXPECT_EQ(find_principal_components(points, 2, {}).error().code, ErrorCode::kCancelled);
}

}  // namespace
}  // namespace paraprint
