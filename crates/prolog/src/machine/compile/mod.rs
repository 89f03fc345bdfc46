//! Compiles clauses to the intermediate form, one procedure for each way of calling a predicate.
//!
//! The input is a checked program and the calls. The output is [`LinkedCode`]. The compiler first
//! assumes that every output becomes ground. If the code of a procedure refutes the assumption, the
//! compiler rewrites its callers, until a fixpoint. Modes follow Mercury (Somogyi, Henderson,
//! Conway, 1996), output arguments follow Aquarius (Van Roy, 1990).

mod arith;
mod arrange;
mod builtin;
mod called;
mod calls;
mod clause;
mod control;
mod defer;
mod ends;
mod facts;
mod first_symbol;
mod fixpoint;
mod form;
mod guard;
mod inline;
mod lambdas;
mod late;
mod link;
mod matched;
mod only_called;
mod order;
mod outputs;
mod select;
mod special;
mod splice;
mod state;
mod stored;
mod template;
mod terms;
mod unfold;
mod uses;

use crate::machine::BuiltinCode;
use crate::machine::ir::{ARGS, ArgumentForm, LinkedCode, Mode, Op, Proc, Site, Slot, Switch};
use crate::term::heap::Heap;
use alphorn_lang::lang::program::{Clause, PredId, Program};
use alphorn_text::signature::BuiltinId;
use alphorn_text::source::Span;
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::VecDeque;
use std::rc::Rc;
use std::sync::Arc;

/// The program exceeds a limit of the intermediate form: too many arguments or variables.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TooLarge;

/// The most versions of one predicate. Further calls use a version whose arguments have mode `Any`.
const MOST_VERSIONS: usize = 8;

/// The most slots of a procedure.
const MOST_SLOTS: Slot = 60_000;

/// A way of calling a predicate: the forms of the arguments and the modes of their parts. `forms`
/// is empty if each argument is passed as a whole.
#[derive(Clone, PartialEq, Eq, Hash)]
struct CallPattern {
    pred: PredId,
    forms: Box<[ArgumentForm]>,
    modes: Box<[Mode]>,
}

/// A fact table: the facts of a predicate as consecutive rows of constants.
#[derive(Clone, Copy, Debug)]
struct FactTable {
    /// The number of the first constant.
    start: u32,
    rows: u32,
}

/// All procedures compiled so far. The library compiles further procedures on demand.
pub struct Library {
    pub program: Arc<Program>,
    pub runs: Arc<[BuiltinCode]>,
    pub unit: LinkedCode,
    versions: FxHashMap<CallPattern, u32>,
    /// The clauses of versions for known forms.
    formed: FxHashMap<u32, Arc<[Clause]>>,
    /// The arguments that a predicate calls, where known.
    closures: FxHashMap<PredId, Box<[usize]>>,
    /// Whether a predicate only calls an argument, where known.
    only_called: FxHashMap<(PredId, usize), bool>,
    /// The arguments that a predicate searches for in a list, where known.
    sought: FxHashMap<PredId, Box<[usize]>>,
    counts: FxHashMap<PredId, usize>,
    formed_counts: FxHashMap<PredId, usize>,
    consts: FxHashMap<u64, u32>,
    inline: Arc<[inline::BuiltinInfo]>,
    facts: FxHashMap<PredId, Option<FactTable>>,
    /// Whether the program defines aggregate_all/3 itself.
    own_aggregate: bool,
    /// Whether a predicate never succeeds, where known.
    never: FxHashMap<PredId, bool>,
    /// Whether the first predicate may reach a call of the second, where known.
    reached: FxHashMap<(PredId, PredId), bool>,
    queue: VecDeque<u32>,
    queued: FxHashSet<u32>,
    drafts: FxHashMap<u32, Draft>,
    /// The small procedures, whose code may replace calls, by their numbers.
    small: FxHashMap<u32, Rc<SmallProc>>,
}

/// A procedure that is not linked yet.
#[derive(Default)]
pub(super) struct Draft {
    pub ops: Vec<Op>,
    /// The index of the operation at each label.
    pub labels: Vec<u32>,
    pub sites: Vec<Site>,
    pub tables: Vec<u32>,
    /// Procedures whose outputs this procedure assumes to be ground, or whose `holes` flag it uses.
    pub relies: Vec<u32>,
    pub size: Slot,
    pub notes: Vec<(Span, &'static str)>,
}

/// The code of a small procedure before it was linked.
struct SmallProc {
    pred: PredId,
    draft: Draft,
    tables: FxHashMap<u32, Switch>,
    /// The slots that it writes.
    written: FxHashSet<Slot>,
    arity: usize,
}

/// The sizes of all tables at one time. [`Library::rewind`] removes everything compiled later.
pub struct CompileMark {
    pub code: usize,
    operands: usize,
    tables: usize,
    templates: usize,
    formulas: usize,
    packed: usize,
    pub procs: usize,
    sites: usize,
    outer: usize,
    consts: usize,
}

/// The place of compiled constants.
pub enum Constants<'a> {
    /// The heap, below everything that a run creates.
    Heap(&'a mut Heap),
    /// Outside the heap, because a run is active.
    Aside,
}

impl Library {
    pub fn new(program: Arc<Program>, runs: Arc<[BuiltinCode]>) -> Library {
        let inline = inline::table(&program.known);
        let own_aggregate = program.defines("aggregate_all", 3);
        Library {
            program,
            runs,
            unit: LinkedCode::default(),
            versions: FxHashMap::default(),
            formed: FxHashMap::default(),
            closures: FxHashMap::default(),
            only_called: FxHashMap::default(),
            sought: FxHashMap::default(),
            counts: FxHashMap::default(),
            formed_counts: FxHashMap::default(),
            consts: FxHashMap::default(),
            inline,
            facts: FxHashMap::default(),
            own_aggregate,
            never: FxHashMap::default(),
            reached: FxHashMap::default(),
            queue: VecDeque::new(),
            queued: FxHashSet::default(),
            drafts: FxHashMap::default(),
            small: FxHashMap::default(),
        }
    }

