#pragma once

#include <cstddef>

#include "cubefold/schedule/tokens.hpp"
#include "message_progress.hpp"
#include "request_set.hpp"
#include "run_space.hpp"

namespace cubefold::mpi {

/// The tokens of one round: messages of no bytes.
class TokenTraffic {
 public:
  TokenTraffic(const TokenProgram& tokens, const RunSpace& space)
      : tokens_(tokens), space_(space), awaited_(tokens.awaited.size()), given_(tokens.given.size()) {}

  /// Whether all tokens are there that a send awaits.
  bool may_begin(std::size_t send) const {
    return awaited_.over() == awaited_.count() || tokens_.awaited[awaited_.over()].send > send;
  }

  /// Posts the receives of tokens that sends before this one await.
  void expect(std::size_t send_limit);

  /// Gives the tokens that are due when so many receives are over.
  void give(std::size_t receives_over);

  /// Whether any token has come or gone.
  bool advance();

  bool is_over() const { return awaited_.all_over() && given_.all_over(); }

 private:
  struct Token {
    bool is_given;
    std::size_t index;
  };

  const TokenProgram& tokens_;
  RunSpace space_;
  MessageProgress awaited_;
  MessageProgress given_;
  RequestSet<Token> requests_;
};

}  // namespace cubefold::mpi
