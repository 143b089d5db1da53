import { expect } from 'chai';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { filesBelow } from '../../support/files-below.js';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));

interface Line {
  /** `src/server/config/settings.ts:12` */
  readonly at: string;
  readonly text: string;
}

/** Returns every line of the sources below a folder. A citation never spans two lines. */
function linesBelow(folder: string): Line[] {
  return filesBelow(join(ROOT, folder))
    .filter((name) => /\.(ts|css|mjs)$/.test(name))
    .flatMap((name) => {
      const path = join(ROOT, folder, name);
      const lines = readFileSync(path, 'utf8').split('\n');
      return lines.map((text, index) => ({ at: `${path.slice(ROOT.length)}:${index + 1}`, text }));
    });
}

/** Returns the section numbers of a document, such as `4` and `4.5`. */
function sectionsOf(document: string): ReadonlySet<string> {
  const headings = readFileSync(join(ROOT, document), 'utf8').matchAll(/^#{2,3} (\d+(?:\.\d+)?)[. ]/gm);
  return new Set([...headings].map(([, number = '']) => number));
}

const CITATION = /(docs\/protocol\/\w+\.md) (\d+(?:\.\d+)?(?:(?:, | and )\d+(?:\.\d+)?)*)/g;
const REQUIREMENT =
  /\b(?:AUTH|MAIL|LOGIN|COOK|SESS|CSRF|ACCT|RATE|GW|DOOR|IN|ERR|HDR|STR|FILE|UP|LOG|OPS|PROJ|SHARE|SYNC|BACK|SUP|LIB|CLI|LANG)-\d{2}\b/g;

describe('Citations of the protocol and of the requirements', () => {
  const lines = [...linesBelow('src'), ...linesBelow('tests')];
  const requirements = readFileSync(join(ROOT, 'docs/contributing/requirements.md'), 'utf8');
  const [stated = '', open = ''] = requirements.split('## 17. Open requirements');
  const levels = new Map(
    [...stated.matchAll(/^- \*\*([A-Z]+-\d{2}) (MUST|SHOULD)\*\*/gm)].map(([, id = '', level = '']) => [
      id,
      level,
    ]),
  );

  it('refer to existing sections', () => {
    const sections = new Map(
      ['docs/protocol/redcap.md', 'docs/protocol/appwrite.md'].map((document) => [
        document,
        sectionsOf(document),
      ]),
    );

    const lost = lines.flatMap(({ at, text }) =>
      [...text.matchAll(CITATION)].flatMap(([, document = '', numbers = '']) =>
        numbers
          .split(/, | and /)
          .filter((number) => sections.get(document)?.has(number) !== true)
          .map((number) => `${at} cites ${document} ${number}`),
      ),
    );

    expect(lost).to.deep.equal([]);
  });

  it('refer to existing requirements', () => {
    const lost = lines.flatMap(({ at, text }) =>
      (text.match(REQUIREMENT) ?? []).filter((id) => !levels.has(id)).map((id) => `${at} cites ${id}`),
    );

    expect(lost).to.deep.equal([]);
  });

  it('cover every MUST requirement, except those listed as open', () => {
    const named = new Set(
      lines.filter(({ at }) => at.startsWith('tests/')).flatMap(({ text }) => text.match(REQUIREMENT) ?? []),
    );
    const listed = [...open.matchAll(/^\| ([A-Z]+-\d{2}) /gm)].map(([, id = '']) => id);
    const without = [...levels].filter(([id, level]) => level === 'MUST' && !named.has(id)).map(([id]) => id);

    expect(
      listed.filter((id) => named.has(id)),
      'listed as open, and tested',
    ).to.deep.equal([]);
    expect(
      without.filter((id) => !listed.includes(id)),
      'not tested, and not listed',
    ).to.deep.equal([]);
  });
});
