import { Readable } from 'node:stream';
import type { CallOptions, CrfCalls, RecordRow, RecordSelection } from '../gateways/redcap/crf-client.js';
import type { CsvForm, ValueForm } from '../gateways/redcap/record-export-options.js';
import { type CsvDelimiter, isCsvDelimiter } from '../gateways/redcap/csv-delimiter.js';
import { parseRow } from '../records/formats/parse-row.js';
import { loadProjectStructure } from '../records/load-project-structure.js';
import { jsonRowsOf } from '../records/streaming/chunks-of.js';
import { firstByteOf } from '../records/streaming/first-byte.js';
import { GeneratorStream } from '../records/streaming/generator-stream.js';
import { type Answer, integerAnswer } from '../wire/answer.js';
import { ApiFailure, invalidParameter } from '../wire/api-failure.js';
import { delimiterOf, type Parameters } from '../wire/parameters.js';
import { flatRows, parseImport } from '../wire/parse-rows.js';
import { readOdmRecords } from '../wire/read-odm.js';
import { ServerVersion } from '../wire/server-version.js';
import {
  CONTENT_TYPES,
  writeCount,
  writeIds,
  writeSuccess,
  XML_PROLOG,
  xmlRow,
} from '../wire/write-answer.js';
import { type OdmProject, odmOpening, OdmRecords } from '../wire/write-odm.js';
import type { Entry, StreamAnswer, ViewCall } from './view-call.js';

/** The records of a view, as an export that REDCap itself would answer. @see docs/protocol/redcap.md 4 */
export const exportRecords: Entry = async (call) => {
  const { parameters, calls, options } = call;
  refuseRange(parameters);
  const isOdm = parameters.text('format') === 'odm';
  const type = isOdm ? 'flat' : parameters.oneOf('type', ['flat', 'eav']);
  const version = new ServerVersion(await calls.getVersion(options));
  const selection: RecordSelection = {
    ...formOf(parameters),
    type,
    records: parameters.list('records'),
    fields: parameters.list('fields'),
    // A blank in the name of an instrument is an underscore.
    forms: parameters.list('forms')?.map((form) => form.replaceAll(' ', '_')),
    events: parameters.list('events'),
    filterLogic: parameters.text('filterLogic').trim() || undefined,
    exportSurveyFields: parameters.flag('exportSurveyFields'),
    exportDataAccessGroups: parameters.flag('exportDataAccessGroups'),
    exportBlankForGrayFormStatus: parameters.flag('exportBlankForGrayFormStatus'),
    combineCheckboxOptions: version.isAtLeast('16.0.8') && parameters.flag('combineCheckboxOptions'),
  };
  if (isOdm) return odmOf(call, version, selection);
  return streamed(call, version, (format, csvDelimiter) =>
    calls.openRecords({ ...selection, ...options, format, csvDelimiter }),
  );
};

/** Writes records as ODM, whatever the form that is asked for. @see docs/protocol/redcap.md 4.6 (inferred) */
async function odmOf(
  { calls, options }: ViewCall,
  version: ServerVersion,
  { fields, forms, ...selection }: RecordSelection,
): Promise<StreamAnswer> {
  const [project, { title }] = await Promise.all([
    odmProject(calls, options),
    calls.project.getInfo(options),
  ]);
  const id = project.dictionary.recordIdField?.name ?? '';
  const source = await calls.openRecords({
    ...selection,
    ...RAW,
    ...options,
    // The record of a row is written whatever is asked for.
    fields: fields === undefined && forms === undefined ? undefined : [...(fields ?? []), id],
    forms,
    exportBlankForGrayFormStatus: true,
    combineCheckboxOptions: false,
    format: 'json',
  });
  const head = { title, version: version.text, now: new Date().toISOString().slice(0, 19).replace('T', ' ') };
  const records = new OdmRecords(project, head);
  return written(source, {
    opening: [...odmOpening(head), records.opening],
    row: (row) => records.row(row),
    closing: () => [...records.closing(), '</ODM>'],
  });
}

const RAW = { rawOrLabel: 'raw', exportCheckboxLabel: false, decimalCharacter: undefined } as const;

/** What ODM needs to know of the project of a view. */
async function odmProject(calls: CrfCalls, options: CallOptions): Promise<OdmProject> {
  const structure = await loadProjectStructure(calls, options);
  return {
    dictionary: structure.dictionary,
    missingCodes: [...structure.missingDataCodes].map((code) => ({ code, label: code })),
    isLongitudinal: structure.isLongitudinal,
    isMapped: (event, instrument) => structure.stands(instrument, event),
    isRepeatingInstrument: (event, instrument) =>
      instrument !== '' && structure.repeatsInstrument(event, instrument),
    isRepeatingEvent: (event) => structure.repeatsEvent(event),
  };
}

