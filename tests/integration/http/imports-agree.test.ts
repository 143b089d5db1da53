import { expect } from 'chai';
import { createCrfClient } from '../../../src/client/create-crf-client.js';
import type { CrfClient } from '../../../src/gateways/redcap/crf-client.js';
import { rejection } from '../../support/rejection.js';
import { runCrf } from '../../support/run-crf.js';
import { startTestSandbox } from '../../support/start-sandbox.js';
import { startServiceWithAuth, type ServiceWithAuth } from '../../support/start-service-with-auth.js';
import { tableRows } from '../../support/table-rows.js';

const ids = ['COHORT-2026-PARTICIPANT-0901', 'COHORT-2026-PARTICIPANT-0902'] as const;

/** What a surface says about a cell: row, record, field, sentence and suggestion. */
type Remark = readonly [row: string, record: string, field: string, message: string, suggestion: string];

interface Choices {
  readonly dryRun: boolean;
  readonly limits?: 'warn' | 'refuse';
  readonly keepMisfits?: boolean;
  readonly dateFormat?: 'YMD' | 'DMY' | 'MDY';
}

interface Listed {
  readonly row?: number;
  readonly record?: string;
  readonly field: string;
  readonly message: string;
  readonly suggestion?: string;
}

const remarkOf = ({ row, record = '', field, message, suggestion = '' }: Listed): Remark => [
  String(row ?? ''),
  record,
  field,
  message,
  suggestion,
];

/** The files that are sent to all four, and how they are to be read. */
const FILES: readonly [what: string, lines: readonly string[], choices: Omit<Choices, 'dryRun'>][] = [
  [
    'mistakes of each kind',
    [
      'record_id,age,sex,consent_date,ages',
      `${ids[0]},130,Female,2026-02-30,`,
      `${ids[1]},forty,77,banana,7`,
      `P-3,40,1,2026-02-28,`,
      `,40,1,2026-02-28,`,
    ],
    {},
  ],
  ['values outside their limits', ['record_id,age', `${ids[0]},130`, `${ids[1]},40`], {}],
  ['limits that refuse', ['record_id,age', `${ids[0]},130`, `${ids[1]},40`], { limits: 'refuse' }],
  [
    'misfits that are kept',
    ['record_id,age,sex', `${ids[0]},forty,1`, `${ids[1]},121,77`],
    { keepMisfits: true },
  ],
  [
    'dates in another order',
    ['record_id,consent_date', `${ids[0]},28.2.2026`, `${ids[1]},2/28/2026`],
    { dateFormat: 'DMY' },
  ],
];

/** The page says in a column what was meant, and names its own choices in place of options. */
const ruleOf = (message: string): string => message.replace(/; (?:did you mean|it is one with) .*$/, '');

