//! Converts terms to JSON and JSON to terms.
//!
//! An atom is a string and a list is an array. An integer is a number without a fraction, a float a
//! number with one. A compound term is `{"functor": NAME, "args": [...]}`, a Prolog string `{"string":
//! TEXT}`, a variable `{"var": NAME}`, an integer beyond 64 bits `{"integer": DIGITS}`. A term that is
//! too large for this is `{"text": TEXT}`. A position may also be given as its text.

use alphorn_prolog::term::Term;
use alphorn_prolog::term::float;
use alphorn_prolog::term::heap::{Heap, TermView};
use alphorn_prolog::term::pack::{Packed, unpack};
use alphorn_text::symbol::atoms;
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::de::Error;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::{Map, Value, json};
use std::borrow::Cow;
use std::convert::Infallible;
use std::str::FromStr;

/// The limit of nested terms, because most JSON readers have such a limit.
const DEEPEST: usize = 100;

/// The limit of atoms, numbers and compound terms.
const LARGEST: usize = 100_000;

/// The text of a term that the user typed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TypedTerm(pub String);

impl FromStr for TypedTerm {
    type Err = Infallible;

    fn from_str(text: &str) -> Result<TypedTerm, Infallible> {
        Ok(TypedTerm(text.to_string()))
    }
}

impl Serialize for TypedTerm {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&self.0)
    }
}

impl<'de> Deserialize<'de> for TypedTerm {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        match Value::deserialize(deserializer)? {
            // The rules parse this text with their own operators.
            Value::String(text) => Ok(TypedTerm(text)),
            term => {
                let mut text = String::new();
                write(&term, &mut text).map_err(D::Error::custom)?;
                Ok(TypedTerm(text))
            }
        }
    }
}

impl JsonSchema for TypedTerm {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> Cow<'static, str> {
        "TypedTerm".into()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        generator.subschema_for::<JsonTerm>()
    }
}

/// The schema of a term in JSON.
pub enum JsonTerm {}

impl JsonSchema for JsonTerm {
    fn schema_name() -> Cow<'static, str> {
        "Term".into()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        let term = generator.subschema_for::<JsonTerm>();
        let object = |fields: Vec<(&str, Value)>| {
            let keys: Vec<&str> = fields.iter().map(|(key, _)| *key).collect();
            let properties: Map<String, Value> = fields.iter().map(|(key, of)| (key.to_string(), of.clone())).collect();
            json!({ "type": "object", "properties": properties, "required": keys, "additionalProperties": false })
        };
        let text = |about: &str| json!({ "type": "string", "description": about });
        let args = "The arguments, at least one.";
        let args = json!({ "type": "array", "items": term, "minItems": 1, "description": args });
        let digits = "The digits of an integer of more than 64 bits.";
        let digits = json!({ "type": "string", "pattern": "^-?[0-9]+$", "description": digits });
        json_schema!({
            "description": "A term. A string is an atom, or the text of a whole position. An array is a list.",
            "anyOf": [
                { "type": ["string", "number"] },
                { "type": "array", "items": term },
                object(vec![("functor", text("The name of a compound term.")), ("args", args)]),
                object(vec![("string", text("The characters of a string of Prolog."))]),
                object(vec![("integer", digits)]),
                object(vec![("var", text("The name of a variable."))]),
                object(vec![("text", text("The text of a term that is too large or too deep for JSON."))]),
            ]
        })
    }
}

