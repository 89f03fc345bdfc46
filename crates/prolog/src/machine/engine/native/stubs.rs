//! Stubs, the shared pieces of native code: entry, exit, backtracking, and a call that preserves all
//! registers.

use super::back::Backend;
use super::emit::{FLAGS, quiet_signature, signature};
use super::{ChoicePoint, Enter, Regs, quiet};
use crate::machine::store::TAIL;
use crate::term::INT;
use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{AbiParam, InstBuilder, Signature, Value, types::I64};
use cranelift_frontend::FunctionBuilder;
use cranelift_module::{FuncId, Module};
use std::mem::offset_of;

impl Backend {
    /// Builds the stubs; `None` if the back end fails.
    pub(super) fn make_stubs(&mut self) -> Option<()> {
        let tail = signature();
        let mut enter = Signature::new(self.isa.default_call_conv());
        enter.params.extend([AbiParam::new(I64); 6]);
        enter.returns.push(AbiParam::new(I64));
        let entered = self.stub(enter, |b, args| {
            let tail = b.import_signature(signature());
            let call = b.ins().call_indirect(tail, args[4], &[args[0], args[1], args[2], args[3], args[5]]);
            let status = b.inst_results(call)[0];
            b.ins().return_(&[status]);
        })?;
        let exit = self.stub(tail.clone(), |b, args| {
            let [ctx, frame, heap, _, pc] = *args else { return };
            b.ins().store(FLAGS, frame, ctx, offset_of!(Regs, frame) as i32);
            b.ins().store(FLAGS, heap, ctx, offset_of!(Regs, heap) as i32);
            b.ins().store(FLAGS, pc, ctx, offset_of!(Regs, pc) as i32);
            let status = b.ins().iconst(I64, 0);
            b.ins().return_(&[status]);
        })?;
        let fail = self.stub(tail, fail)?;
        let helpers = [
            quiet::quick_same as *const u8,
            quiet::quick_order as *const u8,
            quiet::find as *const u8,
            quiet::is_solid as *const u8,
        ];
        let mut quiet_stubs = Vec::new();
        for helper in helpers {
            quiet_stubs.push(self.quiet_stub(helper)?);
        }
        self.base.finalize_definitions().ok()?;
        // SAFETY: the code was just compiled with this signature.
        self.enter = unsafe { std::mem::transmute::<*const u8, Enter>(self.base.get_finalized_function(entered)) };
        self.stubs.exit = self.base.get_finalized_function(exit);
        for (at, stub) in quiet_stubs.into_iter().enumerate() {
            self.stubs.quiet[at] = self.base.get_finalized_function(stub);
        }
        self.stubs.fail = self.base.get_finalized_function(fail);
        Some(())
    }

    /// A stub that calls a quiet helper with the registers and two arguments, and preserves all machine registers.
    fn quiet_stub(&mut self, helper: *const u8) -> Option<FuncId> {
        let mut plain = Signature::new(self.isa.default_call_conv());
        plain.params.extend([AbiParam::new(I64); 3]);
        plain.returns.push(AbiParam::new(I64));
        self.stub(quiet_signature(), |b, args| {
            let plain = b.import_signature(plain);
            let helper = b.ins().iconst(I64, helper as i64);
            let call = b.ins().call_indirect(plain, helper, &[args[0], args[4], args[5]]);
            let result = b.inst_results(call)[0];
            b.ins().store(FLAGS, result, args[0], offset_of!(Regs, args) as i32);
            b.ins().return_(&[]);
        })
    }

