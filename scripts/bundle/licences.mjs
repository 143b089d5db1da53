import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

/** @returns the licences of all packages that the files `inputs` belong to, as the text of one file */
export function licences(root, inputs) {
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
