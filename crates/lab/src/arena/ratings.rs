//! Ratings of the sides of a tournament: their strengths in Elo, with errors.
//!
//! It takes the counts of pairs of games between the sides. It returns a rating for each side, its 95 % error,
//! and the probability that one side is stronger than another. It does not know games.
//!
//! The model is that of Ralph Bradley and Milton Terry, "Rank Analysis of Incomplete Block Designs", 1952: a side
//! with the strength `a` scores `a / (a + b)` against a side with the strength `b`. A drawn game counts as half
//! a win for each side, as in Ordo (Miguel Ballicora). So the ratings of two sides differ by the Elo difference
//! of a match, and the draw ratio needs no parameter. The ratings make the likelihood as great as possible.
//!
//! The games of a pair depend on each other, and a draw is not half a win, so the curvature of the likelihood
//! says too little about the errors. They are those of the sandwich estimator, with the observed variance of
//! the pairs (pentanomial): Halbert White, "Maximum Likelihood Estimation of Misspecified Models", 1982.

use super::pentanomial::Pentanomial;
use super::score::quantile;
use crate::numerics::{logistic, normal_distribution, softplus, solve};

/// The drawn pairs that are added to each pairing if the likelihood has no maximum: one game, half a pair.
const VIRTUAL: f64 = 0.5;

/// The greatest change of a strength in one step of Newton's method, in natural logarithms.
const LONGEST_STEP: f64 = 1.5;

/// The greatest number of these steps. About ten are enough.
const STEPS: usize = 500;

/// The change of a strength at which the search for the maximum ends.
const PRECISE: f64 = 1e-12;

/// The pairs of games between two sides.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PairingCounts {
    /// The two sides, A and B: their numbers from 0.
    pub sides: [usize; 2],
    /// The pairs, by the points of A.
    pub pairs: Pentanomial,
}

/// The rating of a side.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SideRating {
    /// The rating in Elo. The mean of all ratings is 0, or the rating of the anchor is.
    pub elo: f64,
    /// The standard error in Elo.
    pub standard_error: f64,
    /// Half the 95 % interval in Elo.
    pub error: f64,
}

/// The ratings of all sides.
#[derive(Clone, Debug, PartialEq)]
pub struct Ratings {
    /// The rating of each side; `None` for a side that no pair connects with most of the sides.
    pub sides: Vec<Option<SideRating>>,
    /// Whether a drawn game was added to each pairing, because no finite ratings are the most likely ones.
    pub virtual_draws: bool,
    /// The side whose rating is 0; `None` if the mean is 0.
    pub anchor: Option<usize>,
    /// The places of the sides in `strengths` and `covariances`.
    places: Vec<Option<usize>>,
    strengths: Vec<f64>,
    covariances: Vec<Vec<f64>>,
}

impl Ratings {
    /// The probability that side `a` is stronger than side `b`, by a normal distribution. `None` if one of them
    /// has no rating.
    pub fn superiority(&self, a: usize, b: usize) -> Option<f64> {
        let (a, b) = (self.places[a]?, self.places[b]?);
        let error = difference(&self.covariances, a, b).sqrt();
        let z = (self.strengths[a] - self.strengths[b]) / error;
        (error > 0.0).then(|| normal_distribution(z))
    }
}

/// The variance of the difference of two strengths.
fn difference(covariances: &[Vec<f64>], a: usize, b: usize) -> f64 {
    (covariances[a][a] + covariances[b][b] - 2.0 * covariances[a][b]).max(0.0)
}

/// The pairs of a pairing as numbers: their count, the sum of the shares of A, and the variance of this sum.
#[derive(Clone, Copy, Debug)]
struct Weighed {
    sides: [usize; 2],
    count: f64,
    shares: f64,
    variance: f64,
}

