import type { Field } from '../../src/domain/dictionary/field.js';
import { BLANK_FIELD } from '../../src/domain/dictionary/field.js';
import { UpstreamForbiddenError } from '../../src/domain/errors/upstream-errors.js';
import type {
  CrfClient,
  LogEntry,
  RecordRow,
  StreamRecordsOptions,
} from '../../src/gateways/redcap/crf-client.js';
import { parseLogAction } from '../../src/gateways/redcap/contents/log-action.js';
import type { ChangeSource } from '../../src/sync/change-engine.js';

type Values = Map<string, string>;
interface ModelRecord {
  group: string;
  /** By event, repeating instrument and instance. */
  readonly rows: Map<string, Values>;
}
interface LoggedRow {
  readonly timestamp: string;
  readonly action: string;
  readonly details: string;
  readonly record: string;
  readonly visibleAt: number;
}

const MINUTE = 60_000;

/** A small REDCap in memory with a log, a replica and a clock of its own, each of which can be unreliable. */
export class ModelRedcap {
  now = Date.UTC(2026, 9, 24, 20);
  /** Minutes between the server's clock and ours. */
  zone = 120;
  staleMs = 0;
  logLagMs = 0;
  mayReadLog = true;
  leavesTrace = true;
  /** The group of the token's user, who sees no others; empty for all. */
  userGroup = '';
  /** An instrument that the token's user may no longer export. */
  hiddenInstrument = '';
  /** After so many calls the token's user loses the right to export, for the rest of the look. */
  forbidAfter = Infinity;
  missingDataCodes = '';
  isRepeating = true;
  fields: Field[] = [
    field('id', 'base'),
    field('x', 'base'),
    field('y', 'base'),
    field('drug', 'meds'),
    field('z', 'visit'),
  ];
  readonly instruments = ['base', 'meds', 'visit'];
  events = ['start_arm_1', 'end_arm_1', 'start_arm_2'];
  records = new Map<string, ModelRecord>();
  #snapshots: { readonly at: number; readonly records: Map<string, ModelRecord> }[] = [];
  log: LoggedRow[] = [];

  constructor(private readonly random: () => number) {}

  get minute(): string {
    return new Date(this.now + this.zone * MINUTE).toISOString().slice(0, 16).replace('T', ' ');
  }

  note(action: string, details: string, record = ''): void {
    const visibleAt = this.now + Math.floor(this.random() * this.logLagMs);
    this.log.push({ timestamp: this.minute, action, details, record, visibleAt });
  }

  /** Keeps what a stale replica may still answer. */
  changed(): void {
    const records = new Map(
      [...this.records].map(([id, { group, rows }]) => [id, { group, rows: copy(rows) }]),
    );
    this.#snapshots.push({ at: this.now, records });
    const old = this.#snapshots.findLastIndex(({ at }) => at <= this.now - 10 * MINUTE);
    if (old > 0) this.#snapshots.splice(0, old);
  }

