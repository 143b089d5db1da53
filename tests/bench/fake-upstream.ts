import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { parse as parseQuery } from 'node:querystring';

/**
 * A REDCap made of buffers that were built beforehand, for `npm run bench`: it costs next to nothing, so that what
 * is measured is the service. Runs in a process of its own and prints `{"url": …}` on stdout once it listens.
 *
 * `tsx tests/bench/fake-upstream.ts [records] [fields]`: 10,000 records x 50 fields when not given.
 * `GET /stats` answers what was imported and how many calls there were; `POST /api/` speaks as much of REDCap's API as
 * exports, batches and imports need.
 */

const SLICE_BYTES = 64 * 1024;
const ID_FIELD = 'record_id';
const recordCount = Number(process.argv[2] ?? 10_000);
const fieldCount = Number(process.argv[3] ?? 50);

const fieldNames = [ID_FIELD, ...Array.from({ length: fieldCount - 1 }, (_, index) => `field_${index + 1}`)];
const ids = Array.from(
  { length: recordCount },
  (_, index) => `BENCH-2026-${String(index).padStart(10, '0')}`,
);
const positions = new Map(ids.map((id, index) => [id, index]));
const header = Buffer.from(`${fieldNames.join(',')}\n`);
const json = rowsOf((cells) => `${JSON.stringify(Object.fromEntries(cells))},`);
const csv = rowsOf((cells) => `${cells.map(([, value]) => toCell(value)).join(',')}\n`);
const stats = {
  calls: 0,
  exports: 0,
  batches: 0,
  imports: 0,
  importedRecords: 0,
  importedBytes: 0,
  underWay: 0,
};

/** All rows in one buffer, and where each begins. Each row ends with its separator. */
interface Rows {
  readonly bytes: Buffer;
  readonly starts: Float64Array;
}

function rowsOf(write: (cells: [string, string][]) => string): Rows {
  const rows = ids.map((id, index) => Buffer.from(write(cellsOf(id, index))));
  const starts = new Float64Array(rows.length + 1);
  rows.forEach((row, index) => (starts[index + 1] = (starts[index] ?? 0) + row.length));
  return { bytes: Buffer.concat(rows), starts };
}

function cellsOf(id: string, index: number): [string, string][] {
  return fieldNames.map((name, column) => [name, column === 0 ? id : valueOf(index, column)]);
}

/** Numbers, dates, short texts and gaps, as in a real study. */
function valueOf(index: number, column: number): string {
  const seed = (index * 31 + column * 17) % 997;
  if (column % 5 === 0) return `Note ${seed}, "as told" by the participant`;
  if (column % 5 === 1) return String(seed);
  if (column % 5 === 2) return `2026-${String((seed % 12) + 1).padStart(2, '0')}-15`;
  return column % 5 === 3 ? '' : String(seed % 4);
}

