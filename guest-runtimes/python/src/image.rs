//! The snapshot as a common ground of all sessions.
//!
//! Sessions share the pages of the snapshot until they write to them, and counting references is writing. What is
//! there when the snapshot is made stays for good, so nobody has to count it: every object becomes immortal (PEP 683),
//! and a session copies only what it really changes.

use std::collections::HashSet;

use rustpython_vm::{AsObject, PyObject, PyObjectRef, PyResult, VirtualMachine};

/// Makes every object immortal that can be reached from a tracked one, a module or the type system.
pub fn make_immortal(vm: &VirtualMachine) -> PyResult<()> {
    let gc = vm.import("gc", 0)?;
    vm.call_method(&gc, "collect", ())?;
    let mut pending = vm.state.gc.get_objects(None);
    pending.push(vm.sys_module.clone().into());
    pending.push(vm.builtins.clone().into());
    pending.push(vm.ctx.types.object_type.to_owned().into());
    let mut seen: HashSet<*const PyObject> = HashSet::new();
    while let Some(object) = pending.pop() {
        if seen.insert(std::ptr::from_ref::<PyObject>(&object)) {
            object.make_immortal();
            // A class is not among the referents of its instances.
            pending.push(PyObjectRef::from(object.class().to_owned()));
            pending.extend(object.gc_get_referents());
        }
    }
    // From here on collections leave them alone, too.
    vm.call_method(&gc, "freeze", ())?;
    Ok(())
}

/// Takes every object out of the interpreter's own pools that lies before `end`, for the same reason for which
/// [`heap::fill_holes`](crate::heap::fill_holes) takes the free blocks. To be called after that.
pub fn empty_pools(vm: &VirtualMachine, end: *const u8) {
    let context = &vm.ctx;
    let mut taken = Vec::new();
    take_before(end, &mut taken, || context.new_float(0.5).into());
    take_before(end, &mut taken, || context.new_int(1_i64 << 40).into());
    take_before(end, &mut taken, || context.new_list(Vec::new()).into());
    take_before(end, &mut taken, || context.new_dict().into());
    for length in 1..=LONGEST_TUPLE {
        take_before(end, &mut taken, || {
            context.new_tuple(vec![context.none(); length]).into()
        });
    }
    // They are kept for good.
    std::mem::forget(taken);
    vm.state.gc.freeze();
}

/// Longer tuples have no pool.
const LONGEST_TUPLE: usize = 20;

fn take_before(end: *const u8, taken: &mut Vec<PyObjectRef>, make: impl Fn() -> PyObjectRef) {
    loop {
        let object = make();
        if std::ptr::from_ref::<PyObject>(&object).cast::<u8>() >= end {
            return;
        }
        taken.push(object);
    }
}