/** The rows of a report of a view. @see docs/protocol/redcap.md 13.1 */
export const exportReport: Entry = async (call) => {
  const { parameters, calls, options } = call;
  // The rows of a report do not tell which forms were saved.
  if (parameters.text('format') === 'odm')
    throw new ApiFailure(400, 'A report is not available as odm under a policy: use csv, json or xml');
  const report = parameters.text('report_id');
  if (report === '') throw invalidParameter('report_id');
  if (!/^[1-9]\d{0,9}$/.test(report)) throw new ApiFailure(400, `The report ${report} does not exist`);
  const version = new ServerVersion(await calls.getVersion(options));
  return streamed(call, version, (format, csvDelimiter) =>
    calls.reports.open(Number(report), { ...formOf(parameters), ...options, format, csvDelimiter }),
  );
};

function formOf(parameters: Parameters): Omit<ValueForm & CsvForm, 'csvDelimiter'> {
  const decimal = parameters.text('decimalCharacter');
  return {
    rawOrLabel: parameters.text('rawOrLabel') === 'label' ? 'label' : 'raw',
    rawOrLabelHeaders: parameters.text('rawOrLabelHeaders') === 'label' ? 'label' : 'raw',
    exportCheckboxLabel: parameters.flag('exportCheckboxLabel'),
    ...((decimal === ',' || decimal === '.') && { decimalCharacter: decimal }),
  };
}

function given(parameters: Parameters, name: string): string | undefined {
  return parameters.text(name) || undefined;
}

/** @throws {ApiFailure} 400: when a record was changed tells of changes that are hidden */
function refuseRange(parameters: Parameters): void {
  const sent = ['dateRangeBegin', 'dateRangeEnd'].find((name) => parameters.text(name) !== '');
  if (sent !== undefined) throw new ApiFailure(400, `${sent} is not available under a policy`);
}

/** Opens rows as JSON or CSV, and writes XML from JSON. */
async function streamed(
  { parameters, format }: ViewCall,
  version: ServerVersion,
  open: (format: 'json' | 'csv', csvDelimiter: CsvDelimiter | undefined) => Promise<Readable>,
): Promise<StreamAnswer> {
  const type = CONTENT_TYPES[format];
  if (format === 'json') return { kind: 'stream', type, body: await open('json', undefined) };
  if (format === 'xml')
    return written(await open('json', undefined), {
      opening: [XML_PROLOG, '<records>'],
      row: (row) => [xmlRow(Object.entries(row))],
      closing: () => ['</records>'],
    });
  const delimiter = delimiterOf(parameters);
  const name = delimiter === '\t' ? 'tab' : delimiter;
  const source = await firstByteOf(await open('csv', isCsvDelimiter(name) ? name : ','));
  // Without rows there is no header, and before 17.4 a line feed. @see docs/protocol/redcap.md 1.8 (client), 20 (issue)
  const isBlank = source.readableLength === 0 && !version.isAtLeast('17.4');
  const body = isBlank ? Readable.from([Buffer.from('\n')], { objectMode: false }) : source;
  return { kind: 'stream', type, body };
}

/** A document of lines that is made of rows. */
interface RowDocument {
  readonly opening: readonly string[];
  readonly row: (row: RecordRow) => readonly string[];
  readonly closing: () => readonly string[];
}

/** Writes a document while its rows arrive as JSON. */
function written(source: Readable, { opening, row, closing }: RowDocument): StreamAnswer {
  async function* bytes(): AsyncGenerator<Buffer, void, undefined> {
    // With the first rows: what is refused with them can still be answered.
    let lines = [...opening];
    for await (const rows of jsonRowsOf(source)) {
      for (const json of rows) lines.push(...row(parseRow(json)));
      yield Buffer.from(lines.map((line) => `${line}\n`).join(''));
      lines = [];
    }
    yield Buffer.from([...lines, ...closing()].join('\n'));
  }
  const body = new GeneratorStream(bytes(), () => void source.destroy());
  return { kind: 'stream', type: CONTENT_TYPES.xml, body };
}