function toCell(value: string): string {
  return /[,"\s]/.test(value) ? `"${value.replaceAll('"', '""')}"` : value;
}

const server = http.createServer((request, response) => {
  stats.calls++;
  stats.underWay++;
  response.once('close', () => stats.underWay--);
  if (request.method === 'GET') {
    response.setHeader('Content-Type', 'application/json').end(JSON.stringify(stats));
    return;
  }
  void answer(request, response);
});

async function answer(request: http.IncomingMessage, response: http.ServerResponse): Promise<void> {
  const chunks: Buffer[] = [];
  for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
  const body = Buffer.concat(chunks);
  const form = parseQuery(body.toString('latin1'), undefined, undefined, { maxKeys: 0 });
  const text = (name: string): string => String(form[name] ?? '');

  if (text('content') === 'version') send(response, 'text/html', '16.1.9');
  else if (text('content') === 'metadata') send(response, 'application/json', JSON.stringify(dictionary()));
  else if (text('content') === 'project') send(response, 'application/json', JSON.stringify(PROJECT));
  else if (text('content') !== 'record') send(response, 'application/json', '[]');
  else if (form['data'] !== undefined) takeImport(text('data'), text('format'), body.length, response);
  else await sendRecords(form, response);
}

async function sendRecords(
  form: NodeJS.Dict<string | string[]>,
  response: http.ServerResponse,
): Promise<void> {
  const isCsv = form['format'] === 'csv';
  const fields = listOf(form, 'fields');
  response.setHeader('Content-Type', isCsv ? 'text/csv; charset=utf-8' : 'application/json; charset=utf-8');
  if (fields.length === 1 && fields[0] === ID_FIELD) {
    response.end(
      isCsv ? `${ID_FIELD}\n${ids.join('\n')}\n` : JSON.stringify(ids.map((id) => ({ [ID_FIELD]: id }))),
    );
    return;
  }

  stats.exports++;
  const asked = listOf(form, 'records');
  if (asked.length > 0) stats.batches++;
  const ranges = asked.length > 0 ? rangesOf(asked) : [[0, ids.length] as const];
  const { bytes, starts } = isCsv ? csv : json;
  response.write(isCsv ? header : '[');
  for (const [rangeIndex, [from, to]] of ranges.entries()) {
    // The last row's comma gives way to the bracket.
    const isLast = rangeIndex === ranges.length - 1;
    const end = (starts[to] ?? 0) - (isLast && !isCsv && to > from ? 1 : 0);
    for (let at = starts[from] ?? 0; at < end; at += SLICE_BYTES) {
      if (response.write(bytes.subarray(at, Math.min(at + SLICE_BYTES, end)))) continue;
      if (response.destroyed) return;
      await untilWritable(response);
      if (response.destroyed) return;
    }
  }
  response.end(isCsv ? '' : ']');
}

/** Until what was written has gone out, or the reader has. */
function untilWritable(response: http.ServerResponse): Promise<void> {
  return new Promise((resolve) => {
    const settle = (): void => {
      response.off('drain', settle).off('close', settle);
      resolve();
    };
    response.on('drain', settle).on('close', settle);
  });
}

/** Neighbours in the project are sent in one piece. */
function rangesOf(asked: readonly string[]): (readonly [number, number])[] {
  const ranges: [number, number][] = [];
  const known = asked.flatMap((id) => positions.get(id) ?? []).sort((left, right) => left - right);
  for (const position of known) {
    const last = ranges.at(-1);
    if (last?.[1] === position) last[1]++;
    else ranges.push([position, position + 1]);
  }
  return ranges;
}

function takeImport(data: string, format: string, size: number, response: http.ServerResponse): void {
  const rows = format === 'csv' ? csvRecordsIn(data) : (JSON.parse(data) as unknown[]).length;
  stats.imports++;
  stats.importedRecords += rows;
  stats.importedBytes += size;
  send(response, 'application/json', JSON.stringify({ count: rows }));
}

/** Lines outside of quotes, less the header. */
function csvRecordsIn(data: string): number {
  const lines = data.replace(/"[^"]*"/g, '').split('\n');
  return lines.filter((line) => line.trim() !== '').length - 1;
}

/** `records=A,B`, `records[0]=A&records[1]=B` and `records[]=A`. @see protocol reference 1.5 */
function listOf(form: NodeJS.Dict<string | string[]>, name: string): string[] {
  const entries = Object.entries(form).filter(([key]) => key === name || key.startsWith(`${name}[`));
  return entries
    .flatMap(([key, value]) => (key === name ? String(value ?? '').split(',') : (value ?? [])))
    .filter((value) => value !== '');
}

function dictionary(): object[] {
  return fieldNames.map((name) => ({
    field_name: name,
    form_name: 'bench',
    section_header: '',
    field_type: 'text',
    field_label: name,
    select_choices_or_calculations: '',
    field_note: '',
    text_validation_type_or_show_slider_number: '',
    text_validation_min: '',
    text_validation_max: '',
    identifier: '',
    branching_logic: '',
    required_field: '',
    custom_alignment: '',
    question_number: '',
    matrix_group_name: '',
    matrix_ranking: '',
    field_annotation: '',
  }));
}

const PROJECT = {
  project_id: 1,
  project_title: 'Bench',
  creation_time: '2026-01-01 00:00:00',
  production_time: '',
  in_production: 0,
  project_language: 'English',
  purpose: 0,
  purpose_other: '',
  project_notes: '',
  custom_record_label: '',
  secondary_unique_field: '',
  is_longitudinal: 0,
  has_repeating_instruments_or_events: 0,
  surveys_enabled: 0,
  scheduling_enabled: 0,
  record_autonumbering_enabled: 0,
  randomization_enabled: 0,
  ddp_enabled: 0,
  project_irb_number: '',
  project_grant_number: '',
  project_pi_firstname: '',
  project_pi_lastname: '',
  display_today_now_button: 1,
  missing_data_codes: '',
  external_modules: '',
  bypass_branching_erase_field_prompt: 0,
};

function send(response: http.ServerResponse, type: string, body: string): void {
  response.setHeader('Content-Type', `${type}; charset=utf-8`).end(body);
}

server.listen(0, '127.0.0.1', () => {
  const { port } = server.address() as AddressInfo;
  const sizes = { json: json.bytes.length + 1, csv: csv.bytes.length + header.length };
  process.stdout.write(
    `${JSON.stringify({ url: `http://127.0.0.1:${port}/api/`, records: recordCount, ...sizes })}\n`,
  );
});
process.once('SIGTERM', () => {
  server.close();
  server.closeAllConnections();
});
