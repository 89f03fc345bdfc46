//! Prints procedures as text: blocks, slots, edges.

use super::check::mode_text;
use super::{ArgumentForm, FAIL, From, LinkedCode, Op, Operand, Proc};
use crate::term::Term;
use crate::term::heap::{header_large, header_small};
use crate::term::{HDR, TAG};
use alphorn_lang::lang::program::Program;
use alphorn_text::symbol::atoms;
use std::collections::BTreeSet;
use std::fmt::Write;

/// Returns the text of a procedure with all its blocks.
pub fn procedure(unit: &LinkedCode, program: &Program, proc: &Proc) -> String {
    let name = proc.pred.map_or_else(|| "goal".to_string(), |pred| program.indicator(pred));
    let mut out = format!("{name} ({})  frame {} words\n", calling_pattern(proc), proc.size);
    let mut begins = BTreeSet::from([proc.entry]);
    for at in proc.entry..proc.end {
        let mut op = unit.code[at as usize];
        op.edges(|label| {
            begins.insert(*label);
        });
        if let Op::Switch { table, .. } = op {
            let table = &unit.tables[table as usize];
            begins.extend(table.keys.iter().map(|(_, label)| *label).chain([table.list, table.rest, table.unbound]));
        }
    }
    for at in proc.entry..proc.end {
        if begins.contains(&at) {
            let _ = writeln!(out, "  b{at}:");
        }
        let _ = writeln!(out, "    {}", operation(unit, program, unit.code[at as usize]));
    }
    out
}

/// Returns the calling pattern of a procedure, down to the parts of arguments that are passed one
/// by one. `+` is ground, `-` an output, `?` may contain unbound variables, `_` is a local
/// variable, and `=2` is the same as the second part.
pub fn calling_pattern(proc: &Proc) -> String {
    let mode = |at: usize| mode_text(proc.modes[at], proc.solid.get(at).copied().unwrap_or(true));
    if proc.forms.is_empty() {
        return (0..proc.modes.len()).map(mode).collect::<Vec<&str>>().join(", ");
    }
    let mut modes = (0..proc.modes.len()).map(mode);
    proc.forms.iter().map(|form| form_text(form, &mut modes)).collect::<Vec<String>>().join(", ")
}

fn form_text(form: &ArgumentForm, modes: &mut impl Iterator<Item = &'static str>) -> String {
    match form {
        ArgumentForm::Part => modes.next().unwrap_or("?").to_string(),
        ArgumentForm::Same(at) => format!("={}", at + 1),
        ArgumentForm::Local(_) => "_".to_string(),
        ArgumentForm::Atom(name) => name.text().to_string(),
        ArgumentForm::Int(value) => value.to_string(),
        ArgumentForm::Compound(name, forms) => {
            let parts: Vec<String> = forms.iter().map(|form| form_text(form, modes)).collect();
            match (*name, parts.as_slice()) {
                (atoms::DOT, [head, tail]) => format!("[{head} | {tail}]"),
                (_, [left, right]) if !name.text().contains(char::is_alphanumeric) => {
                    format!("{left}{}{right}", name.text())
                }
                _ => format!("{}({})", name.text(), parts.join(", ")),
            }
        }
    }
}

fn label(to: u32) -> String {
    if to == FAIL { "fail".to_string() } else { format!("b{to}") }
}

fn word(unit: &LinkedCode, number: u32) -> String {
    let word = unit.consts[number as usize];
    if word & TAG == HDR {
        let name = alphorn_text::symbol::Atom::from_number(header_large(word) as u32);
        return format!("{}/{}", name.text(), header_small(word));
    }
    let term = Term(word);
    match (term.as_atom(), term.as_small()) {
        (Some(name), _) => name.text().to_string(),
        (_, Some(value)) => value.to_string(),
        _ => format!("const{number}"),
    }
}

fn operand(unit: &LinkedCode, v: Operand) -> String {
    match v.from() {
        From::Slot(s) => format!("s{s}"),
        From::Const(number) => word(unit, number),
        From::Field(s, at) => format!("s{s}[{at}]"),
        From::Cell(s) => format!("*s{s}"),
        From::Fresh(s) => format!("new s{s}"),
    }
}

