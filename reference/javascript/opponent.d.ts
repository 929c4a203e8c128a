import type { Game, Position } from "./damspec.js";

export interface Options {
  /** The longest it thinks. 1000 unless told. */
  readonly milliseconds?: number;
  /** The most moves that it looks ahead. */
  readonly depth?: number;
  /** FENs of positions that have been, which it takes for drawn. */
  readonly seen?: Iterable<string>;
  /** Like Math.random: chooses among first moves equally good. */
  readonly random?: () => number;
}

export interface Thought {
  /** What to play; null if chance has to act or nobody can. */
  readonly action: string | null;
  /** How the side stands, in men; infinite if the game is decided. */
  readonly value: number;
  /** In how many moves the side has won, or below zero lost, if it saw that; else null. */
  readonly won: number | null;
  /** How many moves ahead it looked to the end. */
  readonly depth: number;
  /** How many positions it saw. */
  readonly nodes: number;
  /** What it expects to be played. */
  readonly line: readonly string[];
}

/** What to play in a position. */
export function think(game: Game, position: Position, options?: Options): Thought;
