// The computer opponent, in a worker made from the scripts of the page, so that it works from a folder too.
"use strict";

/** An opponent for a game. */
damspecPlay.opponent = (game) => {
  const serve = () => {
    const { rules } = damspecModule();
    const { think, analyse } = opponentModule();
    let playing = null;
    onmessage = ({ data: { values, fen, limits, asked, each } }) => {
      if (values) playing = rules(values);
      postMessage({ ...(each ? analyse : think)(playing, playing.read(fen), limits), asked });
    };
  };
  let worker = null, asked = 0, busy = false;

  const begin = () => {
    const source = [damspecModule, opponentModule, `(${serve})();`].join("\n");
    const address = URL.createObjectURL(new Blob([source], { type: "text/javascript" }));
    worker = new Worker(address);
    URL.revokeObjectURL(address);
    return game.values;
  };

  const ask = async (position, limits, each) => {
    await damspec.script("assets/opponent.js");
    const number = ++asked;
    const values = worker ? null : begin();
    busy = true;
    return new Promise((answered, failed) => {
      worker.onmessage = ({ data }) => {
        if (data.asked !== number) return;
        busy = false;
        answered(data);
      };
      worker.onerror = (event) => failed(new Error(event.message));
      worker.postMessage({ values, fen: game.write(position), limits, asked: number, each });
    });
  };

  return {
    /** Promises its move and what it saw. */
    think: (position, limits) => ask(position, limits, false),
    /** Promises what each action leads to, the best first. */
    analyse: (position, limits) => ask(position, limits, true),
    /** Abandons a request that is not answered. */
    forget() {
      if (busy) this.end();
    },
    end() {
      worker?.terminate();
      worker = null;
      busy = false;
    },
  };
};
