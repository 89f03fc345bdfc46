//! Generates the JSON schemas of all printed JSON from the types of requests, replies and events.
//!
//! Each schema belongs to one file of `docs/schema/`.

use super::data::{Refusal, SCHEMA};
use schemars::generate::SchemaSettings;
use schemars::transform::RecursiveTransform;
use schemars::{JsonSchema, Schema};
use serde_json::{Map, Value, json};

/// The name and the schema of the reply to a request.
pub(super) fn printed(request: &str, schema: fn(&str) -> Value) -> (String, Value) {
    let mut name = String::new();
    for c in request.chars() {
        if c.is_ascii_uppercase() && !name.is_empty() {
            name.push('-');
        }
        name.push(c.to_ascii_lowercase());
    }
    let title = format!("alphorn {} --json", name.replace("lab-", "lab "));
    (name, schema(&title))
}

fn generated<T: JsonSchema>(title: &str) -> Map<String, Value> {
    let schema = SchemaSettings::draft2020_12().for_serialize().into_generator().into_root_schema_for::<T>();
    let mut fields = Map::new();
    fields.insert("$schema".into(), "https://json-schema.org/draft/2020-12/schema".into());
    fields.insert("title".into(), title.into());
    if let Value::Object(found) = schema.to_value() {
        fields.extend(found.into_iter().filter(|(key, _)| key != "$schema" && key != "title"));
    }
    fields
}

/// The schema of the property `schema`, the version.
fn version() -> Value {
    json!({ "const": SCHEMA, "description": "version of the JSON that alphorn prints" })
}

/// Adds properties before the others of an object schema.
fn put_first(object: &mut Value, first: &[(&str, Value)]) {
    let Some(object) = object.as_object_mut() else { return };
    let given: Map<String, Value> = first.iter().map(|(key, value)| ((*key).to_string(), value.clone())).collect();
    let mut names: Vec<Value> = first.iter().map(|(key, _)| (*key).into()).collect();
    names.extend(object.get("required").and_then(Value::as_array).cloned().unwrap_or_default());
    let mut properties = given;
    properties.extend(object.get("properties").and_then(Value::as_object).cloned().unwrap_or_default());
    object.insert("required".into(), names.into());
    object.insert("properties".into(), properties.into());
}

/// The schema of an object that a command prints.
pub(super) fn object<T: JsonSchema>(title: &str) -> Value {
    let mut schema = Value::Object(generated::<T>(title));
    put_first(&mut schema, &[("schema", version())]);
    schema
}

/// The schema of a command that prints one of several objects.
pub(super) fn either<T: JsonSchema>(title: &str) -> Value {
    let mut schema = generated::<T>(title);
    let definitions = schema.get("$defs").cloned().unwrap_or_default();
    let variants = schema.shift_remove("anyOf").unwrap_or_default();
    let whole = |variant: &Value| {
        let name = variant["$ref"].as_str().and_then(|name| name.strip_prefix("#/$defs/"));
        let mut object = name.map_or(variant, |name| &definitions[name]).clone();
        put_first(&mut object, &[("schema", version())]);
        object
    };
    let variants: Vec<Value> = variants.as_array().into_iter().flatten().map(whole).collect();
    schema.insert("anyOf".into(), variants.into());
    Value::Object(schema)
}

/// The schema of a protocol line: one of several objects, with the id of its request.
pub(super) fn line<T: JsonSchema>(title: &str) -> Value {
    let mut schema = Value::Object(generated::<T>(title));
    for variant in schema["oneOf"].as_array_mut().into_iter().flatten() {
        for (tag, about) in [("reply", "the request that it answers"), ("event", "what happened")] {
            if let Some(found) = variant["properties"].get_mut(tag) {
                found["description"] = about.into();
            }
        }
        variant["additionalProperties"] = false.into();
        put_first(variant, &[("schema", version()), ("id", id())]);
    }
    schema
}

/// The schema of the error line of a failed request.
pub(super) fn error() -> Value {
    let mut schema = Value::Object(generated::<Refusal>("alphorn repl --json: a request that failed"));
    put_first(&mut schema, &[("schema", version()), ("id", id())]);
    schema
}

fn id() -> Value {
    json!({ "description": "the id of the request; null if it had none" })
}

/// Adds the greatest value to the schema of a number whose type has one.
fn limit(schema: &mut Schema) {
    let most = match schema.get("format").and_then(Value::as_str) {
        Some("uint16") => u32::from(u16::MAX),
        Some("uint32") => u32::MAX,
        _ => return,
    };
    schema.ensure_object().entry("maximum").or_insert(most.into());
}

/// The schema of a request.
pub(super) fn request<T: JsonSchema>() -> Value {
    // Inlined, because a variant that refers to a definition could not forbid further fields.
    let settings = SchemaSettings::draft2020_12().with(|settings| settings.inline_subschemas = true);
    let settings = settings.with_transform(RecursiveTransform(limit));
    let mut schema = settings.into_generator().into_root_schema_for::<T>().to_value();
    schema["title"] = "alphorn repl --json: a request".into();
    let id = json!({ "description": "repeated in every line that answers the request" });
    for variant in schema["oneOf"].as_array_mut().into_iter().flatten() {
        variant["properties"]["id"] = id.clone();
        variant["properties"]["request"]["description"] = "the name of the request".into();
        variant["additionalProperties"] = false.into();
    }
    schema
}
