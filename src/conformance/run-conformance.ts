import { randomBytes } from 'node:crypto';
import { CrfError } from '../errors/crf-error.js';
import {
  NotSupportedUpstreamError,
  UpstreamForbiddenError,
  UpstreamRejectedError,
} from '../errors/upstream-errors.js';
import type { CrfClient } from '../gateways/redcap/crf-client.js';
import { learnSubject } from './learn-subject.js';
import type { Operation, Probe } from './operation.js';
import { OPERATIONS } from './operations.js';

/** How an operation ended. */
export type Outcome =
  | 'ok'
  /** The answer is not what the document says. */
  | 'differs'
  /** The user of the token lacks the right. */
  | 'refused by rights'
  /** This version of REDCap does not have it. */
  | 'not supported'
  /** There is nothing in the project to ask it for. */
  | 'not applicable'
  /** It writes, and writing was not allowed. */
  | 'skipped'
  | 'failed';

export interface OperationResult {
  /** As it is called on the client: `dags.export`. */
  readonly operation: string;
  readonly content: string;
  readonly action: string;
  /** The section of docs/protocol/redcap.md. */
  readonly section: string;
  readonly outcome: Outcome;
  /** In what it differs, which right is missing, which error it was. Never a value of the project. */
  readonly details: readonly string[];
}

/**
 * What a run found. It names REDCap's version and what kind of project it was, and nothing by which the server, the
 * project or a person in it could be known.
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

export interface ConformanceOptions {
  /** Whether operations that write are tried too. They undo what they do; the project is to be a throw-away all the same. */
  readonly allowWrites?: boolean | undefined;
  /** The number of a report, of which the API has no list; none is read without. */
  readonly reportId?: number | undefined;
  /** Called before each operation. */
  readonly onOperation?: ((operation: Operation) => void) | undefined;
}

/**
 * Tries every operation of the client library on a REDCap, one after the other.
 *
 * @throws whatever the client throws when the project itself cannot be read
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
  const { isLongitudinal, hasRepeatingInstrumentsOrEvents, surveysEnabled } = subject.project;
  return {
    redcapVersion,
    project: { isLongitudinal, hasRepeatingInstrumentsOrEvents, surveysEnabled },
    hasWritten: allowWrites,
    operations,
  };
}

function describe({ name, content, action, section }: Operation) {
  return { operation: name, content, action, section };
}

type Ending = Pick<OperationResult, 'outcome' | 'details'>;

async function tryOperation(operation: Operation, probe: Probe, allowWrites: boolean): Promise<Ending> {
  if (operation.isWrite && !allowWrites) return { outcome: 'skipped', details: ['it writes'] };
  const reason = operation.notFor?.(probe.subject);
  if (reason !== undefined) return { outcome: 'not applicable', details: [reason] };
  try {
    const details = await operation.run(probe);
    return { outcome: details.length === 0 ? 'ok' : 'differs', details };
  } catch (error) {
    return endingOf(error, operation);
  }
}

/** What an error means. Its message is left out, for REDCap's own words may repeat values: the code is enough. */
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
