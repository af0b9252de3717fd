#pragma once

#include <pybind11/pybind11.h>

namespace cubefold::python {

/// Each of these adds the classes and functions of one topic to the module `_core`. bind_network() comes first, because
/// the others use its classes.
void bind_network(pybind11::module_& module);
void bind_exchange(pybind11::module_& module);
void bind_mapping(pybind11::module_& module);

}  // namespace cubefold::python
