//! Predicates of other Prolog systems that the language leaves out on purpose.
//!
//! They have effects or need more than plain terms. For an undefined predicate of this name, the help
//! says what to write instead, so that nobody tries to define `sleep/1`.

const MEMORY: &str = "keep what changes in the position, and pass it on as an argument; use findall/3 for all answers; \
                      declare :- table p/2. to remember results";
const VALUE: &str = "pass the value on as an argument; a constant of the game can be a :- param(...)";
const BOARD: &str =
    "put_arg(I, Term, Value, New) gives a changed copy: write :- use_module(library(alphorn)). at the top of the file";
const SHOW: &str = "define show(Pos, Lines) to show a position; alphorn reads what the player types";
const FILES: &str = "a rule cannot read or write files: write its data as facts in the file of rules";
const CHANCE: &str = "the same goal always has the same answers; for dice define chance(Pos, Outcomes), which lists the chance outcomes: see docs/chance.md";
const CLOCK: &str = "the same goal always has the same answers, so rules have no clock: remove this; limit a search with --time SECONDS";
const WAIT: &str = "rules cannot wait: remove this goal";
const PROCESS: &str =
    "rules cannot start or stop programs: remove this goal; to end a goal, let it fail or call throw/1";
const THREADS: &str = "rules cannot use threads: remove this goal; for a search with several threads type --threads N";
const WAKING: &str = "test with \\== or \\+ after the goals that bind the variables";
const FLAGS: &str = "declare an operator with the directive :- op(...); there are no flags";
const PROGRAM: &str = "rules cannot inspect the program: write the data as facts, and call them";
const CONSTRAINTS: &str = "there are no constraints: enumerate with between/3 or member/2, then test with =:= or <";
const CLEANUP: &str = "rules have nothing to clean up: write the goal alone; catch its errors with catch/3";
const LOADING: &str = "to load a file, write the directive :- use_module('file'). at the top of the rules";
const DEBUGGING: &str = "remove this goal; to trace a goal, type: alphorn trace FILE 'GOAL'";
const OUTPUT: &str = "format(atom(Text), Format, Args) makes a text from terms; a goal that you type may print";

/// The least and the greatest arity, the names, and what to write instead.
type Row = (usize, usize, &'static str, &'static str);

#[rustfmt::skip]
const EFFECTS: &[Row] = &[
    (1, 2, "assert asserta assertz abolish", MEMORY),
    (1, 1, "retract retractall tnot", MEMORY),
    (0, 0, "abolish_all_tables", MEMORY),
    (2, 2, "nb_setval b_setval nb_getval b_getval nb_current gensym", VALUE),
    (1, 3, "recorda recordz recorded erase", VALUE),
    (3, 3, "flag", VALUE),
    (0, 1, "reset_gensym", VALUE),
    (2, 2, "term_hash variant_sha1 variant_hash", VALUE),
    (3, 3, "setarg nb_setarg nb_linkarg", BOARD),
    (0, 3, "read read_term get_char get_code peek_char peek_code get_byte peek_byte put_char put_byte put_code ttyflush flush_output read_line_to_string read_line_to_codes get_single_char", SHOW),
    (1, 1, "get get0 put skip portray_clause listing writef print_message_lines ansi_format", SHOW),
    (0, 0, "listing", SHOW),
    (2, 3, "write nl print writeq write_term write_canonical writeln tab print_message ansi_format portray_clause writef format", SHOW),
    (1, 1, "nl", SHOW),
    (4, 4, "format", SHOW),
    (2, 2, "with_output_to", OUTPUT),
    (2, 3, "sformat swritef message_to_codes", OUTPUT),
    (3, 4, "open", FILES),
    (1, 2, "close set_output set_input current_output current_input at_end_of_stream", FILES),
    (0, 0, "seen told at_end_of_stream", FILES),
    (1, 1, "see seeing tell telling append current_output current_input exists_file exists_directory delete_file make_directory", FILES),
    (2, 4, "set_stream stream_property set_stream_position seek rename_file directory_files absolute_file_name file_base_name file_directory_name file_name_extension working_directory read_file_to_terms read_file_to_string read_file_to_codes read_stream_to_codes read_term_from_stream phrase_from_file tmp_file size_file time_file csv_read_file http_open copy_stream_data current_stream read_string", FILES),
    (5, 5, "read_string", FILES),
    (0, 2, "consult load_files reconsult ensure_loaded use_module use_foreign_library", LOADING),
    (1, 1, "sleep", WAIT),
    (2, 4, "wait_for_input alarm call_with_time_limit", WAIT),
    (0, 1, "halt at_halt", PROCESS),
    (0, 3, "shell", PROCESS),
    (0, 0, "abort break garbage_collect prompt", PROCESS),
    (1, 1, "system", PROCESS),
    (2, 3, "process_create getenv setenv prompt", PROCESS),
    (1, 1, "random random_float maybe set_random setrand getrand", CHANCE),
    (0, 0, "maybe", CHANCE),
    (2, 2, "random_member random_permutation maybe random_subseq random_select", CHANCE),
    (3, 3, "random random_between random_select randseq randset random_subseq", CHANCE),
    (1, 1, "get_time time date", CLOCK),
    (2, 2, "statistics stamp_date_time get_date call_time", CLOCK),
    (3, 4, "format_time stamp_date_time date_time_stamp date_time_value", CLOCK),
    (0, 0, "statistics", CLOCK),
    (1, 3, "freeze put_attr get_attr del_attr frozen", WAKING),
    (2, 2, "dif when", WAKING),
    (2, 2, "#= #\\= #< #> #=< #>= ins labeling", CONSTRAINTS),
    (1, 1, "all_distinct all_different labeling", CONSTRAINTS),
    (1, 3, "set_prolog_flag current_prolog_flag op current_op style_check create_prolog_flag", FLAGS),
    (2, 2, "clause predicate_property nth_clause prolog_load_context expand_term", PROGRAM),
    (1, 1, "current_predicate current_module current_atom dynamic discontiguous compile_predicates", PROGRAM),
    (2, 3, "current_predicate current_functor module_property clause_property source_location clause", PROGRAM),
    (1, 4, "thread_create thread_join thread_send_message thread_get_message mutex_create with_mutex thread_self message_queue_create concurrent_maplist concurrent_forall", THREADS),
    (3, 3, "concurrent first_solution", THREADS),
    (3, 3, "setup_call_cleanup", CLEANUP),
    (2, 3, "call_cleanup", CLEANUP),
    (0, 0, "trace notrace nospyall debug nodebug debugging tracing backtrace", DEBUGGING),
    (1, 3, "spy nospy leash debug nodebug backtrace", DEBUGGING),
];

/// What to write instead of a predicate that the language leaves out; `None` for others.
pub(super) fn replacement_help(name: &str, arity: usize) -> Option<&'static str> {
    let is =
        |&&(least, most, names, _): &&Row| (least..=most).contains(&arity) && names.split(' ').any(|one| one == name);
    EFFECTS.iter().find(is).map(|(.., help)| *help)
}
