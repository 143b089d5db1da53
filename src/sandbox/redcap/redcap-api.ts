import type { IncomingMessage, ServerResponse } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { Caller } from './caller.js';
import { answerCall } from './content-table.js';
import { createProject, type ProjectRegistry } from './project-registry.js';
import type { Answer, Format } from '../../wire/answer.js';
import { ApiFailure, NO_PERMISSION } from '../../wire/api-failure.js';
import { sendOther, type SandboxFault } from './send-other.js';
import { readForm } from '../../wire/read-form.js';
import { sendBody, type ApiBody } from '../../wire/send.js';
import { formatOf, Parameters, returnFormatOf } from '../../wire/parameters.js';
import type { ServerVersion } from '../../wire/server-version.js';
import { contentTypeOf, writeAnswer, writeFailure } from '../../wire/write-answer.js';

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

/** Reads a call with its file, which the sandbox holds in memory. */
async function readParameters(request: IncomingMessage): Promise<Parameters> {
  const { entries, file } = await readForm(request);
  if (file === undefined) return new Parameters(entries);
  const { name, type } = file;
  try {
    return new Parameters(entries, { name, type, bytes: await buffer(file.bytes) });
  } catch {
    return new Parameters([]); // an incomplete form: without a token, the call is refused
  }
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
