import { expect } from 'chai';
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import type { RunningServer } from '../../src/server/start-server.js';
import { startWholeService } from '../support/start-whole-service.js';

/** One command of the README's tour, and its output according to the README. */
interface Step {
  readonly command: string;
  readonly output: string;
}

const readme = readFileSync(new URL('../../README.md', import.meta.url), 'utf8');

/** The `curl` commands of the console blocks. A command continues while a quote is open. */
const steps: readonly Step[] = [...readme.matchAll(/```console\n([\s\S]*?)```/g)].flatMap(([, block = '']) =>
  block
    .split(/^\$ /m)
    .slice(1)
    .filter((text) => text.startsWith('curl '))
    .map(toStep),
);

function toStep(text: string): Step {
  const [command = ''] = /^(?:'[^']*'|[^'\n])*/.exec(text) ?? [];
  return { command, output: text.slice(command.length).trim() };
}

/** Splits a command into words as a shell does; only single quotes are supported. */
function wordsOf(command: string): string[] {
  return [...command.matchAll(/'([^']*)'|(\S+)/g)].map(([, quoted, bare]) => quoted ?? bare ?? '');
}

function toRequest(command: string, base: string): { url: string; init: RequestInit } {
  const words = wordsOf(command);
  const url = words.find((word) => word.startsWith('http')) ?? '';
  const valueOf = (flag: string): string | undefined =>
    words[words.indexOf(flag) + 1] && words.includes(flag) ? words[words.indexOf(flag) + 1] : undefined;
  const [name = '', value = ''] = (valueOf('-H') ?? '').split(': ');
  const body = valueOf('-d');
  return {
    url: url.replace('http://127.0.0.1:3000', base),
    init: {
      headers: name === '' ? {} : { [name]: value },
      ...(body !== undefined && { method: 'POST', body }),
    },
  };
}

/** Matches an expected text in which `…` stands for anything that differs between runs or is omitted. */
function toPattern(output: string): RegExp {
  const escaped = output.replace(/[.*+?^${}()|[\]\\]/g, '\\$&').replaceAll('…', '[\\s\\S]*?');
  return new RegExp(`^${escaped}\\s*$`);
}

describe('The tour of the README', () => {
  let service: RunningServer;
  before(async () => {
    service = await startWholeService();
  });
  after(() => service.stop());

  it('has commands', () => {
    expect(steps.length).to.be.greaterThan(7);
  });

  it('has a program of the client library that prints what its comments say', () => {
    const [, code = ''] = /```js\n([\s\S]*?)```/.exec(readme) ?? [];

    const output = execFileSync(process.execPath, ['--input-type=module', '--eval', code], {
      cwd: new URL('../../', import.meta.url),
      encoding: 'utf8',
    });

    expect(output).to.include("record_id: 'COHORT-2026-PARTICIPANT-0001'").and.to.include('age: 36');
    expect(output).to.include('agee is not a field of this project; did you mean age?');
    expect(code).to.include('agee is not a field of this project; did you mean age?');
  });

  for (const { command, output } of steps) {
    it(`prints the documented output: ${command.split('\n')[0]?.slice(0, 110)}`, async () => {
      const { url, init } = toRequest(command, service.url);

      const answer = await (await fetch(url, init)).text();

      expect(answer).to.match(toPattern(output));
    });
  }
});