/// Rates `sides` sides by their pairs. The rating of `anchor` is 0 if it has one, else the mean is 0.
///
/// If a group of sides won all points or none against the others, the likelihood grows without end: there is a
/// maximum only if every side took points of every other side, directly or through third sides (Lester Ford,
/// "Solution of a Ranking Problem from Binary Comparisons", 1957). Then one drawn game is added to each pairing,
/// similar to the prior of BayesElo (Rémi Coulom), which always adds two draws for each player.
///
/// Sides without pairs, and sides that no pair connects with the greatest group, have no rating.
pub fn ratings(sides: usize, results: &[PairingCounts], anchor: Option<usize>) -> Ratings {
    let played: Vec<&PairingCounts> = results.iter().filter(|result| result.pairs.pairs() > 0).collect();
    let group = greatest_group(sides, &played);
    let places: Vec<Option<usize>> = (0..sides).map(|side| group.iter().position(|other| *other == side)).collect();
    let mut weighed: Vec<Weighed> = played.iter().filter_map(|result| weigh(result, &places)).collect();
    let virtual_draws = !weighed.is_empty() && !bounded(group.len(), &weighed);
    if virtual_draws {
        for pairing in &mut weighed {
            pairing.count += VIRTUAL;
            pairing.shares += 0.5 * VIRTUAL;
        }
    }
    let mut found = Ratings {
        sides: vec![None; sides],
        virtual_draws,
        anchor: anchor.filter(|anchor| places[*anchor].is_some() && !weighed.is_empty()),
        places,
        strengths: Vec::new(),
        covariances: Vec::new(),
    };
    if weighed.is_empty() {
        found.places = vec![None; sides];
        return found;
    }
    let (strengths, inverse) = maximum(group.len(), &weighed);
    let middle = outer(group.len(), &weighed, |pairing| pairing.variance);
    (found.strengths, found.covariances) = (strengths, product(&product(&inverse, &middle), &inverse));
    let zero = found.anchor.and_then(|anchor| found.places[anchor]);
    for (at, side) in group.iter().enumerate() {
        let variance = zero.map_or(found.covariances[at][at], |zero| difference(&found.covariances, at, zero));
        let elo = found.strengths[at] - zero.map_or(0.0, |zero| found.strengths[zero]);
        let pairs: u64 = played.iter().filter(|result| result.sides.contains(side)).map(|r| r.pairs.pairs()).sum();
        let standard_error = in_elo(variance.max(0.0).sqrt());
        let error = quantile(pairs.saturating_sub(1).max(1) as usize) * standard_error;
        found.sides[*side] = Some(SideRating { elo: in_elo(elo) + 0.0, standard_error, error });
    }
    found
}

/// A difference of strengths, from natural logarithms to Elo.
fn in_elo(strength: f64) -> f64 {
    strength * 400.0 / std::f64::consts::LN_10
}

/// The greatest group of sides that pairs connect; the first one of equal groups.
fn greatest_group(sides: usize, played: &[&PairingCounts]) -> Vec<usize> {
    let mut names: Vec<usize> = (0..sides).collect();
    for result in played {
        let [a, b] = result.sides.map(|side| names[side]);
        names.iter_mut().filter(|name| **name == a.max(b)).for_each(|name| *name = a.min(b));
    }
    let members = |name: usize| (0..sides).filter(|side| names[*side] == name).collect::<Vec<_>>();
    let groups = (0..sides).map(members);
    groups.fold(Vec::new(), |best, group| if group.len() > best.len() { group } else { best })
}

/// The numbers of a pairing, if its sides have places.
fn weigh(result: &PairingCounts, places: &[Option<usize>]) -> Option<Weighed> {
    let [a, b] = result.sides;
    let sides = [places[a]?, places[b]?];
    let count = result.pairs.pairs() as f64;
    // With the prior, the variance is greater than 0 even if all pairs ended alike.
    let (_, deviation) = result.pairs.posterior();
    let variance = deviation.powi(2) * (count + 2.0) * (count + 1.0);
    Some(Weighed { sides, count, shares: result.pairs.mean()? * count, variance })
}

