import type { NextFunction, Request, RequestHandler, Response } from 'express';
import { UnauthenticatedError } from '../domain/errors/access-errors.js';
import { ProblemError } from '../domain/errors/problem-error.js';
import { SCOPES } from '../domain/identifiers/scope.js';
import type { CallOptions } from '../gateways/redcap/crf-client.js';
import { appState, callsOf, chooseView, enterProject } from '../http/app-state.js';
import { warnOfOpenChange } from '../http/open-change.js';
import type { Operation } from '../http/api-operation.js';
import type { OperationTable } from '../http/openapi/operation-table.js';
import { requestState } from '../http/request-state.js';
import { firstByteOf } from '../records/streaming/first-byte.js';
import { streamedAnswer } from '../records/streaming/streamed-answer.js';
import { isAudited } from '../services/audit/audited-scopes.js';
import type { Caller } from '../services/access/access-control.js';
import { ApiFailure } from '../wire/api-failure.js';
import { formatOf, type Parameters, returnFormatOf } from '../wire/parameters.js';
import { CONTENT_TYPES, contentTypeOf, NO_MODULE_PAGE, writeAnswer } from '../wire/write-answer.js';
import { refuse, statusOf } from './refusals.js';
import { isOverride, ON_THE_WAY, OPERATIONS, pairOf, type Pair } from './pairs.js';
import { type CallLimits, SentCalls, type SentCall } from './sent-call.js';
import { viewAnswer } from './view-answers.js';
import type { StreamAnswer } from './view-call.js';

export interface DoorOptions extends CallLimits {
  readonly operations: OperationTable;
  /** Counts the calls of a caller, and those of a network with a bad token. */
  readonly byCaller: RequestHandler;
  /** Prepares the audit log of a call, once its project is known. */
  readonly auditCalls: RequestHandler | undefined;
}

/** The path of REDCap's API. Without its slash it is answered alike: a redirect would lose the body of a call. */
export const DOOR_PATH = /^\/api\/?$/;

/** Marks calls of REDCap's API, whose errors are REDCap's whatever refuses them. */
export function markCall(request: Request, _response: Response, next: NextFunction): void {
  if (DOOR_PATH.test(request.path)) requestState(request).door = { returnFormat: 'xml', statusOf, refuse };
  next();
}

/** A call that has been read. */
interface ReadCall {
  readonly sent: SentCall;
  readonly pair: Pair;
}

/**
 * Returns the stages of a call of REDCap's API, one after the other. What the token may do is what an API key may do by
 * the REST API; under a policy the call is answered from the view, and otherwise REDCap's own answer is passed on.
 */
export function redcapDoor(options: DoorOptions): RequestHandler[] {
  const { operations, byCaller, auditCalls } = options;
  const sentCalls = new SentCalls(options);
  const calls = new WeakMap<Request, ReadCall>();

  const read = async (request: Request, response: Response, next: NextFunction): Promise<void> => {
    const state = requestState(request);
    state.operation = operations.find('/api/')?.methods.get('POST');
    response.set(HEADERS);
    if (request.query['token'] !== undefined) {
      // It is counted before it is refused, and until then nobody may be listening.
      state.caller = Promise.reject(new UnauthenticatedError('address'));
      state.caller.catch(() => undefined);
      return next();
    }
    // REDCap answers these without a look at the token in the body.
    if (request.query['type'] === 'module') return void response.type('html').send(NO_MODULE_PAGE);
    // In XML whatever the format: REDCap has not read the parameters then.
    if (request.method !== 'POST') throw new ApiFailure(501, 'The requested method is not implemented.');
    const sent = await sentCalls.read(request);
    const { parameters } = sent;
    const pair = pairOf(parameters);
    const operation = operationOf(pair, operations);
    state.door = { operation, returnFormat: returnFormatOf(parameters), parameters, statusOf, refuse };
    calls.set(request, { sent, pair });
    describe(request, parameters);
    await identify(request, parameters.text('token'));
    // The answer may be one that does not read the file.
    response.once('close', () => sent.discard());
    next();
  };

  const admit = async (request: Request, _response: Response, next: NextFunction): Promise<void> => {
    const state = requestState(request);
    const identified = await state.caller;
    if (identified === undefined) throw new ProblemError('internal_error');
    const caller = enterProject(request, identified);
    const { pair, sent } = callOf(calls, request);
    const scopes = scopesOf(pair, sent.parameters, operations);
    state.scopes = scopes;
    const isOnTheWay = ON_THE_WAY.has(pair.name ?? '') && caller.scopes.includes('records:read');
    // A view has no such content, whoever asks.
    const isUnknown = pair.name === undefined && state.entered?.serviceOf !== undefined;
    appState(request).access.authorize(caller, isOnTheWay || isUnknown ? [] : scopes);
    await chooseView(request, caller);
    warnOfOpenChange(request, caller, scopes);
    next();
  };

  const answer = async (request: Request, response: Response): Promise<void> => {
    const { pair, sent } = callOf(calls, request);
    const { audit, entered, scopes = [], seen, trace } = requestState(request);
    if (isAudited(scopes)) await audit?.begin();
    const { name } = (await requestState(request).caller) ?? {};
    const call: CallOptions = { signal: leavingOf(response), caller: name, traceparent: trace?.traceparent };
    if (seen === undefined) {
      const { status, contentType, body } = await callsOf(request).forward(sent.forwarded(pair), call);
      response.status(status);
      return pipe(response, { kind: 'stream', type: contentType ?? CONTENT_TYPES.xml, body }, options);
    }
    const { parameters } = sent;
    const format = formatOf(parameters);
    const answered = await viewAnswer(pair, {
      ...{ parameters, format, sent, options: call, calls: callsOf(request) },
      returnFormat: returnFormatOf(parameters),
      hold: (records, work) =>
        entered === undefined ? work() : entered.held.leases.hold(records, call.signal, work),
      note: (details) => audit?.add(details),
    });
    if (answered.kind === 'stream') return pipe(response, answered, options);
    const type =
      answered.kind === 'bytes'
        ? contentTypeOf(answered.type, answered.fileName)
        : CONTENT_TYPES[answered.kind === 'written' ? answered.format : format];
    response.setHeader('Content-Type', type);
    response.end(answered.kind === 'bytes' ? answered.bytes : writeAnswer(answered, format));
  };

  return [read, byCaller, admit, ...(auditCalls ? [auditCalls] : []), answer];
}

