// What the browser keeps: games that are played, and what the reader chose beside the board.
"use strict";

damspecPlay.kept = {
  /** What is kept under a name; null if nothing is, or the browser keeps nothing. */
  read: (name) => {
    try {
      return JSON.parse(damspecKept.read(`damspec.play.${name}`));
    } catch {
      return null; // no JSON, so not of this page
    }
  },
  /** Keeps a value; null removes it. */
  write: (name, value) => damspecKept.write(`damspec.play.${name}`, value === null ? null : JSON.stringify(value)),
};

/** Short tones for what happens on the board; none unless they are asked for. */
damspecPlay.sounds = () => {
  const TONES = { move: [[420, 0.06]], capture: [[300, 0.06], [220, 0.08]], over: [[520, 0.12], [660, 0.12], [780, 0.2]] };
  let context = null;
  return {
    on: damspecPlay.kept.read("sounds") === true,
    turn(on) {
      this.on = on;
      damspecPlay.kept.write("sounds", on || null);
    },
    play(name) {
      if (!this.on) return;
      context ??= new AudioContext();
      let at = context.currentTime;
      for (const [pitch, long] of TONES[name]) {
        const tone = new OscillatorNode(context, { type: "triangle", frequency: pitch });
        const volume = new GainNode(context, { gain: 0.15 });
        tone.connect(volume).connect(context.destination);
        tone.start(at);
        tone.stop((at += long));
      }
    },
  };
};
