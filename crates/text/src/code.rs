//! The codes of diagnostics.
//!
//! A new code needs a row here and a section in `docs/codes.md`; a test compares the two.

use std::fmt;

/// Defines the codes and their texts.
macro_rules! codes {
    ($($(#[$doc:meta])* $name:ident = $text:literal,)*) => {
        /// The code of a diagnostic. A code never gets another meaning.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum Code {
            /// A message without a code.
            None,
            $($(#[$doc])* $name,)*
        }

        impl Code {
            /// All codes, in the order of their texts.
            pub const ALL: &[Code] = &[$(Code::$name,)*];

            /// The text of the code, such as `A0201`. It is empty for a message without a code.
            pub fn text(self) -> &'static str {
                match self {
                    Code::None => "",
                    $(Code::$name => $text,)*
                }
            }
        }
    };
}

codes! {
    /// An unexpected word in a clause.
    UnexpectedWord = "A0101",
    /// A quote that is never closed.
    UnclosedQuote = "A0102",
    /// A comment that is never closed.
    UnclosedComment = "A0103",
    /// A malformed number or text.
    MalformedNumber = "A0104",
    /// An invalid character.
    InvalidCharacter = "A0105",
    /// An unmatched bracket.
    UnmatchedBracket = "A0106",
    /// A missing full stop.
    MissingFullStop = "A0107",
    /// Operators that cannot be combined.
    OperatorClash = "A0108",
    /// A missing term.
    MissingTerm = "A0109",
    /// Brackets or goals nested too deep.
    NestedTooDeep = "A0110",
    /// A variable in the place of a predicate name.
    VariableAsPredicate = "A0111",
    /// A predicate that is not defined.
    UndefinedPredicate = "A0201",
    /// A predicate with another number of arguments.
    OtherArity = "A0202",
    /// A predicate that rules must not call.
    RefusedPredicate = "A0203",
    /// A second definition of a builtin.
    BuiltinRedefined = "A0204",
    /// An invalid goal.
    InvalidGoal = "A0205",
    /// An invalid clause.
    InvalidClause = "A0206",
    /// A missing file or library.
    MissingFile = "A0207",
    /// A path outside the folder.
    PathOutside = "A0208",
    /// An unknown directive.
    UnknownDirective = "A0209",
    /// A directive with an invalid argument.
    DirectiveArgument = "A0210",
    /// An invalid parameter.
    InvalidParameter = "A0211",
    /// Output in the rules of a game.
    OutputInRules = "A0212",
    /// A variable that occurs only once.
    SingletonVariable = "A0301",
    /// Separated clauses of one predicate.
    SeparatedClauses = "A0302",
    /// A clause that is never reached.
    UnreachedClause = "A0303",
    /// A predicate that is never called.
    UncalledPredicate = "A0304",
    /// A library predicate that the file replaces.
    LibraryReplaced = "A0305",
    /// An Alphorn predicate without its library.
    LibraryNotLoaded = "A0306",
    /// An expression that is not computed.
    ExpressionNotComputed = "A0307",
    /// An invalid word in arithmetic.
    InvalidInArithmetic = "A0308",
    /// A goal that never succeeds.
    GoalNeverSucceeds = "A0309",
    /// Recursion without an end.
    EndlessRecursion = "A0310",
    /// A clause that matches no position.
    ClauseMatchesNoPosition = "A0311",
    /// A clause that matches no label.
    ClauseMatchesNoLabel = "A0312",
    /// An atom that is nearly another one.
    MisspeltAtom = "A0313",
    /// An unbound variable in arithmetic.
    UnboundInArithmetic = "A0401",
    /// Recursion that never ends.
    LeftRecursion = "A0402",
    /// A negation that depends on itself.
    CyclicNegation = "A0403",
    /// No initial position.
    NoInitialPosition = "A0501",
    /// No moves.
    NoMoves = "A0502",
    /// No player to move.
    NoPlayerToMove = "A0503",
    /// Two definitions of moves.
    TwoMoveDefinitions = "A0504",
    /// No evaluation.
    NoEvaluation = "A0505",
    /// An invalid declaration of the game.
    InvalidDeclaration = "A0506",
    /// An invalid expectation.
    InvalidExpectation = "A0507",
    /// A game predicate with another number of arguments.
    GamePredicateArity = "A0508",
    /// Arguments in the wrong order.
    ArgumentOrder = "A0509",
    /// A goal that takes too many steps.
    TooManySteps = "A0601",
    /// A goal that needs too much memory.
    TooMuchMemory = "A0602",
    /// An error in a goal.
    ErrorInGoal = "A0603",
    /// An exception that no rule catches.
    UncaughtException = "A0604",
    /// An answer that is not ground.
    AnswerNotGround = "A0605",
    /// An invalid evaluation or outcome.
    InvalidEvaluation = "A0606",
    /// A position without moves that is not terminal.
    NoMovesNotTerminal = "A0607",
    /// Both players to move, or neither.
    BothOrNeitherToMove = "A0608",
    /// Two moves with the same label.
    DuplicateLabel = "A0609",
    /// Endless play.
    EndlessPlay = "A0610",
    /// A value outside the declared range.
    OutsideRange = "A0611",
    /// A symmetry that changes the value.
    SymmetryChangesValue = "A0612",
    /// A position that repeats in an acyclic game.
    RepeatsInAcyclicGame = "A0613",
    /// An interruption.
    Interrupted = "A0614",
    /// An invalid position or move.
    InvalidPositionOrMove = "A0615",
    /// An expectation that fails.
    ExpectationFails = "A0616",
    /// A command without support for chance moves.
    NoChanceSupport = "A0617",
    /// A risk function without a value range.
    RiskWithoutRange = "A0618",
    /// Invalid chance outcomes.
    InvalidChanceOutcomes = "A0619",
    /// An invalid name, file or argument.
    InvalidArgument = "A0620",
    /// A tree that is too large.
    TreeTooLarge = "A0621",
    /// A search without a tree.
    SearchWithoutTree = "A0622",
    /// A file that Alphorn does not replace.
    FileNotReplaced = "A0623",
    /// An undecided expectation.
    ExpectationUndecided = "A0624",
    /// A notation that cannot be read back.
    NotationNotReadBack = "A0625",
    /// A term that contains itself.
    CyclicTerm = "A0626",
    /// A clause whose head never matches.
    HeadNeverMatches = "A0627",
    /// A goal that always fails.
    GoalAlwaysFails = "A0628",
    /// A game that is too large for the memory.
    GameTooLarge = "A0630",
    /// A task that the method of solving cannot do.
    MethodCannotSolve = "A0631",
    /// A file of values that cannot be used.
    UnusableValueFile = "A0632",
    /// An incorrect proof.
    IncorrectProof = "A0633",
    /// Not enough memory for a table.
    TableTooLarge = "A0634",
    /// A match that cannot be played.
    UnplayableMatch = "A0640",
    /// A record of games that cannot be used.
    UnusableRecord = "A0645",
    /// A request to tune without anything to tune.
    NothingToTune = "A0646",
    /// Positions with results that cannot be used for tuning.
    UnusablePositions = "A0647",
    /// A request that a server does not carry out for its clients.
    NotAllowedHere = "A0650",
    /// An invalid part of an advice table.
    InvalidTablePart = "A0701",
    /// An undefined piece of advice or class of moves.
    UndefinedAdvice = "A0702",
    /// Advice without a legal first move.
    NoLegalFirstMove = "A0703",
    /// Advice that no rule uses.
    UnusedAdvice = "A0704",
    /// A number used as a condition.
    NumberAsCondition = "A0705",
    /// An advice rule that never applies.
    AdviceNeverApplies = "A0706",
    /// A game without advice.
    NoAdvice = "A0710",
    /// No advice applies in this position.
    NoAdviceApplies = "A0711",
    /// A better-goal that already holds.
    BetterGoalHolds = "A0712",
    /// A forcing tree that is too large.
    ForcingTreeTooLarge = "A0713",
}

impl fmt::Display for Code {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.text())
    }
}

impl PartialEq<&str> for Code {
    fn eq(&self, text: &&str) -> bool {
        self.text() == *text
    }
}

impl PartialEq<str> for Code {
    fn eq(&self, text: &str) -> bool {
        self.text() == text
    }
}
