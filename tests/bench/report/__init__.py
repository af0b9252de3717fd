"""The performance report: it measures all numbers of docs/performance.md in one run, and writes the page."""
