// A random projection finds a subspace that contains the wanted directions with high probability; power iterations
// sharpen it, and an exact decomposition within the small subspace gives the components. Much cheaper than decomposing
// all points.
#include "semantics/vectors/principal_components.h"

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>

#include "base/assert.h"
#include "base/propagate.h"
#include "base/split_mix.h"
#include "base/stop.h"

namespace paraprint::inline semantics::inline vectors {
namespace {

constexpr Eigen::Index kOversampling = 10;  // additional directions, as Halko et al. recommend
constexpr int kIterations = 4;              // power iterations

// A matrix of pseudo-random signs. Our own generator: distributions of the C++ library differ between implementations.
Eigen::MatrixXd random_signs(Eigen::Index rows, Eigen::Index columns, std::uint64_t seed) {
  Eigen::MatrixXd signs(rows, columns);
  for (Eigen::Index column = 0; column < columns; ++column) {
    for (Eigen::Index row = 0; row < rows; ++row) {
      signs(row, column) = (split_mix_output(seed += kSplitMixStep) >> 63) != 0 ? 1 : -1;
    }
  }
  return signs;
}

// An orthonormal basis of the matrix's columns.
Eigen::MatrixXd orthonormal(const Eigen::MatrixXd& matrix) {
  const Eigen::HouseholderQR<Eigen::MatrixXd> decomposition(matrix);
  return decomposition.householderQ() * Eigen::MatrixXd::Identity(matrix.rows(), matrix.cols());
}

// The number of leading variances whose sum reaches `wanted`; at least one.
Eigen::Index components_for(const Eigen::VectorXd& variances, double wanted, Eigen::Index maximum) {
  double sum = 0;
  Eigen::Index count = 0;
  const Eigen::Index most = std::min(maximum, variances.size());
  while (count < most && (count == 0 || sum < wanted)) sum += variances(count++);
  return count;
}

}  // namespace

Result<PrincipalComponents> find_principal_components(std::span<const float> points, std::uint32_t dimension,
                                                      const ComponentSettings& settings) {
  PARAPRINT_ASSERT(dimension > 0 && !points.empty() && points.size() % dimension == 0 && settings.maximum > 0);
  using RowMajor = Eigen::Matrix<float, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
  const auto count = static_cast<Eigen::Index>(points.size() / dimension);
  const Eigen::Map<const RowMajor> given(points.data(), count, dimension);
  Eigen::MatrixXd centred = given.cast<double>();
  const Eigen::VectorXd mean = centred.colwise().mean();
  centred.rowwise() -= mean.transpose();

  // No more directions than the points or the space can have.
  const Eigen::Index range =
      std::min({static_cast<Eigen::Index>(settings.maximum) + kOversampling, centred.cols(), centred.rows()});
  Eigen::MatrixXd basis = orthonormal(centred * random_signs(centred.cols(), range, settings.seed));
  // Both products are made orthonormal again: without that, all columns would turn towards the first component.
  for (int iteration = 0; iteration < kIterations; ++iteration) {
    PARAPRINT_TRY(check_stop());
    basis = orthonormal(centred * orthonormal(centred.transpose() * basis));
  }
  const Eigen::BDCSVD<Eigen::MatrixXd> parts(basis.transpose() * centred, Eigen::ComputeThinV);
  const Eigen::VectorXd variances = parts.singularValues().array().square() / static_cast<double>(count);

  PrincipalComponents components;
  components.mean.assign(mean.data(), mean.data() + mean.size());
  components.total_variance = centred.squaredNorm() / static_cast<double>(count);
  const Eigen::Index kept = components_for(variances, settings.share * components.total_variance,
                                           static_cast<Eigen::Index>(settings.maximum));
  for (Eigen::Index i = 0; i < kept; ++i) {
    // The sign of a component is arbitrary; fix it, so that files are reproducible.
    Eigen::VectorXd direction = parts.matrixV().col(i);
    Eigen::Index largest = 0;
    direction.cwiseAbs().maxCoeff(&largest);
    if (direction(largest) < 0) direction = -direction;
    components.directions.insert(components.directions.end(), direction.data(), direction.data() + direction.size());
    components.variances.push_back(variances(i));
  }
  return components;
}

// Directions are only ever shortened, so that their fixed-point numbers stay within [-1, 1] (reduction.h).
void even_out(PrincipalComponents& components) {
  constexpr double kSpreadLeast = 0.01;
  const double least =
      std::max(components.variances.back(), components.variances.front() * kSpreadLeast * kSpreadLeast);
  const std::size_t dimension = components.mean.size();
  for (std::size_t i = 0; i < components.variances.size(); ++i) {
    if (components.variances[i] <= least) continue;
    const double factor = std::sqrt(least / components.variances[i]);
    for (std::size_t j = 0; j < dimension; ++j) components.directions[i * dimension + j] *= factor;
  }
}

}  // namespace paraprint::inline semantics::inline vectors
