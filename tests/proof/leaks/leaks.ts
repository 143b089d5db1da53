import { UpstreamRejectedError } from '../../../src/domain/errors/upstream-errors.js';
import type { CrfCalls, RecordRow } from '../../../src/gateways/redcap/crf-client.js';
import { APPLICATION_LEAKS } from './application-leaks.js';
import { DEIDENTIFICATION_LEAKS } from './deidentification-leaks.js';
import { DESIGN_LEAKS } from './design-leaks.js';
import { EXPORT_LEAKS } from './export-leaks.js';
import { PLACE_LEAKS } from './place-leaks.js';
import { hiddenFields, recordOf, rowCount, unrestricted, type Leak } from './leak.js';

const OTHERS: readonly Leak[] = [
  unrestricted('the PDF of a record', /pdf/, ({ pdf }) => ({ pdf })),
  unrestricted('addresses of surveys', /surveys/, (whole, shown) => ({
    surveys: { ...shown.surveys, getLink: (place, o) => whole.surveys.getLink(place, o) },
  })),
  unrestricted('codes of surveys', /surveys/, (whole, shown) => ({
    surveys: {
      ...shown.surveys,
      getAccessCode: (place, o) => whole.surveys.getAccessCode(place, o),
      getReturnCode: (place, o) => whole.surveys.getReturnCode(place, o),
    },
  })),
  unrestricted('the queue of surveys', /queue-link/, (whole, shown) => ({
    surveys: { ...shown.surveys, getQueueLink: (record, o) => whole.surveys.getQueueLink(record, o) },
  })),
  unrestricted('participants', /participants/, (whole, shown) => ({
    surveys: { ...shown.surveys, listParticipants: (survey, o) => whole.surveys.listParticipants(survey, o) },
  })),
  unrestricted('users', /project\/users/, ({ users }) => ({ users })),
  unrestricted('groups', /project\/dags/, (whole, shown) => ({
    dags: { ...shown.dags, list: (o) => whole.dags.list(o) },
  })),
  unrestricted('who is in which group', /dag-assignments/, (whole, shown) => ({
    dagAssignments: { ...shown.dagAssignments, list: (o) => whole.dagAssignments.list(o) },
  })),
  unrestricted('the log with its values', /log|dashboard/, ({ log }) => ({ log })),
  unrestricted('reports', /reports/, ({ reports }) => ({ reports })),
  unrestricted('the project as XML', /xml/, ({ project }) => ({ project })),
  unrestricted('the next number', /next-id/, (whole, shown) => ({
    records: { ...shown.records, nextId: (o) => whole.records.nextId(o) },
  })),
  unrestricted('files of hidden fields and records', /files\//, (whole, shown) => ({
    files: { ...shown.files, get: (place, o) => whole.files.get(place, o) },
  })),
  unrestricted('the file repository', /file-repository/, ({ fileRepository }) => ({ fileRepository })),
  unrestricted('deletions of records that are hidden', /records\/[^?]*$/, (whole, shown) => ({
    records: { ...shown.records, delete: (records, o) => whole.records.delete(records, o) },
  })),
  unrestricted('changes of the design', /project\/info/, ({ project }) => ({ project })),
  {
    name: 'an entity tag of the whole project',
    answer: async (answer, { whole }) => ({
      ...answer,
      headers: { ...answer.headers, ...(answer.headers['etag'] && { etag: `"${await rowCount(whole)}"` }) },
    }),
    at: /project\/(fields|info|events)/,
  },
  {
    name: 'a count of all rows in a header',
    answer: async (answer, { whole }) => ({
      ...answer,
      headers: { ...answer.headers, 'x-total-count': `${await rowCount(whole)}` },
    }),
    at: /project\/info/,
  },
  {
    name: 'a hidden text in the log of the service, in base64',
    answer: async (answer, { whole, lines }) => {
      const text = JSON.stringify(await whole.exportRecords());
      for (const [word] of text.matchAll(/s\d+q\d+z/g)) lines.push(Buffer.from(word).toString('base64'));
      return answer;
    },
    at: /project\/version/,
  },
  {
    name: 'a hidden text in an error, in hexadecimal',
    answer: async (answer, { whole }) => {
      if (answer.status !== 404) return answer;
      const [word = ''] = /s\d+q\d+z/.exec(JSON.stringify((await whole.exportRecords()).at(-1))) ?? [];
      return { ...answer, body: answer.body + Buffer.from(word).toString('hex') };
    },
    at: /records\/nobody/,
  },
];

const IMPORTS = /^\/api\/v1\/records(\?overwriteBehavior=overwrite)?$/;

const textOf = (data: string | Uint8Array | Blob): Promise<string> => new Blob([data]).text();

/** Says in the place of a refusal whether the record of the first row exists. */
async function tellingExistence(
  whole: CrfCalls,
  data: string | Uint8Array | Blob,
  error: unknown,
): Promise<never> {
  const ids = new Set((await whole.exportRecords()).map(recordOf));
  const [row = {}] = JSON.parse(await textOf(data)) as RecordRow[];
  throw ids.has(recordOf(row)) ? new UpstreamRejectedError('The record exists.') : error;
}

const IMPORT_LEAKS: readonly Leak[] = [
  unrestricted('imports of anything', IMPORTS, (whole) => ({
    importData: (data, options) => whole.importData(data, options),
  })),
  {
    name: 'a refusal of an import that says whether a record exists',
    at: IMPORTS,
    calls: (shown, whole) => ({
      ...shown,
      importData: (data, options) =>
        shown.importData(data, options).catch((error: unknown) => tellingExistence(whole, data, error)),
    }),
  },
  {
    name: 'a dry run that says whether a record exists',
    at: /^\/api\/v1\/records\?dryRun=true/,
    calls: (shown, whole) => ({
      ...shown,
      checkImport: (data, options) =>
        shown
          .checkImport(data, options)
          .catch(async (error: unknown) => tellingExistence(whole, await data(), error)),
    }),
  },
  {
    name: 'a group that somebody gives a record',
    at: IMPORTS,
    calls: (shown, whole) => ({
      ...shown,
      importData: async (data, options) =>
        (await textOf(data)).includes('redcap_data_access_group')
          ? whole.importData(data, options)
          : shown.importData(data, options),
    }),
  },
  {
    name: 'an import that erases what is hidden',
    at: IMPORTS,
    calls: (shown, whole, view) => ({
      ...shown,
      importData: async (data, options) => {
        const result = await shown.importData(data, options);
        const texts = (await hiddenFields(whole, view)).filter(({ type }) => /^(text|notes)$/.test(type));
        const erased = Object.fromEntries(texts.map(({ name }) => [name, '']));
        const rows = JSON.parse(await textOf(data)) as object[];
        const blank = rows.map((row) => ({ ...row, ...erased }));
        await whole.importData(JSON.stringify(blank), { ...options, overwriteBehavior: 'overwrite' });
        return result;
      },
    }),
  },
];

export const LEAKS: readonly Leak[] = [
  ...DESIGN_LEAKS,
  ...EXPORT_LEAKS,
  ...OTHERS,
  ...IMPORT_LEAKS,
  ...PLACE_LEAKS,
  ...APPLICATION_LEAKS,
  ...DEIDENTIFICATION_LEAKS,
];
