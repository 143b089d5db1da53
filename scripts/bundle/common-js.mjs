import { transform } from 'esbuild';
import { basename } from 'node:path';

const URL_OF_THIS_FILE = "const urlOfThisFile = require('node:url').pathToFileURL(__filename).href;";

/** Converts a file of the bundle to CommonJS, which loads faster than an ES module (decision 10). */
export async function asCommonJs(path, text) {
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
  const ascii = withoutWideCharacters(code);
  return ascii.includes('urlOfThisFile') ? `${URL_OF_THIS_FILE}\n${ascii}` : ascii;
}

/**
 * Escapes what esbuild leaves unescaped: characters of regular expressions. V8 keeps a source with a single one of them
 * in two bytes per character.
 */
function withoutWideCharacters(code) {
  return code.replace(
    /[^\0-\x7f]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

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
