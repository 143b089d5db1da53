// Ends with 0 when what was built is what the sources say, with 1 otherwise: `node scripts/is-built.mjs || npm run build`.
// `--record` notes that the build has just been made.
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const root = join(import.meta.dirname, '..');
const STAMP = join(root, 'build', 'sources.sha256');

/** What the build reads: a folder stands for every file in it. */
const SOURCES = ['src', 'scripts', 'tsoa.json', 'tsconfig.json', 'tsconfig.build.json', 'package.json'];

/** What the build leaves: without one of them it is not complete. */
const RESULTS = ['openapi.json', 'openapi-types.ts', 'routes.ts', 'dist/src/index.js', 'dist/bin/server.js'];

const sources = fingerprint(SOURCES.flatMap(filesIn).sort());
if (process.argv.includes('--record')) writeFileSync(STAMP, `${sources}\n`);
else process.exitCode = isBuilt() ? 0 : 1;

function isBuilt() {
  if (![STAMP, ...RESULTS.map((file) => join(root, 'build', file))].every((file) => existsSync(file)))
    return false;
  return readFileSync(STAMP, 'utf8').trim() === sources;
}

function filesIn(path) {
  if (!statSync(join(root, path)).isDirectory()) return [path];
  return readdirSync(join(root, path), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath ?? entry.path, entry.name).slice(root.length + 1));
}

/** By what the files hold: a fresh clone gives every file a new date. */
function fingerprint(files) {
  const hash = createHash('sha256');
  for (const file of files)
    hash
      .update(`${file}\0`)
      .update(readFileSync(join(root, file)))
      .update('\0');
  return hash.digest('hex');
}
