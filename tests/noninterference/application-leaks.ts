import { Readable } from 'node:stream';
import { IncompleteExportError } from '../../src/errors/upstream-errors.js';
import type { CrfCalls, RecordRow } from '../../src/gateways/redcap/crf-client.js';
import { SCOPES } from '../../src/identifiers/scope.js';
import type { CrfService } from '../../src/services/crf-service.js';
import type { Leak } from './leak.js';

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
  given: ({ view, crf }, { whole }) => ({
    view,
    crf: exchanged(crf, Object.fromEntries(parts.map((part) => [part, whole[part]]))),
  }),
});

/** A service, with what it keeps, that was made for another view. */
const kept = (name: string, at: RegExp, ...parts: readonly Part[]): Leak => ({
  name,
  at,
  given: ({ view, crf }, { first }) => ({
    view,
    crf: exchanged(crf, Object.fromEntries(parts.map((part) => [part, first.crf[part]]))),
  }),
});

/** The rows of a view, changed together with those of the whole project. */
const changed = (
  name: string,
  at: RegExp,
  change: (shown: readonly RecordRow[], whole: readonly RecordRow[]) => RecordRow[],
): Leak => ({
  name,
  at,
  calls: (shown: CrfCalls, whole: CrfCalls): CrfCalls => ({
    ...shown,
    openRecords: async (options) => {
      if (options.format !== 'json') return shown.openRecords(options);
      const rows = change(await shown.exportRecords(options), await whole.exportRecords());
      return Readable.from([JSON.stringify(rows)]);
    },
  }),
});

export const APPLICATION_LEAKS: readonly Leak[] = [
  {
    name: 'everything that is kept for another view',
    at: /^\/api\/v1\/(records\?format=json|project\/fields)/,
    given: ({ view }, { first }) => ({ view, crf: first.crf }),
  },
  kept('figures that were kept for another view', /summary|dashboard/, 'summaries', 'lists'),
  kept('a schema that was kept for another view', /project\/(schema|types|openapi)/, 'documents'),
  {
    name: 'the answer to an idempotency key in another view',
    at: /^\/api\/v1\/records$/,
    given: ({ view, crf }) => ({ view: { ...view, key: 'the same for all' }, crf }),
  },
  { name: 'the cursor of another view', at: /cursor=/, isKeyShared: true },
  {
    name: 'small counts, to somebody who may not read records',
    at: /^\/api\/v1\/project\/summary/,
    given: ({ view, crf }) => {
      const { summaries } = crf;
      const all = {
        summary: (_: unknown, filter?: object) => summaries.summary(SCOPES, filter),
        distribution: (request: Parameters<typeof summaries.distribution>[0]) =>
          summaries.distribution(request, SCOPES),
        failedAt: () => undefined,
      };
      return { view, crf: exchanged(crf, { summaries: all as unknown as typeof summaries }) };
    },
  },
  unrestricted('findings about hidden values', /quality/, 'quality'),
  unrestricted('the page of any record', /dashboard\/records\//, 'recordSheets'),
  unrestricted('lists of all records', /dashboard\/(records|forms|due)/, 'lists'),
  unrestricted('a check of a file that knows all fields', /try-file|dryRun/, 'writer'),
  changed('missing-data codes of hidden cells', /format=json/, (shown, whole) => {
    const codes = whole.filter((row) => Object.values(row).includes('UNK')).map((row) => row['record_id']);
    return shown.map((row) => {
      const blank = Object.keys(row).findLast((name) => row[name] === '' && !name.startsWith('redcap_'));
      return blank !== undefined && codes.includes(row['record_id']) ? { ...row, [blank]: 'UNK' } : row;
    });
  }),
  {
    name: 'a stream that breaks where a hidden row is',
    at: /^\/api\/v1\/records\?format=(json|csv)/,
    calls: (shown, whole) => ({
      ...shown,
      openRecords: async (options) => {
        const all = new Set((await whole.exportRecords()).map((row) => row['record_id']));
        const visible = new Set((await shown.exportRecords()).map((row) => row['record_id']));
        const body = await shown.openRecords(options);
        if (all.size === visible.size) return body;
        return Readable.from(
          (async function* () {
            for await (const chunk of body) {
              yield (chunk as Buffer).subarray(0, 40);
              throw new IncompleteExportError([]);
            }
          })(),
        );
      },
    }),
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
      return rows.some((row) => row['record_id'] === record) ? { ...answer, status: 200 } : answer;
    },
  },
  {
    name: 'who has a value that is unique',
    at: /^\/api\/v1\/records$/,
    calls: (shown, whole) => ({
      ...shown,
      importData: async (data, options) =>
        (await new Blob([data]).text()).includes('body@example.org') ||
        (await new Blob([data]).text()).includes('"email"')
          ? whole.importData(data, options)
          : shown.importData(data, options),
    }),
  },
];
