// A queue between two threads whose memory is there before the first tick needs it.
#pragma once

#include <boost/lockfree/spsc_queue.hpp>

namespace topple::controller {

/// boost::lockfree::spsc_queue takes its memory at construction but does not touch it: without locked memory the first
/// push into each page would wait for the kernel. Fills the queue with `any`, whose size must be below a page, and
/// empties it again. Before either thread uses the queue.
template <class Item>
void bring_into_memory(boost::lockfree::spsc_queue<Item>& queue, const Item& any) {
    while (queue.push(any)) {
    }
    queue.reset();
}

}  // namespace topple::controller
