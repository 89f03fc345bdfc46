//! The back end: compiles procedures to machine code, by Cranelift.
//!
//! The input is procedures of the intermediate form. The result is modules of machine code, with the
//! entry addresses of their code.

use super::common::{Common, QUIET, Stubs};
use super::emit::{Emit, signature};
use super::plan::Plan;
use super::{Enter, Regs};
use crate::machine::ir::{Label, LinkedCode, Proc};
use cranelift_codegen::Context;
use cranelift_codegen::isa::OwnedTargetIsa;
use cranelift_codegen::settings::{self, Configurable, Flags};
use cranelift_frontend::{FunctionBuilder, FunctionBuilderContext};
use cranelift_jit::{JITBuilder, JITModule};
use cranelift_module::{Linkage, Module, default_libcall_names};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeSet;

/// The module of a procedure, with the addresses of its entries, and the sequences that it may leave to the loop, each
/// with a label at which the loop takes over.
type Compiled = (JITModule, Vec<(u32, *const u8)>, BTreeSet<(u32, Label)>);

/// The state of the compiler.
pub(super) struct Backend {
    pub(super) isa: OwnedTargetIsa,
    pub(super) builder: FunctionBuilderContext,
    pub(super) context: Context,
    /// The module of the stubs.
    pub(super) base: JITModule,
    pub(super) enter: Enter,
    pub(super) stubs: Stubs,
}

/// An empty module.
fn module_for(isa: &OwnedTargetIsa) -> JITModule {
    JITModule::new(JITBuilder::with_isa(isa.clone(), default_libcall_names()))
}

/// A placeholder until the entry stub is built.
extern "C" fn unready(_: *mut Regs, _: *mut u64, _: usize, _: *mut u64, _: *const u8, _: u64) -> u64 {
    0
}

impl Backend {
    /// Creates a back end for this host; `None` if Cranelift has no back end for it, or memory cannot
    /// be made executable.
    pub(super) fn new() -> Option<Backend> {
        // The first two fields of a choice point are written as one word.
        if cfg!(target_endian = "big") {
            return None;
        }
        let mut flags = settings::builder();
        // The operations leave Cranelift little to optimize: without it, short searches take 5 % less time, because
        // code is compiled in 60 % of the time, and long ones take the same.
        flags.set("opt_level", "none").ok()?;
        flags.set("unwind_info", "false").ok()?;
        // Tail calls need frame pointers.
        flags.set("preserve_frame_pointers", "true").ok()?;
        flags.set("enable_verifier", if cfg!(debug_assertions) { "true" } else { "false" }).ok()?;
        let isa = cranelift_native::builder().ok()?.finish(Flags::new(flags)).ok()?;
        let mut back = Backend {
            base: module_for(&isa),
            isa,
            builder: FunctionBuilderContext::new(),
            context: Context::new(),
            enter: unready,
            stubs: Stubs { exit: std::ptr::null(), fail: std::ptr::null(), quiet: [std::ptr::null(); QUIET] },
        };
        back.make_stubs()?;
        Some(back)
    }

    pub(super) fn module(&self) -> JITModule {
        module_for(&self.isa)
    }

    /// Compiles a procedure into functions, but for the blocks that are left to the loop; `None` if the back end
    /// fails.
    pub(super) fn procedure(
        &mut self,
        unit: &LinkedCode,
        (proc, left): (&Proc, &FxHashSet<Label>),
        regs: *const Regs,
    ) -> Option<Compiled> {
        let plan = Plan::new(unit, proc, left);
        let mut module = self.module();
        let mut functions = FxHashMap::default();
        for entry in &plan.entries {
            let name = format!("place {entry}");
            functions.insert(*entry, module.declare_function(&name, Linkage::Local, &signature()).ok()?);
        }
        let helper_convention = self.isa.default_call_conv();
        let (plan, functions, stubs) = (&plan, &functions, self.stubs);
        let mut repeated = BTreeSet::new();
        let common = Common { unit, plan, functions, regs, stubs, helper_convention };
        for entry in &plan.entries {
            self.context.clear();
            self.context.func.signature = signature();
            let b = FunctionBuilder::new(&mut self.context.func, &mut self.builder);
            repeated.extend(Emit::new(common, b, *entry, &mut module).write(self.isa.frontend_config()));
            if let Err(error) = module.define_function(functions[entry], &mut self.context) {
                debug_assert!(false, "{error:?}\n{}", self.context.func.display());
                // SAFETY: none of its code has run.
                unsafe { module.free_memory() };
                return None;
            }
            module.clear_context(&mut self.context);
        }
        module.finalize_definitions().ok()?;
        let begins = functions.iter().map(|(entry, id)| (*entry, module.get_finalized_function(*id))).collect();
        Some((module, begins, repeated))
    }
}
