//! An engine's side of damspec's line protocol: each question is a line, each answer is a line.
//!
//!     rustc adapter.rs          or as the main file of your crate
//!     damspec check english --lines -- ./adapter
//!
//! To fill in: NAME, RULESET and START below, and legal_moves(). The rest can stay as it is.

mod fen;

use fen::Position;
use std::io::{self, BufRead, Write};

const NAME: &str = "my-engine 1.0";
/// The rulesets it plays, separated by commas; `damspec rulesets` lists them.
const RULESET: &str = "english";
/// Numbered as the engine does; --rotate and --numbering translate it.
const START: &str = "B:W21-32:B1-12";
/// True if it lists single jumps, one after another, and not whole captures.
const HOPS: bool = false;

struct Move {
    /// With all the squares on its way: 9-14, or 9x18x27.
    text: String,
    /// Where it is the other side's turn, unless a jump has to be followed by another.
    after: Position,
}

/// TO FILL IN: every legal move of the side position.turn. With HOPS, `hops` are the jumps already made from the
/// position in this turn, as they were listed; else there are none.
fn legal_moves(_position: &Position, _hops: &[&str]) -> Option<Vec<Move>> {
    None // not filled in yet
}

fn moves(fen: &str, hops: &[&str]) -> String {
    let position = match Position::read(fen) {
        Ok(position) => position,
        Err(error) => return format!("error {error}"),
    };
    let Some(legal) = legal_moves(&position, hops) else {
        return "unsupported legal_moves() in adapter.rs is not filled in yet".to_string();
    };
    let listed = legal.iter().map(|one| format!(" {}>{}", one.text, one.after.write()));
    format!("moves{}", listed.collect::<String>())
}

fn main() -> io::Result<()> {
    for line in io::stdin().lock().lines() {
        let line = line?;
        let words: Vec<&str> = line.split_whitespace().collect();
        let answer = match words.as_slice() {
            ["quit", ..] => break,
            ["hello", ..] => {
                let steps = if HOPS { ",steps" } else { "" };
                format!("hello {NAME} rulesets={RULESET} questions=start,moves,play{steps}")
            }
            ["start", ..] => START.to_string(),
            ["moves", _, fen, hops @ ..] => moves(fen, hops),
            _ => format!("unsupported {line}"),
        };
        println!("{answer}");
        io::stdout().flush()?;
    }
    Ok(())
}
