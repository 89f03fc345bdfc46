//! The intermediate form: procedures of register code.
//!
//! One [`Proc`] is one predicate specialised for one pattern of arguments. Its registers are the
//! slots of its frame. Its code is a graph of blocks. Control leaves a block at its end, or by an
//! `or` or `slow` edge of an operation. Invariants, which `check.rs` tests in debug builds: every
//! edge leads to the beginning of a block of the same procedure; no block runs off its end; a slot
//! is written on every path before it is read.
//!
//! Slots hold terms. A *ground* term (mode `Solid`) contains no references, bound or unbound, so it
//! needs no dereferencing and no trail. The slot of an output argument refers to its *output cell*:
//! a single cell or the tail of a list cell. `compile` writes this code and `engine` runs it.
//! Nothing here uses clauses.

pub mod check;
mod operand;
pub mod show;
mod unit;

pub use alphorn_text::signature::{IntComparison, TypeTest};
pub use operand::{From, MAX_CONST, MAX_FIELD, Operand};
pub use unit::{ArgumentForm, LinkedCode, Proc, Site, Switch};

use crate::term::short::FormulaPart;
use alphorn_text::signature::BuiltinId;
use alphorn_text::symbol::Atom;

/// The number of a word of a frame. The first three words belong to the frame itself.
pub type Slot = u16;
/// The target of an edge: a block number during compilation, an index into the code after linking.
pub type Label = u32;

/// The edge of failure, which goes back to the last choice point.
pub const FAIL: Label = 0;
/// The number of frame words before the arguments: the return address, the caller's frame, and the
/// height of the choice points at entry.
pub const ARGS: Slot = 3;
/// The slot of the height of the choice points at entry.
pub const HEIGHT: Slot = 2;

/// The mark that no order exists in which arguments can be moved one by one.
pub const NO_MOVES: Operand = Operand(u32::MAX);

/// The most arguments of a board that `Op::PutArg` handles. The builtin handles larger boards.
pub const MOST_CELLS: usize = 64;

/// The mode of an argument.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Mode {
    /// A ground term without references.
    Solid,
    /// An output: the callee writes the value.
    Out,
    /// A general term.
    Any,
}

/// An integer function with special code. Builtins evaluate all others.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum Function {
    Mul,
    /// `//`, which truncates.
    Div,
    /// `mod`, with the sign of the divisor.
    Mod,
    /// `rem`, with the sign of the dividend.
    Rem,
    And,
    Or,
    Xor,
    ShiftLeft,
    ShiftRight,
    Min,
    Max,
    /// Unary `-`. The second operand is ignored.
    Neg,
    Abs,
    /// `\`.
    Not,
    /// The number of set bits of a non-negative integer.
    PopCount,
    /// The number of the highest set bit of a positive integer.
    Msb,
}

/// How a solution of `findall/3` is kept during backtracking.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SolutionStorage {
    /// It stays where it is.
    Share,
    /// It is ground, but the next solution may overwrite parts of it. Its new parts are copied.
    Copy,
    /// It may contain variables. It is copied if it is ground, else packed.
    Pack,
}

/// States of a call whose table is not complete: its clauses must run, or those of another call.
pub const OWN_PASS: i64 = -1;
pub const OTHER_PASS: i64 = -2;

