//! The main loop of the reference solver, which runs one step of a body at a time.

use crate::machine::fault::{Cause, Fault};
use crate::machine::reference::choice::ChoiceKind;
use crate::machine::reference::code::{BodyStep, ClauseCode, Template};
use crate::machine::reference::{CATCH, FRAME, FindallSolutions, Reference};
use crate::machine::{BuiltinCode, BuiltinResult};
use crate::term::Term;
use crate::term::collect::Collector as Garbage;
use crate::term::heap::{FUNCTOR, header_kind, header_large, header_small, raw_words};
use crate::term::{HDR, TAG};
use alphorn_lang::lang::program::Callee;
use alphorn_text::signature::BuiltinId;
use alphorn_text::symbol::{Atom, atoms};
use rustc_hash::FxHashSet;
use std::rc::Rc;

/// How the loop continues after a step.
enum StepResult {
    /// Continue at the current state.
    On,
    /// Backtrack to the last choice point.
    Back,
    /// Return an answer.
    Answer,
}

fn going(succeeded: bool) -> StepResult {
    if succeeded { StepResult::On } else { StepResult::Back }
}

impl Reference {
    /// Runs until an answer or the end, after backtracking to the last choice point if `retrying`.
    pub(super) fn run(&mut self, retrying: bool) -> Result<bool, Fault> {
        self.runs(true);
        let found = self.run_on(retrying);
        self.runs(false);
        found
    }

    fn run_on(&mut self, retrying: bool) -> Result<bool, Fault> {
        let mut back = retrying;
        loop {
            let fault = match self.steps(back) {
                Ok(answer) => return Ok(answer),
                Err(fault) => self.placed(fault),
            };
            back = match self.caught(fault) {
                Ok(recovers) => !recovers,
                Err(fault) => {
                    self.abandon_all();
                    return Err(fault);
                }
            };
        }
    }

    fn steps(&mut self, back: bool) -> Result<bool, Fault> {
        let mut going = match self.pending.take() {
            Some(pred) => going(self.enter(pred, Term::NONE, 0)?),
            None if back => StepResult::Back,
            None => StepResult::On,
        };
        loop {
            self.stepping = false;
            match going {
                StepResult::Answer => return Ok(true),
                StepResult::Back if !self.backtrack()? => return Ok(false),
                StepResult::Back => self.turn(),
                StepResult::On => {}
            }
            self.stepping = true;
            if self.store.heap.len() >= self.collect_at {
                self.collect()?;
            }
            let code = self.code.clone();
            going = self.step(&code)?;
        }
    }

    fn step(&mut self, code: &Rc<ClauseCode>) -> Result<StepResult, Fault> {
        self.called_at = Some(self.store.steps);
        self.tell_step();
        match &code.body[self.pc as usize] {
            BodyStep::Call(pred, args, _) => {
                self.store.charge(1)?;
                self.load(args);
                let (frame, pc) = self.continuation();
                self.enter(*pred, frame, pc).map(going)
            }
            BodyStep::Native(builtin, args, _) => {
                self.load(args);
                self.native(*builtin)
            }
            BodyStep::Meta(args, _) => {
                self.store.charge(1)?;
                self.load(args);
                let (frame, pc) = self.continuation();
                let args = std::mem::take(&mut self.args);
                self.call_term(args[0], &args[1..], frame, pc).map(going)
            }
            BodyStep::Unknown(name, arity, _) => Err(Fault::unknown_procedure(&mut self.store.heap, *name, *arity)),
            BodyStep::Proceed => {
                self.store.returns -= 1;
                if self.store.returns == 0 {
                    self.store.round()?;
                }
                let (frame, pc) = (self.cell(self.frame, 2), self.cell(self.frame, 3));
                self.resume(frame, pc.as_small().unwrap_or(0) as u32);
                Ok(StepResult::On)
            }
            BodyStep::Fail => Ok(StepResult::Back),
            BodyStep::Answer => Ok(StepResult::Answer),
            step => self.control(step),
        }
    }

    fn control(&mut self, step: &BodyStep) -> Result<StepResult, Fault> {
        let mut next = self.pc + 1;
        match step {
            BodyStep::Mark(slot) => self.set_slot(*slot, self.choices.len()),
            BodyStep::Try(slot, other) => {
                self.set_slot(*slot, self.choices.len());
                self.push_choice(ChoiceKind::Step, self.frame, *other, &[]);
            }
            BodyStep::Commit(slot) => self.cut_to(self.height_in(*slot)),
            BodyStep::SoftCommit(slot) => {
                let height = self.height_in(*slot);
                if height + 1 == self.choices.len() {
                    self.cut_to(height);
                } else {
                    self.choices[height].kind = ChoiceKind::Dead;
                }
            }
            BodyStep::Cut => {
                let barrier = self.cell(self.frame, 4).as_small().unwrap_or(0);
                self.cut_to(barrier as usize);
            }
            BodyStep::Jump(target) => next = *target,
            BodyStep::Findall(args, _, _) => self.begin_findall(args)?,
            BodyStep::Collect(template) => return self.keep(template),
            BodyStep::Catch(args, _) => return self.begin_catch(args).map(going),
            BodyStep::ExitCatch => self.exit_catch(),
            BodyStep::TableAnswer => {
                self.record_answer()?;
                self.leave_to_table();
                return Ok(StepResult::Back);
            }
            BodyStep::LeaveBox => self.leave_box()?,
            BodyStep::Call(..)
            | BodyStep::Native(..)
            | BodyStep::Meta(..)
            | BodyStep::Unknown(..)
            | BodyStep::Proceed
            | BodyStep::Fail
            | BodyStep::Answer => {
                unreachable!("step() takes these")
            }
        }
        self.pc = next;
        Ok(StepResult::On)
    }

