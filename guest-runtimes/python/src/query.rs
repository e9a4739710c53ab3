//! Questions that an editor asks: what could stand here, and is the cell complete.

use rustpython_vm::builtins::{PyStr, PyTuple};
use rustpython_vm::{PyObjectRef, PyResult, VirtualMachine};
use sandbox_abi::{Complete, Completeness, Reply};

use crate::session::Session;

/// Candidates for the identifier or attribute before the cursor. There are none where asking fails.
pub fn complete(session: &Session, vm: &VirtualMachine, request: &Complete) -> Reply {
    let cursor = request.cursor as usize;
    let Some(text) = request.code.get(..cursor) else {
        return Reply::Refused(format!(
            "byte {cursor} is no place for a cursor in this text"
        ));
    };
    let (length, candidates) = candidates(session, vm, text).unwrap_or_default();
    Reply::Completions(request.cursor.saturating_sub(length), candidates)
}

/// Whether source can run, wants more lines, or is wrong.
pub fn completeness(session: &Session, vm: &VirtualMachine, source: &str) -> Reply {
    let answer = session.helpers.completeness.call((source,), vm);
    Reply::Completeness(match answer {
        Ok(answer) if vm.is_none(&answer) => Completeness::Incomplete,
        Ok(answer) if answer.clone().try_to_bool(vm).unwrap_or(false) => Completeness::Complete,
        Ok(_) => Completeness::Invalid,
        // Where the question cannot be asked, running the source tells.
        Err(_) => Completeness::Complete,
    })
}

/// The length in bytes of what they replace, and the candidates.
fn candidates(session: &Session, vm: &VirtualMachine, text: &str) -> PyResult<(u32, Vec<String>)> {
    let answer = session
        .helpers
        .complete
        .call((text, session.main.clone()), vm)?;
    let Some([length, candidates]) = answer.downcast_ref::<PyTuple>().map(|pair| pair.as_slice())
    else {
        return Err(vm.new_type_error("complete() answers a pair"));
    };
    let length = length.try_to_value::<u32>(vm)?;
    let candidates = vm.extract_elements_with(candidates, |candidate: PyObjectRef| {
        Ok(candidate
            .downcast_ref::<PyStr>()
            .map(|text| text.to_string_lossy().into_owned())
            .unwrap_or_default())
    })?;
    Ok((length, candidates))
}
