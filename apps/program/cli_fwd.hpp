#pragma once

// Headers only declare the classes of CLI11, because CLI11 takes long to compile.
namespace CLI {

class App;
class Option;

}  // namespace CLI
