//! The JSON Schema of policy files, for editors.

use super::{Policy, presets};
use schemars::generate::SchemaSettings;
use serde_json::{Value, json};

/// The schema, made from the types that are read.
pub(super) fn schema() -> Value {
    let generator = SchemaSettings::draft07().into_generator();
    let mut schema = generator.into_root_schema_for::<Policy>().to_value();
    // It is gone once it has been followed, so no type has it.
    schema["properties"]["extends"] = json!({
        "description": "The policy that this file changes: a preset's name, or a file's path that starts at this file's folder.",
        "type": "string",
        "examples": presets::names().collect::<Vec<_>>(),
    });
    // What these are by default depends on the file.
    for key in ["name", "description"] {
        if let Some(key) = schema["properties"][key].as_object_mut() {
            key.remove("default");
        }
    }
    schema["title"] = json!("A policy of sandbox-run");
    schema
}
