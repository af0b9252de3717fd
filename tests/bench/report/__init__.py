"""The performance report: measures in one run what docs/performance.md says, and writes it."""
