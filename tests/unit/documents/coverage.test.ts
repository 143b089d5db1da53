import { expect } from 'chai';
import { readFileSync } from 'node:fs';
import { format } from 'prettier';
import { COMMAND_PATHS } from '../../../scripts/command-line-page.js';
import { BLANKS, coveragePage, isInSandbox, pairsOfProtocol, REACH } from '../../../scripts/coverage-page.js';
import { createCrfClient } from '../../../src/client/create-crf-client.js';
import { OPERATIONS, UNTRIED_OPERATIONS } from '../../../src/cli/conformance/run-conformance.js';
import { OperationTable } from '../../../src/http/openapi/operation-table.js';

/** Contents that only some versions have, and that only `client.call` can reach. */
const ESCAPE_HATCH = [
  'authkey',
  'appRightsCheck',
  'attachment',
  'file/import_app',
  'mycap/display',
  'tableau/display',
  'projectMigration/export',
];

const operations = new Set(
  OperationTable.load().paths.flatMap(({ template, methods }) =>
    [...methods.keys()].map((method) => `${method} ${template}`),
  ),
);
const commands = new Set(COMMAND_PATHS.map((words) => words.join(' ')));

describe('docs/reference/coverage.md', () => {
  const client = createCrfClient({ url: 'http://127.0.0.1/api/', token: 'A'.repeat(32) });
  after(() => client.close());

  it('matches the page generated from the code', async () => {
    const page = readFileSync(new URL('../../../docs/reference/coverage.md', import.meta.url), 'utf8');
    const written = await format(coveragePage(), { parser: 'markdown' });

    expect(page).to.equal(written, 'run: npx tsx scripts/coverage-page.ts && npm run format');
  });

  it('has every pair that the client calls', () => {
    const called = [...OPERATIONS, ...UNTRIED_OPERATIONS].flatMap(({ content, action }) =>
      content
        .split(', ')
        .flatMap((name) => action.split(', ').map((each) => [name, `${name}/${each}`] as const)),
    );

    expect(
      called.filter(([content, pair]) => !(pair in REACH) && !(content in REACH)),
      'REACH in scripts/coverage-page.ts',
    ).to.deep.equal([]);
  });

  it('lists every pair of the protocol, except for contents that need client.call', () => {
    const pairs = pairsOfProtocol();

    expect(pairs).to.include('record/export').and.to.include('version');
    expect(pairs.filter((pair) => !(pair in REACH))).to.deep.equal(ESCAPE_HATCH);
    expect(
      Object.keys(REACH).filter((pair) => !pairs.includes(pair)),
      'the table in docs/protocol/redcap.md 3',
    ).to.deep.equal([]);
  });

  for (const [pair, { client: method = '', rest, cli }] of Object.entries(REACH)) {
    it(`names an existing method, route and command for ${pair}`, () => {
      const owner = method.includes('.') ? method.split('.')[0] : undefined;
      const holder = owner === undefined ? client : (Reflect.get(client, owner) as object);
      const name = method.split('.').at(-1) ?? '';

      expect(holder, method).to.have.property(name).that.is.a('function');
      if (rest !== undefined) expect(operations).to.include(rest.replace(' ', ' /api/v1'));
      if (cli !== undefined) expect(commands).to.include(cli);
      expect(isInSandbox(pair), 'the sandbox').to.equal(true);
    });

    it(`explains each missing route or command for ${pair}`, () => {
      expect(BLANKS[pair]?.rest !== undefined, 'REST').to.equal(rest === undefined);
      expect(BLANKS[pair]?.cli !== undefined, 'command line').to.equal(cli === undefined);
    });
  }
});
