//! The intermediate form: procedures of register code.
//!
//! One [`Proc`] is one predicate specialised for one pattern of arguments.
//! Its registers are the slots of its frame; its code is a graph of blocks, a
//! straight line each, left at its end or by the `or` and `slow` edges of a
//! test. Invariants, checked by `check.rs` in debug builds: every edge leads
//! to the beginning of a block of the same procedure; no block runs off its
//! end; a slot is written on every path before it is read.
//!
//! Slots hold terms. A term is *solid* where no reference stands in it, bound
//! or unbound: it needs no dereferencing and no trail. An output argument is a
//! *destination*: where its value is to be written, a cell by itself or the
//! tail of a list cell. Whoever writes code stands in `compile`, who runs it
//! in `engine`; nothing here knows clauses.

pub mod check;
mod operand;
pub mod show;
mod unit;

pub use operand::{From, MAX_CONST, MAX_FIELD, Operand};
pub use unit::{LinkedCode, Proc, Site, Switch};

use alphorn_text::signature::BuiltinId;
use alphorn_text::symbol::Atom;

/// A word of a frame. The first three are the frame's own.
pub type Slot = u16;
/// Where an edge leads: a number of a block while a procedure is written, a
/// place in the code once it is linked.
pub type Label = u32;

/// The edge that fails: back to the last choice point.
pub const FAIL: Label = 0;
/// Frame words before the arguments: where to return, whose frame, and the
/// height of the choice points at entry.
pub const ARGS: Slot = 3;
/// The word with the height of the choice points.
pub const HEIGHT: Slot = 2;

/// There is no order in which arguments could be moved one by one.
pub const NO_MOVES: Operand = Operand(u32::MAX);

/// `put_arg/4` on a board of more cells is left to the builtin.
pub const MOST_CELLS: usize = 64;

/// How an argument is given.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Mode {
    /// A solid term.
    Solid,
    /// A destination for a value that is not there yet.
    Out,
    /// Anything.
    Any,
}

/// A function of integers that is compiled; all else goes to the builtins.
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
    /// `-` of one argument; the other is not looked at.
    Neg,
    Abs,
    /// `\`.
    Not,
    /// How many bits are set, of what is not negative.
    PopCount,
    /// The number of the highest bit, of what is positive.
    Msb,
}

/// How two integers are compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum Comparison {
    Less,
    AtMost,
    Greater,
    AtLeast,
    Equal,
    Unequal,
}

/// What a test of a term's type asks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum TypeTest {
    Var,
    Nonvar,
    Atom,
    Integer,
    Atomic,
    Compound,
    Number,
    Callable,
}

/// How a solution of a `findall/3` outlives the backtracking.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Keeping {
    /// It stays where it is.
    Share,
    /// It is solid, but the next solution may be written over parts of it:
    /// what is new in it is copied.
    Copy,
    /// It may hold variables.
    Pack,
}

/// An operation. `or` is where it goes on if the test fails, `slow` where the
/// quick way does not serve; `size` is the number of words of the frame.
#[derive(Clone, Copy, Debug, PartialEq)]
#[allow(missing_docs)]
pub enum Op {
    /// Back to the last choice point.
    Fail,
    /// Returns.
    Proceed,
    Jump {
        to: Label,
    },
    /// Gives an answer to whoever asked.
    Answer,
    /// There are no more answers.
    Exhausted,
    /// Calls a procedure with `count` operands; linked, `proc` is its entry.
    Call {
        proc: u32,
        args: u32,
        count: u16,
        size: u16,
    },
    /// Calls it in the place of this one. Behind the operands stands how many
    /// of them change their place, then for each its slot and itself, in an
    /// order in which none is written over too early; or [`NO_MOVES`].
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
    /// The same in the place of this procedure.
    TailMeta {
        args: u32,
        count: u16,
        size: u16,
    },
    /// Raises an existence error.
    Unknown {
        name: Atom,
        arity: u16,
    },
    /// A choice point: if what follows fails, go on at `alt`.
    Push {
        alt: Label,
        size: u16,
    },
    /// Remembers the choice points.
    Height {
        d: Slot,
    },
    /// Drops the choice points made since.
    CutTo {
        s: Slot,
    },
    /// Takes back the alternative of the first choice point made since.
    SoftCut {
        s: Slot,
    },
    /// Begins a `catch/3` of goal, ball and recovery; `last` in the place of
    /// this procedure.
    Catch {
        args: u32,
        size: u16,
        last: bool,
    },
    /// Its goal is done.
    ExitCatch,
    /// Its goal has failed.
    Caught,
    /// Begins to gather solutions; their list is ready at `end`.
    Begin {
        end: Label,
        size: u16,
    },
    /// Keeps a solution.
    Keep {
        v: Operand,
        how: Keeping,
    },
    /// The list of what was kept, followed by `tail`.
    End {
        d: Slot,
        tail: Operand,
    },
    /// An error unless it may become a list.
    CheckList {
        v: Operand,
    },

