//! Texts that alphorn carries: games, explanations of codes, completions, the manual page.

use crate::cli::args::{Cli, ExampleArgs};
use crate::cli::output::Out;
use crate::cli::query::names_file;
use crate::cli::{Ended, YES};
use crate::codes;
use alphorn_lang::lang::near::nearest;
use alphorn_rules::rules::examples;
use alphorn_session::session::Failure;
use alphorn_text::report::Problem;
use alphorn_text::source::Sources;
use clap::CommandFactory;
use serde_json::json;
use std::sync::Arc;

fn no_such(kind: &str, name: &str, names: &[&str], list: &str) -> Failure {
    let help = match nearest(name, names.iter().copied()) {
        Some(near) => format!("did you mean {near}?"),
        None => format!("{list} lists them"),
    };
    let problem = Problem::placeless("A0620", format!("there is no {kind} {name}")).help(help);
    Failure::Problem(Box::new(problem), Arc::new(Sources::default()))
}

pub(super) fn example(args: &ExampleArgs, out: &mut Out) -> Ended {
    let games = examples();
    let Some(name) = &args.name else {
        let rows: Vec<(&str, String)> = games.iter().map(|(name, text)| (*name, headline(text))).collect();
        if out.json {
            out.object(json!({ "examples": rows.iter().map(|(name, about)| json!({ "name": name, "about": about })).collect::<Vec<_>>() }));
        } else {
            rows.iter().for_each(|(name, about)| out.line(&format!("{name:<18} {about}")));
        }
        return Ok(YES);
    };
    let bare = name.strip_suffix(".pl").unwrap_or(name);
    let Some((_, text)) = games.iter().find(|(other, _)| *other == bare) else {
        let names: Vec<&str> = games.iter().map(|(name, _)| *name).collect();
        return Err(no_such("example", name, &names, "alphorn example"));
    };
    match out.json {
        true => out.object(json!({ "name": bare, "text": text })),
        false => out.print(text),
    }
    Ok(YES)
}

/// The first sentence of a game's head comment.
fn headline(text: &str) -> String {
    let comment: Vec<&str> =
        text.lines().take_while(|line| line.starts_with('%')).map(|line| line.trim_start_matches('%').trim()).collect();
    let joined = comment.join(" ");
    joined.split_once(". ").map_or(joined.clone(), |(first, _)| format!("{first}."))
}

pub(super) fn explain(code: Option<&String>, out: &mut Out) -> Ended {
    let Some(code) = code else {
        if out.json {
            out.object(json!({ "codes": codes::CODES.iter().map(|row| json!({ "code": row.code, "title": row.title })).collect::<Vec<_>>() }));
        } else {
            codes::CODES.iter().for_each(|row| out.line(&format!("{}  {}", row.code, row.title)));
        }
        return Ok(YES);
    };
    let wanted = code.to_uppercase();
    let Some(row) = codes::CODES.iter().find(|row| row.code == wanted) else {
        if names_file(code) {
            let problem = Problem::placeless("A0620", format!("{code} names a file, and the move is missing"))
                .help(format!("write alphorn explain {code} MOVE; alphorn moves {code} lists the moves"));
            return Err(Failure::Problem(Box::new(problem), Arc::default()));
        }
        let names: Vec<&str> = codes::CODES.iter().map(|row| row.code).collect();
        return Err(no_such("code", code, &names, "alphorn explain"));
    };
    if out.json {
        out.object(
            json!({ "code": row.code, "title": row.title, "text": row.text, "wrong": row.wrong, "right": row.right }),
        );
    } else {
        let block = |title: &str, text: &str| match text.trim() {
            "" => String::new(),
            text => format!("\n{title}\n\n    {}\n", text.replace('\n', "\n    ")),
        };
        out.print(&format!(
            "{}: {}\n\n{}\n{}{}",
            row.code,
            row.title,
            row.text.trim(),
            block("Wrong:", row.wrong),
            block("Right:", row.right)
        ));
    }
    Ok(YES)
}

pub(super) fn completions(shell: clap_complete::Shell, out: &mut Out) -> Ended {
    let mut text = Vec::new();
    clap_complete::generate(shell, &mut Cli::command(), "alphorn", &mut text);
    written(out, &text)
}

pub(super) fn man(out: &mut Out) -> Ended {
    let mut page = Vec::new();
    let mut command = Cli::command();
    command.build();
    let mut render = |command: clap::Command| clap_mangen::Man::new(command).render(&mut page);
    let below = |command: &clap::Command| -> Vec<clap::Command> {
        command.get_subcommands().filter(|sub| sub.get_name() != "help").cloned().collect()
    };
    // The commands, each before its own.
    let subcommands: Vec<clap::Command> =
        below(&command).into_iter().flat_map(|sub| [vec![sub.clone()], below(&sub)].concat()).collect();
    let rendered = render(command).and_then(|()| subcommands.into_iter().try_for_each(render));
    if let Err(error) = rendered {
        out.tell(&format!("the page is incomplete: {error}\n"));
    }
    written(out, &page)
}

fn written(out: &Out, text: &[u8]) -> Ended {
    let text = String::from_utf8_lossy(text);
    match out.json {
        true => out.object(json!({ "text": text })),
        false => out.print(&text),
    }
    Ok(YES)
}
