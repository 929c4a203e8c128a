//! Positions of draughts as text, as damspec writes them: B:W21-32:BK5,9 is Black to move.

use std::collections::BTreeMap;

#[derive(Clone, Debug, PartialEq)]
pub struct Position {
    /// 'W' or 'B'.
    pub turn: char,
    /// What stands on a square, from 1: 'w' 'b' a man, 'W' 'B' a king.
    pub on: BTreeMap<u32, char>,
}

impl Position {
    /// Read a position; Err says what is wrong with a text that is invalid.
    pub fn read(text: &str) -> Result<Position, String> {
        let parts: Vec<&str> = text.split(':').collect();
        let (turn, one, other) = match parts[..] {
            ["W", one, other, ..] => ('W', one, other),
            ["B", one, other, ..] => ('B', one, other),
            _ => return Err(format!("no position: {text}")),
        };
        let sides = match (one.chars().next(), other.chars().next()) {
            (Some('W'), Some('B')) => [('W', one), ('B', other)],
            (Some('B'), Some('W')) => [('B', one), ('W', other)],
            _ => return Err(format!("no position: {text}")),
        };
        let mut on = BTreeMap::new();
        for &(side, part) in &sides {
            for piece in part[1..].split(',').filter(|piece| !piece.is_empty()) {
                let (first, last) = squares(piece).ok_or(format!("no piece: {piece}"))?;
                let letter = if piece.starts_with('K') { side } else { side.to_ascii_lowercase() };
                on.extend((first..=last).map(|square| (square, letter)));
            }
        }
        Ok(Position { turn, on })
    }

    /// The position as text.
    pub fn write(&self) -> String {
        let pieces = |side: char| {
            let of_side = self.on.iter().filter(|(_, piece)| piece.to_ascii_uppercase() == side);
            let texts = of_side.map(|(square, piece)| format!("{}{square}", if *piece == side { "K" } else { "" }));
            texts.collect::<Vec<_>>().join(",")
        };
        format!("{}:W{}:B{}", self.turn, pieces('W'), pieces('B'))
    }
}

/// The first and the last square of a piece, or of a range of pieces.
fn squares(piece: &str) -> Option<(u32, u32)> {
    let text = piece.strip_prefix('K').unwrap_or(piece);
    let (first, last) = text.split_once('-').unwrap_or((text, text));
    let is_number = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
    let (first, last) = match is_number(first) && is_number(last) {
        true => (first.parse().ok()?, last.parse().ok()?),
        false => return None,
    };
    (1 <= first && first <= last && last < 1000).then_some((first, last))
}
