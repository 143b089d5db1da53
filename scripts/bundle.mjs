// Bundles the server and the command line, dependencies included: a few files start faster than several hundred.
// The library entries stay as tsc wrote them, so that a host application shares its dependencies with them.
import { build } from 'esbuild';
import { existsSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';

const root = join(import.meta.dirname, '..');
const compiled = join(root, 'build/dist/src');
const outdir = join(root, 'build/dist/bin');

/** Files that are found by their place relative to a module are found from the bundle too. */
const placesOfModules = {
  name: 'places-of-modules',
  setup({ onLoad }) {
    onLoad({ filter: /\.js$/ }, ({ path }) => {
      if (!path.startsWith(compiled)) return undefined;
      const place = JSON.stringify(relative(outdir, path).replaceAll('\\', '/'));
      const text = readFileSync(path, 'utf8').replace(/^\/\/# sourceMappingURL=.*$/m, '');
      return { contents: text.replaceAll('import.meta.url', `new URL(${place}, import.meta.url).href`) };
    });
  },
};

rmSync(outdir, { recursive: true, force: true });
const { metafile } = await build({
  absWorkingDir: root,
  entryPoints: { 'crf-main': join(compiled, 'cli/main.js'), 'server-main': join(compiled, 'server.js') },
  outdir,
  bundle: true,
  splitting: true, // what only some commands need is loaded when it is needed
  format: 'esm',
  platform: 'node',
  target: 'node20.19',
  minifyWhitespace: true,
  minifySyntax: true, // names stay: they are read in the traces of errors
  legalComments: 'none', // the whole licences are beside the bundle
  metafile: true,
  logLevel: 'warning',
  plugins: [placesOfModules],
  external: ['swagger-ui-dist'], // its files are served from where they are installed
  // Dependencies in CommonJS ask for the modules of Node with `require`.
  banner: {
    js: "import { createRequire as createRequireOfBundle } from 'node:module'; const require = createRequireOfBundle(import.meta.url);",
  },
});
for (const [name, run] of [
  ['crf', "await import('./crf-main.js');"],
  ['server', "process.exitCode = await (await import('./server-main.js')).runServer();"],
]) {
  writeFileSync(join(outdir, `${name}.js`), entry(run), { mode: 0o755 });
}
writeFileSync(join(outdir, 'THIRD-PARTY-LICENSES.txt'), licences(Object.keys(metafile.inputs)));

/**
 * The compile cache has to be switched on before the first module is loaded. It is beside the code and not in the folder for
 * temporary files, where another user of the machine could have put one; where it cannot be written there is none.
 */
function entry(run) {
  return `#!/usr/bin/env node
import module from 'node:module';
import { join } from 'node:path';
module.enableCompileCache?.(join(import.meta.dirname, '../../cache'));
${run}
`;
}

/** @returns the licence of every package that is in the bundle */
function licences(inputs) {
  const folders = inputs.map((input) => /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(input)?.[0]);
  return [...new Set(folders.filter((folder) => folder !== undefined))]
    .sort()
    .map((folder) => {
      const { name, version, license } = JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8'));
      const file = readdirSync(join(root, folder)).find((entry) => /^licen[cs]e/i.test(entry));
      const path = file && join(root, folder, file);
      const text = path && existsSync(path) ? readFileSync(path, 'utf8').trim() : `Licence: ${license}`;
      return `${name} ${version}\n\n${text}\n`;
    })
    .join(`\n${'-'.repeat(80)}\n\n`);
}
