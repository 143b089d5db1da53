// The plugins of esbuild for the bundle.
import { readFileSync } from 'node:fs';
import { join, relative } from 'node:path';

/** Makes paths relative to a module work from the bundle in `outdir` too. */
export function placesOfModules(compiled, outdir) {
  return {
    name: 'places-of-modules',
    setup({ onLoad }) {
      onLoad({ filter: /\.js$/ }, ({ path }) => {
        if (!path.startsWith(compiled)) return undefined;
        const place = JSON.stringify(relative(outdir, path).replaceAll('\\', '/'));
        const text = readFileSync(path, 'utf8');
        return { contents: text.replaceAll('import.meta.url', `new URL(${place}, import.meta.url).href`) };
      });
    },
  };
}

/** Makes the version of the package a constant, so that a start need not find and read `package.json`. */
export function versionOfPackage(root) {
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  return {
    name: 'version-of-package',
    setup({ onLoad }) {
      const contents = `export const PACKAGE_VERSION = ${JSON.stringify(version)};`;
      onLoad({ filter: /[\\/]services[\\/]package-version\.js$/ }, () => ({ contents }));
    },
  };
}

/** What yargs imports, and a smaller module for the part of it that yargs uses. They save 20 ms of a start. */
const SMALLER_MODULES = {
  'string-width': "export { default } from 'fast-string-width';",
  'wrap-ansi': "export { wrapAnsi as default } from 'fast-wrap-ansi';",
  assert: `
    export function strictEqual(actual, expected, message) {
      if (actual !== expected) throw new Error(message);
    }
    export function notStrictEqual(actual, expected, message) {
      if (actual === expected) throw new Error(message);
    }`,
};

export function smallerModules(root) {
  return {
    name: 'smaller-modules',
    setup({ onResolve, onLoad }) {
      const filter = new RegExp(`^(?:${Object.keys(SMALLER_MODULES).join('|')})$`);
      onResolve({ filter }, ({ path, importer }) =>
        /[\\/](?:yargs|cliui)[\\/]/.test(importer) ? { path, namespace: 'smaller-modules' } : undefined,
      );
      onLoad({ filter: /^/, namespace: 'smaller-modules' }, ({ path }) => ({
        contents: SMALLER_MODULES[path],
        resolveDir: root,
      }));
    },
  };
}
