// The computer opponent, in a worker made from the scripts of the page, so that it works from a folder too.
"use strict";

/** An opponent for a game; `solved` promises the files of its solved endgames, if there are any. */
damspecPlay.opponent = (game, solved = null) => {
  const serve = () => {
    const { rules } = damspecModule();
    const { think, analyse } = opponentModule();
    const { Endgames } = endgamesModule();
    const endgames = new Endgames();
    let playing = null;
    onmessage = ({ data: { values, files, fen, limits, asked, each } }) => {
      if (values) playing = rules(values);
      for (const file of files) endgames.add(Uint8Array.from(file, (letter) => letter.charCodeAt(0)));
      postMessage({ ...(each ? analyse : think)(playing, playing.read(fen), { ...limits, endgames }), asked });
    };
  };
  /** From so many pieces on solved endgames are worth loading: exchanges lead there. */
  const FEW = 8;
  let worker = null, asked = 0, busy = false, loaded = false;

  const begin = () => {
    const source = [damspecModule, opponentModule, endgamesModule, `(${serve})();`].join("\n");
    const address = URL.createObjectURL(new Blob([source], { type: "text/javascript" }));
    worker = new Worker(address);
    URL.revokeObjectURL(address);
    return game.values;
  };

  const ask = async (position, limits, each) => {
    await Promise.all(["opponent", "endgames"].map((name) => damspec.script(`assets/${name}.js`)));
    const wanted = solved !== null && position.pieces.filter(Boolean).length <= FEW;
    const found = wanted ? await solved() : [];
    const number = ++asked;
    const values = worker ? null : begin();
    const files = loaded ? [] : found;
    loaded ||= wanted;
    busy = true;
    return new Promise((answered, failed) => {
      worker.onmessage = ({ data }) => {
        if (data.asked !== number) return;
        busy = false;
        answered(data);
      };
      worker.onerror = (event) => failed(new Error(event.message));
      worker.postMessage({ values, files, fen: game.write(position), limits, asked: number, each });
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
      busy = loaded = false;
    },
  };
};
