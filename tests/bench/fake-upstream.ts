import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { csvRows, fieldNamesOf, ID_FIELD, idsOf, jsonRows } from './upstream/bench-rows.js';
import { CallForm } from './upstream/call-form.js';
import { dictionaryOf, PROJECT } from './upstream/project-answers.js';
import { RealCost } from './upstream/real-cost.js';
import { sendSlices } from './upstream/send-slices.js';

/**
 * A REDCap that answers from prepared buffers, for `npm run bench`. It costs almost nothing, so that the service is
 * what is measured. Runs in its own process, and prints `{"url": …}` on stdout once it listens.
 *
 * `tsx tests/bench/fake-upstream.ts [records] [fields] [real|sync|rights]`: 100,000 records x 50 fields by default; with
 * `real`, a call takes as long as in a typical REDCap; with `sync`, it has a log, form statuses, and `GET /change`, which
 * changes 100 records; with `rights`, the dictionary has ten fields more, which its answers do not have, and every record is
 * in one group. Its filter logic is `[record_id]<N`, the first N records, or
 * `lower([record_id]) = 'id'`. `GET /stats`
 * returns what was imported, the pending calls and the number of calls; `POST /api/` supports the part of REDCap's API
 * that exports, batches and imports need.
 */

const recordCount = Number(process.argv[2] ?? 100_000);
const fieldCount = Number(process.argv[3] ?? 50);

const cost = process.argv[4] === 'real' ? new RealCost() : undefined;

const fieldNames = fieldNamesOf(fieldCount);
const ids = idsOf(recordCount);
const positions = new Map(ids.map((id, index) => [id, index]));
const isSynced = process.argv[4] === 'sync';
const columns = isSynced ? [...fieldNames, 'bench_complete'] : fieldNames;
const header = Buffer.from(`${columns.join(',')}\n`);
const json = jsonRows(ids, columns);
const csv = csvRows(ids, columns);
const log: object[] = [];
const hasRights = process.argv[4] === 'rights';
const grouped = hasRights
  ? {
      json: jsonRows(ids, columns, '"redcap_data_access_group":"paris",'),
      csv: csvRows(ids, columns, 'paris,'),
      header: Buffer.from(`${columns.join(',').replace(',', ',redcap_data_access_group,')}\n`),
    }
  : undefined;
const dictionary = JSON.stringify(dictionaryOf(hasRights ? fieldNamesOf(fieldCount + 10) : fieldNames));
const stats = { calls: 0, exports: 0, imports: 0, importedRecords: 0, sentBytes: 0, underWay: 0 };

const server = http.createServer((request, response) => {
  if (request.method === 'GET') {
    if (request.url === '/change') changeSome();
    send(
      response,
      'application/json',
      JSON.stringify({ ...stats, peak: cost?.peak, csvBytes: csv.bytes.length }),
    );
    return;
  }
  stats.calls++;
  stats.underWay++;
  if (request.url === '/sink') {
    // What a pipe forwards is read and discarded.
    request.resume().once('end', () => response.end('{}'));
    response.once('close', () => stats.underWay--);
    return;
  }
  response.once('close', () => stats.underWay--);
  // An interrupted body ends its connection, not this process.
  answer(request, response).catch(() => response.destroy());
});

async function answer(request: http.IncomingMessage, response: http.ServerResponse): Promise<void> {
  const chunks: Buffer[] = [];
  for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
  const form = new CallForm(Buffer.concat(chunks));
  const content = form.text('content');
  const fault = FAULTS[form.text('token').slice(0, 4)];
  if (fault !== undefined) return fault(response);

  // The record ids are one column of many, so REDCap reads them fast.
  await cost?.pay(content !== 'record' || isIdList(form) ? 0 : recordsOf(form));

  if (content === 'version') send(response, 'text/html', '16.1.9');
  else if (content === 'metadata') send(response, 'application/json', dictionary);
  else if (content === 'project') send(response, 'application/json', JSON.stringify(PROJECT));
  else if (content === 'log' && isSynced) sendLog(response);
  else if (content !== 'record') send(response, 'application/json', '[]');
  else if (form.importedRows !== undefined) takeImport(form.importedRows, response);
  else await sendRecords(form, response);
}

/** What projects answer whose tokens begin with these digits: nothing, a ban and a refusal. */
const FAULTS: Readonly<Record<string, (response: http.ServerResponse) => void>> = {
  BAD0: () => undefined,
  BAD1: (response) => send(response, 'text/html', 'Your IP address has been banned due to suspected abuse.'),
  BAD2: (response) => {
    response.statusCode = 403;
    send(response, 'application/json', '{"error":"You do not have permissions to use the API"}');
  },
};

