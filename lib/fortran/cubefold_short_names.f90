! This module has the names of the papers for messages and ranks, as the macro CUBEFOLD_SHORT_NAMES has in C.
module cubefold_short_names
  use cubefold, only: v_get_pid => cubefold_comm_rank, v_send => cubefold_v_send, v_receive => cubefold_v_recv, &
    v_isend => cubefold_v_isend, v_ireceive => cubefold_v_irecv, v_sendreceive => cubefold_v_sendrecv
  implicit none
end module