fn operands(unit: &LinkedCode, start: u32, count: u16) -> String {
    let all = &unit.operands[start as usize..start as usize + usize::from(count)];
    all.iter().map(|v| operand(unit, *v)).collect::<Vec<_>>().join(", ")
}

fn callee(unit: &LinkedCode, program: &Program, entry: u32) -> String {
    let pred = unit.proc_at(entry).and_then(|proc| proc.pred);
    format!("{} b{entry}", pred.map_or_else(String::new, |pred| program.indicator(pred)))
}

fn operation(unit: &LinkedCode, program: &Program, op: Op) -> String {
    let value = |v| operand(unit, v);
    let list = |start, count| operands(unit, start, count);
    let builtin = |id: alphorn_text::signature::BuiltinId| {
        if let Some(pred) = unit.tabled(&program.known, id) {
            return format!("table of {}", program.indicator(pred));
        }
        let row = program.known.row(id);
        format!("{}/{}", row.name, row.arity)
    };
    match op {
        Op::Fail | Op::Caught => "fail".to_string(),
        Op::Proceed => "return".to_string(),
        Op::Jump { to } => format!("jump {}", label(to)),
        Op::Answer => "answer".to_string(),
        Op::Exhausted => "no more answers".to_string(),
        Op::Call { proc, args, count, .. } => format!("call {}({})", callee(unit, program, proc), list(args, count)),
        Op::TailCall { proc, args, count, .. } => {
            format!("tailcall {}({})", callee(unit, program, proc), list(args, count))
        }
        Op::Meta { args, count, .. } => format!("call term {}", list(args, count)),
        Op::TailMeta { args, count, .. } => format!("tailcall term {}", list(args, count)),
        Op::Unknown { name, arity } => format!("unknown {}/{arity}", name.text()),
        Op::Push { alt, .. } => format!("try, else {}", label(alt)),
        Op::Height { d } => format!("s{d} = height"),
        Op::CutTo { s } => format!("cut to s{s}"),
        Op::SoftCut { s } => format!("softcut to s{s}"),
        Op::Catch { proc: FAIL, args, count, .. } => format!("catch {}", list(args, count)),
        Op::Catch { proc, args, count, .. } => format!("catch {}({})", callee(unit, program, proc), list(args, count)),
        Op::ExitCatch => "leave catch".to_string(),
        Op::Begin { end, .. } => format!("gather, then {}", label(end)),
        Op::Keep { v, how } => format!("keep {}, {how:?}", value(v)),
        Op::End { d, tail } => format!("s{d} = gathered, then {}", value(tail)),
        Op::CheckList { v } => format!("list? {}", value(v)),
        Op::IsConst { s, k, or } => format!("s{s} is {}, else {}", word(unit, k), label(or)),
        Op::FieldIs { s, at, k, or } => format!("s{s}[{at}] is {}, else {}", word(unit, k), label(or)),
        Op::IsList { s, or } => format!("s{s} is a list cell, else {}", label(or)),
        Op::IsStruct { s, k, or } => format!("s{s} is {}, else {}", word(unit, k), label(or)),
        Op::Rest { d, s, or } => format!("s{d} = tail of s{s}, else {}", label(or)),
        Op::Same { a, b, or, .. } => format!("{} same as {}, else {}", value(a), value(b), label(or)),
        Op::Differ { a, b, or, .. } => format!("{} differs from {}, else {}", value(a), value(b), label(or)),
        Op::IsSolid { s, or } => format!("s{s} is solid, else {}", label(or)),
        Op::Is { what, s, or } => format!("s{s} is {what:?}, else {}", label(or)),
        Op::Switch { s, table } => {
            let table = &unit.tables[table as usize];
            let mut ways: Vec<String> = table
                .keys
                .iter()
                .map(|(key, to)| {
                    let shown = match Term(*key) {
                        term if *key & TAG == HDR => format!(
                            "{}/{}",
                            alphorn_text::symbol::Atom::from_number(header_large(term.0) as u32).text(),
                            header_small(term.0)
                        ),
                        term => term
                            .as_atom()
                            .map_or_else(|| term.as_small().unwrap_or(0).to_string(), |name| name.text().to_string()),
                    };
                    format!("{shown}: {}", label(*to))
                })
                .collect();
            for (name, to) in [("list", table.list), ("other", table.rest), ("unbound", table.unbound)] {
                if to != FAIL {
                    ways.push(format!("{name}: {}", label(to)));
                }
            }
            format!("switch s{s} {{{}}}", ways.join(", "))
        }
        Op::Move { d, v } => format!("s{d} = {}", value(v)),
        Op::Load { d, s, at } => format!("s{d} = s{s}[{at}]"),
        Op::Deref { d, v } => format!("s{d} = deref {}", value(v)),
        Op::NewVar { d } => format!("s{d} = variable"),
        Op::Unpack { d, packed } => format!("s{d} = packed{packed}"),
        Op::Cons { d, head, tail } => format!("s{d} = [{} | {}]", value(head), value(tail)),
        Op::Build { d, k, args, count } => format!("s{d} = {} of {}", word(unit, k), list(args, count)),
        Op::Out { s, v } => format!("*s{s} = {}", value(v)),
        Op::OutVar { d, s } => format!("*s{s} = s{d} = variable"),
        Op::OutCons { s, head } => format!("*s{s} = [{} | s{s}]", value(head)),
        Op::Add { d, a, b, slow } => format!("s{d} = s{a} + s{b}, slow {}", label(slow)),
        Op::AddK { d, a, k, slow } => format!("s{d} = s{a} + {k}, slow {}", label(slow)),
        Op::Sub { d, a, b, slow } => format!("s{d} = s{a} - s{b}, slow {}", label(slow)),
        Op::Eval { d, formula, slow } => {
            let formula = &unit.formulas[formula as usize];
            format!("s{d} = {:?} of {}, slow {}", formula.parts, list(formula.args, formula.count), label(slow))
        }
        Op::EvalCompare { formula, or, slow } => {
            let formula = &unit.formulas[formula as usize];
            let args = list(formula.args, formula.count);
            format!("{:?} {:?} of {args}, else {}, slow {}", formula.order, formula.parts, label(or), label(slow))
        }
        Op::Arith { f, d, a, b, slow } => format!("s{d} = {f:?} s{a} s{b}, slow {}", label(slow)),
        Op::Compare { order, a, b, or, slow } => {
            format!("s{a} {order:?} s{b}, else {}, slow {}", label(or), label(slow))
        }
        Op::CompareK { order, a, k, or, slow } => {
            format!("s{a} {order:?} {k}, else {}, slow {}", label(or), label(slow))
        }
        Op::Once { id, count, args, or } => format!("{}({}), else {}", builtin(id), list(args, count), label(or)),
        Op::Many { id, count, args, state, .. } => format!("{}({}), state s{state}", builtin(id), list(args, count)),
        Op::Again { id, count, args, state, .. } => {
            format!("again {}({}), state s{state}", builtin(id), list(args, count))
        }
        Op::Count { d, high, slow, .. } => format!("count s{d} to s{high}, slow {}", label(slow)),
        Op::CountOn { d, high, .. } => format!("count on s{d} to s{high}"),
        Op::Step { count } => format!("step {count}"),
        Op::Find { row, key, table, or } => {
            format!("s{row} = row of {} in table {table}, else {}", value(key), label(or))
        }
        Op::Column { d, row, start, arity } => format!("s{d} = const{start} + {arity} * s{row}"),
        Op::Arg { d, i, t, or, slow } => format!("s{d} = arg s{i} of s{t}, else {}, slow {}", label(or), label(slow)),
        Op::ArgK { d, i, t, or, slow } => format!("s{d} = arg {i} of s{t}, else {}, slow {}", label(or), label(slow)),
        Op::Order { d, a, b, slow } => format!("s{d} = order of {}, {}, slow {}", value(a), value(b), label(slow)),
        Op::Arity { d, t, slow } => format!("s{d} = arity of s{t}, slow {}", label(slow)),
        Op::PutArg { d, args, or, slow } => {
            format!("s{d} = put_arg({}), else {}, slow {}", list(args, 3), label(or), label(slow))
        }
        Op::Unify { s, template } => format!("unify s{s} with template {template}"),
        Op::UnifyAny { a, b } => format!("unify {} with {}", value(a), value(b)),
    }
}
