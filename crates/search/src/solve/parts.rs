//! Parts: the strongly connected parts of a graph, those that lead to no other first.
//!
//! In: positions by number, and the edges between them. Out: the positions part by part. Robert
//! Tarjan, "Depth-first search and linear graph algorithms", 1972, without recursion: a part may be
//! as long as a game. Must not know what a position is.

/// No place, or no time.
pub(super) const NONE: u32 = u32::MAX;

/// Where a position stands in the search.
#[derive(Clone, Copy)]
struct Met {
    time: u32,
    /// The earliest position still open that it leads back to; `NONE` once it is in a part.
    back: u32,
}

/// `nodes` in the order of their strongly connected parts, those that lead to no other first; and
/// where each part ends. Edges to other positions than `nodes` do not count. `places` has room for
/// every number, holds [`NONE`] everywhere, and does so again afterwards.
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
                    // What is in a part already leads back to nothing that is open.
                    _ if back == NONE => {}
                    _ => met[here].back = met[here].back.min(time),
                }
                continue;
            }
            path.pop();
            let Met { time, back } = met[here];
            if back == time {
                while let Some(member) = open.pop() {
                    order.push(nodes[member as usize]);
                    met[member as usize].back = NONE;
                    if member as usize == here {
                        break;
                    }
                }
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
