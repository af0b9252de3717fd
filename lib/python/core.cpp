#include <pybind11/pybind11.h>

#include "bindings.hpp"
#include "cubefold/version.h"

PYBIND11_MODULE(_core, module) {
  module.attr("version") = CUBEFOLD_VERSION;
  cubefold::python::bind_network(module);
  cubefold::python::bind_exchange(module);
  cubefold::python::bind_mapping(module);
}
