import { expect } from 'chai';
import { execFileSync } from 'node:child_process';
import { readFileSync, statSync } from 'node:fs';

const root = new URL('../../../', import.meta.url);
const pages = execFileSync('git', ['ls-files', '-co', '--exclude-standard', '*.md'], {
  cwd: root,
  encoding: 'utf8',
})
  .trimEnd()
  .split('\n')
  .filter((page) => isThere(new URL(page, root)));

function isThere(url: URL): boolean {
  return statSync(url, { throwIfNoEntry: false }) !== undefined;
}

const textOf = (url: URL): string => readFileSync(url, 'utf8').replace(/^```[\s\S]*?^```$/gm, '');

/** @returns the anchors of a page's headings, as GitHub makes them */
function anchorsOf(url: URL): ReadonlySet<string> {
  const anchors = new Set<string>();
  for (const [, heading = ''] of textOf(url).matchAll(/^#{1,6} (.*)$/gm)) {
    const anchor = heading
      .toLowerCase()
      .replace(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-');
    anchors.add(anchors.has(anchor) ? `${anchor}-1` : anchor);
  }
  return anchors;
}

describe('The links of the pages', () => {
  it('lead to files and headings of this repository', () => {
    const lost = pages.flatMap((page) =>
      [...textOf(new URL(page, root)).matchAll(/\]\((?![a-z]+:)([^)\s]*)\)/g)]
        .map(([, link = '']) => link)
        .filter((link) => {
          const url = new URL(link, new URL(page, root));
          const anchor = decodeURIComponent(url.hash.slice(1));
          url.hash = '';
          return !isThere(url) || (anchor !== '' && !anchorsOf(url).has(anchor));
        })
        .map((link) => `${page}: ${link}`),
    );

    expect(pages).to.include('README.md');
    expect(lost).to.deep.equal([]);
  });

  it('name only pages that exist where code and text name one by its path', () => {
    const names = execFileSync(
      'git',
      ['grep', '-ohE', '\\bdocs/[a-z0-9/-]+\\.md', '--', '.', ':!docs/protocol'],
      {
        cwd: root,
        encoding: 'utf8',
      },
    );
    const lost = new Set(
      names
        .trimEnd()
        .split('\n')
        .filter((name) => !isThere(new URL(name, root))),
    );

    expect([...lost]).to.deep.equal([]);
  });
});
