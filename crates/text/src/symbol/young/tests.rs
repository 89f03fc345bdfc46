//! Tests of young atoms: their holders, and the common ones.

use super::{ATOM_OVERHEAD, FEW, Region, SWEEP, Young, hash, hold, release};
use crate::symbol::Atom;
use crate::symbol::common::{LONGEST, USES, common, common_with};

/// A text that no other test creates.
fn long(name: &str) -> String {
    name.repeat(FEW)
}

fn is_known(text: &str) -> bool {
    super::read().find(text).is_some()
}

/// Regression test: a list of 10,000,000 new atoms took 26 % more than the memory of its budget.
#[test]
fn the_tables_of_atoms_took_more_than_was_charged() {
    // Just after a hash table has doubled, 7 of 16 places are taken, and the old table exists too.
    let hashed = |entry: usize| ((entry + 1) * 24).div_ceil(7);
    let table = size_of::<Young>() * 9 / 8 + hashed(size_of::<(std::sync::Arc<str>, u32)>());
    // The counts of an `Arc`, and what an allocator adds and rounds up.
    let text = 16 + 8 + 15;
    assert!(table + hashed(size_of::<u32>()) + text <= ATOM_OVERHEAD, "{}", table + text);
    let mut region = Region::default();
    for number in 0..20_000 {
        region.atom(&format!("charged_{number}"));
    }
    let table = super::read();
    let most = table.young.len() * 9 / 8 + 64;
    assert!(table.young.capacity() <= most, "{} of {}", table.young.capacity(), table.young.len());
}

#[test]
fn atoms_that_nothing_holds_are_forgotten() {
    let mut region = Region::default();
    let text = long("forgotten");
    let atom = region.atom(&text);
    assert_eq!(*atom.name(), text);
    assert_eq!(region.atom(&text), atom);
    assert!(region.renew() && region.bytes() == 0 && !is_known(&text));
    let again = region.atom(&text);
    assert_eq!(*again.name(), text);
    assert!(again != atom || cfg!(not(debug_assertions)), "a debug build gives no number twice");
}

#[test]
fn a_packed_atom_stays_until_the_last_term_is_dropped() {
    let mut region = Region::default();
    let text = long("packed");
    let atom = region.atom(&text);
    let twice = || [atom.0, atom.0, 7].into_iter();
    assert!(hold(twice()) && hold(twice()));
    let hash_of = |atom: Atom| {
        let mut found = [0; 2];
        hash([(1, atom.0), (2, 7)].into_iter(), |_, hash| found = hash);
        found
    };
    let stands_for = hash_of(atom);
    region.renew();
    release(twice());
    assert_eq!((&*atom.name(), hash_of(atom)), (&*text, stands_for));
    release(twice());
    assert!(!is_known(&text), "so long an atom is swept at once");
    assert_eq!(hash_of(region.atom(&text)), stands_for, "hashes are of texts");
}

#[test]
fn a_kept_atom_stays() {
    let mut region = Region::default();
    let text = long("kept");
    let atom = region.atom(&text).keep();
    drop(region);
    assert_eq!(*atom.name(), text);
    assert_eq!(Atom::new(&text), atom);
}

#[test]
fn whoever_else_finds_an_atom_holds_it() {
    let (mut one, mut other) = (Region::default(), Region::default());
    let text = long("found");
    let atom = one.atom(&text);
    assert_eq!(other.atom(&text), atom);
    drop(one);
    assert_eq!(*atom.name(), text);
    drop(other);
    assert!(!is_known(&text));
}

#[test]
fn atoms_of_a_text_that_rules_read_are_theirs() {
    let mut region = Region::default();
    let text = long("read");
    let atom = region.reading(|| Atom::read(&text));
    assert_eq!(region.atom(&text), atom);
    drop(region);
    assert!(!is_known(&text));
}

#[test]
fn a_frequent_atom_stays_and_keeps_its_text_and_hash() {
    if *SWEEP != 0 {
        return;
    }
    let text = "frequent atom of this test";
    let mut region = Region::default();
    let atom = region.atom(text);
    let number = atom.number();
    let hash_of = || {
        let mut found = [0; 2];
        hash([(0, number)].into_iter(), |_, hash| found = hash);
        found
    };
    let before = hash_of();
    for _ in 0..2 * USES {
        assert!(hold([number].into_iter()));
        release([number].into_iter());
    }
    assert!(common(number).is_some() && common_with(text) == Some(atom));
    drop(region);
    assert_eq!((&*atom.name(), hash_of()), (text, before));
    assert_eq!(Region::default().atom(text), atom);
    let elsewhere = std::thread::spawn(move || (common(number).is_none(), Region::default().atom(text)));
    assert_eq!(elsewhere.join().expect("the thread ends"), (true, atom));
}

#[test]
fn a_long_atom_never_is_common() {
    let text = "long ".repeat(LONGEST);
    let mut region = Region::default();
    let number = region.atom(&text).number();
    for _ in 0..2 * USES {
        assert!(hold([number].into_iter()));
        release([number].into_iter());
    }
    assert!(common(number).is_none());
}
