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
        let [whole, alike, deep] = [(); 3].map(|()| self.b.create_block());
        let tag = self.b.ins().band_imm_s(a, TAG as i64);
        let plain = self.b.ins().icmp_imm_s(IntCC::UnsignedLessThan, tag, STR as i64);
        self.b.ins().brif(plain, differ, &[], whole, &[]);
        self.b.switch_to_block(whole);
        let bits = self.b.ins().bxor(a, b);
        let bits = self.b.ins().band_imm_s(bits, TAG as i64);
        self.b.ins().brif(bits, differ, &[], alike, &[]);
        self.b.switch_to_block(alike);
        self.same_arguments([a, b], [same, differ, deep]);

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

    /// Compares two compounds of one tag by their arguments: the first, and then from the last on. Two different
    /// arguments decide, unless they are compounds. Few values are alive at once, so that a function that seldom
    /// compares compounds saves no machine registers.
    fn same_arguments(&mut self, [a, b]: [Value; 2], [same, differ, deep]: [Block; 3]) {
        let [structure, named, more, next, other, list, tails] = [(); 7].map(|()| self.b.create_block());
        let (walk, apart) = (self.b.create_block(), self.b.create_block());
        let [left, part] = [walk, apart].map(|block| self.b.append_block_param(block, I64));
        let is_structure = self.has_tag(a, STR);
        self.b.ins().brif(is_structure, structure, &[], other, &[]);
        self.b.switch_to_block(structure);
        let cells = self.cells;
        let one_name = self.same_cell([a, b], cells, -(STR as i32)).1;
        self.b.ins().brif(one_name, named, &[], differ, &[]);
        self.b.switch_to_block(named);
        let (first, equal) = self.same_cell([a, b], cells, 8 - STR as i32);
        self.b.ins().brif(equal, more, &[], apart, &[first.into()]);
        self.b.switch_to_block(more);
        let begin = self.b.ins().iadd(cells, a);
        let name = self.load(begin, -(STR as i32));
        let count = self.b.ins().ushr_imm_u(name, 5);
        let count = self.b.ins().band_imm_s(count, (1 << 27) - 1);
        let few = self.b.ins().icmp_imm_s(IntCC::UnsignedLessThanOrEqual, count, i64::from(quick::PARTS));
        self.b.ins().brif(few, walk, &[count.into()], deep, &[]);
        self.b.switch_to_block(walk);
        let offset = self.b.ins().ishl_imm_u(left, 3);
        let from = self.b.ins().iadd(cells, offset);
        let (last, equal) = self.same_cell([a, b], from, -(STR as i32));
        self.b.ins().brif(equal, next, &[], apart, &[last.into()]);
        self.b.switch_to_block(next);
        let left = self.b.ins().iadd_imm_s(left, -1);
        self.b.ins().brif(left, walk, &[left.into()], same, &[]);

        self.b.switch_to_block(other);
        let is_list = self.has_tag(a, LST);
        self.b.ins().brif(is_list, list, &[], deep, &[]);
        self.b.switch_to_block(list);
        let (head, equal) = self.same_cell([a, b], cells, -(LST as i32));
        self.b.ins().brif(equal, tails, &[], apart, &[head.into()]);
        self.b.switch_to_block(tails);
        let (tail, equal) = self.same_cell([a, b], cells, 8 - LST as i32);
        self.b.ins().brif(equal, same, &[], apart, &[tail.into()]);

        self.b.switch_to_block(apart);
        let tag = self.b.ins().band_imm_s(part, TAG as i64);
        let constant = self.b.ins().icmp_imm_s(IntCC::UnsignedLessThan, tag, STR as i64);
        self.b.ins().brif(constant, differ, &[], deep, &[]);
    }

    /// A cell of the first of two compounds, and whether it equals that of the second.
    fn same_cell(&mut self, [a, b]: [Value; 2], from: Value, offset: i32) -> (Value, Value) {
        let [at, other_at] = [a, b].map(|whole| self.b.ins().iadd(from, whole));
        let [cell, other] = [at, other_at].map(|at| self.load(at, offset));
        (cell, self.b.ins().icmp(IntCC::Equal, cell, other))
    }

    pub(super) fn is(&mut self, what: TypeTest, s: Slot, or: Label) {
        let value = self.slot(s);
        let set: u64 = match what {
            TypeTest::Var => 1 << REF,
            TypeTest::Nonvar => !(1 << REF),
            TypeTest::Atom => 1 << ATOM,
            TypeTest::Integer | TypeTest::Number => 1 << INT,
            TypeTest::Atomic => !(1 << REF | 1 << LST | 1 << STR),
            TypeTest::Compound => 1 << LST | 1 << STR,
            TypeTest::Callable => 1 << ATOM | 1 << LST | 1 << STR,
        } & 0xff;
        if self.tag(value).is_some_and(|tag| set >> tag & 1 == 1) {
            return;
        }
        let tag = self.b.ins().band_imm_s(value, TAG as i64);
        match what {
            TypeTest::Var | TypeTest::Atom => {
                let wanted = u64::from(set.trailing_zeros());
                let holds = self.b.ins().icmp_imm_s(IntCC::Equal, tag, wanted as i64);
                self.test(holds, or);
                self.learn(value, wanted);
            }
            TypeTest::Nonvar => {
                let holds = self.b.ins().icmp_imm_s(IntCC::NotEqual, tag, REF as i64);
                self.test(holds, or);
            }
            TypeTest::Integer | TypeTest::Number => {
                let [boxed, done] = [(); 2].map(|()| self.b.create_block());
                let is_small = self.b.ins().icmp_imm_s(IntCC::Equal, tag, INT as i64);
                self.b.ins().brif(is_small, done, &[], boxed, &[]);
                self.b.switch_to_block(boxed);
                let is_box = self.b.ins().icmp_imm_s(IntCC::Equal, tag, BOX as i64);
                self.test(is_box, or);
                let head = self.field(value, 0);
                let kind = self.b.ins().ushr_imm_u(head, 3);
                let kind = self.b.ins().band_imm_s(kind, 3);
                let kinds = self.number(if what == TypeTest::Integer { 1 << BIG } else { 1 << BIG | 1 << FLOAT });
                let bit = self.b.ins().ushr(kinds, kind);
                let holds = self.b.ins().band_imm_s(bit, 1);
                self.test(holds, or);
                self.b.ins().jump(done, &[]);
                self.b.switch_to_block(done);
            }
            TypeTest::Atomic | TypeTest::Compound | TypeTest::Callable => {
                let bits = self.number(set);
                let bit = self.b.ins().ushr(bits, tag);
                let holds = self.b.ins().band_imm_s(bit, 1);
                self.test(holds, or);
            }
        }
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
