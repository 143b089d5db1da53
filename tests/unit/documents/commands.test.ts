import { expect } from 'chai';
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

/** Every file of the repository that a person reads to know what to type. */
const documents = execFileSync(
  'git',
  ['ls-files', '*.md', '*.yaml', '*.yml', 'deploy', 'examples', 'Dockerfile'],
  {
    cwd: new URL('../../../', import.meta.url),
    encoding: 'utf8',
  },
)
  .trimEnd()
  .split('\n');

describe('The commands in the documentation', () => {
  it('never let npx or npm exec run crf, which outside a clone would run what anybody registers by that name', () => {
    const wrong = documents.filter((path) => {
      const text = readFileSync(new URL(`../../../${path}`, import.meta.url), 'utf8');
      return /\b(?:npx|npm exec|npm x|pnpx|pnpm dlx|yarn dlx|bunx)(?:\s+-\S+)*\s+crf\b/.test(text);
    });

    expect(documents).to.include('README.md').and.to.include('docs/operations.md');
    expect(wrong).to.deep.equal([]);
  });
});