    /// Adds linked code that belongs to no predicate, and returns its address.
    pub fn internal(&mut self, ops: &[Op]) -> u32 {
        let entry = self.unit.code.len() as u32;
        self.unit.code.extend_from_slice(ops);
        self.unit.procs.push(Proc {
            pred: None,
            forms: Box::default(),
            modes: vec![Mode::Any; 3].into(),
            solid: Box::new([]),
            holes: true,
            entry,
            end: entry + ops.len() as u32,
            size: ARGS + 3,
            cells: 0,
            notes: Box::new([]),
        });
        entry
    }

    fn begin(&mut self, pred: Option<PredId>, forms: Box<[ArgumentForm]>, modes: Box<[Mode]>) -> u32 {
        let number = self.unit.procs.len() as u32;
        let solid = vec![true; modes.len()].into();
        let notes = Box::new([]);
        let (entry, end, size, cells) = (0, 0, 0, 0);
        self.unit.procs.push(Proc { pred, forms, modes, solid, holes: false, entry, end, size, cells, notes });
        number
    }

    /// Returns the number of a version. A new version is queued for compilation.
    pub(super) fn request(&mut self, pred: PredId, modes: &[Mode]) -> u32 {
        let way = CallPattern { pred, forms: Box::default(), modes: modes.into() };
        if let Some(number) = self.versions.get(&way) {
            return *number;
        }
        let any = modes.iter().all(|mode| *mode == Mode::Any);
        let count = self.counts.entry(pred).or_insert(0);
        if *count >= MOST_VERSIONS && !any {
            return self.request(pred, &vec![Mode::Any; modes.len()]);
        }
        *count += 1;
        self.add(way)
    }

    fn add(&mut self, way: CallPattern) -> u32 {
        let number = self.begin(Some(way.pred), way.forms.clone(), way.modes.clone());
        self.versions.insert(way, number);
        self.queue.push_back(number);
        self.queued.insert(number);
        number
    }

    /// Returns the current sizes, for [`Library::rewind`].
    pub fn mark(&self) -> CompileMark {
        let unit = &self.unit;
        CompileMark {
            code: unit.code.len(),
            operands: unit.operands.len(),
            tables: unit.tables.len(),
            templates: unit.templates.len(),
            formulas: unit.formulas.len(),
            packed: unit.packed.len(),
            procs: unit.procs.len(),
            sites: unit.sites.len(),
            outer: unit.outer.len(),
            consts: unit.consts.len(),
        }
    }

    /// Removes everything compiled since the mark.
    pub fn rewind(&mut self, mark: &CompileMark) {
        let unit = &mut self.unit;
        unit.code.truncate(mark.code);
        unit.operands.truncate(mark.operands);
        unit.tables.truncate(mark.tables);
        unit.templates.truncate(mark.templates);
        unit.formulas.truncate(mark.formulas);
        unit.packed.truncate(mark.packed);
        unit.procs.truncate(mark.procs);
        unit.sites.truncate(mark.sites);
        unit.outer.truncate(mark.outer);
        unit.consts.truncate(mark.consts);
        self.queue.clear();
        self.queued.clear();
        self.drafts.clear();
        let procs = mark.procs as u32;
        let (counts, formed) = (&mut self.counts, &mut self.formed_counts);
        self.versions.retain(|way, number| {
            if *number >= procs {
                let counts = if way.forms.is_empty() { &mut *counts } else { &mut *formed };
                counts.entry(way.pred).and_modify(|count| *count -= 1);
            }
            *number < procs
        });
        self.formed.retain(|number, _| *number < procs);
        self.small.retain(|number, _| *number < procs);
        let consts = mark.consts as u32;
        self.facts.retain(|_, table| table.is_some_and(|table| table.start < consts));
        self.consts.retain(|_, number| *number < consts);
    }

    /// Returns the number of the operation that reads the table of a predicate. The next number records an answer:
    /// see `LinkedCode::tabled`.
    pub(super) fn table(&mut self, pred: PredId) -> BuiltinId {
        let tabled = &mut self.unit.tabled;
        let at = tabled.iter().position(|other| *other == pred).unwrap_or_else(|| {
            tabled.push(pred);
            tabled.len() - 1
        });
        BuiltinId((self.runs.len() + 2 * at) as u16)
    }

    /// Returns the number of a constant word.
    pub(super) fn word(&mut self, word: u64) -> u32 {
        *self.consts.entry(word).or_insert_with(|| {
            self.unit.consts.push(word);
            self.unit.consts.len() as u32 - 1
        })
    }
}
