import { expect } from 'chai';
import fc from 'fast-check';
import type { CrfClient, LogEntry } from '../../../src/gateways/redcap/crf-client.js';
import { LOG_TYPES } from '../../../src/gateways/redcap/contents/log-types.js';
import { createLongitudinalStudy } from '../../../src/sandbox/longitudinal-study/longitudinal-study.js';
import { startSandboxClient, type SandboxClient } from '../../support/sandbox-client.js';
import { armsStudy } from '../../support/studies.js';

const EVENT = 'start_arm_1';

/** Text that cannot end a quoted value of the log, which has no escapes. Blanks would change nothing. */
const TEXT = fc
  .string({ minLength: 1, maxLength: 12 })
  .filter((text) => !text.includes("'") && text.trim() !== '');
const VALUES = fc
  .record(
    { name: TEXT, note: TEXT, alive: fc.constantFrom('0', '1'), mood: fc.constantFrom('g', 'b') },
    { requiredKeys: [] },
  )
  .filter((values) => Object.keys(values).length > 0);

/** An action on the record of the given number; it does nothing if it does not apply. */
const DEED = fc.oneof(
  fc.record({ kind: fc.constant('import' as const), record: fc.nat(2), values: VALUES }),
  fc.record({ kind: fc.constantFrom('rename' as const, 'delete' as const), record: fc.nat(2) }),
  fc.record({ kind: fc.constantFrom('upload' as const, 'remove' as const), record: fc.nat(2) }),
);

type Deed = typeof DEED extends fc.Arbitrary<infer Value> ? Value : never;

interface Entry {
  readonly action: string;
  readonly record: string | undefined;
  readonly fields: readonly string[];
}

/** Performs actions on records through the client, and keeps the expected log entries. */
class Doer {
  /** The existing records by number, with their current names and whether they have a file. */
  readonly #records = new Map<number, { readonly name: string; readonly hasFile: boolean }>();
  readonly done: Entry[] = [];
  #names = 0;

  constructor(
    private readonly client: CrfClient,
    private readonly prefix: string,
  ) {}

  async do(deed: Deed): Promise<void> {
    const known = this.#records.get(deed.record);
    if (deed.kind === 'import') return this.#import(deed.record, deed.values);
    if (known === undefined) return;
    const { name } = known;
    const place = { record: name, field: 'consent', event: EVENT };
    switch (deed.kind) {
      case 'rename': {
        const renamed = this.#newName();
        await this.client.records.rename(name, renamed);
        this.#records.set(deed.record, { ...known, name: renamed });
        // The entry has the name before it. @see docs/protocol/redcap.md 13.2 (client)
        return this.#note('record_updated', name, ['id']);
      }
      case 'delete':
        await this.client.records.delete([name]);
        this.#records.delete(deed.record);
        return this.#note('record_deleted', name, ['id']);
      case 'upload':
        await this.client.files.put(place, { name: 'a.txt', bytes: [Buffer.from('text')] });
        this.#records.set(deed.record, { name, hasFile: true });
        return this.#note('file_uploaded', name, ['consent']);
      case 'remove':
        if (!known.hasFile) return;
        await this.client.files.delete(place);
        this.#records.set(deed.record, { name, hasFile: false });
        return this.#note('file_deleted', name, ['consent']);
    }
  }

  async #import(record: number, values: Readonly<Record<string, string>>): Promise<void> {
    const known = this.#records.get(record);
    const { name, hasFile } = known ?? { name: this.#newName(), hasFile: false };
    await this.client.importRecords([{ id: name, redcap_event_name: EVENT, ...values }]);
    this.#records.set(record, { name, hasFile });
    const fields = Object.keys(values);
    if (known === undefined) this.#note('record_created', name, ['id', ...fields]);
    else this.#note('record_updated', name, fields);
  }

  #note(action: string, record: string, fields: readonly string[]): void {
    this.done.push({ action, record, fields: fields.toSorted() });
  }

  #newName(): string {
    this.#names += 1;
    return `${this.prefix}-${this.#names}`;
  }
}

describe('The log, as the client reads it', () => {
  let opened: SandboxClient;
  let runs = 0;

  before(async () => {
    opened = await startSandboxClient(armsStudy());
  });
  after(() => opened.close());

  const entries = () => opened.client.log.list({ type: 'record' });

  it('lists every action on records in order, with the fields, and nothing else', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(DEED, { minLength: 1, maxLength: 10 }), async (deeds) => {
        const before = (await entries()).length;
        const doer = new Doer(opened.client, `R${(runs += 1)}`);
        for (const deed of deeds) await doer.do(deed);

        const all = await entries();

        // The newest entry is first.
        const logged = all.slice(0, all.length - before).toReversed();
        expect(
          logged.map(({ action, record, fields }) => ({ action, record, fields: fields.toSorted() })),
        ).to.deep.equal(
          // REDCap does not list files among the changes of records.
          doer.done.filter(({ action }) => !action.startsWith('file_')),
        );
        expect(new Set(logged.map(({ user }) => user)).size).to.equal(logged.length === 0 ? 0 : 1);
      }),
      { numRuns: 25 },
    );
  });
});

describe('The type of an entry of the log', () => {
  let trial: SandboxClient;

  before(async () => {
    trial = await startSandboxClient(createLongitudinalStudy());
    const { client, sandbox } = trial;
    const [first] = await client.exportRecords({ fields: ['record_id'] });
    await client.records.rename(String(first?.record_id), 'COHORT-2026-PARTICIPANT-RENAMED');
    await client.records.delete(['COHORT-2026-PARTICIPANT-RENAMED']);
    for (const action of ['Page View', 'Lock/Unlock Record 3', 'E-signature 3'])
      sandbox.project.log.add({
        ...{ username: 'coordinator', action, details: '' },
        kind: action === 'Page View' ? 'page_view' : 'lock_record',
      });
  });
  after(() => trial.close());

  it('selects it, and no other type but `record` does, for every entry of a trial', async () => {
    const { client } = trial;
    const textOf = (entry: LogEntry): string => JSON.stringify(entry);
    const all = [...(await client.log.list({ type: 'page_view' })), ...(await client.log.list())];
    const typed = all.filter(({ type }) => type !== undefined);
    expect(typed.length).to.be.above(500);
    expect(new Set(typed.map(({ type }) => type)).size).to.be.at.least(7);

    for (const type of LOG_TYPES) {
      const selected = await client.log.list({ type });
      const found = new Set(selected.map(textOf));
      const isOf = (entry: LogEntry): boolean =>
        entry.type === type || (type === 'record' && entry.type?.startsWith('record_') === true);
      expect(all.filter((entry) => isOf(entry) && !found.has(textOf(entry)))).to.deep.equal([]);
      expect(selected.filter((entry) => !isOf(entry))).to.deep.equal([]);
    }
  });
});