/// Whether the likelihood has a maximum: every side took points of every other, perhaps through third sides.
fn bounded(sides: usize, weighed: &[Weighed]) -> bool {
    // From the first side one must reach all sides, by points that were won and by points that were lost.
    [false, true].into_iter().all(|lost| {
        let mut reached = vec![false; sides];
        let mut open = vec![0];
        while let Some(side) = open.pop() {
            if std::mem::replace(&mut reached[side], true) {
                continue;
            }
            for Weighed { sides: [a, b], count, shares, .. } in weighed {
                let (won_by_a, won_by_b) = (*shares > 0.0, *shares < *count);
                let (from_a, from_b) = if lost { (won_by_b, won_by_a) } else { (won_by_a, won_by_b) };
                open.extend((side == *a && from_a).then_some(*b));
                open.extend((side == *b && from_b).then_some(*a));
            }
        }
        reached.iter().all(|reached| *reached)
    })
}

/// The expected share of A.
fn expected(strengths: &[f64], [a, b]: [usize; 2]) -> f64 {
    logistic(strengths[a] - strengths[b])
}

/// The logarithm of the likelihood, with draws as half wins. The pairs are its unit.
fn log_likelihood(strengths: &[f64], weighed: &[Weighed]) -> f64 {
    let part = |pairing: &Weighed| {
        let distance = strengths[pairing.sides[1]] - strengths[pairing.sides[0]];
        -pairing.shares * softplus(distance) - (pairing.count - pairing.shares) * softplus(-distance)
    };
    weighed.iter().map(part).sum()
}

/// The strengths with the greatest likelihood, in natural logarithms with the mean 0, and the inverse of the
/// negative second derivative there.
///
/// The likelihood is concave, so Newton's method with limited steps finds its maximum.
fn maximum(sides: usize, weighed: &[Weighed]) -> (Vec<f64>, Vec<Vec<f64>>) {
    let mut strengths = vec![0.0; sides];
    let curved = |strengths: &[f64]| {
        inverse(outer(sides, weighed, |pairing| {
            let share = expected(strengths, pairing.sides);
            pairing.count * share * (1.0 - share)
        }))
    };
    for _ in 0..STEPS {
        let mut slope = vec![0.0; sides];
        for pairing in weighed {
            let more = pairing.shares - pairing.count * expected(&strengths, pairing.sides);
            slope[pairing.sides[0]] += more;
            slope[pairing.sides[1]] -= more;
        }
        let turned = curved(&strengths);
        let mut step: Vec<f64> = turned.iter().map(|row| row.iter().zip(&slope).map(|(a, b)| a * b).sum()).collect();
        let longest = step.iter().fold(0.0, |longest: f64, part| longest.max(part.abs()));
        let mut scale = (LONGEST_STEP / longest).min(1.0);
        let before = log_likelihood(&strengths, weighed);
        let moved =
            |scale: f64| strengths.iter().zip(&step).map(|(from, part)| from + scale * part).collect::<Vec<_>>();
        while log_likelihood(&moved(scale), weighed) < before - before.abs() * 1e-14 && scale * longest > PRECISE {
            scale *= 0.5;
        }
        step.iter_mut().for_each(|part| *part *= scale);
        strengths.iter_mut().zip(&step).for_each(|(strength, part)| *strength += part);
        if longest * scale <= PRECISE {
            break;
        }
    }
    let mean = strengths.iter().sum::<f64>() / sides as f64;
    strengths.iter_mut().for_each(|strength| *strength -= mean);
    let turned = curved(&strengths);
    (strengths, turned)
}

/// The sum over all pairings of a weight times the outer product of `e(a) - e(b)` with itself.
fn outer(sides: usize, weighed: &[Weighed], weight: impl Fn(&Weighed) -> f64) -> Vec<Vec<f64>> {
    let mut sum = vec![vec![0.0; sides]; sides];
    for pairing in weighed {
        let ([a, b], weight) = (pairing.sides, weight(pairing));
        sum[a][a] += weight;
        sum[b][b] += weight;
        sum[a][b] -= weight;
        sum[b][a] -= weight;
    }
    sum
}

