/**
 * The engine protocol for adapters written in JavaScript: reads questions, hands each to the engine it is
 * given, writes the answers. It knows the protocol and nothing of any game.
 */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { pathToFileURL } from 'node:url';

class RpcError extends Error {
  constructor(code, message) {
    super(message);
    this.code = code;
  }
}

/** Thrown by an adapter for what its engine does not play. */
export class Unsupported extends RpcError {
  constructor(message) {
    super(-32001, message);
  }
}

// Standard output belongs to the protocol: whatever an engine prints goes to standard error.
const write = process.stdout.write.bind(process.stdout);
process.stdout.write = process.stderr.write.bind(process.stderr);

/** A package that npm installed under DAMSPEC_ENGINE_DIR: its module and its version. */
export function enginePackage(name, entry = name) {
  const dir = process.env.DAMSPEC_ENGINE_DIR ?? '.';
  try {
    const module = createRequire(resolve(dir, 'package.json'))(entry);
    const { version } = JSON.parse(readFileSync(resolve(dir, 'node_modules', name, 'package.json'), 'utf8'));
    return { module, version };
  } catch (error) {
    console.error(`${name} is not installed under ${dir} (DAMSPEC_ENGINE_DIR): ${oneLine(error)}`);
    process.exit(1);
  }
}

/** A file of a package that is written as ES modules, as an address to import, and the package's version. */
export function engineFile(name, path) {
  const folder = resolve(process.env.DAMSPEC_ENGINE_DIR ?? '.', 'node_modules', name);
  const { version } = JSON.parse(readFileSync(resolve(folder, 'package.json'), 'utf8'));
  return { file: pathToFileURL(resolve(folder, path)).href, version };
}

/**
 * Answers until `quit` or the end of the input. `engine` has `name`, `version`, `rulesets` and, for each
 * question it answers (`start`, `moves`, `play`, `outcome`, `plays`), a method from the question's params to its result, or
 * to a promise of it.
 */
export function serve(engine) {
  const questions = ['start', 'moves', 'play', 'outcome', 'plays'].filter((question) => question in engine);

  function answer(method, params) {
    if (method === 'hello') {
      const { name, version, rulesets } = engine;
      return { protocol: 1, name, version, rulesets, questions };
    }
    if (method === 'quit') return null;
    if (!questions.includes(method)) throw new RpcError(-32601, `no such method: ${method}`);
    for (const need of method === 'start' ? ['ruleset'] : ['ruleset', 'position']) {
      if (typeof params?.[need] !== 'string') throw new RpcError(-32602, `params need a ${need}`);
    }
    if (!engine.rulesets.includes(params.ruleset)) throw new Unsupported(`does not play ${params.ruleset}`);
    return engine[method](params);
  }

  let last = Promise.resolve(); // answers come in the order of the questions
  createInterface({ input: process.stdin, crlfDelay: Infinity }).on('line', (line) => {
    if (line.trim()) last = last.then(() => reply(line));
  });

  async function reply(line) {
    let request = null;
    let answered;
    try {
      request = parse(line);
      check(request);
      answered = { result: await answer(request.method, request.params) };
    } catch (error) {
      const code = error instanceof RpcError ? error.code : -32000;
      answered = { error: { code, message: oneLine(error) } };
    }
    const id = request?.id ?? null;
    if (id !== null || answered.error) write(`${JSON.stringify({ jsonrpc: '2.0', id, ...answered })}\n`);
    if (request?.method === 'quit') process.stdin.destroy();
  }
}

function parse(line) {
  try {
    return JSON.parse(line);
  } catch {
    throw new RpcError(-32700, 'not JSON');
  }
}

function check(request) {
  if (request?.jsonrpc !== '2.0' || typeof request.method !== 'string') {
    throw new RpcError(-32600, 'not a JSON-RPC 2.0 request');
  }
}

function oneLine(error) {
  return String(error?.message ?? error).replace(/\s+/g, ' ').trim();
}
