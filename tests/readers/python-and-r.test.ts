import { expect } from 'chai';
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import type { RunningServer } from '../../src/server/start-server.js';
import { describeWith, pathOf, type Program } from '../support/needed-programs.js';
import { startWholeService } from '../support/start-whole-service.js';

const page = readFileSync(new URL('../../docs/python-and-r.md', import.meta.url), 'utf8');

/** The blocks of a section, as one text. */
function blocksOf(section: string, language: string): string {
  const [, text = ''] = page.split(`\n## ${section}\n`);
  const [own = ''] = text.split('\n## ');
  return [...own.matchAll(new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\``, 'gms'))]
    .map(([, code = '']) => code)
    .join('\n');
}

/** @returns what a program prints on both streams */
function outputOf(program: Program, flag: string, code: string): Promise<string> {
  return new Promise((resolve) => {
    execFile(pathOf(program) ?? '', [flag, code], (_error, stdout, stderr) => resolve(stdout + stderr));
  });
}

for (const [section, program, flag] of [
  ['Python', 'python', '-c'],
  ['R', 'R', '-e'],
] as const) {
  describeWith([program], `The program of docs/python-and-r.md in ${section}`, function () {
    this.timeout(120_000);
    let service: RunningServer;
    before(async () => {
      service = await startWholeService();
    });
    after(() => service.stop());

    it('prints what the page says', async function () {
      const code = blocksOf(section, section.toLowerCase()).replaceAll('http://127.0.0.1:3000', service.url);

      const output = await outputOf(program, flag, code);

      if (/No module named|there is no package called/.test(output)) this.skip();
      const lines = blocksOf(section, 'text').split('\n');
      expect(lines).to.have.length.above(3);
      expect(lines.filter((line) => !output.includes(line))).to.deep.equal([], output);
    });
  });
}
