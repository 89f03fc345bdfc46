//! What is loaded: the orders about rules.

use super::commands::split;
use super::diff::difference;
use super::help::columns;
use super::orders;
use super::settings::assignment;
use super::{Asked, Repl, refusal};
use crate::cli::{Ended, FAILED, YES};
use crate::lang::near::nearest;
use crate::session::Failure;
use crate::session::reading::Reading;
use crate::session::recipe::Recipe;
use crate::source::unwritable;
use serde_json::{Value, json};

impl Repl<'_> {
    pub(super) fn load(&mut self, rest: &str) -> Ended {
        let files = split(rest)?;
        if files.is_empty() {
            return Err(refusal(":load needs a file", "such as :load games/othello.pl"));
        }
        let before = self.sitting().recipe();
        let recipe = Recipe { files, steps: before.steps, memory: before.memory, ..Recipe::default() };
        if let Err(failure) = self.take(recipe, false) {
            self.out.failure(&failure);
            let stays = self.sitting().recipe().files.join(" ");
            if !stays.is_empty() && !self.out.json {
                self.out.tell(&format!("what was loaded stays: {stays}\n"));
            }
            return Ok(FAILED);
        }
        self.asked = None;
        if self.sitting().here().is_some() { self.show() } else { Ok(YES) }
    }

    /// Loads a recipe; warnings are told.
    fn take(&mut self, recipe: Recipe, keep: bool) -> Result<(), Failure> {
        self.sitting_mut().load(recipe, keep)?;
        let report = self.sitting().session().rules.report.clone();
        self.out.report(&report);
        self.refresh();
        self.watch_again()
    }

    pub(super) fn reload(&mut self) -> Ended {
        let recipe = self.sitting().recipe().clone();
        if recipe.files.is_empty() && recipe.overlays.is_empty() {
            return Err(refusal("there is no file to load again", "load one: :load FILE"));
        }
        self.retake(recipe)
    }

    /// Loads a recipe that is much the same, and tells what has changed in the last answer.
    pub(super) fn retake(&mut self, recipe: Recipe) -> Ended {
        let before = self.answer.clone();
        self.take(recipe, true)?;
        let (Some(asked), Some(before)) = (self.asked.clone(), before) else {
            self.tell("loaded\n");
            return Ok(YES);
        };
        let after = self.again(&asked)?;
        let arrow = self.arrow();
        let difference = difference(&before, &after, arrow);
        let text = changed(&before, &after, arrow);
        self.out.answer(json!({ "difference": difference, "answer": after }), || text);
        self.answer = Some(after);
        Ok(YES)
    }

    pub(super) fn arrow(&self) -> &'static str {
        if self.out.unicode { "→" } else { "->" }
    }

    /// The answer to what was asked last.
    pub(super) fn again(&mut self, asked: &Asked) -> Result<Value, Failure> {
        let (silent, json) = (self.out.silent, self.out.json);
        (self.out.silent, self.out.json) = (true, true);
        let done = match asked {
            Asked::Goal(goal) => self.goal(goal).map(drop),
            Asked::Order(name, rest) => orders::find(name).and_then(|order| self.order(order, rest)).map(drop),
        };
        (self.out.silent, self.out.json) = (silent, json);
        done?;
        Ok(self.out.last.take().unwrap_or(Value::Null))
    }

    pub(super) fn tell(&self, text: &str) {
        if !self.out.json {
            self.out.print(text);
        }
    }

    /// Adds a clause that takes the place of the file's predicate.
    pub(super) fn rule(&mut self, rest: &str) -> Ended {
        let clause = rest.trim();
        if clause.is_empty() {
            return Err(refusal(":rule needs a clause", "such as :rule static_eval(Pos, 0)."));
        }
        if let Reading::Wrong(problem, sources) = self.sitting().session().reads(clause) {
            return Err(Failure::Problem(problem, sources));
        }
        let clause = if clause.ends_with('.') { clause.to_string() } else { format!("{clause}.") };
        let mut recipe = self.sitting().recipe().clone();
        recipe.typed.push(clause);
        self.retake(recipe)
    }

    pub(super) fn rules(&mut self) -> Ended {
        let typed = self.sitting().recipe().typed.clone();
        let text = if typed.is_empty() { "no clause was added\n".to_string() } else { typed.join("\n") + "\n" };
        self.out.answer(json!({ "rules": typed }), || text);
        Ok(YES)
    }

    pub(super) fn drop_rules(&mut self, rest: &str) -> Ended {
        let mut recipe = self.sitting().recipe().clone();
        let before = recipe.typed.len();
        let wanted = rest.trim().trim_end_matches('.');
        if wanted.is_empty() {
            return Err(refusal(":drop needs a predicate", "such as :drop static_eval/2; :rules lists what was added"));
        }
        let session = self.session();
        recipe.typed.retain(|clause| session.defines(clause).as_deref() != Some(wanted));
        if recipe.typed.len() == before {
            let names: Vec<String> = recipe.typed.iter().filter_map(|clause| session.defines(clause)).collect();
            let help = match nearest(wanted, names.iter().map(String::as_str)) {
                Some(near) => format!("did you mean {near}?"),
                None if names.is_empty() => "none was added: :rule adds one".to_string(),
                None => format!("there are clauses of {}", names.join(", ")),
            };
            return Err(refusal(&format!("no clause of {wanted} was added"), &help));
        }
        self.retake(recipe)
    }

    pub(super) fn save(&mut self, rest: &str) -> Ended {
        let [path] = split(rest)?.try_into().map_err(|_| refusal(":save needs one file", "such as :save ideas.pl"))?;
        let recipe = self.sitting().recipe();
        if recipe.typed.is_empty() {
            return Err(refusal("no clause was added, so there is nothing to save", ":rule adds one"));
        }
        std::fs::write(&path, recipe.text()).map_err(|error| refusal(&unwritable(&path, &error), "name another"))?;
        let (count, file) = (recipe.typed.len(), recipe.files.first().cloned().unwrap_or_default());
        self.out.answer(json!({ "saved": path, "clauses": count }), || {
            format!("{count} in {path}; to use: alphorn value {file} --with {path}\n")
        });
        Ok(YES)
    }

    pub(super) fn param(&mut self, rest: &str) -> Ended {
        let text = rest.trim().trim_end_matches('.');
        if text.is_empty() {
            let session = self.session();
            let rows: Vec<[String; 4]> = session
                .params()
                .into_iter()
                .map(|param| [param.name, param.value, param.domain, param.about])
                .collect();
            let object =
                rows.iter().map(|row| json!({ "name": row[0], "value": row[1], "domain": row[2], "about": row[3] }));
            let object = json!({ "params": object.collect::<Vec<_>>() });
            self.out.answer(object, || match rows.is_empty() {
                true => "the program has no parameters\n".to_string(),
                false => {
                    let cells = |[name, value, domain, about]: &[String; 4]| {
                        vec![format!("{name}={value}"), format!("{about} ({domain})")]
                    };
                    columns(&rows.iter().map(cells).collect::<Vec<_>>())
                }
            });
            return Ok(YES);
        }
        let (name, Some(value)) = assignment(text) else {
            return Err(refusal("write NAME=VALUE", "such as :param size=8"));
        };
        let mut recipe = self.sitting().recipe().clone();
        recipe.params.push((name.to_string(), value.to_string()));
        // Positions of another form of the game are none of this one.
        self.take(recipe, false)?;
        if self.sitting().here().is_some() { self.show() } else { Ok(YES) }
    }
}

/// What has become of an answer.
pub(super) fn changed(before: &Value, after: &Value, arrow: &str) -> String {
    match difference(before, after, arrow) {
        Some(text) => format!("changed: {text}\n"),
        None => "the last answer is the same\n".to_string(),
    }
}
