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