    /// Calls a builtin with `self.args`, and continues after this step.
    fn native(&mut self, builtin: BuiltinId) -> Result<StepResult, Fault> {
        match self.runs[usize::from(builtin.0)] {
            BuiltinCode::Once(run) => {
                let succeeded = self.run_once(builtin, run, self.frame)?;
                self.pc += 1;
                Ok(going(succeeded))
            }
            BuiltinCode::Many(_) => {
                let (frame, pc) = self.continuation();
                let (frame, pc) = self.open_box(Callee::Native(builtin), frame, pc)?;
                let args = std::mem::take(&mut self.args);
                let succeeded = self.run_many(builtin, &args, None, frame, pc);
                self.args = args;
                succeeded.map(going)
            }
            BuiltinCode::Solver(_) => {
                let row = *self.program.known.row(builtin);
                let args = std::mem::take(&mut self.args);
                let goal = self.store.heap.structure(Atom::new(row.name), &args);
                let (frame, pc) = self.continuation();
                self.call_term(goal, &[], frame, pc).map(going)
            }
        }
    }

    /// Calls a builtin that may succeed again. Its choice point is created before its bindings, so
    /// that they are undone.
    pub(super) fn run_many(
        &mut self,
        builtin: BuiltinId,
        args: &[Term],
        state: Option<Term>,
        frame: Term,
        pc: u32,
    ) -> Result<bool, Fault> {
        let BuiltinCode::Many(run) = self.runs[usize::from(builtin.0)] else {
            unreachable!("only these leave a choice point behind");
        };
        let height = self.choices.len();
        self.push_choice(ChoiceKind::Again(builtin), frame, pc, args);
        self.saved.push(state.unwrap_or(Term::small(0)));
        if state.is_some() {
            self.store.charge(1)?;
        }
        match run(&mut self.store, args, state)? {
            BuiltinResult::No => {
                self.cut_to(height);
                return Ok(false);
            }
            BuiltinResult::BoolResult => self.cut_to(height),
            BuiltinResult::Again(state) => self.keep_state(state),
            BuiltinResult::Later(state) => {
                self.keep_state(state);
                return Ok(false);
            }
        }
        self.resume(frame, pc);
        Ok(true)
    }

    fn keep_state(&mut self, state: Term) {
        debug_assert!(state.as_small().is_some(), "a state must survive backtracking");
        *self.saved.last_mut().expect("the choice point was just pushed") = state;
    }

    fn begin_findall(&mut self, args: &[Template]) -> Result<(), Fault> {
        self.store.charge(1)?;
        self.load(args);
        for at in 0..self.args.len() {
            let (_, end) = self.store.heap.elements(self.args[at]);
            if at == 0 && !self.store.heap.is_var(end) && end != Term::atom(atoms::NIL) {
                return Err(Fault::type_error(&mut self.store.heap, "list", self.args[0]));
            }
        }
        self.push_choice(ChoiceKind::Findall, self.frame, self.pc, &[]);
        self.collectors.push(FindallSolutions::default());
        Ok(())
    }

    fn keep(&mut self, template: &Template) -> Result<StepResult, Fault> {
        self.store.charge(1)?;
        let term = self.build(template);
        let left = self.store.words_left();
        let collector = self.collectors.last_mut().expect("a findall is under way");
        let Some(words) = collector.items.gather(&self.store.heap, term, left) else {
            return Err(self.store.unpackable(term));
        };
        self.store.aside += 8 * words;
        collector.words += words;
        Ok(StepResult::Back)
    }

    /// Builds the list of a findall whose goal has no more solutions, and continues after it.
    pub(super) fn findall_list(&mut self, frame: Term, pc: u32) -> Result<bool, Fault> {
        let collector = self.collectors.pop().expect("each findall has its own");
        self.store.aside = self.store.aside.saturating_sub(8 * collector.words);
        self.store.room(collector.words as usize + 2 * collector.items.count())?;
        self.resume(frame, pc);
        let code = self.code.clone();
        let BodyStep::Findall(args, after, _) = &code.body[pc as usize] else {
            unreachable!("a findall goes on at its own step");
        };
        self.load(args);
        let mut list = self.args.get(1).copied().unwrap_or(Term::atom(atoms::NIL));
        let items = collector.items.unpack(&mut self.store.heap);
        list = self.store.heap.list(&items, list);
        self.pc = *after;
        self.store.unify(self.args[0], list)
    }

