import { parseChoices } from '../../../src/domain/dictionary/choices.js';
import { PassThrough, Readable, type Writable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { heard } from '../../../src/domain/bytes/heard.js';
import { IncompleteExportError } from '../../../src/domain/errors/upstream-errors.js';
import type { CrfCalls, RecordRow } from '../../../src/gateways/redcap/crf-client.js';
import { SCOPES } from '../../../src/domain/identifiers/scope.js';
import type { StreamedAnswer } from '../../../src/records/streaming/streamed-answer.js';
import type { CrfService } from '../../../src/services/crf-service.js';
import { recordOf, type Leak } from './leak.js';

/*
 * Leaks above the calls of a view: in what an application keeps, in its services and in its answers.
 */

type Part = 'summaries' | 'lists' | 'documents' | 'quality' | 'recordSheets' | 'writer';

/** Puts parts of another service in the place of those of the view. */
const exchanged = (crf: CrfService, parts: Partial<CrfService>): CrfService => Object.assign(crf, parts);

/** A service that was made for the whole project. */
const unrestricted = (name: string, at: RegExp, ...parts: readonly Part[]): Leak => ({
  name,
  at,
  given: ({ view, crf, calls }, { whole }) => ({
    view,
    calls,
    crf: exchanged(crf, Object.fromEntries(parts.map((part) => [part, whole[part]]))),
  }),
});

/** A service, with what it keeps, that was made for another view. */
const kept = (name: string, at: RegExp, ...parts: readonly Part[]): Leak => ({
  name,
  at,
  given: ({ view, crf, calls }, { first }) => ({
    view,
    calls,
    crf: exchanged(crf, Object.fromEntries(parts.map((part) => [part, first.crf[part]]))),
  }),
});

/** The rows of a view, changed together with those of the whole project. */
const changed = (
  name: string,
  at: RegExp,
  change: (shown: readonly RecordRow[], whole: readonly RecordRow[], codes: readonly string[]) => RecordRow[],
): Leak => ({
  name,
  at,
  calls: (shown: CrfCalls, whole: CrfCalls): CrfCalls => ({
    ...shown,
    openRecords: async (options) => {
      if (options.format !== 'json') return shown.openRecords(options);
      const { missingDataCodes } = await whole.project.getInfo();
      const codes = parseChoices(missingDataCodes).map(({ code }) => code);
      const rows = change(await shown.exportRecords(options), await whole.exportRecords(), codes);
      return Readable.from([JSON.stringify(rows)]);
    },
  }),
});

const broken = new WeakSet<CrfService>();

/** A service whose exports end with the rows before the first record that it does not have. */
function withBreaks(crf: CrfService, whole: CrfService): CrfService {
  if (broken.has(crf)) return crf;
  const { pager } = crf;
  const open: typeof pager.open = async (request, call) => {
    const [all, visible] = await Promise.all([idsOf(whole), idsOf({ pager })]);
    const before = all.findIndex((id) => !visible.includes(id));
    const page = await pager.open(request, call);
    if (before === -1) return page;
    const pipeTo = async (sink: Writable): Promise<void> => {
      const lines = (await textOf(page)).split('\n');
      sink.write(lines.slice(0, before + 1).join('\n'));
      sink.destroy(new IncompleteExportError([]));
    };
    return Object.assign(Object.create(page) as typeof page, { pipeTo });
  };
  broken.add(crf);
  return exchanged(crf, { pager: Object.assign(Object.create(pager) as typeof pager, { open }) });
}

async function idsOf({ pager }: Pick<CrfService, 'pager'>): Promise<string[]> {
  const [, ...rows] = (await textOf(await pager.open({ format: 'csv' }))).split('\n');
  return [...new Set(rows.map((row) => row.split(',')[0] ?? ''))].filter((id) => id !== '');
}

async function textOf(answer: Pick<StreamedAnswer, 'pipeTo'>): Promise<string> {
  const sink = heard(new PassThrough());
  const [written] = await Promise.all([text(sink), answer.pipeTo(sink)]);
  return written;
}

export const APPLICATION_LEAKS: readonly Leak[] = [
  {
    name: 'everything that is kept for another view',
    at: /^\/api\/v1\/(records\?format=json|project\/fields)/,
    given: ({ view }, { first }) => ({ view, crf: first.crf, calls: first.calls }),
  },
  kept('figures that were kept for another view', /summary|dashboard/, 'summaries', 'lists'),
  kept('a schema that was kept for another view', /project\/(schema|types|openapi)/, 'documents'),
  {
    name: 'the answer to an idempotency key in another view',
    at: /^\/api\/v1\/records$/,
    given: ({ view, ...parts }) => ({ view: { ...view, key: 'the same for all' }, ...parts }),
  },
  { name: 'the cursor of another view', at: /cursor=/, isKeyShared: true },
  {
    name: 'small counts, to somebody who may not read records',
    at: /^\/api\/v1\/project\/summary/,
    given: ({ view, crf, calls }) => {
      const { summaries } = crf;
      const all = {
        summary: (_: unknown, filter?: object) => summaries.summary(SCOPES, filter),
        distribution: (request: Parameters<typeof summaries.distribution>[0]) =>
          summaries.distribution(request, SCOPES),
        withDaysToEntry: (summary: object) => Promise.resolve(summary),
        failedAt: () => undefined,
      };
      return { view, calls, crf: exchanged(crf, { summaries: all as unknown as typeof summaries }) };
    },
  },
  unrestricted('findings about hidden values', /quality/, 'quality'),
  unrestricted('the page of any record', /dashboard\/records\//, 'recordSheets'),
  unrestricted('lists of all records', /dashboard\/(records|forms|due)/, 'lists'),
  unrestricted('a check of a file that knows all fields', /try-file|dryRun/, 'writer'),
  changed('missing-data codes of hidden cells', /format=json/, (shown, whole, [code = '']) => {
    const marked = new Set(whole.filter((row) => Object.values(row).includes(code)).map(recordOf));
    return shown.map((row) => {
      const blank = Object.keys(row).findLast((name) => row[name] === '' && !name.startsWith('redcap_'));
      return blank !== undefined && marked.has(recordOf(row)) ? { ...row, [blank]: code } : row;
    });
  }),
  {
    name: 'an export of the service that breaks off at a hidden record',
    at: /^\/api\/v1\/records\?format=csv/,
    given: ({ crf, ...parts }, { whole }) => ({ ...parts, crf: withBreaks(crf, whole) }),
  },
  {
    name: 'the length of a whole answer, to HEAD',
    answer: async (answer, { whole, request }) => {
      if (request.method !== 'HEAD') return answer;
      const length = JSON.stringify(await whole.exportRecords()).length;
      return { ...answer, headers: { ...answer.headers, 'content-length': String(length) } };
    },
  },
  {
    name: 'that a hidden record exists, to HEAD',
    answer: async (answer, { whole, request: { method, path } }) => {
      const [, record] = /^\/api\/v1\/records\/([^/?]+)$/.exec(path) ?? [];
      if (method !== 'HEAD' || record === undefined) return answer;
      const rows = await whole.exportRecords();
      return rows.some((row) => recordOf(row) === record) ? { ...answer, status: 200 } : answer;
    },
  },
  {
    name: 'who has a value that is unique',
    at: /^\/api\/v1\/records$/,
    calls: (shown, whole) => ({
      ...shown,
      importData: async (data, options) => {
        const { secondaryUniqueField } = await whole.project.getInfo();
        const isUnique = (await new Blob([data]).text()).includes(`"${secondaryUniqueField}"`);
        return (isUnique ? whole : shown).importData(data, options);
      },
    }),
  },
];
