#pragma once

// Nodes are reached one after the other in the order of a distance, each from neighbours that are known by then. This is
// how values are carried away from where they are known (Losasso, Gibou, Fedkiw 2004, section 6.2): a node without a
// known neighbour that is nearer is left out until one of its neighbours, whichever, is known.

#include <vector>

#include "octavo/level_set/node_graph.h"

namespace octavo {

template <int Dim, class Real>
class DistanceOrder {
 public:
  struct Reached {
    std::size_t count = 0;
    std::size_t deferred = 0;  // of these, for want of a known neighbour that is nearer
  };

  // This orders the nodes for which wanted(i) is true by distance[i], equals by number, and finds their neighbours.
  template <class Wanted>
  void build(const NodeGraphView<Dim>& graph, View<const Real> distance, Wanted&& wanted) {
    std::vector<std::vector<Place>> parts(block_count(distance.size()));
    parallel_blocks("list nodes to reach", distance.size(),
                    [&](std::size_t block, std::size_t begin, std::size_t end) {
                      for (std::size_t i = begin; i < end; ++i) {
                        if (!wanted(i)) continue;
                        parts[block].push_back({distance[i], NodeId(i)});
                        graph.neighbors(NodeId(i));
                      }
                    });
    concatenate("join nodes to reach", parts, order_);
    parallel_sort("order nodes by distance", order_.view());
  }

  // This calls reach(node, any) until no further node is reached; it says whether the node was, from neighbours that are
  // nearer only unless any may serve.
  template <class Reach>
  Reached sweep(const char* label, Reach&& reach) const {
    ScopedTimer timer(label);
    Reached reached;
    std::vector<NodeId> left;
    for (const Place& place : order_) {
      if (reach(place.node, false))
        ++reached.count;
      else
        left.push_back(place.node);
    }
    for (std::size_t before = left.size() + 1; left.size() < before;) {
      before = left.size();
      std::erase_if(left, [&](NodeId node) { return reach(node, true); });
      reached.deferred += before - left.size();
    }
    reached.count += reached.deferred;
    return reached;
  }

  std::size_t bytes() const { return order_.bytes(); }

 private:
  struct Place {
    Real distance;
    NodeId node;
    friend bool operator<(const Place& p, const Place& q) {
      return p.distance < q.distance || (p.distance == q.distance && p.node < q.node);
    }
  };
  Buffer<Place> order_;
};

}  // namespace octavo