/// An operation. `or` is the edge of a failing test, `slow` the edge of the slow path. `size` is
/// the number of words of the frame.
#[derive(Clone, Copy, Debug, PartialEq)]
#[allow(missing_docs)]
pub enum Op {
    /// Goes back to the last choice point.
    Fail,
    /// Returns.
    Proceed,
    Jump {
        to: Label,
    },
    /// Gives an answer to the caller of the engine.
    Answer,
    /// Ends the goal: there are no more answers.
    Exhausted,
    /// Calls a procedure with `count` operands. After linking, `proc` is its entry.
    Call {
        proc: u32,
        args: u32,
        count: u16,
        size: u16,
    },
    /// Calls a procedure in place of this one. Behind the operands come the number of moved
    /// arguments and, for each, its slot and operand. No move in this order overwrites an operand
    /// too early. If there is no such order, [`NO_MOVES`] replaces the moves.
    TailCall {
        proc: u32,
        args: u32,
        count: u16,
        size: u16,
    },
    /// Calls a term with further arguments.
    Meta {
        args: u32,
        count: u16,
        size: u16,
    },
    /// Calls a term in place of this procedure.
    TailMeta {
        args: u32,
        count: u16,
        size: u16,
    },
    /// Raises the existence error of an unknown procedure.
    Unknown {
        name: Atom,
        arity: u16,
    },
    /// Creates a choice point. On failure, control goes to `alt`.
    Push {
        alt: Label,
        size: u16,
    },
    /// Saves the height of the choice points.
    Height {
        d: Slot,
    },
    /// Removes the choice points above a saved height.
    CutTo {
        s: Slot,
    },
    /// Removes the alternative of the first choice point above a saved height.
    SoftCut {
        s: Slot,
    },
    /// Begins a `catch/3` with goal, ball and recovery, and the arguments of the procedure `proc`, which
    /// runs in place of the goal unless it is [`FAIL`]. If `last` is true, it replaces this procedure.
    Catch {
        proc: u32,
        args: u32,
        count: u16,
        size: u16,
        last: bool,
    },
    /// Leaves a `catch/3` whose goal succeeded.
    ExitCatch,
    /// Leaves a `catch/3` whose goal failed.
    Caught,
    /// Begins to collect solutions. The list is made at `end`.
    Begin {
        end: Label,
        size: u16,
    },
    /// Keeps a solution.
    Keep {
        v: Operand,
        how: SolutionStorage,
    },
    /// Makes the list of the kept solutions, followed by `tail`.
    End {
        d: Slot,
        tail: Operand,
    },
    /// Raises an error unless the term is a list or a partial list.
    CheckList {
        v: Operand,
    },

    IsConst {
        s: Slot,
        k: u32,
        or: Label,
    },
    /// Tests whether a cell of a compound is this constant.
    FieldIs {
        s: Slot,
        at: u16,
        k: u32,
        or: Label,
    },
    IsList {
        s: Slot,
        or: Label,
    },
    /// Tests whether the header of a structure is this constant.
    IsStruct {
        s: Slot,
        k: u32,
        or: Label,
    },
    /// Tests for a list cell and gives its tail.
    Rest {
        d: Slot,
        s: Slot,
        or: Label,
    },
    /// Tests whether ground terms are equal, by the standard order or by unification.
    Same {
        a: Operand,
        b: Operand,
        ordered: bool,
        or: Label,
    },
    /// Tests whether ground terms differ.
    Differ {
        a: Operand,
        b: Operand,
        ordered: bool,
        or: Label,
    },
    /// Tests whether a term is surely ground and contains no references.
    IsSolid {
        s: Slot,
        or: Label,
    },
    Is {
        what: TypeTest,
        s: Slot,
        or: Label,
    },
    /// Jumps by a table.
    Switch {
        s: Slot,
        table: u32,
    },

    Move {
        d: Slot,
        v: Operand,
    },
    Load {
        d: Slot,
        s: Slot,
        at: u16,
    },
    /// Follows bound variables.
    Deref {
        d: Slot,
        v: Operand,
    },
    /// Makes a new unbound variable.
    NewVar {
        d: Slot,
    },
    /// Unpacks a constant that lies outside the heap.
    Unpack {
        d: Slot,
        packed: u32,
    },
    Cons {
        d: Slot,
        head: Operand,
        tail: Operand,
    },
    /// Builds a structure of a header constant and operands.
    Build {
        d: Slot,
        k: u32,
        args: u32,
        count: u16,
    },

    /// Writes to an output cell.
    Out {
        s: Slot,
        v: Operand,
    },
    /// Makes the output cell an unbound variable.
    OutVar {
        d: Slot,
        s: Slot,
    },
    /// Writes a list cell to the output cell. Its tail is the new output cell.
    OutCons {
        s: Slot,
        head: Operand,
    },

