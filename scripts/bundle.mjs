// Bundles the server and the command line with their dependencies, since a few files load faster than several hundred.
// The library entry points are not bundled, so that a host application can share their dependencies.
import { build } from 'esbuild';
import { existsSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';

const root = join(import.meta.dirname, '..');
const compiled = join(root, 'build/dist/src');
const outdir = join(root, 'build/dist/bin');

/** Makes paths relative to a module work from the bundle too. */
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
  splitting: true, // load code of single commands only when needed
  format: 'esm',
  platform: 'node',
  target: 'node20.19',
  minifyWhitespace: true,
  minifySyntax: true, // keep names readable in stack traces
  legalComments: 'none', // the full licences are in a file next to the bundle
  metafile: true,
  logLevel: 'warning',
  plugins: [placesOfModules],
  alias: { 'string-width': 'fast-string-width' }, // what yargs uses takes 40 ms to load
  external: ['swagger-ui-dist'], // its files are served from its installed folder
  // CommonJS dependencies load Node's modules with `require`.
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
 * Returns the source of an entry file. It enables the compile cache before the first module is loaded. The cache is
 * next to the code instead of in the temporary folder, where other users of the machine could tamper with it. If the
 * folder is not writable, there is no cache.
 */
function entry(run) {
  return `#!/usr/bin/env node
import module from 'node:module';
import { join } from 'node:path';
module.enableCompileCache?.(join(import.meta.dirname, '../../cache'));
${run}
`;
}

/** @returns the licences of all packages in the bundle */
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
