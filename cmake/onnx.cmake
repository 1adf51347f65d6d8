# The messages of the ONNX format: protobuf-c generates structures and descriptors from frontend/onnx/onnx.proto.
find_program(PROTOC_C NAMES protoc-c REQUIRED)
set(MG_ONNX_GEN ${CMAKE_BINARY_DIR}/generated/frontend/onnx)
file(MAKE_DIRECTORY ${MG_ONNX_GEN})
set(MG_ONNX_GENERATED ${MG_ONNX_GEN}/onnx.pb-c.c)
add_custom_command(OUTPUT ${MG_ONNX_GENERATED} ${MG_ONNX_GEN}/onnx.pb-c.h
  COMMAND ${PROTOC_C} --c_out=${MG_ONNX_GEN} --proto_path=${CMAKE_SOURCE_DIR}/frontend/onnx onnx.proto
  DEPENDS ${CMAKE_SOURCE_DIR}/frontend/onnx/onnx.proto VERBATIM)
