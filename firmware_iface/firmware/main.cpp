// The reference firmware's main loop; everything that is urgent happens in interrupts.
#include "firmware_iface/firmware/boards.hpp"
#include "firmware_iface/firmware/interrupts.hpp"

int main() {
    using namespace topple::firmware;
    topple::firmware_iface::Board& board = start_board();
    static Firmware firmware(board, identity());
    start_cycles(firmware);
    for (;;) {
        if (!firmware.serve()) wait_for_interrupt();
    }
}
