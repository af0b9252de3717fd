"""cubefold-lab emulates a mesh, torus or hypercube of network namespaces on one Linux machine."""
