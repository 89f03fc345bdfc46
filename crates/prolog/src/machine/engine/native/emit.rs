//! Emits one function of native code: its blocks, slots, operands and exits.
//!
//! The input is a plan and the code of a procedure; `ops.rs` emits each operation. Every slot is
//! written to the frame at once, so that the frame is correct wherever native code is left, but for
//! those that `repeat.rs` leaves out. Reads use the value last written or read, also where control
//! flow meets: a value in `known` is defined on every way to the current point.

use super::Regs;
use super::common::{Common, QuietHelper};
use super::helpers::Helper;
use super::known::{Known, KnownValues};
use super::plan::is_left_to_the_loop;
use super::repeat::Sequence;
use crate::machine::ir::{ARGS, FAIL, Label, LinkedCode, Op, Slot};
use cranelift_codegen::ir::{
    AbiParam, Block, BlockArg, FuncRef, Inst, InstBuilder, MemFlagsData, SigRef, Signature, Value, types::I64,
};
use cranelift_codegen::isa::{CallConv, TargetFrontendConfig};
use cranelift_frontend::{FunctionBuilder, Variable};
use cranelift_jit::JITModule;
use cranelift_module::Module;
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeSet;
use std::mem::offset_of;

/// All memory that native code accesses exists and is aligned.
pub(super) const FLAGS: MemFlagsData = MemFlagsData::trusted();

/// The signature of all functions: registers, frame, heap, cells and the function's own address.
pub(super) fn signature() -> Signature {
    let mut signature = Signature::new(CallConv::Tail);
    signature.params.extend([AbiParam::new(I64); 5]);
    signature.returns.push(AbiParam::new(I64));
    signature
}

/// The signature of the stubs that call a quiet helper and preserve all machine registers: registers, frame, heap,
/// cells and two arguments. The first four stay where a function gets them, so that no function has to move them.
pub(super) fn quiet_signature() -> Signature {
    let mut signature = Signature::new(CallConv::PreserveAll);
    signature.params.extend([AbiParam::new(I64); 6]);
    signature
}

/// Registers, frame, heap and cells.
pub(super) type State = [Value; 4];

/// A function under construction.
pub(super) struct Emit<'a> {
    pub(super) common: Common<'a>,
    pub(super) unit: &'a LinkedCode,
    pub(super) b: FunctionBuilder<'a>,
    entry: u32,
    module: &'a mut JITModule,
    pub(super) signature: SigRef,
    pub(super) ctx: Value,
    pub(super) frame: Value,
    pub(super) heap: Value,
    pub(super) cells: Value,
    pub(super) known: KnownValues,
    /// The current operation.
    pub(super) at: u32,
    /// The sequence that contains the current operation.
    pub(super) sequence: Option<Sequence>,
    /// The heap before the current operation or sequence.
    pub(super) before: Value,
    blocks: FxHashMap<Label, Block>,
    refs: FxHashMap<u32, FuncRef>,
    /// What all edges to a block know. Several branches of one operation may form an edge, so no slot
    /// may be set between them: a slow path must see the slots as they were before the operation.
    inherited: FxHashMap<u32, KnownValues>,
    /// The variables of the slots.
    variables: FxHashMap<Slot, Variable>,
    /// The arguments that stay in variables while this function calls itself.
    loop_arguments: u16,
    /// The blocks at which loops begin, with the slots that are in variables there: at the entry the arguments, at the
    /// others what goes from one round to the next. Nothing else is known there.
    pub(super) loops: FxHashMap<u32, Vec<Slot>>,
    seen: FxHashSet<u32>,
    written: FxHashSet<u32>,
    /// Blocks that leave to the loop: block, address of the operation or its sequence, state.
    pub(super) exits: Vec<(Block, u32, State)>,
    /// The addresses of sequences that may be left to the loop, each with a label at which the loop takes over.
    repeated: BTreeSet<(u32, Label)>,
    /// Blocks that jump to other functions.
    ways: Vec<(Block, Label)>,
    pub(super) exit: Option<Block>,
    /// The end of the heap for which this block has found that no garbage must be collected.
    pub(super) roomy: Option<Value>,
    /// The end of the heap after the last new cell, as the position of the first of adjacent new cells and their size.
    pub(super) appended: Option<(Value, Value, i32)>,
}

