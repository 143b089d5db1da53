// Bundles the server and the command line with their dependencies, since a few files load faster than several hundred.
// The library entry points are not bundled, so that a host application can share their dependencies.
import { build } from 'esbuild';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { licences } from './licences.mjs';
import { placesOfModules, smallerModules, versionOfPackage } from './plugins.mjs';

const root = join(import.meta.dirname, '../..');
const compiled = join(root, 'build/dist/src');
const outdir = join(root, 'build/dist/bin');

rmSync(outdir, { recursive: true, force: true });
const { metafile } = await build({
  absWorkingDir: root,
  entryPoints: { 'crf-main': join(compiled, 'cli/main.js'), 'server-main': join(compiled, 'server.js') },
  outdir,
  bundle: true,
  splitting: true, // load code of single commands only when needed
  format: 'esm',
  // Packages in CommonJS require the modules of Node; an ES module has no `require` of its own.
  banner: {
    js: "import{createRequire as requireOf}from'node:module';const require=requireOf(import.meta.url);",
  },
  platform: 'node',
  target: 'node20.19',
  minifyWhitespace: true,
  minifySyntax: true, // keep names readable in stack traces
  legalComments: 'none', // the full licences are in a file next to the bundle
  metafile: true,
  logLevel: 'warning',
  plugins: [versionOfPackage(root), placesOfModules(compiled, outdir), smallerModules(root)],
  // Their files are read from their installed folders (what is served, WebAssembly), or they are an optional part of pg.
  external: ['swagger-ui-dist', 'node-sqlite3-wasm', 'pg-native'],
});

for (const entry of ['crf', 'server']) {
  // With `--`, Node 20 leaves the option --env-file to the program, whose message names the setting. The compile cache of
  // Node 22 and later is beside the code, not in the temporary folder, where other users of the machine could alter it.
  const source = `#!/usr/bin/env -S node --
import module from 'node:module';
module.enableCompileCache?.(import.meta.dirname + '/../../cache');
import('./${entry}-main.js');
`;
  writeFileSync(join(outdir, `${entry}.js`), source, { mode: 0o755 });
}
writeFileSync(join(outdir, 'THIRD-PARTY-LICENSES.txt'), licences(root, Object.keys(metafile.inputs)));
