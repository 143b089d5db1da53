// Exits with 0 if the build is up to date with the sources, else with 1: `node scripts/is-built.mjs || npm run build`.
// `--record` marks the current build as up to date.
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const root = join(import.meta.dirname, '..');
const STAMP = join(root, 'build', 'sources.sha256');

/** The inputs of the build. A folder includes all files in it. */
const SOURCES = ['src', 'scripts', 'tsoa.json', 'tsconfig.json', 'tsconfig.build.json', 'package.json'];

/** The outputs of the build. If one is missing, the build is incomplete. */
const RESULTS = [
  'openapi.json',
  'operations.json',
  'openapi-types.ts',
  'routes.ts',
  'dist/src/index.js',
  'dist/bin/server.js',
];

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

/** Hashes the content of files, since their dates are new in a fresh clone. */
function fingerprint(files) {
  const hash = createHash('sha256');
  for (const file of files)
    hash
      .update(`${file}\0`)
      .update(readFileSync(join(root, file)))
      .update('\0');
  return hash.digest('hex');
}