/// Writes a JSON value as the text of a term.
fn write(value: &Value, out: &mut String) -> Result<(), String> {
    let list = |items: &[Value], out: &mut String| {
        items.iter().enumerate().try_for_each(|(number, item)| {
            out.push_str(if number > 0 { "," } else { "" });
            write(item, out)
        })
    };
    match value {
        Value::String(name) => out.push_str(&quoted(name, '\'')),
        Value::Number(number) if number.is_f64() => out.push_str(&float::text(number.as_f64().unwrap_or_default())),
        Value::Number(number) => out.push_str(&number.to_string()),
        Value::Array(items) => {
            out.push('[');
            list(items, out)?;
            out.push(']');
        }
        Value::Object(fields) => match (fields.len(), fields.iter().next()) {
            (2, _) if fields.contains_key("functor") && fields.contains_key("args") => {
                let (Value::String(name), Value::Array(args)) = (&fields["functor"], &fields["args"]) else {
                    return Err("\"functor\" is a string, and \"args\" an array".to_string());
                };
                if args.is_empty() {
                    return Err("a compound term has arguments; an atom is written as a string".to_string());
                }
                out.push_str(&quoted(name, '\''));
                out.push('(');
                list(args, out)?;
                out.push(')');
            }
            (1, Some((key, Value::String(text)))) => match key.as_str() {
                "string" => out.push_str(&quoted(text, '"')),
                "text" => out.push_str(&format!("({text})")),
                "var"
                    if text.starts_with(|c: char| c == '_' || c.is_uppercase())
                        && text.chars().all(|c| c == '_' || c.is_alphanumeric()) =>
                {
                    out.push_str(text);
                }
                "integer" if text.parse::<f64>().is_ok() && text.chars().all(|c| c == '-' || c.is_ascii_digit()) => {
                    out.push_str(text);
                }
                _ => return Err(NO_TERM.to_string()),
            },
            _ => return Err(NO_TERM.to_string()),
        },
        Value::Null | Value::Bool(_) => return Err(NO_TERM.to_string()),
    }
    Ok(())
}

const NO_TERM: &str = "a term is a string, a number, an array, or {\"functor\": NAME, \"args\": [...]}";

fn quoted(text: &str, quote: char) -> String {
    let mut out = String::from(quote);
    for c in text.chars() {
        match c {
            '\\' => out.push_str("\\\\"),
            c if c == quote => out.extend(['\\', c]),
            c if c.is_control() => out.push_str(&format!("\\x{:x}\\", u32::from(c))),
            c => out.push(c),
        }
    }
    out.push(quote);
    out
}

/// Converts a term to JSON; `text` gives the text of a term that is too large.
pub fn term(packed: &Packed, text: impl FnOnce() -> String) -> Value {
    let mut heap = Heap::default();
    let root = unpack(&mut heap, packed);
    let mut left = LARGEST;
    value(&heap, root, DEEPEST, &mut left).unwrap_or_else(|| json!({ "text": text() }))
}

fn value(heap: &Heap, term: Term, depth: usize, left: &mut usize) -> Option<Value> {
    *left = left.checked_sub(1)?;
    Some(match heap.view(term) {
        TermView::Var(at) => json!({ "var": format!("_{at}") }),
        TermView::Atom(name) if name == atoms::NIL => json!([]),
        TermView::Atom(name) => json!(&*name.name()),
        TermView::Int(number) => json!(number),
        TermView::Float(number) if number.is_finite() => json!(number),
        TermView::Float(number) => json!({ "text": float::text(number) }),
        TermView::Big(negative, words) => {
            let digits = heap.big_of(negative, words).to_string();
            digits.parse::<i64>().map_or_else(|_| json!({ "integer": digits }), |number| json!(number))
        }
        TermView::Text(length, words) => json!({ "string": heap.text_of(length, words) }),
        TermView::Compound(name, _) => {
            let below = depth.checked_sub(1)?;
            let (items, rest) = heap.elements(term);
            if !items.is_empty() && heap.is_nil(rest) {
                let items = items.into_iter().map(|item| value(heap, item, below, left));
                return items.collect::<Option<Vec<_>>>().map(Value::from);
            }
            let args = heap.args(term).into_iter().map(|arg| value(heap, arg, below, left));
            let args = args.collect::<Option<Vec<_>>>()?;
            json!({ "functor": &*name.name(), "args": args })
        }
    })
}
