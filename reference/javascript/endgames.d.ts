import type { Position } from "./damspec.js";

export class EndgamesError extends Error {}

export interface SolvedValue {
  readonly value: "win" | "draw" | "loss";
  /** In how many plies; 0 for a draw, and where the file has no distances. */
  readonly distance: number;
}

/** Solved endgames of one game, one file for each material. */
export class Endgames {
  /** Take in a file that `damspec solve` wrote. */
  add(bytes: Uint8Array): void;
  /** What a position comes to for the side to move; null where no file has it. */
  value(position: Position): SolvedValue | null;
}
