import { expect } from 'chai';
import { existsSync, readdirSync, readFileSync } from 'node:fs';

const root = new URL('../../../', import.meta.url);
const page = readFileSync(new URL('docs/architecture.md', root), 'utf8');

/** Returns every folder below a folder, such as `src/errors/`. */
function foldersBelow(folder: string): string[] {
  return readdirSync(new URL(folder, root), { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .flatMap(({ name }) => [`${folder}${name}/`, ...foldersBelow(`${folder}${name}/`)]);
}

describe('docs/architecture.md', () => {
  it('has one line for each folder of src, and no others', () => {
    const described = [...page.matchAll(/^\| `(src\/[^`]+\/)`/gm)].map(([, folder]) => folder);

    expect(described.sort()).to.deep.equal(foldersBelow('src/').sort());
  });

  it('names only files that exist', () => {
    const folders = ['', 'src/', 'src/services/', ...foldersBelow('src/')];
    const files = [...page.matchAll(/`([\w./-]+\.(?:ts|cjs))`/g)].map(([, file = '']) => file);

    const lost = files.filter((file) => !folders.some((folder) => existsSync(new URL(folder + file, root))));

    expect(lost).to.deep.equal([]);
  });
});
