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
    /// Read a position; None if the text is invalid.
    pub fn read(text: &str) -> Option<Position> {
        let mut parts = text.split(':');
        let turn = match parts.next()? {
            "W" => 'W',
            "B" => 'B',
            _ => return None,
        };
        let mut on = BTreeMap::new();
        for part in parts {
            let side = match part.chars().next() {
                Some(side @ ('W' | 'B')) => side,
                _ => break,
            };
            for piece in part[1..].split(',').filter(|piece| !piece.is_empty()) {
                let (king, squares) = match piece.strip_prefix('K') {
                    Some(rest) => (true, rest),
                    None => (false, piece),
                };
                let (first, last) = squares.split_once('-').unwrap_or((squares, squares));
                for square in first.parse::<u32>().ok()?..=last.parse::<u32>().ok()?.min(999) {
                    on.insert(square, if king { side } else { side.to_ascii_lowercase() });
                }
            }
        }
        Some(Position { turn, on })
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
