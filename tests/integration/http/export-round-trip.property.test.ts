import { expect } from 'chai';
import fc from 'fast-check';
import { createCrfClient } from '../../../src/client/create-crf-client.js';
import { checkboxColumnName } from '../../../src/domain/dictionary/export-column.js';
import type { Study } from '../../../src/sandbox/redcap/study.js';
import { startTestSandbox } from '../../support/start-sandbox.js';
import { startService, type TestService } from '../../support/start-service.js';
import { BODY_OF } from '../../support/import-project.js';
import { ODDLY_NAMED, PROJECT } from './random-export-project.js';

const MEDIA_TYPES = { json: 'application/json', ndjson: 'application/x-ndjson', csv: 'text/csv' } as const;
type Format = keyof typeof MEDIA_TYPES;
const FORMATS = Object.keys(MEDIA_TYPES) as Format[];

/** Every form of an export: flat or EAV, codes or labels. */
const SHAPES = [
  {},
  { rawOrLabel: 'label' },
  { rawOrLabel: 'label', rawOrLabelHeaders: 'label', exportCheckboxLabel: 'true' },
  { type: 'eav' },
  { type: 'eav', rawOrLabel: 'label' },
] as const;

/** The selections of an export. The record id is always included, as batches need it. */
const SELECTION = fc.constantFrom<Readonly<Record<string, string>>>(
  {},
  { fields: 'record_id,sites,weight' },
  { forms: 'base' },
  { forms: 'visit', fields: 'record_id' },
  { filterLogic: "[sites(1)] = '1' or [weight] > 0" },
  { fields: 'record_id,base_complete', exportBlankForGrayFormStatus: 'true' },
);

describe('A random project, over HTTP', function () {
  this.timeout(120_000);

  for (const format of FORMATS) {
    it(`is exported in batches of any size as in one piece, in ${format}, raw and label, flat and EAV`, async () => {
      await fc.assert(
        fc.asyncProperty(
          ODDLY_NAMED,
          SELECTION,
          fc.integer({ min: 1, max: 6 }),
          async (study, selection, batchSize) => {
            await withServices([study], async ([service]) => {
              for (const shape of SHAPES) {
                const query = { ...selection, ...shape };
                const whole = await exported(service, format, query);
                const batched = await exported(service, format, { ...query, batchSize: String(batchSize) });
                // A CSV list without rows is a single line feed from REDCap, and empty in batches.
                expect(withoutBlank(batched), JSON.stringify(query)).to.equal(withoutBlank(whole));
              }
            });
          },
        ),
        { numRuns: 12 },
      );
    });

    it(`is unchanged by an export and an import into an empty project, in ${format}`, async () => {
      await fc.assert(
        fc.asyncProperty(PROJECT, fc.integer({ min: 1, max: 8 }), async (study, batchSize) => {
          await withEmptyTwin(study, batchSize, async (full, empty) => {
            const before = await exported(full, format);
            await imported(empty, format, format === 'json' ? asImport(before) : before);
            expect(await exported(empty, format)).to.equal(before);
          });
        }),
        { numRuns: 12 },
      );
    });

    it(`is unchanged by an export and an import into an empty project, in ${format} as EAV`, async () => {
      await fc.assert(
        fc.asyncProperty(PROJECT, fc.integer({ min: 1, max: 8 }), async (study, batchSize) => {
          await withEmptyTwin(study, batchSize, async (full, empty) => {
            const { data } = JSON.parse(await exported(full, 'json', { type: 'eav' })) as { data: EavRow[] };
            await imported(empty, format, BODY_OF[format](data.map(withChoiceColumn)), { type: 'eav' });
            expect(await exported(empty, format)).to.equal(await exported(full, format));
          });
        }),
        { numRuns: 12 },
      );
    });
  }
});

function withoutBlank(text: string): string {
  return text.trim() === '' ? '' : text;
}

type EavRow = Record<string, string | number>;

/**
 * EAV exports a checked choice as `sites` and its code, and imports it as `sites___code` and 1.
 * (docs/protocol/redcap.md 5.3)
 */
function withChoiceColumn(row: EavRow): EavRow {
  if (row.field_name !== 'sites') return row;
  return { ...row, field_name: checkboxColumnName('sites', String(row.value)), value: '1' };
}

/** Turns the envelope of an export into that of an import. */
function asImport(text: string): string {
  return text.replace(/^\{"data":/, '{"records":');
}

/** Runs with a service in front of the project, and one in front of the same project without records. */
function withEmptyTwin(
  study: Study,
  batchSize: number,
  run: (full: TestService, empty: TestService) => Promise<void>,
): Promise<void> {
  return withServices([study, { ...study, rows: [] }], ([full, empty]) => run(full, empty), batchSize);
}

/** Runs with a service in front of a sandbox for each study. */
async function withServices<Studies extends readonly Study[]>(
  studies: readonly [...Studies],
  run: (services: { readonly [At in keyof Studies]: TestService }) => Promise<void>,
  batchSize?: number,
): Promise<void> {
  const sandboxes = await Promise.all(studies.map((study) => startTestSandbox(study)));
  const services = await Promise.all(
    sandboxes.map(({ url, token }) =>
      startService({
        capture: createCrfClient({ url, token }),
        ...(batchSize && { imports: { batchSize } }),
      }),
    ),
  );
  try {
    await run(services as unknown as { readonly [At in keyof Studies]: TestService });
  } finally {
    await Promise.all(services.map((service) => service.close()));
    await Promise.all(sandboxes.map((sandbox) => sandbox.close()));
  }
}

async function exported(
  { url, authorization }: TestService,
  format: Format,
  query: Readonly<Record<string, string>> = {},
): Promise<string> {
  const response = await fetch(`${url}/api/v1/records?${String(new URLSearchParams(query))}`, {
    headers: { authorization, accept: MEDIA_TYPES[format] },
  });
  const text = await response.text();
  expect(response.status, text).to.equal(200);
  return text;
}

async function imported(
  { url, authorization }: TestService,
  format: Format,
  body: string,
  query: Readonly<Record<string, string>> = {},
): Promise<void> {
  const response = await fetch(`${url}/api/v1/records?${String(new URLSearchParams(query))}`, {
    method: 'POST',
    headers: { authorization, 'content-type': MEDIA_TYPES[format] },
    body,
  });
  expect(response.status, await response.text()).to.equal(200);
}