    fn stub(&mut self, signature: Signature, body: impl FnOnce(&mut FunctionBuilder<'_>, &[Value])) -> Option<FuncId> {
        let id = self.base.declare_anonymous_function(&signature).ok()?;
        self.context.clear();
        self.context.func.signature = signature;
        let mut b = FunctionBuilder::new(&mut self.context.func, &mut self.builder);
        let block = b.create_block();
        b.append_block_params_for_function_params(block);
        b.switch_to_block(block);
        let args = b.block_params(block).to_vec();
        body(&mut b, &args);
        b.seal_all_blocks();
        b.finalize(self.isa.frontend_config());
        self.base.define_function(id, &mut self.context).ok()?;
        self.base.clear_context(&mut self.context);
        Some(id)
    }
}

/// Backtracks to the last choice point, as `TemplateOp::Fail` does in the loop.
fn fail(b: &mut FunctionBuilder<'_>, args: &[Value]) {
    let [ctx, frame, heap, cells, _] = *args else { return };
    let reg = |b: &mut FunctionBuilder<'_>, at: usize| b.ins().load(I64, FLAGS, ctx, at as i32);
    let [none, some, undo, undone, lower, bottom] = [(); 6].map(|()| b.create_block());
    b.append_block_param(undo, I64);
    b.append_block_param(undone, I64);
    for block in [lower, bottom] {
        b.append_block_param(block, I64);
    }
    let go = b.create_block();
    b.append_block_param(go, I64);
    b.append_block_param(go, I64);

    let tail = b.import_signature(signature());
    let height = reg(b, offset_of!(Regs, height));
    b.ins().brif(height, some, &[], none, &[]);
    b.switch_to_block(none);
    let zero = b.ins().iconst(I64, 0);
    let table = reg(b, offset_of!(Regs, table));
    let exit = b.ins().load(I64, FLAGS, table, 0);
    b.ins().return_call_indirect(tail, exit, &[ctx, frame, heap, cells, zero]);

    b.switch_to_block(some);
    let height = b.ins().iadd_imm_s(height, -1);
    b.ins().store(FLAGS, height, ctx, offset_of!(Regs, height) as i32);
    let choices = reg(b, offset_of!(Regs, choices));
    let offset = b.ins().imul_imm_s(height, size_of::<ChoicePoint>() as i64);
    let choice = b.ins().iadd(choices, offset);
    let field = |b: &mut FunctionBuilder<'_>, at: usize| b.ins().load(I64, FLAGS, choice, at as i32);
    let trailed = reg(b, offset_of!(Regs, trailed));
    let keep = field(b, offset_of!(ChoicePoint, trail));
    let more = b.ins().icmp(IntCC::UnsignedGreaterThan, trailed, keep);
    b.ins().brif(more, undo, &[trailed.into()], undone, &[trailed.into()]);

    b.switch_to_block(undo);
    let trailed = b.block_params(undo)[0];
    let trailed = b.ins().iadd_imm_s(trailed, -1);
    let trail = reg(b, offset_of!(Regs, trail));
    let offset = b.ins().ishl_imm_u(trailed, 3);
    let at = b.ins().iadd(trail, offset);
    let place = b.ins().load(I64, FLAGS, at, 0);
    let variable = b.ins().ishl_imm_u(place, 3);
    let is_tail = b.ins().band_imm_s(place, TAIL as i64);
    let empty = b.ins().iconst(I64, INT as i64);
    let value = b.ins().select(is_tail, empty, variable);
    let cell = b.ins().iadd(cells, variable);
    b.ins().store(FLAGS, value, cell, 0);
    let more = b.ins().icmp(IntCC::UnsignedGreaterThan, trailed, keep);
    b.ins().brif(more, undo, &[trailed.into()], undone, &[trailed.into()]);

    b.switch_to_block(undone);
    let trailed = b.block_params(undone)[0];
    b.ins().store(FLAGS, trailed, ctx, offset_of!(Regs, trailed) as i32);
    let heap = field(b, offset_of!(ChoicePoint, heap));
    let heap = b.ins().ishl_imm_u(heap, 3);
    let floor = reg(b, offset_of!(Regs, floor));
    let heap = b.ins().umax(heap, floor);
    let stack = reg(b, offset_of!(Regs, stack));
    let frame = field(b, offset_of!(ChoicePoint, frame));
    let frame = b.ins().ishl_imm_u(frame, 3);
    let frame = b.ins().iadd(stack, frame);
    b.ins().brif(height, lower, &[stack.into()], bottom, &[stack.into()]);

    b.switch_to_block(bottom);
    let stack = b.block_params(bottom)[0];
    let zero = b.ins().iconst(I64, 0);
    b.ins().jump(go, &[stack.into(), zero.into()]);

    b.switch_to_block(lower);
    let stack = b.block_params(lower)[0];
    let below = |at: usize| at as i32 - size_of::<ChoicePoint>() as i32;
    let top = b.ins().load(I64, FLAGS, choice, below(offset_of!(ChoicePoint, top)));
    let top = b.ins().ishl_imm_u(top, 3);
    let top = b.ins().iadd(stack, top);
    let mark = b.ins().load(I64, FLAGS, choice, below(offset_of!(ChoicePoint, heap)));
    let mark = b.ins().ishl_imm_u(mark, 3);
    b.ins().jump(go, &[top.into(), mark.into()]);

    b.switch_to_block(go);
    let [top, mark] = *b.block_params(go) else { return };
    b.ins().store(FLAGS, top, ctx, offset_of!(Regs, top) as i32);
    b.ins().store(FLAGS, mark, ctx, offset_of!(Regs, mark) as i32);
    let alt = b.ins().uload32(FLAGS, choice, offset_of!(ChoicePoint, alt) as i32);
    let table = reg(b, offset_of!(Regs, table));
    let offset = b.ins().ishl_imm_u(alt, 3);
    let code = b.ins().iadd(table, offset);
    let code = b.ins().load(I64, FLAGS, code, 0);
    b.ins().return_call_indirect(tail, code, &[ctx, frame, heap, cells, alt]);
}
