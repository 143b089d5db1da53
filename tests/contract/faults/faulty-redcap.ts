import type { RecordRow } from '../../../src/gateways/redcap/crf-client.js';
import { createCrfClient } from '../../../src/client/create-crf-client.js';
import type { CreateAppOptions } from '../../../src/app/create-app-options.js';
import { startFaultServer, type Fault, type RecordedRequest } from '../../support/fault-server.js';
import { LoopClock } from '../../support/loop-clock.js';
import { startService, type TestService } from '../../support/start-service.js';
import { FakeProject } from '../../support/fake-project.js';
import { id } from '../../support/import-project.js';
import { SENTINEL_TOKEN } from '../../support/fault-client.js';
import { designOf } from '../../support/import-faults.js';

export const BATCH = 10;

/** Two rows per record, three batches; the values contain everything that a format must escape. */
export const ROWS: readonly RecordRow[] = Array.from({ length: 60 }, (_, index) => ({
  record_id: id(Math.floor(index / 2)),
  redcap_repeat_instance: (index % 2) + 1,
  age: String(20 + index),
  note: `${index}: "straße",\n[{"\\"}] ${'x'.repeat(100)}`,
}));

/** A request of an export: for the ids, or for the records of one batch. */
export interface ExportCall {
  /** The test case of the request: its `filterLogic`. */
  readonly name: string;
  /** -1 for the list of ids. */
  readonly batch: number;
  /** How often the case has requested this batch before. */
  readonly attempt: number;
  /** Returns what REDCap would answer to the same request for other records. */
  readonly answerTo: (records: readonly string[]) => Buffer;
  readonly records: readonly string[];
}

/** Selects the fault of a call; `undefined` for a valid answer. */
export type ExportScript = (call: ExportCall, answer: Buffer) => Fault | undefined;

export interface FaultyService extends TestService {
  /** The clock of the client. */
  readonly clock: LoopClock;
  readonly upstream: { readonly requests: readonly RecordedRequest[] };
}

/** Starts the whole service in front of a REDCap that fails where the script says so. */
export function startFaultyExports(script: ExportScript): Promise<FaultyService> {
  const project = new FakeProject(ROWS);
  const asked = new Map<string, number>();
  return startFaultyService(({ form }) => {
    const records = listOf(form, 'records');
    const format = form.get('format') === 'csv' ? ('csv' as const) : ('json' as const);
    const fields = listOf(form, 'fields');
    const answerTo = (of: readonly string[] | undefined): Buffer =>
      project.answerTo({ format, records: of, fields });
    const name = form.get('filterLogic') ?? '';
    const batch = records === undefined ? -1 : Math.floor(Number(records[0]?.slice(-6)) / BATCH);
    const key = JSON.stringify([name, format, batch]);
    const attempt = asked.get(key) ?? 0;
    asked.set(key, attempt + 1);
    const answer = answerTo(records);
    const call = { name, batch, attempt, answerTo, records: records ?? [] };
    return script(call, answer) ?? { kind: 'answer', body: answer };
  });
}

/** Starts the whole service with short time limits, and without the rate limits that a test would reach. */
export async function startFaultyService(
  script: (request: RecordedRequest) => Fault,
  options: Partial<CreateAppOptions> = {},
): Promise<FaultyService> {
  const upstream = await startFaultServer((request) => {
    const design = designOf(request.form);
    return design === undefined ? script(request) : { kind: 'answer', body: design };
  });
  const clock = new LoopClock();
  const capture = createCrfClient({
    clock,
    url: upstream.url,
    token: SENTINEL_TOKEN,
    timeouts: { connectMs: 2_000, firstByteMs: 300, idleMs: 300 },
    resilience: {
      ...{ retryBaseMs: 5, retryReserve: 10_000, breakerFailures: 0, callsPerMinute: 0 },
      ...{ concurrency: 512, queueLimit: 1_000, queueWaitMs: 10_000 },
    },
  });
  const service = await startService({ capture, ...options });
  return {
    ...service,
    upstream,
    clock,
    close: async () => {
      await service.close();
      await upstream.close();
    },
  };
}

/** Returns the items of a list parameter; `undefined` if it is missing. */
function listOf(form: URLSearchParams, name: string): string[] | undefined {
  const items = [...form].filter(([key]) => key.startsWith(`${name}[`)).map(([, value]) => value);
  return items.length === 0 ? undefined : items;
}
