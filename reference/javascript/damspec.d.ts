/** The rules of draughts and checkers, interpreted. See README.md. */

/** The value of each rule by its dotted name, as spec/README.md of damspec explains them. */
export type RuleValues = Readonly<Record<string, unknown>>;

export type Side = "W" | "B";
export type Kind = "move" | "capture" | "spin" | "slide" | "pass" | "huff" | "retract";
export type Result = "ongoing" | "white" | "black" | "draw";

export class RulesError extends Error {}

/** An error with its line in English as `message`, and a key and values to say it in another language by. */
declare class KeyedError extends Error {
  readonly key: string;
  readonly values: Readonly<Record<string, string | number>>;
}
export class PositionError extends KeyedError {}
export class MoveError extends KeyedError {}

/** A rule that has something wrong: a line in English, and the kind with what it names, to say it in another language. */
export interface Problem {
  readonly rule: string;
  readonly message: string;
  /** `few` is a value without an entry; `crowned` are men on their own promotion row at the start. */
  readonly kind:
    | "missing" | "form" | "few" | "clash" | "nothing-beside" | "nothing-after" | "twice" | "order" | "too-many"
    | "no-square" | "both" | "crowned" | "no-road" | "other-board" | "two-doors" | "two-sliders";
  /** Of a `clash`: the rules or groups of rules that it does not go with, or without which it cannot be. */
  readonly others?: readonly string[];
  /** The entry of a list or mapping, the board of a layout (`other-board`), or the id of `two-sliders`. */
  readonly entry?: string;
  /** The entry of the same list that leaves `entry` nothing to say. */
  readonly other?: string;
  /** The most rows of men (`too-many`). */
  readonly number?: number;
  readonly squares?: readonly number[];
}

export interface Slider {
  readonly id: string;
  readonly colour: "green" | "orange";
  readonly left: number;
  readonly right: number;
}

/** How a capture or a move goes; the first `slides` steps of it are no jumps. */
export interface Path {
  readonly path: readonly number[];
  readonly captured: readonly number[];
  readonly slides: number;
}

export interface Outcome {
  readonly result: Result;
  readonly reason: string | null;
}

export class Board {
  constructor(values: RuleValues);
  readonly columns: number;
  readonly rows: number;
  /** How many squares are played on. */
  readonly squares: number;
  readonly sliders: readonly Slider[];
  readonly doors: readonly number[];
  /** Whether the square in a column and row, from 0 at the top left as White sees it, is dark. */
  dark(column: number, row: number): boolean;
  /** The number of the square in a column and row, 0 if nothing is played there. */
  square(column: number, row: number): number;
  /** The column and row of a square. */
  place(square: number): readonly [number, number];
  /** A square in letters, `a3`. */
  name(square: number): string;
  /** The square of a number or a name, 0 if there is none. */
  named(text: string): number;
}

/** Pieces, the side to move, and what else a turn depends on. Not to be changed. */
export class Position {
  /** By square: 0 empty, 1 a white man, 2 a white king, -1 a black man, -2 a black king. */
  readonly pieces: Int8Array;
  readonly side: Side;
  readonly sliders: string;
  readonly spin: string;
  readonly huffable: string;
  readonly compelled: boolean;
  readonly runs: Readonly<Record<Side, { readonly square: number; readonly count: number } | null>> | null;
}

/** What a side can do. */
export class Action {
  readonly kind: Kind;
  readonly text: string;
  /** The squares of a move or capture, by one of its paths; empty for other actions. */
  readonly path: readonly number[];
  readonly captured: readonly number[];
  /** Every way to make it. */
  readonly paths: readonly Path[];
  readonly crowned: boolean;
  /** The squares on which a piece falls by it. */
  readonly falls: readonly number[];
  readonly slider: string;
  readonly lapse: boolean;
  readonly before: Position;
  readonly after: Position;
}

export class Game {
  readonly values: RuleValues;
  readonly board: Board;
  start(): Position;
  /** The position of a FEN; throws PositionError. */
  read(fen: string): Position;
  write(position: Position): string;
  /** The legal actions, and apart from them the lapses. */
  legal(position: Position): { readonly moves: Action[]; readonly lapses: Action[] };
  moves(position: Position): Action[];
  lapses(position: Position): Action[];
  /** Whether the side to move has a jump, so perhaps a capture: quicker than asking for its moves. */
  canCapture(position: Position): boolean;
  /** The action that a text means here; throws MoveError. */
  find(position: Position, text: string): Action;
  /** The position after an action in text; throws MoveError. */
  play(position: Position, text: string): Position;
  /** How the game stands, after the actions played from the position if there are any. */
  outcome(position: Position, texts?: readonly string[]): Outcome;
  perft(position: Position, depth: number): number;
}

/** The game by these rules; throws RulesError. */
export function rules(values: RuleValues): Game;

/** All that is wrong with the values of rules; nothing if they can be played. */
export function problems(values: RuleValues): Problem[];
/** Whether a rule has to, may or cannot be there by the others; null for one that can be filled in, if that is not known. */
export function presence(rule: string, values: RuleValues): "always" | "may" | "never" | null;
/** Values without rules that cannot be there by the others, and with those that have to be and then change nothing. */
export function settled(values: RuleValues): RuleValues;
