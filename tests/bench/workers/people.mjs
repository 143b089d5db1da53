// Reads the own record of each of many people, and prints what that takes as JSON. The service is the compiled one: the
// loader of TypeScript names each function anew, with which it takes 256 bytes more. Arguments: the URL, the name of the
// record id field, and as JSON the fields and the ids.
import { performance } from 'node:perf_hooks';
import { ViewServices } from '../../../build/dist/src/app/assemble-state.js';
import { callsOf } from '../../../build/dist/src/client/compose-client.js';
import { createCrfClient } from '../../../build/dist/src/client/create-crf-client.js';
import { CallerViews } from '../../../build/dist/src/policy/caller-views.js';
import { readPolicyFile } from '../../../build/dist/src/policy/policy-file.js';
import { restrict } from '../../../build/dist/src/policy/restrict.js';
import { RecordLeases } from '../../../build/dist/src/records/import/record-leases.js';
import { MemoryIdempotencyStore } from '../../../build/dist/src/services/idempotency/memory-idempotency-store.js';

const [url, idField, fieldList, idList] = process.argv.slice(2);
const [fields, ids] = [JSON.parse(fieldList), JSON.parse(idList)];

const POLICY = `version: 1
policies: { own: { forms: { bench: read }, records: { own: { field: ${idField}, equals: $session.email } } } }
bindings: [{ session: "*", policy: own }]
`;

const client = createCrfClient({ url, token: 'A'.repeat(32), resilience: { callsPerMinute: 0 } });
const lock = { version: 1, policies: { own: { bench: fields } } };
const views = new CallerViews(client, { set: readPolicyFile(POLICY), lock }, 'secret');
const services = new ViewServices(client, views, {
  openApi: () => '',
  cursorKey: Buffer.alloc(32),
  idempotency: new MemoryIdempotencyStore(),
  leases: new RecordLeases(),
});
const viewOf = (id) => services.of({ kind: 'session', name: 'session', user: { email: id.toLowerCase() } });

const callsMade = async () => (await (await fetch(new URL('/stats', url))).json()).calls;

const heapAfterGc = () => {
  globalThis.gc();
  return process.memoryUsage().heapUsed;
};

async function timeOf(read) {
  const started = performance.now();
  const { length } = await read();
  if (length !== 1) throw new Error(`One record was to be read, not ${length}.`);
  return performance.now() - started;
}

await (await viewOf(ids[0])).crf.fields.list();
const callsBefore = await callsMade();
const heapBefore = heapAfterGc();
const [own, one] = [[], []];
for (const id of ids) {
  const { view, crf } = await viewOf(id);
  await crf.fields.list();
  const seen = restrict(callsOf(client), view);
  own.push(await timeOf(() => seen.exportRecords()));
  one.push(await timeOf(() => client.exportRecords({ records: [id], fields })));
}
const calls = (await callsMade()) - callsBefore - one.length;
const heldBytes = heapAfterGc() - heapBefore;
client.close();
process.stdout.write(JSON.stringify({ own, one, calls, heldBytes }));