/**
 * What every answer has. A stored file or a message can be a page, which a form of another site would show at the origin
 * of this service: no browser shows an answer.
 */
const HEADERS = {
  'Cache-Control': 'no-store',
  'Content-Disposition': 'attachment',
  'Content-Security-Policy': "sandbox; default-src 'none'",
};

function callOf(calls: WeakMap<Request, ReadCall>, request: Request): ReadCall {
  const call = calls.get(request);
  if (call === undefined) throw new ProblemError('internal_error');
  return call;
}

function operationOf({ name }: Pair, operations: OperationTable): Operation | undefined {
  const [method = '', path] = (OPERATIONS[name ?? ''] ?? '').split(' ');
  return path === undefined ? undefined : operations.find(`/api/v1${path}`)?.methods.get(method);
}

/** Returns what a key needs for a call: what replaces arms or events deletes those that are not sent. */
function scopesOf(pair: Pair, parameters: Parameters, operations: OperationTable): readonly string[] {
  const operation = operationOf(pair, operations);
  if (operation === undefined) return SCOPES;
  const replaces = /^(arm|event)\/import$/.test(pair.name ?? '') && isOverride(parameters);
  return replaces ? [...operation.scopes, 'design:delete'] : operation.scopes;
}

/** Identifies the caller by the token alone, which also chooses the project if it is for one only. */
async function identify(request: Request, token: string): Promise<void> {
  const state = requestState(request);
  const { access } = appState(request);
  state.caller = new Promise<Caller>((resolve) => resolve(access.identifyToken(token)));
  try {
    const caller = await state.caller;
    state.identified = caller;
    const [project, ...others] = caller.projects ?? [];
    if (others.length === 0) state.project ??= project;
  } catch (error) {
    // It is counted before it is refused.
    if (error instanceof UnauthenticatedError && error.expired !== undefined)
      state.identified = { kind: 'api-key', name: error.expired };
  }
}

/** Gives the call the form in which the audit log describes one of the REST API. */
function describe(request: Request, parameters: Parameters): void {
  const named = (names: readonly string[]) =>
    names.map((name) => [name, parameters.text(name)] as const).filter(([, text]) => text !== '');
  const lists = ['fields', 'forms', 'events', 'arms', 'dags', 'records'];
  request.body = {
    ...Object.fromEntries(lists.map((name) => [name, parameters.list(name)])),
    ...Object.fromEntries(named(['filterLogic'])),
  };
  const newRecord = parameters.text('new_record_name');
  const report = parameters.text('report_id');
  request.params = {
    ...Object.fromEntries(named(['record', 'field', 'instrument', 'event', 'arm'])),
    ...(newRecord !== '' && { newRecord }),
    ...(report !== '' && { report }),
  };
}

/** Returns a signal that fires when the client disconnects before it has its answer (STR-04). */
function leavingOf(response: Response): AbortSignal {
  const controller = new AbortController();
  const leave = (): void => {
    if (!response.writableFinished) controller.abort();
  };
  if (response.closed) leave();
  else response.once('close', leave);
  return controller.signal;
}

async function pipe(response: Response, { type, body }: StreamAnswer, { pace }: CallLimits): Promise<void> {
  const { audit } = requestState(response.req);
  // What fails with its first byte can still be refused.
  const begun = await firstByteOf(body);
  response.setHeader('Content-Type', type);
  const { socket } = response.req;
  // The number of bytes that have left the socket, which hold about ten times as much data if they are compressed.
  const before = socket.bytesWritten;
  await streamedAnswer(begun, { contentType: type, pace, audit }).pipeTo(
    response,
    () =>
      (socket.bytesWritten - before - socket.writableLength) *
      (response.hasHeader('Content-Encoding') ? 10 : 1),
  );
}
