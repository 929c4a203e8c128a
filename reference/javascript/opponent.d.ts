import type { Game, Position } from "./damspec.js";
import type { Endgames } from "./endgames.js";

export interface Options {
  /** The longest it thinks. 1000 unless told. */
  readonly milliseconds?: number;
  /** The most moves that it looks ahead. */
  readonly depth?: number;
  /** FENs of positions that have been, which it takes for drawn. */
  readonly seen?: Iterable<string>;
  /** Like Math.random: chooses among first moves equally good. */
  readonly random?: () => number;
  /** Whether it breaks the duty to capture if it can, as somebody who overlooks a capture. */
  readonly lapse?: boolean;
  /** What is known of solved endgames of the game: it looks no further than these. */
  readonly endgames?: Endgames | null;
}

export interface Thought {
  /** What to play; null if chance has to act or nobody can. */
  readonly action: string | null;
  /** How the side stands, in men; infinite if the game is decided. */
  readonly value: number;
  /** In how many moves the side has won, or below zero lost, if it saw that; else null. */
  readonly won: number | null;
  /** Whether solved endgames say that what it plays leads to a draw. */
  readonly drawn: boolean;
  /** How many moves ahead it looked to the end. */
  readonly depth: number;
  /** How many positions it saw. */
  readonly nodes: number;
  /** What it expects to be played. */
  readonly line: readonly string[];
}

/** What to play in a position. */
export function think(game: Game, position: Position, options?: Options): Thought;

export interface Consequence {
  readonly action: string;
  /** How the side that plays it stands then, as in a Thought. */
  readonly value: number;
  readonly won: number | null;
  readonly drawn: boolean;
  readonly line: readonly string[];
}

/** What each action of a position leads to, all looked at equally deep, the best first. */
export function analyse(
  game: Game,
  position: Position,
  options?: Options,
): { readonly depth: number; readonly nodes: number; readonly actions: readonly Consequence[] };
