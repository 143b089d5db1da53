import type { IncomingMessage, ServerResponse } from 'node:http';
import { Caller } from './caller.js';
import { answerCall } from './content-table.js';
import { createProject, type ProjectRegistry } from './project-registry.js';
import { contentTypeOf } from './files/document-store.js';
import type { Answer, Format } from './wire/answer.js';
import { ApiFailure, invalidParameter } from './wire/api-failure.js';
import { sendBody, sendOther, type ApiBody, type SandboxFault } from './wire/send.js';
import { Parameters, readParameters } from './wire/parameters.js';
import type { ServerVersion } from './server-version.js';
import { writeAnswer, writeFailure } from './wire/write-answer.js';

/** The error for every invalid token, with status 403. @see docs/protocol/redcap.md 1.9 (wire) */
const NO_PERMISSION = 'You do not have permissions to use the API';

/** What answers the calls of the API. */
export interface RedcapApi {
  readonly projects: ProjectRegistry;
  /** Returns the server time as `YYYY-MM-DD HH:MM:SS`. */
  readonly now: () => string;
  /** The version that `content=version` returns. */
  readonly version: ServerVersion;
  /** 64 hexadecimal characters; undefined if there is no super token. */
  readonly superToken: string | undefined;
}

/**
 * Handles one request of REDCap's API, which has a single path and method; everything else is in the body. Errors are
 * sent as responses.
 *
 * @param fault answered to every call, if set
 * @see docs/protocol/redcap.md 1.1
 */
export async function serveApi(
  api: RedcapApi,
  fault: SandboxFault | undefined,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  if (await sendOther(request, response, fault)) return;
  let parameters = new Parameters([]);
  let answer: ApiBody;
  try {
    parameters = await readParameters(request);
    answer = await answerTo(api, parameters);
  } catch (error) {
    answer = refusal(parameters, error);
  }
  return sendBody(request, response, answer);
}

async function answerTo(
  { version, projects, superToken, now }: RedcapApi,
  parameters: Parameters,
): Promise<ApiBody> {
  const token = parameters.text('token');
  const found = token === '' ? undefined : projects.find(token);
  const isSuper = token !== '' && token.toUpperCase() === superToken?.toUpperCase();
  if (found === undefined && !isSuper) throw new ApiFailure(403, NO_PERMISSION);
  const format = formatOf(parameters);
  // Plain text, whatever the format. (wire, client)
  if (parameters.text('content') === 'version') return { status: 200, body: version.text, format };
  const returnFormat = returnFormatOf(parameters);
  if (found !== undefined) {
    const caller = new Caller(found.project, found.user);
    const call = { project: found.project, parameters, caller, version, format, returnFormat };
    return toBody(await answerCall(call), format);
  }
  // A super token can create projects and read the version.
  if (parameters.text('content') !== 'project' || !parameters.has('data'))
    throw new ApiFailure(403, NO_PERMISSION);
  return toBody(await createProject(projects, { parameters, format }, now()), format);
}

function toBody(answer: Answer, format: Format): ApiBody {
  if (answer.kind === 'bytes') {
    const { bytes, type, fileName } = answer;
    return { status: 200, body: bytes, format, type: contentTypeOf(type, fileName) };
  }
  const written = answer.kind === 'written' ? answer.format : format;
  return { status: 200, body: writeAnswer(answer, format), format: written };
}

function refusal(parameters: Parameters, error: unknown): ApiBody {
  const format = returnFormatOf(parameters);
  const { status, text } =
    error instanceof ApiFailure ? error : new ApiFailure(500, 'The sandbox failed on this request.');
  return { status, body: writeFailure(text, format), format };
}

/**
 * Returns the format of a call. The default is XML, although many clients assume JSON.
 *
 * @see docs/protocol/redcap.md 1.3 (doc)
 */
function formatOf(parameters: Parameters): Format {
  const format = parameters.text('format');
  if (format === '' || format === 'xml') return 'xml';
  if (format === 'json' || format === 'csv') return format;
  // ODM is XML, for contents that export records. @see docs/protocol/redcap.md 1.3 (doc)
  if (format === 'odm' && ['record', 'report'].includes(parameters.text('content'))) return 'xml';
  throw invalidParameter('format');
}

/** Returns the format of errors and of the results of writes: `returnFormat`, else `format`, else XML. (doc) */
function returnFormatOf(parameters: Parameters): Format {
  const format = parameters.text('returnFormat') || parameters.text('format');
  return format === 'json' || format === 'csv' ? format : 'xml';
}
