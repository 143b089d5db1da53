// Bundles the server and the command line with their dependencies, since a few files load faster than several hundred.
// The library entry points are not bundled, so that a host application can share their dependencies.
import { build, transform } from 'esbuild';
import { existsSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join, relative } from 'node:path';

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
  plugins: [placesOfModules],
  alias: { 'string-width': 'fast-string-width' }, // what yargs uses takes 40 ms to load
  external: ['swagger-ui-dist'], // its files are served from its installed folder
});

const URL_OF_THIS_FILE = "const urlOfThisFile = require('node:url').pathToFileURL(__filename).href;";

// CommonJS modules load faster than ES modules.
mkdirSync(outdir);
writeFileSync(join(outdir, 'package.json'), '{ "type": "commonjs" }\n');
await Promise.all(
  outputFiles.map(async ({ path, text }) => {
    const { code } = await transform(withLocalImports(text), {
      format: 'cjs',
      platform: 'node',
      target: 'node20.19',
      supported: { 'dynamic-import': false }, // use `require` for modules that are loaded when needed, too
      define: { 'import.meta.url': 'urlOfThisFile' },
      minifyWhitespace: true,
      minifySyntax: true,
      legalComments: 'none',
      sourcefile: basename(path),
    });
    writeFileSync(path, code.includes('urlOfThisFile') ? `${URL_OF_THIS_FILE}\n${code}` : code);
  }),
);
for (const [name, main] of [
  ['crf', './crf-main.js'],
  ['server', './server-main.js'],
]) {
  writeFileSync(join(outdir, `${name}.js`), entry(main), { mode: 0o755 });
}
writeFileSync(join(outdir, 'THIRD-PARTY-LICENSES.txt'), licences(Object.keys(metafile.inputs)));

/**
 * Turns the imports from other files of the bundle into local constants. esbuild would make every use of an imported
 * name the call of a getter, which took a tenth of the time of an import of records. The constants have their values from
 * the start, because these files do not import each other in circles and assign to nothing that they export.
 */
function withLocalImports(text) {
  if (text.includes('__esm(')) throw new Error('A module is evaluated later than it is imported.');
  const [imports = ''] = /^(?:import[^;]*;\s*)*/.exec(text) ?? [];
  const local = imports.replace(
    /import(?:(\{[^}]*\})from)?("\.\/[^"]+");/g,
    (_statement, names, file) => `${names ? `const ${names.replace(/ as /g, ':')}=` : ''}require(${file});`,
  );
  return local + text.slice(imports.length);
}

/**
 * Returns the source of an entry file. It enables the compile cache before the first module is loaded. The cache is
 * next to the code instead of in the temporary folder, where other users of the machine could tamper with it. If the
 * folder is not writable, there is no cache.
 */
function entry(main) {
  return `#!/usr/bin/env node
const { join } = require('node:path');
require('node:module').enableCompileCache?.(join(__dirname, '../../cache'));
require('${main}');
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