/// The inverse of a matrix of [`outer`] among the vectors whose sum is 0.
///
/// The same number is added to all cells, so that the matrix has an inverse, and the part that
/// this adds is subtracted from the inverse.
fn inverse(mut matrix: Vec<Vec<f64>>) -> Vec<Vec<f64>> {
    let size = matrix.len();
    let added = (0..size).map(|at| matrix[at][at]).sum::<f64>() / (size * size) as f64;
    matrix.iter_mut().flatten().for_each(|cell| *cell += added);
    let unit = |row: usize| (0..size).map(move |at| f64::from(u8::from(row == at)));
    let rows = matrix.into_iter().enumerate().map(|(at, row)| [row, unit(at).collect()].concat());
    let inverse = solve(rows.collect());
    let part = 1.0 / (added * (size * size) as f64);
    inverse.into_iter().map(|row| row.into_iter().map(|cell| cell - part).collect()).collect()
}

/// The product of two square matrices.
fn product(left: &[Vec<f64>], right: &[Vec<f64>]) -> Vec<Vec<f64>> {
    let cell = |row: &Vec<f64>, at: usize| row.iter().zip(right).map(|(a, b)| a * b[at]).sum();
    left.iter().map(|row| (0..right.len()).map(|at| cell(row, at)).collect()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::arena::pentanomial::{elo_of_score, score_of_elo};
    use rand::rngs::Xoshiro256PlusPlus;
    use rand::{RngExt, SeedableRng};

    fn result(a: usize, b: usize, counts: [u64; 5]) -> PairingCounts {
        PairingCounts { sides: [a, b], pairs: Pentanomial { counts } }
    }

    fn elos(found: &Ratings) -> Vec<f64> {
        found.sides.iter().map(|side| side.expect("it has a rating").elo).collect()
    }

    /// Four sides of which every one took points of every other.
    fn four() -> Vec<PairingCounts> {
        vec![
            result(0, 1, [3, 5, 11, 4, 2]),
            result(0, 2, [1, 2, 9, 7, 6]),
            result(0, 3, [0, 0, 3, 6, 16]),
            result(1, 2, [2, 4, 10, 5, 4]),
            result(1, 3, [0, 2, 5, 8, 10]),
            result(2, 3, [1, 3, 8, 9, 4]),
        ]
    }

    #[test]
    fn two_sides_have_the_elo_difference_of_a_match() {
        for counts in [[1, 2, 3, 4, 5], [40, 0, 0, 0, 3], [0, 0, 1, 1, 0], [0, 0, 7, 0, 0]] {
            let pairs = Pentanomial { counts };
            let found = ratings(2, &[result(0, 1, counts)], None);
            let mean = pairs.mean().expect("there are pairs");
            let [a, b] = elos(&found)[..] else { panic!("two sides") };
            assert!((a - b - elo_of_score(mean)).abs() < 1e-6 && (a + b).abs() < 1e-9, "{counts:?}: {a} {b}");
            assert!(!found.virtual_draws);
            // The error of a score times the slope of the Elo difference; each side has half of it.
            let count = pairs.pairs() as f64;
            let (_, deviation) = pairs.posterior();
            let error = deviation * ((count + 1.0) * (count + 2.0)).sqrt() / count;
            let slope = 400.0 / std::f64::consts::LN_10 / (mean * (1.0 - mean));
            let side = found.sides[0].expect("it has a rating");
            assert!((side.standard_error - 0.5 * error * slope).abs() < 1e-6, "{counts:?}");
            let anchored = ratings(2, &[result(0, 1, counts)], Some(1));
            assert_eq!(anchored.anchor, Some(1));
            let [a, b] = [0, 1].map(|at| anchored.sides[at].expect("it has a rating"));
            assert!((b.elo, b.error) == (0.0, 0.0) && (a.standard_error - error * slope).abs() < 1e-6, "{counts:?}");
        }
    }

    #[test]
    fn the_likelihood_is_greatest_there() {
        let places: Vec<Option<usize>> = (0..4).map(Some).collect();
        let weighed: Vec<Weighed> = four().iter().filter_map(|result| weigh(result, &places)).collect();
        let found = ratings(4, &four(), None);
        let best = log_likelihood(&found.strengths, &weighed);
        for side in 0..4 {
            for change in [-0.3, -0.01, -1e-4, 1e-4, 0.01, 0.3] {
                let mut other = found.strengths.clone();
                other[side] += change;
                assert!(log_likelihood(&other, &weighed) < best, "{side} {change}");
            }
        }
        assert!(elos(&found).windows(2).all(|two| two[0] > two[1]), "{found:?}");
        assert!(elos(&found).iter().sum::<f64>().abs() < 1e-9);
    }

    /// The plain way to the same maximum: David Hunter, "MM Algorithms for Generalized Bradley-Terry Models", 2004.
    #[test]
    fn minorization_finds_the_same_ratings() {
        let (results, mut strengths) = (four(), [1.0f64; 4]);
        for _ in 0..20_000 {
            let (mut won, mut all) = ([0.0; 4], [0.0; 4]);
            for PairingCounts { sides: [a, b], pairs } in &results {
                let (count, share) = (pairs.pairs() as f64, pairs.mean().expect("there are pairs"));
                won[*a] += count * share;
                won[*b] += count * (1.0 - share);
                [*a, *b].into_iter().for_each(|side| all[side] += count / (strengths[*a] + strengths[*b]));
            }
            strengths = std::array::from_fn(|side| won[side] / all[side]);
        }
        let logs = strengths.map(|strength| 400.0 * strength.log10());
        let mean = logs.iter().sum::<f64>() / 4.0;
        for (fast, slow) in elos(&ratings(4, &results, None)).into_iter().zip(logs) {
            assert!((fast - (slow - mean)).abs() < 1e-6, "{fast} {}", slow - mean);
        }
    }

    #[test]
    fn sides_that_won_all_games_have_finite_ratings() {
        let all_won = [result(0, 1, [0, 0, 0, 0, 20]), result(0, 2, [0, 0, 0, 0, 20]), result(1, 2, [3, 3, 8, 3, 3])];
        let found = ratings(3, &all_won, None);
        assert!(found.virtual_draws);
        let [first, second, third] = elos(&found)[..] else { panic!("three sides") };
        assert!((second - third).abs() < 1e-6 && first - second > 400.0 && first < 2000.0, "{found:?}");
        let [sure, _, _] = found.sides[..] else { panic!("three sides") };
        assert!(sure.is_some_and(|rating| rating.error > 100.0 && rating.error.is_finite()), "{found:?}");
        // Two groups: the first two sides won all games against the last two.
        let won = [0, 0, 0, 0, 9];
        let even = [1, 2, 3, 2, 1];
        let groups = [(0, 1, even), (0, 2, won), (0, 3, won), (1, 2, won), (1, 3, won), (2, 3, even)];
        let groups = groups.map(|(a, b, counts)| result(a, b, counts));
        assert!(ratings(4, &groups, None).virtual_draws);
        // One draw between the groups is enough.
        let mut drawn = groups;
        drawn[1].pairs.counts = [0, 0, 0, 1, 8];
        assert!(!ratings(4, &drawn, None).virtual_draws);
        // A circle of wins is no group.
        let circle = [result(0, 1, won), result(1, 2, won), result(0, 2, [9, 0, 0, 0, 0])];
        let found = ratings(3, &circle, None);
        assert!(!found.virtual_draws && elos(&found).iter().all(|elo| elo.abs() < 1e-6), "{found:?}");
    }

    #[test]
    fn sides_without_common_games_have_no_rating() {
        let none = ratings(3, &[result(0, 1, [0; 5])], Some(1));
        assert_eq!((none.sides.clone(), none.anchor, none.virtual_draws), (vec![None; 3], None, false));
        assert_eq!(none.superiority(0, 1), None);
        let apart = [result(0, 4, [1, 1, 1, 1, 1]), result(1, 2, [1, 1, 1, 1, 1]), result(2, 3, [1, 1, 1, 1, 2])];
        let found = ratings(5, &apart, Some(0));
        let rated: Vec<bool> = found.sides.iter().map(Option::is_some).collect();
        assert_eq!((rated, found.anchor), (vec![false, true, true, true, false], None));
        assert!(found.superiority(3, 2).is_some_and(|sure| (0.2..0.5).contains(&sure)), "{found:?}");
    }

    /// The result of a pair. The opening favours MAX by a random amount, so the games depend on each other; some
    /// of the games are drawn.
    fn drawn_pair(share: f64, draws: f64, random: &mut Xoshiro256PlusPlus) -> f64 {
        let room = share.min(1.0 - share);
        let favour = 0.8 * room * (2.0 * random.random::<f64>() - 1.0);
        [share + favour, share - favour]
            .into_iter()
            .map(|share| {
                let drawn = 2.0 * draws * share.min(1.0 - share);
                match random.random::<f64>() {
                    at if at < share - 0.5 * drawn => 1.0,
                    at if at < share + 0.5 * drawn => 0.5,
                    _ => 0.0,
                }
            })
            .sum()
    }

    fn simulated(strengths: &[f64], pairs: usize, draws: f64, seed: u64) -> Vec<PairingCounts> {
        let mut random = Xoshiro256PlusPlus::seed_from_u64(seed);
        let pairings = (0..strengths.len()).flat_map(|a| (a + 1..strengths.len()).map(move |b| [a, b]));
        let pairings = pairings.map(|sides @ [a, b]| {
            let mut found = Pentanomial::default();
            let share = score_of_elo(strengths[a] - strengths[b]);
            (0..pairs).for_each(|_| found.add(drawn_pair(share, draws, &mut random)));
            PairingCounts { sides, pairs: found }
        });
        pairings.collect()
    }

    #[test]
    fn known_strengths_are_found() {
        let strengths = [150.0, 60.0, 0.0, -20.0, -190.0];
        let found = ratings(5, &simulated(&strengths, 20_000, 0.4, 1), None);
        for (elo, strength) in elos(&found).into_iter().zip(strengths) {
            assert!((elo - strength).abs() < 3.0, "{elo} {strength}");
        }
        let sure = |a, b| found.superiority(a, b).expect("both have ratings");
        assert!(sure(0, 1) > 0.999 && sure(4, 3) < 0.001 && (sure(2, 3) + sure(3, 2) - 1.0).abs() < 1e-9);
    }

    #[test]
    fn the_intervals_cover_the_true_strengths() {
        for (strengths, pairs, draws) in [
            (&[100.0, 20.0, -30.0, -90.0][..], 30, 0.3),
            (&[0.0, 0.0, 0.0, 0.0, 0.0, 0.0], 10, 0.0),
            (&[40.0, -40.0], 50, 0.6),
            (&[200.0, 0.0, -200.0], 60, 0.2),
        ] {
            let (mut covered, mut all) = (0, 0);
            for seed in 0..500 {
                let found = ratings(strengths.len(), &simulated(strengths, pairs, draws, seed), None);
                for (side, strength) in found.sides.iter().zip(strengths) {
                    let rating = side.expect("it has a rating");
                    covered += usize::from((rating.elo - strength).abs() <= rating.error);
                    all += 1;
                }
            }
            let share = covered as f64 / f64::from(all);
            assert!((0.93..=0.97).contains(&share), "{share} of {all} with {strengths:?}");
        }
    }
}