    pub(super) fn drop_collectors(&mut self, keep: usize) {
        for collector in self.collectors.drain(keep..) {
            self.store.aside = self.store.aside.saturating_sub(8 * collector.words);
        }
    }

    fn begin_catch(&mut self, args: &[Template]) -> Result<bool, Fault> {
        self.store.charge(1)?;
        self.load(args);
        let (frame, pc) = self.continuation();
        let args = [self.args[0], self.args[1], self.args[2]];
        self.catch(args, frame, pc)
    }

    pub(super) fn catch(&mut self, [goal, catcher, recovery]: [Term; 3], frame: Term, pc: u32) -> Result<bool, Fault> {
        let catching = self.push_frame(CATCH, &[goal], frame, pc, self.choices.len());
        self.push_choice(ChoiceKind::Catch, frame, pc, &[catching, catcher, recovery]);
        self.resume(catching, 0);
        Ok(true)
    }

    /// Leaves a `catch/3`, and removes its choice point if it is the last.
    fn exit_catch(&mut self) {
        if let Some(choice) = self.choices.last()
            && matches!(choice.kind, ChoiceKind::Catch)
            && self.saved[choice.saved] == self.frame
        {
            self.cut_to(self.choices.len() - 1);
        }
    }

    /// The frames of the `catch/3` goals around the current goal.
    pub(super) fn active_catches(&self) -> FxHashSet<Term> {
        let mut found = FxHashSet::default();
        let mut frame = self.frame;
        while frame != Term::NONE {
            if self.cell(frame, 1) == Term::small(i64::from(CATCH)) {
                found.insert(frame);
            }
            frame = self.cell(frame, 2);
        }
        found
    }

    /// Collects garbage; fails if too much is left.
    fn collect(&mut self) -> Result<(), Fault> {
        self.tidy_trail();
        let fixed = self.fixed;
        let first = self.first_collection();
        let mut garbage = Garbage::new(&mut self.store.heap, fixed, Vec::new());
        garbage.root(&mut self.frame);
        self.asked.iter_mut().chain(&mut self.saved).for_each(|term| garbage.root(term));
        for choice in &mut self.choices {
            garbage.root(&mut choice.frame);
        }
        for variable in &mut self.store.trail {
            let mut term = Term::tagged(crate::term::REF, *variable);
            garbage.root(&mut term);
            *variable = term.index();
        }
        self.store.heap.cells = garbage.finish();
        let len = self.store.heap.len();
        for choice in &mut self.choices {
            choice.heap = len;
        }
        self.store.mark = if self.choices.is_empty() { 0 } else { len };
        self.sweep_codes();
        let control = self.choices.len() * size_of::<crate::machine::reference::choice::ReferenceChoicePoint>()
            + self.saved.len() * 8;
        let words = (self.store.memory / 8) as usize;
        let aside = control / 8 + (self.store.aside / 8) as usize;
        // The heap and its copy must fit together, and enough must stay free that collections do not
        // follow one another.
        let most = (words.saturating_sub(aside)) / 2;
        if len + len / 8 + 1024 > most {
            return Err(Cause::Memory(self.store.memory).into());
        }
        self.collect_at = (len + (len - fixed).max(first)).min(most);
        Ok(())
    }

    /// Removes trail entries that no choice point needs: those of variables younger than the choice
    /// point below them.
    fn tidy_trail(&mut self) {
        let mut kept = Vec::new();
        let mut at = self.choices.first().map_or(self.store.trail.len(), |choice| choice.trail);
        for number in 0..self.choices.len() {
            let end = self.choices.get(number + 1).map_or(self.store.trail.len(), |next| next.trail);
            let choice = &mut self.choices[number];
            choice.trail = kept.len();
            kept.extend(self.store.trail[at..end].iter().filter(|variable| **variable < choice.heap));
            at = end;
        }
        self.store.trail = kept;
    }

    /// Frees the code of goals built at run time that no frame refers to.
    fn sweep_codes(&mut self) {
        if self.codes.len() == self.fixed_codes {
            return;
        }
        let mut live = FxHashSet::default();
        let cells = &self.store.heap.cells;
        let mut at = self.fixed;
        while at < cells.len() {
            let cell = cells[at];
            if cell & TAG == HDR && header_kind(cell) != FUNCTOR {
                at += raw_words(cell);
            } else if cell & TAG == HDR
                && header_large(cell) == atoms::FRAME.number() as usize
                && header_small(cell) >= FRAME - 1
            {
                live.extend(Term(cells[at + 1]).as_small());
            }
            at += 1;
        }
        self.free_codes.clear();
        for number in self.fixed_codes..self.codes.len() {
            if !live.contains(&(number as i64)) {
                self.codes[number] = None;
                self.free_codes.push(number as u32);
            }
        }
    }
}
