#pragma once

// CLI11 takes long to compile, so headers name its classes only.
namespace CLI {

class App;
class Option;

}  // namespace CLI
