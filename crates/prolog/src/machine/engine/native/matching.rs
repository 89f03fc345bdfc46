//! Type tests, comparison and unification of terms, in native code.

use super::common::QuietHelper;
use super::emit::Emit;
use super::helpers;
use crate::machine::ir::{FAIL, Label, Operand, Slot, Switch, TypeTest};
use crate::term::heap::{BIG, FLOAT};
use crate::term::{ATOM, BOX, HDR, INT, LST, REF, STR, TAG, quick};
use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{Block, InstBuilder, Value, types::I64};

impl Emit<'_> {
    /// Continues if two ground terms are equal, or if they differ, as `wanted`.
    pub(super) fn same(&mut self, a: Operand, b: Operand, wanted: bool, or: Label) {
        let (a, b) = (self.value(a), self.value(b));
        let equal = self.b.ins().icmp(IntCC::Equal, a, b);
        let atomic = |tag: Option<u64>| matches!(tag, Some(ATOM | INT));
        if atomic(self.tag(a)) || atomic(self.tag(b)) {
            return if wanted { self.test(equal, or) } else { self.leave_if(equal, or) };
        }
        let [other, same, differ] = [(); 3].map(|()| self.b.create_block());
        self.b.ins().brif(equal, same, &[], other, &[]);
        // Most are atoms and small integers, which equal no other word.
        self.b.switch_to_block(other);
        let [whole, alike, structure, named, listed, deep] = [(); 6].map(|()| self.b.create_block());
        let walk = self.b.create_block();
        let tag = self.b.ins().band_imm_s(a, TAG as i64);
        let plain = self.b.ins().icmp_imm_s(IntCC::UnsignedLessThan, tag, STR as i64);
        self.b.ins().brif(plain, differ, &[], whole, &[]);
        self.b.switch_to_block(whole);
        let bits = self.b.ins().bxor(a, b);
        let bits = self.b.ins().band_imm_s(bits, TAG as i64);
        self.b.ins().brif(bits, differ, &[], alike, &[]);
        self.b.switch_to_block(alike);
        let [begin, other_begin] = [a, b].map(|whole| self.b.ins().iadd(self.cells, whole));
        let is_structure = self.b.ins().icmp_imm_s(IntCC::Equal, tag, STR as i64);
        self.b.ins().brif(is_structure, structure, &[], listed, &[]);
        self.b.switch_to_block(structure);
        let [name, other_name] = [begin, other_begin].map(|at| self.load(at, -(STR as i32)));
        let alike = self.b.ins().icmp(IntCC::Equal, name, other_name);
        self.b.ins().brif(alike, named, &[], differ, &[]);
        self.b.switch_to_block(named);
        let count = self.b.ins().ushr_imm_u(name, 5);
        let count = self.b.ins().band_imm_s(count, (1 << 27) - 1);
        let arguments = [begin, other_begin].map(|at| self.b.ins().iadd_imm_s(at, 8 - STR as i64));
        let few = self.b.ins().icmp_imm_s(IntCC::UnsignedLessThanOrEqual, count, i64::from(quick::PARTS));
        self.b.ins().brif(few, walk, &[arguments[0].into(), arguments[1].into(), count.into()], deep, &[]);
        self.b.switch_to_block(listed);
        let is_list = self.b.ins().icmp_imm_s(IntCC::Equal, tag, LST as i64);
        let parts = [begin, other_begin].map(|at| self.b.ins().iadd_imm_s(at, -(LST as i64)));
        let two = self.number(2);
        self.b.ins().brif(is_list, walk, &[parts[0].into(), parts[1].into(), two.into()], deep, &[]);
        self.same_arguments(walk, [same, differ, deep]);

        self.b.switch_to_block(deep);
        self.b.set_cold_block(deep);
        let told = self.quiet_helper(QuietHelper::Same, [a, b]);
        let unknown = self.b.ins().icmp_imm_s(IntCC::Equal, told, helpers::FAULT as i64);
        self.exit_if(unknown);
        self.b.ins().brif(told, same, &[], differ, &[]);

        let (to, next) = if wanted { (differ, same) } else { (same, differ) };
        self.b.switch_to_block(to);
        self.jump(or);
        self.b.switch_to_block(next);
    }

    /// Fills a block with a loop over the arguments of two compounds. The block takes the addresses of
    /// the first arguments and their number. Two different arguments decide, unless both are compounds.
    fn same_arguments(&mut self, walk: Block, [same, differ, deep]: [Block; 3]) {
        let [next, apart] = [(); 2].map(|()| self.b.create_block());
        let [at, other_at, left] = [(); 3].map(|()| self.b.append_block_param(walk, I64));
        self.b.switch_to_block(walk);
        let [part, other_part] = [at, other_at].map(|at| self.load(at, 0));
        let equal = self.b.ins().icmp(IntCC::Equal, part, other_part);
        self.b.ins().brif(equal, next, &[], apart, &[]);
        self.b.switch_to_block(next);
        let [at, other_at] = [at, other_at].map(|at| self.b.ins().iadd_imm_s(at, 8));
        let left = self.b.ins().iadd_imm_s(left, -1);
        self.b.ins().brif(left, walk, &[at.into(), other_at.into(), left.into()], same, &[]);
        self.b.switch_to_block(apart);
        let tags = [part, other_part].map(|part| self.b.ins().band_imm_s(part, TAG as i64));
        let lower = self.b.ins().umin(tags[0], tags[1]);
        let constant = self.b.ins().icmp_imm_s(IntCC::UnsignedLessThan, lower, STR as i64);
        self.b.ins().brif(constant, differ, &[], deep, &[]);
    }

    pub(super) fn is(&mut self, what: TypeTest, s: Slot, or: Label) {
        let value = self.slot(s);
        let tag = self.b.ins().band_imm_s(value, TAG as i64);
        let set: u64 = match what {
            TypeTest::Var | TypeTest::Nonvar | TypeTest::Atom => {
                let code = if matches!(what, TypeTest::Nonvar) { IntCC::NotEqual } else { IntCC::Equal };
                let wanted = if matches!(what, TypeTest::Atom) { ATOM } else { REF };
                let holds = self.b.ins().icmp_imm_s(code, tag, wanted as i64);
                return self.test(holds, or);
            }
            TypeTest::Integer | TypeTest::Number => 1 << INT,
            TypeTest::Atomic => !(1 << REF | 1 << LST | 1 << STR),
            TypeTest::Compound => 1 << LST | 1 << STR,
            TypeTest::Callable => 1 << ATOM | 1 << LST | 1 << STR,
        } & 0xff;
        let bits = self.number(set);
        let bit = self.b.ins().ushr(bits, tag);
        let holds = self.b.ins().band_imm_s(bit, 1);
        if !matches!(what, TypeTest::Integer | TypeTest::Number) {
            return self.test(holds, or);
        }
        let [boxed, done] = [(); 2].map(|()| self.b.create_block());
        let check = self.b.create_block();
        self.b.append_block_param(done, I64);
        self.b.ins().brif(holds, done, &[holds.into()], boxed, &[]);
        self.b.switch_to_block(boxed);
        let is_box = self.b.ins().icmp_imm_s(IntCC::Equal, tag, BOX as i64);
        self.b.ins().brif(is_box, check, &[], done, &[holds.into()]);
        self.b.switch_to_block(check);
        let head = self.field(value, 0);
        let kind = self.b.ins().ushr_imm_u(head, 3);
        let kind = self.b.ins().band_imm_s(kind, 3);
        let kinds = self.number(if what == TypeTest::Integer { 1 << BIG } else { 1 << BIG | 1 << FLOAT });
        let bit = self.b.ins().ushr(kinds, kind);
        let holds = self.b.ins().band_imm_s(bit, 1);
        self.b.ins().jump(done, &[holds.into()]);
        self.b.switch_to_block(done);
        let holds = self.b.block_params(done)[0];
        self.test(holds, or);
    }

    /// A block without parameters that jumps to a label.
    fn way_to(&mut self, label: Label, ways: &mut Vec<(Label, Block)>) -> Block {
        if let Some((_, block)) = ways.iter().find(|(other, _)| *other == label) {
            return *block;
        }
        let block = self.b.create_block();
        ways.push((label, block));
        block
    }

    pub(super) fn switch(&mut self, s: Slot, table: u32) {
        let table: &Switch = &self.unit.tables[table as usize];
        let value = self.slot(s);
        let mut ways = Vec::new();
        let (names, atomic): (Vec<_>, Vec<_>) = table.keys.iter().partition(|(key, _)| key & TAG == HDR);
        let known = self.tag(value);
        let may = |tag: u64| known.is_none_or(|own| own == tag);
        let tag = self.b.ins().band_imm_s(value, TAG as i64);
        if table.list != table.rest && may(LST) {
            let block = self.way_to(table.list, &mut ways);
            self.branch_on(tag, LST, block);
        }
        if table.unbound != table.rest && may(REF) {
            let block = self.way_to(table.unbound, &mut ways);
            self.branch_on(tag, REF, block);
        }
        if !names.is_empty() && may(STR) {
            let [named, next] = [(); 2].map(|()| self.b.create_block());
            let is = self.b.ins().icmp_imm_s(IntCC::Equal, tag, STR as i64);
            self.b.ins().brif(is, named, &[], next, &[]);
            self.b.switch_to_block(named);
            let place = self.b.ins().iadd(self.cells, value);
            let name = self.load(place, -(STR as i32));
            self.choose(name, &names, table.rest, &mut ways);
            self.b.switch_to_block(next);
        }
        self.choose(value, &atomic, table.rest, &mut ways);
        for (label, block) in ways {
            self.b.switch_to_block(block);
            self.jump(label);
        }
    }

    fn branch_on(&mut self, tag: Value, which: u64, block: Block) {
        let next = self.b.create_block();
        let is = self.b.ins().icmp_imm_s(IntCC::Equal, tag, which as i64);
        self.b.ins().brif(is, block, &[], next, &[]);
        self.b.switch_to_block(next);
    }

    /// Jumps by the value of a word among the keys, and ends the block.
    fn choose(&mut self, word: Value, keys: &[&(u64, Label)], rest: Label, ways: &mut Vec<(Label, Block)>) {
        let mut switch = cranelift_frontend::Switch::new();
        for (key, label) in keys {
            if !switch.entries().contains_key(&u128::from(*key)) {
                switch.set_entry(u128::from(*key), self.way_to(*label, ways));
            }
        }
        let rest = self.way_to(rest, ways);
        switch.emit(&mut self.b, word, rest);
    }

    /// Follows bound variables.
    pub(super) fn deref(&mut self, value: Value) -> Value {
        if self.tag(value).is_some_and(|tag| tag != REF) {
            return value;
        }
        let [again, done] = [(); 2].map(|()| self.b.create_block());
        let follow = self.b.create_block();
        self.b.append_block_param(again, I64);
        self.b.append_block_param(done, I64);
        self.b.ins().jump(again, &[value.into()]);
        self.b.switch_to_block(again);
        let value = self.b.block_params(again)[0];
        let tag = self.b.ins().band_imm_s(value, TAG as i64);
        self.b.ins().brif(tag, done, &[value.into()], follow, &[]);
        self.b.switch_to_block(follow);
        let address = self.b.ins().iadd(self.cells, value);
        let next = self.load(address, 0);
        let same = self.b.ins().icmp(IntCC::Equal, next, value);
        self.b.ins().brif(same, done, &[value.into()], again, &[next.into()]);
        self.b.switch_to_block(done);
        self.b.block_params(done)[0]
    }

    pub(super) fn unify_any(&mut self, a: Operand, b: Operand) {
        let (a, b) = (self.value(a), self.value(b));
        let (a, b) = (self.deref(a), self.deref(b));
        let [differ, one, other, bind, deep, done] = [(); 6].map(|()| self.b.create_block());
        self.b.append_block_param(bind, I64);
        self.b.append_block_param(bind, I64);
        self.takes_state(done);
        let same = self.b.ins().icmp(IntCC::Equal, a, b);
        let state = self.state();
        self.b.ins().brif(same, done, &state.map(Into::into), differ, &[]);
        self.b.switch_to_block(differ);
        let (first, second) = (self.has_tag(a, REF), self.has_tag(b, REF));
        let both = self.b.ins().band(first, second);
        self.b.ins().brif(both, deep, &[], one, &[]);
        self.b.switch_to_block(one);
        let other_way = self.b.create_block();
        self.b.ins().brif(first, bind, &[a.into(), b.into()], other_way, &[]);
        self.b.switch_to_block(other_way);
        self.b.ins().brif(second, bind, &[b.into(), a.into()], other, &[]);

        self.b.switch_to_block(other);
        let bits = self.b.ins().bxor(a, b);
        let bits = self.b.ins().band_imm_s(bits, TAG as i64);
        self.leave_if(bits, FAIL);
        let tag = self.b.ins().band_imm_s(a, TAG as i64);
        let holds_cells = self.b.ins().icmp_imm_s(IntCC::UnsignedGreaterThanOrEqual, tag, STR as i64);
        let fail = self.b.create_block();
        self.b.ins().brif(holds_cells, deep, &[], fail, &[]);
        self.b.switch_to_block(fail);
        self.jump(FAIL);

        self.b.switch_to_block(deep);
        let (state, before) = (self.state(), self.before);
        let same = self.whole_helper(helpers::unify, [a, b]);
        self.test(same, FAIL);
        let now = self.state();
        self.b.ins().jump(done, &now.map(Into::into));
        [self.ctx, self.frame, self.heap, self.cells] = state;
        (self.before, self.exit) = (before, None);

        self.b.switch_to_block(bind);
        let [variable, value] = *self.b.block_params(bind) else { return };
        self.learn(variable, REF);
        self.write_out(variable, value);
        let state = self.state();
        self.b.ins().jump(done, &state.map(Into::into));
        self.b.switch_to_block(done);
        self.arrive(done);
    }
}
