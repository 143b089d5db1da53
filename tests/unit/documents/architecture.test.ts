import { expect } from 'chai';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { format } from 'prettier';
import { foldersBelow, foldersPage } from '../../../scripts/folders-page.js';
import { sentencesPage } from '../../../scripts/sentences-page.js';

const root = new URL('../../../', import.meta.url);
const read = (path: string): string => readFileSync(new URL(path, root), 'utf8');
const page = read('docs/architecture.md');

const { forbidden } = createRequire(import.meta.url)('../../../.dependency-cruiser.cjs') as {
  forbidden: { name: string }[];
};
const rules = new Set(forbidden.map(({ name }) => name));
const hasCode = (folder: string): boolean =>
  readdirSync(new URL(folder, root)).some((name) => /\.tsx?$/.test(name));

describe('docs/architecture.md', () => {
  it('shows every top folder of src in its picture', () => {
    const [, picture = ''] = page.split('```');
    const shown = new Set(picture.match(/[a-z][a-z-]+/g));
    const rooms = readdirSync(new URL('src/', root), { withFileTypes: true })
      .filter((entry) => entry.isDirectory())
      .map(({ name }) => name);

    expect(rooms.filter((name) => !shown.has(name))).to.deep.equal([]);
  });

  for (const name of ['architecture', 'contributing/walks']) {
    it(`names only files that exist in docs/${name}.md`, () => {
      const folders = ['', 'src/', ...foldersBelow('src/')];
      const files = [...read(`docs/${name}.md`).matchAll(/`([\w./-]+\.(?:tsx?|cjs))`/g)].map(
        ([, file = '']) => file,
      );
      const lost = files.filter(
        (file) => !folders.some((folder) => existsSync(new URL(folder + file, root))),
      );

      expect(lost).to.deep.equal([]);
    });
  }

  it('has a rule of imports for every folder of src, and for those within it', () => {
    const missing = foldersBelow('src/')
      .filter(hasCode)
      .map((folder) => folder.slice('src/'.length, -1).split('/'))
      .map((names) =>
        names.length === 1
          ? `${names[0]}-looks-down-only`
          : `${names.slice(0, -1).join('/')}: ${names.at(-1)}-knows-its-neighbours-only`,
      )
      .filter((rule) => !rules.has(rule));

    expect(missing).to.deep.equal([]);
  });
});

describe('docs/reference/sentences.md', () => {
  it('has every sentence about data, with its code and parameters', async () => {
    expect(read('docs/reference/sentences.md')).to.equal(
      await format(sentencesPage(), { parser: 'markdown' }),
      'run: npx tsx scripts/sentences-page.ts && npm run format',
    );
  });
});

describe('docs/contributing/folders.md', () => {
  it('says what each folder of src holds, as its README.md does', async () => {
    expect(read('docs/contributing/folders.md')).to.equal(
      await format(foldersPage(), { parser: 'markdown' }),
      'run: npx tsx scripts/folders-page.ts && npm run format',
    );
  });
});
