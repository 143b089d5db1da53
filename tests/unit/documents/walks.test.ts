import { expect } from 'chai';
import { readdirSync, readFileSync } from 'node:fs';

const root = new URL('../../../', import.meta.url);
const page = readFileSync(new URL('docs/contributing/walks.md', root), 'utf8');
const sources = readdirSync(new URL('src/', root), { recursive: true, encoding: 'utf8' })
  .filter((path) => /\.tsx?$/.test(path) && !path.startsWith('pages/texts/')) // words for people declare nothing
  .map((path) => ({ path, text: readFileSync(new URL(`src/${path}`, root), 'utf8') }));

/** @returns the files that a walk names */
function walkOf(title: string): Set<string> {
  const [, walk = ''] = page.split(`**${title}`);
  const [own = ''] = walk.split('\n**');
  return new Set([...own.matchAll(/`([\w/-]+\.tsx?)`/g)].map(([, path = '']) => path));
}

/** @returns the files that declare a part of a group of calls: its own, its row in a table, what a layer makes of it */
function declaring(group: string): string[] {
  const part = new RegExp(
    [
      `^ +(readonly )?${group}: ([A-Z]+,|Group<|\\{)$`,
      `^ +(readonly )?${group}: Group<`,
      `(listed|readList|read|write)\\(\\[?'${group}`,
      `list: '${group}'`,
      `^} from '\\./contents/${group}\\.js'`,
      `^(import|export) .* from '.*contents/${group}\\.js'`,
    ].join('|'),
    'm',
  );
  return sources
    .filter(({ path, text }) => path.endsWith(`contents/${group}.ts`) || part.test(text))
    .map(({ path }) => path);
}

describe('docs/contributing/walks.md', () => {
  for (const { title, group, most } of [
    { title: 'A new content of', group: 'pdf', most: 9 },
    { title: 'A data access group', group: 'dags', most: 16 },
  ]) {
    it(`follows ${group} through every file that declares a part of it, at most ${most}`, () => {
      const walk = [...walkOf(title)];
      const declared = declaring(group);

      expect(declared.length).to.be.greaterThan(4);
      expect(declared.filter((path) => !walk.some((named) => path.endsWith(named)))).to.deep.equal([]);
      expect(walk.length).to.be.at.most(most);
    });
  }
});
