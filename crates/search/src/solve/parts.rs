//! Strongly connected components of a graph, each after those that it leads to.
//!
//! The graph has numbered positions and edges. The algorithm is from Robert Tarjan, "Depth-first
//! search and linear graph algorithms", 1972, without recursion: a component may be as long as a
//! game. This module must not depend on what a position is.

/// No index, or no time.
pub(super) const NONE: u32 = u32::MAX;

/// The state of a position in the depth-first search.
#[derive(Clone, Copy)]
struct Met {
    time: u32,
    /// The earliest open position that it leads back to; `NONE` once its component is complete.
    back: u32,
}

/// Orders `nodes` by strongly connected components, each after those that it leads to. Also returns
/// the ends of the components. Edges out of `nodes` do not count. `places` has one [`NONE`] for
/// every number, before and after the call.
pub(super) fn parts<I: Iterator<Item = u32>>(
    nodes: &[u32],
    places: &mut [u32],
    after: impl Fn(u32) -> I,
) -> (Vec<u32>, Vec<usize>) {
    for (place, node) in nodes.iter().enumerate() {
        places[*node as usize] = place as u32;
    }
    let (mut order, mut ends) = (Vec::with_capacity(nodes.len()), Vec::new());
    let mut met = vec![Met { time: NONE, back: NONE }; nodes.len()];
    let mut open: Vec<u32> = Vec::new();
    let mut path: Vec<(u32, I)> = Vec::new();
    let mut time = 0;
    for root in 0..nodes.len() as u32 {
        if met[root as usize].time != NONE {
            continue;
        }
        let mut entered = Some(root);
        loop {
            if let Some(here) = entered.take() {
                met[here as usize] = Met { time, back: time };
                time += 1;
                open.push(here);
                path.push((here, after(nodes[here as usize])));
            }
            let Some((here, edges)) = path.last_mut() else { break };
            let here = *here as usize;
            if let Some(next) = edges.next() {
                let next = places[next as usize];
                if next == NONE {
                    continue;
                }
                let Met { time, back } = met[next as usize];
                match time {
                    NONE => entered = Some(next),
                    // A position of a complete component leads to no open position.
                    _ if back == NONE => {}
                    _ => met[here].back = met[here].back.min(time),
                }
                continue;
            }
            path.pop();
            let Met { time, back } = met[here];
            if back == time {
                complete(here, nodes, &mut open, &mut met, &mut order);
                ends.push(order.len());
            } else if let Some((above, _)) = path.last() {
                let above = &mut met[*above as usize].back;
                *above = (*above).min(back);
            }
        }
    }
    for node in nodes {
        places[*node as usize] = NONE;
    }
    (order, ends)
}

/// Moves the component that begins at `here` from the open positions to the order.
fn complete(here: usize, nodes: &[u32], open: &mut Vec<u32>, met: &mut [Met], order: &mut Vec<u32>) {
    while let Some(member) = open.pop() {
        order.push(nodes[member as usize]);
        met[member as usize].back = NONE;
        if member as usize == here {
            break;
        }
    }
}
