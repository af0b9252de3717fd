"""cubefold-lab: an emulated mesh, torus or hypercube of network namespaces on one Linux machine."""