/** Imports rows into a view: all of them, or none. @see docs/protocol/redcap.md 5 */
export const importRecords: Entry = async ({
  parameters,
  format,
  returnFormat,
  calls,
  options,
  hold,
  note,
}) => {
  if (parameters.text('data') === '') throw invalidParameter('data');
  const isOdm = parameters.text('format') === 'odm';
  const type = isOdm ? 'flat' : parameters.oneOf('type', ['flat', 'eav']);
  const overwriteBehavior = parameters.oneOf('overwriteBehavior', ['normal', 'overwrite']);
  const dateFormat = parameters.oneOf('dateFormat', ['YMD', 'MDY', 'DMY']);
  const returned = parameters.oneOf('returnContent', ['count', 'ids', 'auto_ids', 'nothing']);
  const forceAutoNumber = parameters.flag('forceAutoNumber');
  if (returned === 'auto_ids' && !forceAutoNumber) throw invalidParameter('returnContent');
  const answer = (body: string): Answer => ({ kind: 'written', body, format: returnFormat });
  // Other formats are read before REDCap is asked for anything.
  const parsed = isOdm ? [] : parseImport(parameters, format);
  // A single object is not a list: nothing is stored, and the count is 0. (issue)
  if (parsed === undefined) return answer(returned === 'nothing' ? '' : writeCount(0, returnFormat));
  const project = await odmProject(calls, options);
  const sent = isOdm ? await readOdmRecords(parameters.text('data'), project) : parsed;
  const { dictionary, missingCodes } = project;
  const idName = dictionary.recordIdField?.name ?? '';
  const rows = (type === 'eav' ? flatRows(sent, dictionary, missingCodes) : sent).map((row) =>
    Object.fromEntries([...row].map(([name, value]) => [name.toLowerCase(), value])),
  );
  const records = [...new Set(rows.map((row) => row[idName]?.trim() ?? ''))];
  const returnContent = returned === 'nothing' ? 'count' : returned;
  const importOptions = {
    ...options,
    format: 'json',
    overwriteBehavior,
    dateFormat,
    returnContent,
    forceAutoNumber,
    backgroundProcess: parameters.flag('backgroundProcess') || undefined,
  } as const;
  const result = await hold(records, () => calls.importData(JSON.stringify(rows), importOptions));
  note({ imported: result.count });
  if (result.isQueued) return answer(writeSuccess(returnFormat));
  if (returned === 'nothing') return answer('');
  if (returned === 'count') return answer(writeCount(result.count, returnFormat));
  const ids = result.ids ?? [];
  return answer(
    writeIds(returned === 'ids' ? ids : ids.map((id, at) => `${id},${records[at] ?? ''}`), returnFormat),
  );
};

/** Deletes records of a view, or a part of their data. @see docs/protocol/redcap.md 6.1 */
export const deleteRecords: Entry = async ({ parameters, returnFormat, calls, options, hold, note }) => {
  const records = [...new Set(parameters.list('records'))];
  if (records.length === 0) throw invalidParameter('records');
  const number = (name: string): number | undefined => {
    const text = parameters.text(name);
    if (text !== '' && !/^[1-9]\d{0,8}$/.test(text)) throw invalidParameter(name);
    return text === '' ? undefined : Number(text);
  };
  const part = {
    arm: number('arm'),
    instrument: given(parameters, 'instrument'),
    event: given(parameters, 'event'),
    instance: number('repeat_instance'),
    deleteLogging: parameters.flag('delete_logging') || undefined,
  };
  const count = await hold(records, () => calls.records.delete(records, { ...options, ...part }));
  note({ count });
  return integerAnswer(count, { returnFormat });
};

/** Renames a record of a view. @see docs/protocol/redcap.md 6.2 */
export const renameRecord: Entry = async ({ parameters, returnFormat, calls, options, hold }) => {
  const [record, name] = [parameters.text('record'), parameters.text('new_record_name').trim()];
  if (name === '') throw invalidParameter('new_record_name');
  await hold([record, name], () => calls.records.rename(record, name, options));
  return integerAnswer(1, { returnFormat });
};

/** Randomizes a record of a view. @see docs/protocol/redcap.md 6.3 */
export const randomizeRecord: Entry = async ({ parameters, calls, options, hold }) => {
  const [record, randomization] = [parameters.text('record'), parameters.text('randomization_id')];
  if (!/^[1-9]\d{0,8}$/.test(randomization)) throw invalidParameter('randomization_id');
  const returnAlt = parameters.flag('returnAlt');
  const { target, alternativeTarget } = await hold([record], () =>
    calls.records.randomize(record, Number(randomization), { ...options, returnAlt }),
  );
  const row = { randomization_id: Number(randomization), record, target_field: target };
  return {
    kind: 'object',
    row: returnAlt ? { ...row, target_field_alt: alternativeTarget } : row,
    isBareItem: true,
  };
};
