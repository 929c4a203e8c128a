// An opponent in a worker: it searches while the page goes on. The worker is made of the scripts that the page has, so
// that it works from a folder too.
"use strict";

/** An opponent for a game. What was asked and not answered is forgotten by `stop`. */
damspecPlay.rival = (game) => {
  const serve = () => {
    const engine = damspecModule();
    const opponent = damspecOpponent(engine);
    let rules = null;
    onmessage = ({ data }) => {
      if (data.values) rules = engine.rules(data.values);
      const found = opponent.think(rules, rules.read(data.fen), data.limits);
      postMessage({ ...found, asked: data.asked });
    };
  };
  const source = [damspecModule, damspecOpponent, `(${serve})();`].join("\n");
  let worker = null, asked = 0;
  const begin = () => {
    const address = URL.createObjectURL(new Blob([source], { type: "text/javascript" }));
    worker = new Worker(address);
    URL.revokeObjectURL(address);
    return game.values;
  };
  return {
    /** What it would play: `{action, value, depth, nodes, line}`; never answered once it is stopped. */
    think(position, limits) {
      asked += 1;
      const values = worker ? null : begin();
      const number = asked;
      return new Promise((answered, failed) => {
        worker.onmessage = ({ data }) => data.asked === number && answered(data);
        worker.onerror = (event) => failed(new Error(event.message));
        worker.postMessage({ values, fen: game.write(position), limits, asked: number });
      });
    },
    stop() {
      worker?.terminate();
      worker = null;
    },
  };
};