    Add {
        d: Slot,
        a: Slot,
        b: Slot,
        slow: Label,
    },
    AddK {
        d: Slot,
        a: Slot,
        k: i32,
        slow: Label,
    },
    Sub {
        d: Slot,
        a: Slot,
        b: Slot,
        slow: Label,
    },
    Arith {
        f: Function,
        d: Slot,
        a: Slot,
        b: Slot,
        slow: Label,
    },
    Compare {
        order: IntComparison,
        a: Slot,
        b: Slot,
        or: Label,
        slow: Label,
    },
    CompareK {
        order: IntComparison,
        a: Slot,
        k: i32,
        or: Label,
        slow: Label,
    },

    /// Evaluates a formula whose values are numbers of any kind.
    Eval {
        d: Slot,
        formula: u32,
        slow: Label,
    },
    /// Compares the values of a formula.
    EvalCompare {
        formula: u32,
        or: Label,
        slow: Label,
    },

    /// Calls a builtin that succeeds at most once.
    Once {
        id: BuiltinId,
        count: u16,
        args: u32,
        or: Label,
    },
    /// Calls a builtin that may succeed again, or reads the table of a predicate (see
    /// `LinkedCode::tabled`). The operation `Again` follows.
    Many {
        id: BuiltinId,
        count: u16,
        args: u32,
        state: Slot,
        size: u16,
    },
    Again {
        id: BuiltinId,
        count: u16,
        args: u32,
        state: Slot,
        size: u16,
    },
    /// Counts `d` up to `high`. The operation `CountOn` follows.
    Count {
        d: Slot,
        high: Slot,
        size: u16,
        slow: Label,
    },
    /// Continues counting. It costs a step unless `free` is true.
    CountOn {
        d: Slot,
        high: Slot,
        size: u16,
        free: bool,
    },
    /// Counts the steps of a call that was compiled away.
    Step {
        count: u32,
    },
    /// Finds the row of a fact table by its key.
    Find {
        row: Slot,
        key: Operand,
        table: u32,
        or: Label,
    },
    /// Reads a column of a fact table: constant `start + arity * row`.
    Column {
        d: Slot,
        row: Slot,
        start: u32,
        arity: u16,
    },
    /// Gives the argument of a ground compound with the number in `i`.
    Arg {
        d: Slot,
        i: Slot,
        t: Slot,
        or: Label,
        slow: Label,
    },
    /// Gives the argument of a ground compound with the number `i`.
    ArgK {
        d: Slot,
        i: u16,
        t: Slot,
        or: Label,
        slow: Label,
    },
    /// Gives the standard order of two ground terms, as the atom `<`, `=` or `>`.
    Order {
        d: Slot,
        a: Operand,
        b: Operand,
        slow: Label,
    },
    /// Gives the arity of a compound.
    Arity {
        d: Slot,
        t: Slot,
        slow: Label,
    },
    /// Runs `put_arg/4` on ground terms. The operands are number, term and value.
    PutArg {
        d: Slot,
        args: u32,
        or: Label,
        slow: Label,
    },

    /// Unifies a term with a template, or fails.
    Unify {
        s: Slot,
        template: u32,
    },
    /// Unifies two terms, or fails.
    UnifyAny {
        a: Operand,
        b: Operand,
    },
}

/// The most cells of a number that a formula gives.
const NUMBER_CELLS: u32 = 3;

/// An arithmetic expression, or a comparison of two.
#[derive(Clone, Debug)]
pub struct Formula {
    /// The steps of the evaluation.
    pub parts: Box<[FormulaPart]>,
    /// The arguments: the index of the first in `LinkedCode::operands`, and their number.
    pub args: u32,
    pub count: u16,
    /// How the last two values are compared.
    pub order: Option<IntComparison>,
}

/// A part of a template. Parts are in prefix order.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum TemplatePart {
    /// A slot that gets its value here, unless it already has one.
    First(Slot),
    /// A slot with a term.
    Value(Slot),
    /// A constant, by its number.
    Const(u32),
    /// A list cell. Its head and tail follow.
    Cons,
    /// A structure: the number of its header constant, and the number of arguments, which follow.
    Struct(u32, u32),
}
