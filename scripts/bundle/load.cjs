// Runs the bundle with the code that V8 compiled for it during the build (decision 10).
'use strict';
const { readFileSync } = require('node:fs');
const { Script } = require('node:vm');

/** The wrapper in which Node runs a CommonJS module: https://nodejs.org/api/modules.html#the-module-wrapper */
const HEAD = '(function (exports, require, module, __filename, __dirname) { ';
const TAIL = '\n});';

/**
 * Runs an entry point of the bundle. Without compiled code that V8 accepts, Node's own loader runs it, with the compile
 * cache of Node 22 and later. That cache is next to the code instead of in the temporary folder, where other users of
 * the machine could tamper with it. If the folder is not writable, there is no cache.
 */
function run(entry) {
  const main = `${entry}-main.js`;
  const folder = compiledFolder(entry);
  if (isAccepted(folder, main)) {
    createLoader((name, source) => scriptOf(name, source, readCompiled(folder, name)))(main);
  } else {
    require('node:module').enableCompileCache?.(`${__dirname}/../../cache`);
    require(`./${main}`);
  }
}

/** @returns the folder with the compiled code of an entry point, for this version of Node */
function compiledFolder(entry) {
  return `${__dirname}/../../compiled/${entry}-${process.version}-${process.arch}`;
}

/** @returns the compiled code of a file of the bundle; undefined if the build did not run it */
function readCompiled(folder, name) {
  try {
    return readFileSync(`${folder}/${name}.bin`);
  } catch {
    return undefined;
  }
}

/** @returns whether V8 accepts the compiled code. It rejects that of another version, or made with other flags. */
function isAccepted(folder, name) {
  const compiled = readCompiled(folder, name);
  return compiled !== undefined && scriptOf(name, readSource(name), compiled).cachedDataRejected === false;
}

function readSource(name) {
  return readFileSync(`${__dirname}/${name}`, 'utf8');
}

/** @returns a `require` for the files of the bundle, each of which is compiled by `compile` and run once */
function createLoader(compile) {
  const modules = new Map();
  return function load(name) {
    const known = modules.get(name);
    if (known !== undefined) return known.exports;
    const module = { exports: {} };
    modules.set(name, module);
    const script = compile(name, readSource(name));
    const filename = `${__dirname}/${name}`;
    const requireFrom = (id) => (id.startsWith('./') ? load(id.slice(2)) : require(id));
    try {
      script
        .runInThisContext()
        .call(module.exports, module.exports, requireFrom, module, filename, __dirname);
    } catch (error) {
      modules.delete(name); // as Node does: the next `require` throws as well
      throw error;
    }
    return module.exports;
  };
}

/** Wraps a file as Node does, and compiles it unless V8 accepts its compiled code. */
function scriptOf(name, source, cachedData) {
  const filename = `${__dirname}/${name}`;
  return new Script(HEAD + source + TAIL, { filename, columnOffset: -HEAD.length, cachedData });
}

module.exports = { run, compiledFolder, createLoader, isAccepted, scriptOf };
