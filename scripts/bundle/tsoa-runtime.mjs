// Puts tsoa's runtime into the package as one file. As a dependency it would bring 69 packages, hapi and Koa's types among
// them, of which this file needs two.
import { build } from 'esbuild';
import { readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, relative } from 'node:path';
import { licences } from './licences.mjs';

const root = join(import.meta.dirname, '../..');
const compiled = join(root, 'build/dist');
const outfile = join(compiled, 'vendor/tsoa-runtime.js');

// It is written in CommonJS, whose exports an ES module has to name.
const names = Object.keys(createRequire(import.meta.url)('@tsoa/runtime'));
const { metafile } = await build({
  absWorkingDir: root,
  stdin: {
    contents: `import * as runtime from '@tsoa/runtime';\nexport const { ${names.join(', ')} } = runtime;\n`,
    resolveDir: root,
  },
  outfile,
  bundle: true,
  format: 'esm',
  platform: 'node',
  target: 'node20.19',
  legalComments: 'none',
  metafile: true,
  logLevel: 'warning',
});
writeFileSync(
  join(dirname(outfile), 'THIRD-PARTY-LICENSES.txt'),
  licences(root, Object.keys(metafile.inputs)),
);

for (const name of readdirSync(compiled, { recursive: true, encoding: 'utf8' })) {
  if (!/^(?:src|build)[/\\].+\.js$/.test(name)) continue;
  const file = join(compiled, name);
  const text = readFileSync(file, 'utf8');
  const place = relative(dirname(file), outfile).replaceAll('\\', '/');
  const inPackage = text.replaceAll(/(from |import )(['"])@tsoa\/runtime\2/g, `$1$2${place}$2`);
  if (inPackage !== text) writeFileSync(file, inPackage);
}