function sendLog(response: http.ServerResponse): void {
  send(response, 'application/json', JSON.stringify(log));
  note('Manage/Design ', 'Export Logging (API)', '');
}

function note(action: string, details: string, record: string): void {
  const timestamp = new Date().toISOString().slice(0, 16).replace('T', ' ');
  log.unshift({ timestamp, username: 'bench', action, details, record });
}

/** Changes the first digit of `field_1` of every hundredth part. */
function changeSome(): void {
  for (let row = 0; row < ids.length; row += ids.length / 100) {
    const at = json.bytes.indexOf('"field_1":"', json.starts[row]) + '"field_1":"'.length;
    json.bytes[at] = json.bytes[at] === 0x31 ? 0x32 : 0x31;
    note(`Update record ${ids[row]}`, "field_1 = '1'", ids[row] ?? '');
  }
}

function isIdList(form: CallForm): boolean {
  const fields = form.list('fields');
  return form.importedRows === undefined && fields.length === 1 && fields[0] === ID_FIELD;
}

function recordsOf(form: CallForm): number {
  return form.importedRows ?? rangesOf(form).reduce((sum, [from, to]) => sum + to - from, 0);
}

function takeImport(rows: number, response: http.ServerResponse): void {
  stats.imports++;
  stats.importedRecords += rows;
  send(response, 'application/json', JSON.stringify({ count: rows }));
}

async function sendRecords(form: CallForm, response: http.ServerResponse): Promise<void> {
  stats.exports++;
  const isCsv = form.text('format') === 'csv';
  const ranges = rangesOf(form);
  response.setHeader('Content-Type', isCsv ? 'text/csv; charset=utf-8' : 'application/json; charset=utf-8');
  if (isIdList(form)) {
    const rows = idRows(ranges, isCsv);
    stats.sentBytes += rows.length;
    response.end(rows);
    return;
  }

  const sent = form.text('exportDataAccessGroups') === 'true' && grouped ? grouped : { json, csv, header };
  const { bytes, starts } = isCsv ? sent.csv : sent.json;
  response.write(isCsv ? sent.header : '[');
  for (const [index, [from, to]] of ranges.entries()) {
    // The comma of the last row is replaced by the bracket.
    const isLast = index === ranges.length - 1;
    const end = (starts[to] ?? 0) - (isLast && !isCsv && to > from ? 1 : 0);
    await sendSlices(response, bytes, [starts[from] ?? 0, end], (size) => (stats.sentBytes += size));
  }
  response.end(isCsv ? '' : ']');
}

function idRows(ranges: readonly Range[], isCsv: boolean): string {
  const chosen = ranges.flatMap(([from, to]) => ids.slice(from, to));
  return isCsv
    ? `${ID_FIELD}\n${chosen.join('\n')}\n`
    : `[${chosen.map((id) => `{"${ID_FIELD}":"${id}"}`).join(',')}]`;
}

type Range = readonly [number, number];

/** Returns the requested rows. Adjacent ones are sent in one piece. */
function rangesOf(form: CallForm): Range[] {
  const asked = form.list('records');
  if (asked.length === 0) {
    const filter = form.text('filterLogic');
    const only = positions.get(
      /^lower\(\[record_id\]\) = ["'](.+)["']$/.exec(filter)?.[1]?.toUpperCase() ?? '',
    );
    if (only !== undefined) return [[only, only + 1]];
    const first = /^\[record_id\]\s*<\s*(\d+)$/.exec(filter)?.[1];
    return [[0, Math.min(ids.length, Number(first ?? ids.length))]];
  }
  const ranges: [number, number][] = [];
  const known = asked.flatMap((id) => positions.get(id) ?? []).sort((left, right) => left - right);
  for (const position of known) {
    const last = ranges.at(-1);
    if (last?.[1] === position) last[1]++;
    else ranges.push([position, position + 1]);
  }
  return ranges;
}

function send(response: http.ServerResponse, type: string, body: string): void {
  response.setHeader('Content-Type', `${type}; charset=utf-8`).end(body);
}

server.listen(0, '127.0.0.1', () => {
  const { port } = server.address() as AddressInfo;
  process.stdout.write(`${JSON.stringify({ url: `http://127.0.0.1:${port}/api/` })}\n`);
});
// The process that started it has exited.
process.once('disconnect', () => process.exit());