    IsConst {
        s: Slot,
        k: u32,
        or: Label,
    },
    /// The same of a cell of a compound.
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
    /// The header of a structure is this constant.
    IsStruct {
        s: Slot,
        k: u32,
        or: Label,
    },
    /// A list cell: its tail.
    Rest {
        d: Slot,
        s: Slot,
        or: Label,
    },
    /// Equal solid terms, by the standard order or as unification has it.
    Same {
        a: Operand,
        b: Operand,
        ordered: bool,
        or: Label,
    },
    /// Solid terms that differ.
    Differ {
        a: Operand,
        b: Operand,
        ordered: bool,
        or: Label,
    },
    Is {
        what: TypeTest,
        s: Slot,
        or: Label,
    },
    /// Goes where a table says.
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
    /// A fresh unbound variable.
    NewVar {
        d: Slot,
    },
    /// A constant that lies outside the heap.
    Unpack {
        d: Slot,
        packed: u32,
    },
    Cons {
        d: Slot,
        head: Operand,
        tail: Operand,
    },
    /// A structure: header constant, then operands.
    Build {
        d: Slot,
        k: u32,
        args: u32,
        count: u16,
    },

    /// Writes to a destination.
    Out {
        s: Slot,
        v: Operand,
    },
    /// Makes what was to be written an unbound variable.
    OutVar {
        d: Slot,
        s: Slot,
    },
    /// Writes a list cell whose tail is the destination from now on.
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
        order: Comparison,
        a: Slot,
        b: Slot,
        or: Label,
        slow: Label,
    },
    CompareK {
        order: Comparison,
        a: Slot,
        k: i32,
        or: Label,
        slow: Label,
    },

    /// A builtin that succeeds at most once.
    Once {
        id: BuiltinId,
        count: u16,
        args: u32,
        or: Label,
    },
    /// A builtin that may succeed again, or the table of a predicate (see
    /// `LinkedCode::tabled`); `Again` stands behind it.
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
    /// Counts `d` up to `high`; `CountOn` stands behind it.
    Count {
        d: Slot,
        high: Slot,
        size: u16,
        slow: Label,
    },
    /// Costs a step, unless it is `free`.
    CountOn {
        d: Slot,
        high: Slot,
        size: u16,
        free: bool,
    },
    /// Counts steps for a call that is none.
    Step {
        count: u32,
    },
    /// The row of a table of facts that this is the key of.
    Find {
        row: Slot,
        key: Operand,
        table: u32,
        or: Label,
    },
    /// A constant of a table of facts: `start` and so many for each row.
    Column {
        d: Slot,
        row: Slot,
        start: u32,
        arity: u16,
    },
    /// The argument of a solid compound with the number in `i`.
    Arg {
        d: Slot,
        i: Slot,
        t: Slot,
        or: Label,
        slow: Label,
    },
    /// The same with a number known beforehand.
    ArgK {
        d: Slot,
        i: u16,
        t: Slot,
        or: Label,
        slow: Label,
    },
    /// How many arguments a compound has.
    Arity {
        d: Slot,
        t: Slot,
        slow: Label,
    },
    /// `put_arg/4` on solid terms: the operands are number, term, value.
    PutArg {
        d: Slot,
        args: u32,
        or: Label,
        slow: Label,
    },

    /// Makes a term like a template, or fails.
    Unify {
        s: Slot,
        template: u32,
    },
    /// Makes two terms equal, or fails.
    UnifyAny {
        a: Operand,
        b: Operand,
    },
}

/// A part of a template, in prefix order.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum TemplatePart {
    /// A slot that gets its value here, unless it has one.
    First(Slot),
    /// A slot with a term.
    Value(Slot),
    /// A constant.
    Const(u32),
    /// A list cell; its parts follow.
    Cons,
    /// A structure by its header, and so many arguments; they follow.
    Struct(u32, u32),
}
