#include "token_traffic.hpp"

namespace cubefold::mpi {

void TokenTraffic::expect(std::size_t send_limit) {
  while (!awaited_.all_begun() && tokens_.awaited[awaited_.begun()].send < send_limit) {
    const std::size_t index = awaited_.begin();
    const int from = static_cast<int>(label(tokens_.awaited[index].from));
    requests_.receive({false, index}, nullptr, 0, from, space_.token_tag(), space_.comm);
  }
}

void TokenTraffic::give(std::size_t receives_over) {
  while (!given_.all_begun() && tokens_.given[given_.begun()].receive < receives_over) {
    const std::size_t index = given_.begin();
    const int to = static_cast<int>(label(tokens_.given[index].to));
    requests_.send({true, index}, nullptr, 0, to, space_.token_tag(), space_.comm);
  }
}

bool TokenTraffic::advance() {
  return requests_.end_some(
      [&](const Token& token, const MPI_Status&) { (token.is_given ? given_ : awaited_).end(token.index); });
}

}  // namespace cubefold::mpi