describe('The same file on REST, the client, the command line and the page', function () {
  this.timeout(60_000);
  let sandbox: Awaited<ReturnType<typeof startTestSandbox>>;
  let client: CrfClient;
  let running: ServiceWithAuth;

  before(async () => {
    sandbox = await startTestSandbox();
    client = createCrfClient({ url: sandbox.url, token: sandbox.token });
    running = await startServiceWithAuth(
      {},
      { capture: client, access: { sessionScopes: ['project:read', 'records:read', 'records:write'] } },
    );
  });
  after(async () => {
    await running.close();
    client.close();
    await sandbox.close();
  });

  async function onRest(csv: string, { dryRun, ...choices }: Choices): Promise<Remark[]> {
    const query = new URLSearchParams(
      Object.entries({ dryRun, ...choices }).map(([name, value]): [string, string] => [name, String(value)]),
    );
    const person = await running.signedIn('grace');
    const answer = await person.send(`/api/v1/records?${query.toString()}`, {
      method: 'POST',
      headers: { 'content-type': 'text/csv', 'sec-fetch-site': 'same-origin' },
      body: csv,
    });
    const body = (await answer.json()) as {
      data?: { warnings?: { first: Listed[] } };
      errors?: Listed[];
    };
    return (body.errors ?? body.data?.warnings?.first ?? []).map(remarkOf);
  }

  async function inClient(csv: string, choices: Choices): Promise<Remark[]> {
    const [header = '', ...lines] = csv.trimEnd().split('\n');
    const names = header.split(',');
    const rows = lines.map((line) =>
      Object.fromEntries(line.split(',').map((value, at) => [names[at] ?? '', value])),
    );
    const importing = client.importRecords(rows, choices);
    const outcome = await importing.catch(() => undefined);
    const first = outcome?.warnings?.first ?? [];
    if (outcome !== undefined) return first.map(remarkOf);
    return ((await rejection(importing))['errors'] as Listed[]).map(remarkOf);
  }

  async function onCommandLine(csv: string, choices: Choices): Promise<Remark[]> {
    const { dryRun, limits, keepMisfits, dateFormat } = choices;
    const { exitCode, stdout } = await runCrf(
      [
        'import',
        '-',
        '--format',
        'csv',
        '--report',
        '-',
        ...(dryRun ? ['--dry-run'] : []),
        ...(limits ? ['--limits', limits] : []),
        ...(keepMisfits ? ['--keep-misfits'] : []),
        ...(dateFormat ? ['--date-format', dateFormat] : []),
      ],
      { environment: { CAPTURE_API_URL: sandbox.url, CAPTURE_API_TOKEN: sandbox.token }, input: csv },
    );
    const [, ...lines] = stdout.trimEnd().split('\n');
    // A report of a refused file has the warnings too.
    return lines
      .filter((line) => exitCode === 0 || !line.includes('warning: '))
      .map((line) => {
        const cells = [...`,${line}`.matchAll(/,(?:"((?:[^"]|"")*)"|([^",]*))/g)].map(([, quoted, plain]) =>
          (quoted ?? plain ?? '').replaceAll('""', '"'),
        );
        const [, row = '', record = '', field = '', message = '', suggestion = ''] = cells;
        return [row, record, field, message.replace(/^warning: /, ''), suggestion];
      });
  }

  async function onPage(csv: string, { dryRun, ...choices }: Choices): Promise<string[][]> {
    const person = await running.signedIn('grace');
    const body = new FormData();
    for (const [name, value] of Object.entries(choices)) body.set(name, String(value));
    body.set('file', new Blob([csv], { type: 'text/csv' }), 'records.csv');
    const answer = await person.send(`/try-file${dryRun ? '' : '?store=yes'}`, {
      ...{ method: 'POST', headers: { 'sec-fetch-site': 'same-origin', accept: 'text/html' }, body },
    });
    // The changes that a dry run lists are no remarks.
    const page = (await answer.text()).replace(/<section aria-labelledby="changes">.*?<\/section>/s, '');
    const isFaulty = page.includes('What to correct');
    return tableRows(page).flatMap((cells) => {
      const [first = '', field = '', message = '', third = '', lines = ''] = cells;
      // Equal mistakes stand together, with their lines.
      const remark = [field, ruleOf(message), isFaulty ? third : ''];
      return (isFaulty ? lines.split(', ') : [first]).map((line) => [
        line === '' ? '' : String(Number(line) - 1),
        ...remark,
      ]);
    });
  }

  for (const [what, lines, choices] of FILES) {
    for (const dryRun of [true, false]) {
      it(`gets the same remarks about ${what}, ${dryRun ? 'checked' : 'stored'}`, async () => {
        const csv = `${lines.join('\n')}\n`;

        const said = await onRest(csv, { ...choices, dryRun });

        expect(said).to.not.deep.equal([]);
        expect(await inClient(csv, { ...choices, dryRun }), 'client').to.deep.equal(said);
        expect(await onCommandLine(csv, { ...choices, dryRun }), 'command line').to.deep.equal(said);
        const remarks = said.map(([row, _record, field, message, meant]) => [
          ...[row, field, ruleOf(message), meant],
        ]);
        expect(await onPage(csv, { ...choices, dryRun }), 'page').to.have.deep.members(remarks);
      });
    }
  }
});