  /** The records as some replica has them. */
  #seen(): ReadonlyMap<string, ModelRecord> {
    const at = this.now - Math.floor(this.random() * this.staleMs);
    return this.#snapshots.findLast((snapshot) => snapshot.at <= at)?.records ?? new Map();
  }

  get hasRights(): boolean {
    return this.userGroup === '' && this.hiddenInstrument === '';
  }

  giveRightsBack(): void {
    this.userGroup = '';
    this.hiddenInstrument = '';
    this.forbidAfter = Infinity;
  }

  /** Every row as an export has it. */
  export(records: ReadonlyMap<string, ModelRecord> = this.records): RecordRow[] {
    const columns = this.fields.slice(1).filter(({ instrument }) => instrument !== this.hiddenInstrument);
    const forms = this.instruments.filter((name) => name !== this.hiddenInstrument);
    return [...records].flatMap(([id, { group, rows }]) => {
      if (this.userGroup !== '' && this.userGroup !== group) return [];
      return [...rows]
        .sort(([left], [right]) => (left < right ? -1 : 1))
        .map(([place, values]) => {
          const [event = '', instrument = '', instance = ''] = place.split('|');
          const cells = columns.map(({ name }) => [name, values.get(name) ?? ''] as const);
          const status = forms.map((name) => [`${name}_complete`, '0'] as const);
          return {
            id,
            redcap_event_name: event,
            redcap_repeat_instrument: instrument,
            redcap_repeat_instance: instance === '' ? '' : Number(instance),
            // A user in a group gets no column of groups.
            ...(this.userGroup === '' && { redcap_data_access_group: group }),
            ...Object.fromEntries([...cells, ...status]),
          };
        });
    });
  }

  source(): ChangeSource {
    const later = <T>(value: () => T): Promise<T> => Promise.resolve().then(value);
    return {
      clearCache: () => undefined,
      fields: { list: () => later(() => [...this.fields]) },
      project: {
        getInfo: () =>
          later(
            () =>
              ({
                id: 1,
                isLongitudinal: true,
                hasRepeatingInstrumentsOrEvents: true,
                missingDataCodes: this.missingDataCodes,
              }) as Awaited<ReturnType<CrfClient['project']['getInfo']>>,
          ),
      },
      events: {
        list: () =>
          later(
            () =>
              this.events.map((uniqueName) => ({ uniqueName, label: uniqueName, arm: 1 })) as Awaited<
                ReturnType<CrfClient['events']['list']>
              >,
          ),
      },
      arms: { list: () => later(() => [{ number: 1, name: 'Arm 1' }]) },
      dags: { list: () => later(() => []) },
      instruments: {
        list: () => later(() => this.instruments.map((name) => ({ name, label: name }))),
      },
      mappings: {
        list: () =>
          later(() =>
            this.events.flatMap((event) =>
              this.instruments.map((instrument) => ({ event, instrument, arm: 1 })),
            ),
          ),
      },
      repeating: {
        list: () =>
          later(() =>
            this.events.flatMap((event) => [
              ...(this.isRepeating ? [{ event, instrument: 'meds', customLabel: '' }] : []),
              ...(event === 'end_arm_1' ? [{ event, instrument: '', customLabel: '' }] : []),
            ]),
          ),
      },
      streamRecords: (options) => this.#stream(options ?? {}),
      log: { stream: (selection) => this.#streamLog(selection?.from ?? '') },
    };
  }

  async *#stream({ records, fields }: StreamRecordsOptions): AsyncGenerator<RecordRow> {
    await Promise.resolve();
    this.#refuse();
    for (const row of this.export(this.#seen())) {
      if (records !== undefined && !records.includes(`${row['id']}`)) continue;
      const { id = '', redcap_data_access_group: group } = row;
      yield fields === undefined
        ? row
        : { id, ...(group !== undefined && { redcap_data_access_group: group }) };
    }
  }

  #refuse(): void {
    this.forbidAfter -= 1;
    if (this.forbidAfter < 0) throw new UpstreamForbiddenError('API Export');
  }

  async *#streamLog(from: string): AsyncGenerator<LogEntry> {
    await Promise.resolve();
    if (!this.mayReadLog) throw new UpstreamForbiddenError('Logging');
    const rows = this.log.filter((row) => row.timestamp >= from && row.visibleAt <= this.now).reverse();
    if (this.leavesTrace) this.note('Manage/Design ', 'Export Logging (API)');
    for (const { timestamp, action, details, record } of rows)
      yield {
        ...{ at: timestamp, user: 'u', actionText: action, details },
        ...parseLogAction({ action, details, record }),
      };
  }
}

function copy(rows: ReadonlyMap<string, Values>): Map<string, Values> {
  return new Map([...rows].map(([place, values]) => [place, new Map(values)]));
}

export function field(name: string, instrument: string): Field {
  return { ...BLANK_FIELD, name, instrument, label: name };
}
