import { randomBytes } from 'node:crypto';
import { CrfError } from '../../domain/errors/crf-error.js';
import {
  NotSupportedUpstreamError,
  UpstreamForbiddenError,
  UpstreamRejectedError,
} from '../../domain/errors/upstream-errors.js';
import type { CrfClient } from '../../gateways/redcap/crf-client.js';
import { learnSubject, type Operation, type Probe } from './operation.js';
import { READS } from './reads.js';
import { WRITES } from './writes.js';

type Outcome =
  | 'ok'
  /** The response differs from the documentation. */
  | 'differs'
  /** The user of the token lacks the right. */
  | 'refused by rights'
  /** This version of REDCap does not support the operation. */
  | 'not supported'
  /** The project has no data for the operation. */
  | 'not applicable'
  /** The operation writes, and writing is not allowed. */
  | 'skipped'
  /** No run tries the operation, since it could not be reverted. */
  | 'not tried'
  | 'failed';

export interface OperationResult {
  /** The method of the client: `dags.list`. */
  readonly operation: string;
  readonly content: string;
  readonly action: string;
  /** The section of docs/protocol/redcap.md that specifies the response. */
  readonly section: string;
  readonly outcome: Outcome;
  /** The differences, the missing right or the error code. Never a value of the project. */
  readonly details: readonly string[];
}

/**
 * The result of a run. It contains REDCap's version and the kind of project, but nothing that identifies the server,
 * the project or a person in it.
 */
export interface ConformanceReport {
  readonly redcapVersion: string;
  readonly project: {
    readonly isLongitudinal: boolean;
    readonly hasRepeatingInstrumentsOrEvents: boolean;
    readonly surveysEnabled: boolean;
  };
  readonly hasWritten: boolean;
  readonly operations: readonly OperationResult[];
}

interface ConformanceOptions {
  /**
   * Whether to try operations that write. They revert their changes, but the project should be one made for testing.
   */
  readonly allowWrites?: boolean | undefined;
  /** The number of a report, since the API cannot list reports. If undefined, no report is read. */
  readonly reportId?: number | undefined;
  readonly onOperation?: ((operation: Operation) => void) | undefined;
}

/**
 * Tries every operation of the client library on a REDCap server, one after the other. Those that could not be reverted
 * are reported with the reason.
 *
 * @throws any error of the client when the project itself cannot be read
 */
export async function runConformance(
  client: CrfClient,
  { allowWrites = false, reportId, onOperation }: ConformanceOptions = {},
): Promise<ConformanceReport> {
  const redcapVersion = await client.getVersion();
  const subject = await learnSubject(client, reportId);
  const probe: Probe = {
    client,
    subject,
    scratchRecord: `crf-conformance-${randomBytes(8).toString('hex')}`,
  };
  const operations: OperationResult[] = [];
  for (const operation of OPERATIONS) {
    onOperation?.(operation);
    operations.push({ ...describe(operation), ...(await tryOperation(operation, probe, allowWrites)) });
  }
  for (const { reason, ...operation } of UNTRIED_OPERATIONS) {
    operations.push({ ...describe(operation), outcome: 'not tried', details: [reason] });
  }
  const { isLongitudinal, hasRepeatingInstrumentsOrEvents, surveysEnabled } = subject.project;
  return {
    redcapVersion,
    project: { isLongitudinal, hasRepeatingInstrumentsOrEvents, surveysEnabled },
    hasWritten: allowWrites,
    operations,
  };
}

function describe({
  name,
  content,
  action,
  section,
}: Pick<Operation, 'name' | 'content' | 'action' | 'section'>) {
  return { operation: name, content, action, section };
}

type Ending = Pick<OperationResult, 'outcome' | 'details'>;

async function tryOperation(operation: Operation, probe: Probe, allowWrites: boolean): Promise<Ending> {
  if (operation.isWrite && !allowWrites) return { outcome: 'skipped', details: ['it writes'] };
  const reason = operation.notFor(probe.subject);
  if (reason !== undefined) return { outcome: 'not applicable', details: [reason] };
  try {
    const details = await operation.run(probe);
    return { outcome: details.length === 0 ? 'ok' : 'differs', details };
  } catch (error) {
    return endingOf(error, operation);
  }
}

/** Maps an error to an outcome. Its message is left out, as REDCap's message may contain values; the code is enough. */
function endingOf(error: unknown, { mayBeRefused }: Operation): Ending {
  if (error instanceof UpstreamForbiddenError) {
    return { outcome: 'refused by rights', details: [error.right] };
  }
  if (error instanceof NotSupportedUpstreamError) return { outcome: 'not supported', details: [] };
  if (error instanceof UpstreamRejectedError && mayBeRefused === true) {
    return { outcome: 'not applicable', details: ['REDCap refuses it: the feature is off'] };
  }
  return { outcome: 'failed', details: [error instanceof CrfError ? error.code : 'unexpected_error'] };
}

/** All operations of the client library, in the order in which they are tried. */
export const OPERATIONS: readonly Operation[] = [...READS, ...WRITES];

type UntriedOperation = Pick<Operation, 'name' | 'content' | 'action' | 'section'> & {
  readonly reason: string;
};

export const UNTRIED_OPERATIONS = [
  untried('where', 'record/export', '7', 'it makes no call: it writes filter logic'),
  untried('checkImport', 'record/import', '5.1', 'it makes no call: a policy says what it would refuse'),
  untried('records.randomize', 'record/randomize', '6.3', 'an assignment cannot be taken back'),
  untried(
    'fileRepository.createFolder',
    'fileRepository/createFolder',
    '11.3',
    'the API cannot delete a folder',
  ),
  untried('dags.switch', 'dag/switch', '10.1', 'it changes what every caller with this token sees'),
  untried(
    'project.create',
    'project/import',
    '9.7',
    'it needs a super token, and the API cannot delete a project',
  ),
];

function untried(name: string, call: string, section: string, reason: string): UntriedOperation {
  const [content = '', action = ''] = call.split('/');
  return { name, content, action, section, reason };
}
