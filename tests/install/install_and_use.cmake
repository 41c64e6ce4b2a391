# cmake -DBUILD=... -DWORK=... -DCONSUMER=... -DCOMPILER=... -DFLAGS=... -P install_and_use.cmake
file(REMOVE_RECURSE "${WORK}")
function(run)
  execute_process(COMMAND "${CMAKE_COMMAND}" ${ARGN} COMMAND_ERROR_IS_FATAL ANY)
endfunction()
run(--install "${BUILD}" --prefix "${WORK}/installed")
run(-S "${CONSUMER}" -B "${WORK}/build" -G Ninja "-DCMAKE_PREFIX_PATH=${WORK}/installed"
    "-DCMAKE_CXX_COMPILER=${COMPILER}" "-DCMAKE_CXX_FLAGS=${FLAGS}")
run(--build "${WORK}/build")
execute_process(COMMAND "${WORK}/build/consumer" COMMAND_ERROR_IS_FATAL ANY)
