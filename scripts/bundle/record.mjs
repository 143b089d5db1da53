// Runs an entry point of the bundle in this process, once with each of the given lists of arguments, and writes what V8
// compiled for it: `node record.mjs crf "--help" "version --sandbox"`. The next run starts when nothing is left to do.
import { mkdirSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';

const [entry, ...runs] = process.argv.slice(2);
const bin = join(import.meta.dirname, '../../build/dist/bin');
const { compiledFolder, createLoader, scriptOf } = createRequire(import.meta.url)(join(bin, 'load.js'));

/** One for all runs, so that it has the functions that any of them called. */
const scripts = new Map();

process.on('beforeExit', startNext);
process.on('exit', (code) => {
  if (code === 0) write();
});
startNext();

function startNext() {
  const args = runs.shift();
  if (args === undefined) return;
  process.argv = [process.execPath, join(bin, `${entry}.js`), ...args.split(' ').filter(Boolean)];
  createLoader(compile)(`${entry}-main.js`);
}

function compile(name, source) {
  const script = scripts.get(name) ?? scriptOf(name, source);
  scripts.set(name, script);
  return script;
}

function write() {
  const folder = compiledFolder(entry);
  mkdirSync(folder, { recursive: true });
  for (const [name, script] of scripts) writeFileSync(join(folder, `${name}.bin`), script.createCachedData());
}