impl<'a> Emit<'a> {
    pub(super) fn new(
        common: Common<'a>,
        mut b: FunctionBuilder<'a>,
        entry: u32,
        module: &'a mut JITModule,
    ) -> Emit<'a> {
        let block = b.create_block();
        b.append_block_params_for_function_params(block);
        b.switch_to_block(block);
        let signature = b.import_signature(signature());
        let params = b.block_params(block);
        let (ctx, frame, heap, cells) = (params[0], params[1], params[2], params[3]);
        Emit {
            common,
            unit: common.unit,
            b,
            entry,
            module,
            signature,
            ctx,
            frame,
            heap,
            cells,
            known: KnownValues::default(),
            at: entry,
            sequence: None,
            before: heap,
            blocks: FxHashMap::default(),
            refs: FxHashMap::default(),
            inherited: FxHashMap::default(),
            variables: FxHashMap::default(),
            loop_arguments: 0,
            loops: FxHashMap::default(),
            seen: FxHashSet::default(),
            written: FxHashSet::default(),
            exits: Vec::new(),
            repeated: BTreeSet::new(),
            ways: Vec::new(),
            exit: None,
            roomy: None,
            appended: None,
        }
    }

    /// Emits the whole function, and returns the sequences that it may leave to the loop.
    pub(super) fn write(mut self, config: TargetFrontendConfig) -> BTreeSet<(u32, Label)> {
        let (order, loops) = self.common.plan.order(self.entry);
        let carried = |begin: u32| match begin == self.entry {
            true => Vec::new(),
            false => self.common.plan.carried(self.unit, &order, begin),
        };
        self.loops = loops.into_iter().map(|begin| (begin, carried(begin))).collect();
        self.loop_arguments = self.count_loop_arguments(&order);
        for at in 0..self.loop_arguments {
            self.slot(ARGS + at);
        }
        let first = self.target(self.entry);
        let state = self.state();
        self.b.ins().jump(first, &state.map(Into::into));
        if let Some(known) = self.inherited.get_mut(&self.entry) {
            // Calls of itself lead here too, with other values and tags.
            known.begin_loop();
        }
        for leader in order {
            if self.loops.contains_key(&leader) && !self.blocks.contains_key(&leader) {
                // What is known may have left out the edges to here so far, but not those from later blocks.
                self.loops.insert(leader, Vec::new());
                self.target(leader);
            }
            if self.seen.contains(&leader) {
                self.block(leader);
            }
        }
        for (block, label) in std::mem::take(&mut self.ways) {
            self.b.switch_to_block(block);
            self.jump_outside(block, label);
        }
        self.write_exits();
        self.b.seal_all_blocks();
        self.b.finalize(config);
        self.repeated
    }

    /// Emits the block that begins at a leader.
    fn block(&mut self, leader: u32) {
        let block = self.blocks[&leader];
        self.b.switch_to_block(block);
        self.arrive(block);
        self.known = self.inherited.get(&leader).cloned().unwrap_or_default();
        self.written.insert(leader);
        self.roomy = None;
        self.sequence = None;
        if !self.loops.contains_key(&leader) {
            self.b.seal_block(block);
        }
        let mut at = leader;
        loop {
            self.begin_operation(at);
            let op = self.unit.code[at as usize];
            if is_left_to_the_loop(&op) {
                let exit = self.exit();
                self.b.ins().jump(exit, &[]);
                return;
            }
            match op {
                Op::Step { count } => at = self.steps_from(at, count),
                _ => self.op(op),
            }
            if op.ends_block() || matches!(op, Op::Call { .. } | Op::Count { .. } | Op::Many { .. }) {
                return;
            }
            at += 1;
            if self.common.plan.leaders.contains(&at) {
                self.jump(at);
                return;
            }
        }
    }

    /// Emits a step with the steps that follow it as one, and returns the last of them. If the budget
    /// ends within them, the loop counts each.
    fn steps_from(&mut self, at: u32, count: u32) -> u32 {
        let (mut last, mut all) = (at, count);
        while !self.common.plan.leaders.contains(&(last + 1))
            && let Some(Op::Step { count }) = self.unit.code.get(last as usize + 1)
        {
            (last, all) = (last + 1, all + count);
        }
        self.steps(all);
        last
    }

    /// The state, in the order of block parameters.
    pub(super) fn state(&self) -> State {
        [self.ctx, self.frame, self.heap, self.cells]
    }

    /// Creates a block that takes the state as parameters.
    pub(super) fn meeting(&mut self) -> Block {
        let block = self.b.create_block();
        self.takes_state(block);
        block
    }

    pub(super) fn takes_state(&mut self, block: Block) {
        for _ in 0..4 {
            self.b.append_block_param(block, I64);
        }
    }

    /// Takes the state from the last parameters of a block.
    pub(super) fn arrive(&mut self, block: Block) {
        if let [.., ctx, frame, heap, cells] = *self.b.block_params(block) {
            [self.ctx, self.frame, self.heap, self.cells] = [ctx, frame, heap, cells];
        }
    }

    /// The block for a label in this function.
    pub(super) fn target(&mut self, label: Label) -> Block {
        let owned = label != FAIL && self.common.plan.owner.get(&label) == Some(&self.entry);
        if owned {
            let is_loop = self.loops.contains_key(&label);
            debug_assert!(is_loop || !self.written.contains(&label), "all ways come before a block");
            self.seen.insert(label);
            match self.inherited.get_mut(&label) {
                _ if label != self.entry && is_loop => self.enter_loop(label),
                Some(known) => known.meet(&self.known),
                None => drop(self.inherited.insert(label, self.known.clone())),
            }
        }
        if let Some(block) = self.blocks.get(&label) {
            return *block;
        }
        let block = self.meeting();
        self.blocks.insert(label, block);
        if owned {
            return block;
        }
        self.ways.push((block, label));
        block
    }

    /// Reads the slots that are in variables where a loop begins, unless they are known, before an edge to there.
    fn enter_loop(&mut self, label: Label) {
        let slots = self.loops[&label].clone();
        for slot in &slots {
            self.slot(*slot);
        }
        self.inherited.entry(label).or_insert_with(|| KnownValues::in_variables(&slots));
    }

    /// A function of this procedure, by its address.
    pub(super) fn function(&mut self, at: u32) -> FuncRef {
        let (functions, module, func) = (self.common.functions, &mut *self.module, &mut self.b.func);
        *self.refs.entry(at).or_insert_with(|| module.declare_func_in_func(functions[&at], func))
    }

    /// Whether a function of this procedure begins at an address.
    pub(super) fn is_ours(&self, at: u32) -> bool {
        self.common.functions.contains_key(&at)
    }

    /// Whether this function begins at an address.
    pub(super) fn is_here(&self, at: u32) -> bool {
        at == self.entry
    }

    /// The block of a way to a label, with its arguments.
    pub(super) fn way(&mut self, label: Label) -> (Block, Vec<BlockArg>) {
        if self.repeats_for(label) {
            self.repeated.extend(self.sequence.map(|sequence| (sequence.first, label)));
            return (self.exit(), Vec::new());
        }
        let (block, state) = (self.target(label), self.state());
        (block, state.map(Into::into).to_vec())
    }

    pub(super) fn jump(&mut self, label: Label) {
        // What this way reads again is known on no other way from here.
        let known = self.known.clone();
        self.reload_stale(label);
        let (block, args) = self.way(label);
        self.b.ins().jump(block, &args);
        self.known = known;
    }

    /// Continues in a new block if `condition` holds, else at the label.
    pub(super) fn test(&mut self, condition: Value, or: Label) {
        let next = self.b.create_block();
        let (block, args) = self.way(or);
        self.b.ins().brif(condition, next, &[], block, &args);
        self.b.switch_to_block(next);
        self.b.seal_block(next);
    }

    /// Jumps to the label if `condition` holds, else continues in a new block.
    pub(super) fn leave_if(&mut self, condition: Value, to: Label) {
        let next = self.b.create_block();
        let (block, args) = self.way(to);
        self.b.ins().brif(condition, block, &args, next, &[]);
        self.b.switch_to_block(next);
        self.b.seal_block(next);
    }

    pub(super) fn number(&mut self, number: u64) -> Value {
        self.b.ins().iconst(I64, number as i64)
    }

    pub(super) fn address<T>(&mut self, address: *const T) -> Value {
        self.number(address as u64)
    }

    pub(super) fn load(&mut self, at: Value, offset: i32) -> Value {
        self.b.ins().load(I64, FLAGS, at, offset)
    }

    pub(super) fn store(&mut self, value: Value, at: Value, offset: i32) -> Inst {
        self.b.ins().store(FLAGS, value, at, offset)
    }

    /// Loads a field of [`Regs`], by its offset.
    pub(super) fn reg(&mut self, offset: usize) -> Value {
        self.load(self.ctx, offset as i32)
    }

    pub(super) fn set_reg(&mut self, offset: usize, value: Value) {
        self.store(value, self.ctx, offset as i32);
    }

    pub(super) fn slot(&mut self, slot: Slot) -> Value {
        let known = self.known.slot(slot);
        let value = match known {
            Some((Known::Value(value), _)) => return value,
            Some((Known::Variable, _)) => {
                let variable = self.variable(slot);
                self.b.use_var(variable)
            }
            Some((Known::Stale, _)) | None => self.load(self.frame, 8 * i32::from(slot)),
        };
        if let Some((_, Some(tag))) = known {
            self.learn(value, tag);
        }
        self.note(slot, value);
        value
    }

    pub(super) fn set(&mut self, slot: Slot, value: Value) {
        if self.is_read_from_frame(slot) {
            self.store(value, self.frame, 8 * i32::from(slot));
        }
        self.note(slot, value);
    }

    /// Remembers the value of a slot.
    fn note(&mut self, slot: Slot, value: Value) {
        let variable = self.variable(slot);
        self.b.def_var(variable, value);
        self.known.note(slot, value);
    }

    fn variable(&mut self, slot: Slot) -> Variable {
        let b = &mut self.b;
        *self.variables.entry(slot).or_insert_with(|| b.declare_var(I64))
    }

    /// Reads the slots again that the other ways to a block know, before a jump to it.
    fn reload_stale(&mut self, label: Label) {
        let Some(there) = self.inherited.get(&label) else { return };
        for slot in there.stale_in(&self.known) {
            self.slot(slot);
        }
    }

    /// The arguments that the calls of itself in this function pass.
    fn count_loop_arguments(&self, order: &[u32]) -> u16 {
        let counts = order.iter().flat_map(|leader| self.common.plan.block(self.unit, *leader)).map(|at| {
            match self.unit.code[at as usize] {
                Op::TailCall { proc, count, .. } if proc == self.entry => count,
                _ => 0,
            }
        });
        counts.max().unwrap_or(0)
    }

    /// Sets the arguments for a call of this function, whose values are in its frame too.
    pub(super) fn loop_back(&mut self, values: &[Option<Value>]) {
        for (at, value) in (0..).zip(values) {
            match value {
                Some(value) => self.note(ARGS + at, *value),
                None => drop(self.slot(ARGS + at)),
            }
        }
    }

    /// The tag of a value, if it is known.
    pub(super) fn tag(&self, value: Value) -> Option<u64> {
        self.known.tag(value)
    }

    pub(super) fn learn(&mut self, value: Value, tag: u64) {
        self.known.learn(value, tag);
    }

    /// Calls a helper. No value stays in machine registers across the call, so no
    /// function has to save registers for its callers.
    pub(super) fn helper(&mut self, function: Helper, [a, b]: [Value; 2]) -> Value {
        let mut signature = Signature::new(self.common.helper_convention);
        signature.params.extend([AbiParam::new(I64); 6]);
        signature.returns.push(AbiParam::new(I64));
        let signature = self.b.import_signature(signature);
        self.set_reg(offset_of!(Regs, frame), self.frame);
        self.set_reg(offset_of!(Regs, heap), self.heap);
        let function = self.address(function as *const u8);
        let args = [self.ctx, self.frame, self.heap, self.cells, a, b];
        let call = self.b.ins().call_indirect(signature, function, &args);
        let result = self.b.inst_results(call)[0];
        self.ctx = self.address(self.common.regs);
        self.frame = self.reg(offset_of!(Regs, frame));
        self.heap = self.reg(offset_of!(Regs, heap));
        self.cells = self.reg(offset_of!(Regs, cells));
        self.known.make_stale();
        (self.before, self.exit) = (self.heap, None);
        result
    }

    /// Calls a quiet helper. All values stay in machine registers across the call.
    pub(super) fn quiet_helper(&mut self, helper: QuietHelper, [a, b]: [Value; 2]) -> Value {
        let signature = self.b.import_signature(quiet_signature());
        let stub = self.address(self.common.stubs.quiet[helper as usize]);
        self.b.ins().call_indirect(signature, stub, &[self.ctx, self.frame, self.heap, self.cells, a, b]);
        self.reg(offset_of!(Regs, args))
    }

    /// Jumps to the code at an address, with this frame.
    pub(super) fn go(&mut self, place: u32, frame: Value) {
        let at = self.number(u64::from(place));
        let args = [self.ctx, frame, self.heap, self.cells, at];
        if self.is_ours(place) {
            let function = self.function(place);
            self.b.ins().return_call(function, &args);
            return;
        }
        // The procedure may be compiled again, with more of its blocks.
        let table = self.reg(offset_of!(Regs, table));
        let code = self.load(table, 8 * place as i32);
        self.b.ins().return_call_indirect(self.signature, code, &args);
    }
}
