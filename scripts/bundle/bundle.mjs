// Bundles the server and the command line with their dependencies, since a few files load faster than several hundred.
// The library entry points are not bundled, so that a host application can share their dependencies.
import { build } from 'esbuild';
import { copyFileSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { asCommonJs } from './common-js.mjs';
import { compileAhead } from './compile-ahead.mjs';
import { licences } from './licences.mjs';
import { placesOfModules, smallerModules, versionOfPackage } from './plugins.mjs';

const root = join(import.meta.dirname, '../..');
const compiled = join(root, 'build/dist/src');
const outdir = join(root, 'build/dist/bin');

for (const old of [outdir, join(root, 'build/compiled')]) rmSync(old, { recursive: true, force: true });
const { metafile, outputFiles } = await build({
  absWorkingDir: root,
  entryPoints: { 'crf-main': join(compiled, 'cli/main.js'), 'server-main': join(compiled, 'server.js') },
  outdir,
  bundle: true,
  splitting: true, // load code of single commands only when needed
  format: 'esm', // the only format that esbuild splits
  write: false,
  platform: 'node',
  target: 'node20.19',
  minifyWhitespace: true,
  minifySyntax: true, // keep names readable in stack traces
  legalComments: 'none', // the full licences are in a file next to the bundle
  metafile: true,
  logLevel: 'warning',
  plugins: [versionOfPackage(root), placesOfModules(compiled, outdir), smallerModules(root)],
  external: ['swagger-ui-dist'], // its files are served from its installed folder
});

mkdirSync(outdir);
writeFileSync(join(outdir, 'package.json'), '{ "type": "commonjs" }\n');
await Promise.all(
  outputFiles.map(async ({ path, text }) => writeFileSync(path, await asCommonJs(path, text))),
);
copyFileSync(join(import.meta.dirname, 'load.cjs'), join(outdir, 'load.js'));
for (const entry of ['crf', 'server']) {
  // With `--`, Node 20 leaves the option --env-file to the program, whose message names the setting.
  const source = `#!/usr/bin/env -S node --\nrequire('./load.js').run('${entry}');\n`;
  writeFileSync(join(outdir, `${entry}.js`), source, { mode: 0o755 });
}
writeFileSync(join(outdir, 'THIRD-PARTY-LICENSES.txt'), licences(root, Object.keys(metafile.inputs)));
await compileAhead();
