//! Random numbers that are the same on every machine, addressed by their place in the sequence.
//!
//! It takes a seed and a place, and returns 64 bits. A number does not need its predecessors, so the
//! leaves of a tree need not be stored. SplitMix64: Guy Steele, Doug Lea and Christine Flood, "Fast
//! Splittable Pseudorandom Number Generators", 2014.

/// The difference of two states: 2^64 divided by the golden ratio, made odd.
const STEP: u64 = 0x9e37_79b9_7f4a_7c15;

/// The sequence of SplitMix64 from a seed.
#[derive(Clone, Copy, Debug)]
pub struct SplitMix64 {
    state: u64,
}

impl SplitMix64 {
    /// The sequence of `seed` from its beginning.
    pub fn new(seed: u64) -> SplitMix64 {
        SplitMix64 { state: seed }
    }

    /// The number at `place` of the sequence of `seed`, counted from 0.
    pub fn at(seed: u64, place: u64) -> u64 {
        mix(seed.wrapping_add(place.wrapping_add(1).wrapping_mul(STEP)))
    }

    /// The next number.
    pub fn draw(&mut self) -> u64 {
        self.state = self.state.wrapping_add(STEP);
        mix(self.state)
    }

    /// A number below `bound`, which must not be 0. All are equally likely, except for less than one part
    /// in 2^64 over `bound`.
    pub fn draw_below(&mut self, bound: u64) -> u64 {
        below(self.draw(), bound)
    }
}

/// Maps 64 random bits to one of `bound` equally likely numbers.
pub fn below(bits: u64, bound: u64) -> u64 {
    ((u128::from(bits) * u128::from(bound)) >> 64) as u64
}

/// A bijection that makes neighbours look unrelated.
fn mix(mut bits: u64) -> u64 {
    bits = (bits ^ (bits >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    bits = (bits ^ (bits >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    bits ^ (bits >> 31)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_sequence_is_the_published_one() {
        let mut sequence = SplitMix64::new(1_234_567);
        let published = [6_457_827_717_110_365_317, 3_203_168_211_198_807_973, 9_817_491_932_198_370_423];
        assert_eq!([sequence.draw(), sequence.draw(), sequence.draw()], published);
        assert_eq!(SplitMix64::at(1_234_567, 2), published[2]);
    }

    #[test]
    fn every_number_below_the_bound_comes() {
        let mut sequence = SplitMix64::new(1);
        let mut met = [0; 6];
        (0..6000).for_each(|_| met[sequence.draw_below(6) as usize] += 1);
        assert!(met.iter().all(|count| (850..1150).contains(count)), "{met:?}");
    }
}
