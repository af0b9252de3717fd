#pragma once

#include <string>

namespace cubefold::preload {

/// Returns what the line at MPI_Finalize says of this process, and the choices by size, as a text in JSON.
std::string json_of_report();

/// Ends the threads of this library and says that MPI ends. If this process `reports`, it writes the summary and the
/// line of the report. States that are left go with the process.
void end_with_report(bool reports);

/// Writes that text to the file that CUBEFOLD_SUMMARY names, unless the variable is empty. If that fails, says so in a
/// line on standard error.
void write_summary() noexcept;

}  // namespace cubefold::preload
