import { InvalidRequestError } from '../domain/errors/caller-errors.js';
import { unknownName } from '../domain/identifiers/nearest-name.js';
import type { Field } from '../domain/dictionary/field.js';
import type { RecordRow, StreamRecordsOptions } from '../gateways/redcap/crf-client.js';
import type { ChangeSource } from './change-engine.js';

/**
 * Returns a project that has only some instruments, besides the record id: what follows from its structure, the tables
 * and the hashes, is then of these alone.
 *
 * @throws {InvalidRequestError} by `fields.list`: the project has no such instrument
 */
export function onlyInstruments(client: ChangeSource, names: readonly string[]): ChangeSource {
  const fields = async (call?: Parameters<ChangeSource['fields']['list']>[0]): Promise<Field[]> => {
    const [idField, ...others] = await client.fields.list(call);
    if (idField === undefined) return [];
    const instruments = new Set([idField, ...others].map(({ instrument }) => instrument));
    const unknown = names.find((name) => !instruments.has(name));
    if (unknown !== undefined)
      throw new InvalidRequestError([unknownName('instrument', 'forms', unknown, instruments)]);
    const chosen = others.filter(({ instrument }) => names.includes(instrument));
    // The id is a key of every table: it belongs to the first of them.
    const first = [idField, ...others].find(({ instrument }) => names.includes(instrument));
    return [{ ...idField, instrument: first?.instrument ?? idField.instrument }, ...chosen];
  };
  async function* rows(options: StreamRecordsOptions = {}): AsyncGenerator<RecordRow> {
    if (options.fields !== undefined) {
      yield* client.streamRecords(options);
      return;
    }
    const [idField] = await client.fields.list({ signal: options.signal });
    yield* client.streamRecords({ ...options, fields: [idField?.name ?? ''], forms: names });
  }
  return {
    clearCache: () => client.clearCache(),
    fields: { list: fields },
    project: client.project,
    events: client.events,
    arms: client.arms,
    dags: client.dags,
    instruments: {
      list: async (call) => (await client.instruments.list(call)).filter(({ name }) => names.includes(name)),
    },
    mappings: client.mappings,
    repeating: client.repeating,
    log: client.log,
    streamRecords: rows,
  };
}
