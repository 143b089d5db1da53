import { InvalidRecordsError } from '../../domain/errors/caller-errors.js';
import { ProblemError } from '../../domain/errors/problem-error.js';
import type { CrfError } from '../../domain/errors/crf-error.js';
import { type FieldProblem, itemOf, sentenceOf } from '../../domain/errors/field-problem.js';
import type { NameKind } from '../../domain/errors/sentences.js';
import {
  notImportable,
  surveyProblem,
  unknownAmong,
  unknownName,
} from '../../domain/identifiers/nearest-name.js';
import {
  NotSupportedUpstreamError,
  UpstreamRefusedError,
  UpstreamRejectedError,
} from '../../domain/errors/upstream-errors.js';
import { toDictionaryProblems, toRecordProblems } from './import-rejection.js';
import { safeWording } from './safe-wording.js';
import type { WireParameters } from './wire-parameters.js';

/**
 * Turns the text of a 400 into an error that names the parameter, as callers know it, and the rule. REDCap's own text is
 * dropped, because it can repeat values. An unknown text becomes a general message.
 *
 * @see docs/protocol/redcap.md 2.2, 2.3, 5.5
 */
export function toRejection(text: string, parameters: WireParameters): CrfError {
  const records = toRecordProblems(text);
  if (records.length > 0) return new InvalidRecordsError(records);
  if (parameters.content === 'metadata') {
    const dictionary = toDictionaryProblems(text);
    if (dictionary.length > 0) return rejected(dictionary);
  }
  for (const [pattern, toError] of KNOWN_TEXTS) {
    const match = pattern.exec(text);
    if (match !== null) return toError(match, parameters);
  }
  return unknownRejection(text, parameters);
}

/** Says what was refused, what REDCap said as far as that cannot be a value, and which parameters to check. */
function unknownRejection(text: string, parameters: WireParameters): UpstreamRejectedError {
  const { content, action } = parameters;
  const call = [content, action].filter((name) => name !== undefined).join('/');
  const wording = safeWording(text);
  const names = Object.keys(parameters)
    .filter((name) => parameters[name] !== undefined && !GENERAL_PARAMETERS.has(name))
    .map((name) => (name === 'data' ? 'the data sent' : callerNameOf(name, parameters)));
  return new UpstreamRejectedError(
    [
      `REDCap refused the call ${call}${wording === undefined ? '' : `, saying "${wording}"`}.`,
      names.length === 0
        ? 'The project may not allow it.'
        : `Check against the project: ${names.join(', ')}.`,
    ].join(' '),
  );
}

/** Parameters that callers do not choose. */
const GENERAL_PARAMETERS: ReadonlySet<string> = new Set([
  'token',
  'content',
  'action',
  'format',
  'returnFormat',
  'type',
  'allRecords',
]);

type ToError = (match: RegExpExecArray, parameters: WireParameters) => CrfError;

const KNOWN_TEXTS: readonly (readonly [pattern: RegExp, toError: ToError])[] = [
  [
    /project no longer exists/i,
    () =>
      new UpstreamRefusedError(
        'The REDCap project of this token was deleted. Use the token of another project (CAPTURE_API_TOKEN, or token of the client).',
      ),
  ],
  [
    /^The following values in the parameter "(\w{1,40})" are not valid: ([\s\S]*)/,
    ([, name = '', list = ''], parameters) => rejected(atPositions(name, quotedNames(list), parameters)),
  ],
  [
    /^The following fields were not found in the project as real data fields: ([\s\S]*)/,
    ([, list = '']) => rejected([...new Set(list.trim().split(/\s*,\s*/))].map(notImportable)),
  ],
  [
    /^The following values of redcap_event_name are invalid/,
    () =>
      rejected([{ field: 'redcap_event_name', message: 'has values that are no events of this project' }]),
  ],
  [
    /^The data being imported is not formatted correctly/,
    () => rejected([{ field: 'data', message: 'cannot be read in the format of the import' }]),
  ],
  [
    /The following records do not exist: ([\s\S]*)/,
    ([, list = ''], parameters) =>
      // The only record needs no position: its name is what the caller asked for, in a path or elsewhere.
      new ProblemError('record_not_found', {
        errors: atPositions('records', list.split(/,\s*/), parameters).filter(
          ({ field }) => field !== 'records',
        ),
      }),
  ],
  // The file does not exist. The server's exact wording is not certain. @see docs/protocol/redcap.md 11.1, 18
  [
    /^There is no file to |^The (?:requested )?file does not exist/i,
    (_, parameters) => new ProblemError('file_not_found', { isDocument: 'doc_id' in parameters }),
  ],
  [
    /^The value of the parameter "doc_id" is not valid/,
    () => new ProblemError('file_not_found', { isDocument: true }),
  ],
  [/^The File Repository folder/i, (_, parameters) => rejected([invalidValue('folder_id', parameters)])],
  [
    /^A folder with that name already exists/i,
    () => rejected([{ field: 'name', message: 'is the name of a folder that exists already' }]),
  ],
  [
    /\breport\b[\s\S]{0,60}\b(?:does not exist|not found|no access)|^The value of the parameter "report_id" is not valid/i,
    () => new ProblemError('report_not_found'),
  ],
  [
    /not enabled as a survey|is not a survey/i,
    (_, { instrument }) => rejected([surveyProblem('not_a_survey', instrument)]),
  ],
  [/^Surveys are not enabled/i, () => new UpstreamRejectedError('Surveys are not enabled in this project.')],
  [
    /Save (?:&(?:amp;)?|and) Return Later/i,
    (_, { instrument }) => rejected([surveyProblem('no_return_later', instrument)]),
  ],
  // @see docs/protocol/redcap.md 6.3, 18: the server's exact wording is not known
  [
    /already (?:been )?randomized/i,
    () => rejected([{ field: 'record', message: 'has an assignment already, which cannot be changed' }]),
  ],
  [/^The record "[\s\S]*" does not exist/, () => new ProblemError('record_not_found')],
  // The label of an event can be any text. @see docs/protocol/redcap.md 5.5 (client)
  [
    /exists on an instrument that is not designated for the event/,
    (_, { field }) =>
      new UpstreamRejectedError(
        `This field ('${String(field)}') exists on an instrument that is not designated for the event.`,
      ),
  ],
  [
    /does not exist or is not a 'file' field/,
    (_, { field }) => rejected([unknownName('file_field', 'field', field)]),
  ],
  [
    /^The logic in the parameter "filterLogic" is not valid/,
    () => rejected([{ field: 'filterLogic', message: 'is not valid logic for this project' }]),
  ],
  [
    /^The value of the parameter "(?:content|action)" is not valid/,
    (_, { content, action }) =>
      new NotSupportedUpstreamError([content, action].filter((name) => name !== undefined).join('/')),
  ],
  [
    /^The value of the parameter "(\w{1,40})" is not valid/,
    ([, name = ''], parameters) => rejected([invalidValue(name, parameters)]),
  ],
  [
    /^You cannot (?:export|import|delete) .{1,60} for classic projects/i,
    () => new UpstreamRejectedError('The project is classic: it has no arms, events or event mappings.'),
  ],
  [
    /^event '([\s\S]*)' is not available in project/i,
    ([, name], parameters) => rejected([unknownName('event', callerNameOf('event_name', parameters), name)]),
  ],
  // @see docs/protocol/redcap.md 2.2 (inferred)
  [/^The arm number (\d+) does not exist/, ([, number]) => rejected([unknownName('arm', 'arm', number)])],
  [
    /^form '([\s\S]*)' is not available in project/i,
    ([, name]) => rejected([unknownName('instrument', 'instrument', name)]),
  ],
  [
    /^The data is not in the specified format/i,
    () => rejected([{ field: 'data', message: 'cannot be read in the format of the import' }]),
  ],
  // @see docs/protocol/redcap.md 20 (client)
  [
    /^The form named "([\s\S]*)" is incorrect for the user/,
    ([, name]) => rejected([unknownName('instrument', 'forms', name)]),
  ],
  [
    /^Invalid Unique Role Names(?:: ([^,]*))?/i,
    ([, name], parameters) =>
      rejected([unknownName('role', callerNameOf('unique_role_name', parameters), name)]),
  ],
  [
    /^You must provide some text for 'purpose_other'/,
    (_, parameters) => rejectedAt('purpose_other', parameters, 'is required with the purpose "other"'),
  ],
  [
    /^The "(\w{1,40})" parameter has been provided with a value, but the value is not an array/,
    ([, name = ''], parameters) => rejectedAt(name, parameters, 'must be a list'),
  ],
];

/** The parameters that have names, or numbers, of the project, and what each is. */
const NAMES_IN: ReadonlyMap<string, NameKind> = new Map([
  ['arm', 'arm'],
  ['arms', 'arm'],
  ['event', 'event'],
  ['events', 'event'],
  ['field', 'field'],
  ['fields', 'field'],
  ['forms', 'instrument'],
  ['instrument', 'instrument'],
  ['dag', 'dag'],
  ['dag_id', 'dag'],
  ['folder_id', 'folder'],
  ['role_id', 'role'],
  ['randomization_id', 'randomization'],
]);

/** The problem of a parameter of which REDCap does not say what is wrong with it. */
function invalidValue(name: string, parameters: WireParameters): FieldProblem {
  const kind = NAMES_IN.get(name);
  const field = callerNameOf(name, parameters);
  if (kind === undefined) return { field, message: 'is not a value REDCap takes' };
  const sent = parameters[name];
  if (Array.isArray(sent)) return unknownAmong(kind, field, sent as readonly string[]);
  const problem = unknownName(kind, field, sent);
  const rule = name === 'event' ? '; a longitudinal project requires one' : '';
  return { ...problem, message: problem.message + rule };
}

function rejected(errors: readonly FieldProblem[]): UpstreamRejectedError {
  return new UpstreamRejectedError(sentenceOf(errors, 'A parameter is not valid.'), { errors });
}

function rejectedAt(wireName: string, parameters: WireParameters, message: string): UpstreamRejectedError {
  return rejected([{ field: callerNameOf(wireName, parameters), message }]);
}

/** Returns the positions, in the list the caller sent, of the names that REDCap does not know. */
function atPositions(name: string, unknown: readonly string[], parameters: WireParameters): FieldProblem[] {
  const kind = NAMES_IN.get(name);
  const problemOf = (field: string, item?: string): FieldProblem =>
    kind === undefined
      ? { field, message: name === 'records' ? 'is not a record of this project' : INVALID }
      : unknownName(kind, field, item);
  const sent = parameters[name];
  if (!Array.isArray(sent)) return [problemOf(name)];
  const names = new Set(unknown);
  const problems = sent.flatMap((item: string, index) =>
    names.has(item) ? [problemOf(itemOf(name, sent, index), item)] : [],
  );
  return problems.length > 0
    ? problems
    : [{ field: name, message: 'has values that are not valid for this project' }];
}

const INVALID = 'is not valid for this project';

function quotedNames(list: string): string[] {
  return [...list.matchAll(/'([^']*)'/g)].map(([, name = '']) => name);
}

/**
 * Returns what callers call a parameter, or a column of the rows they send, that has another name in REDCap's API:
 * problems name what was given. A name that is the same in both is returned unchanged.
 */
function callerNameOf(wireName: string, { action }: WireParameters): string {
  if (wireName === 'folder_id' && action === 'createFolder') return 'parent';
  return NAMES.get(wireName) ?? wireName;
}

const NAMES: ReadonlyMap<string, string> = new Map([
  ['beginTime', 'from'],
  ['compactDisplay', 'compact'],
  ['dag_id', 'dagId'],
  ['delete_logging', 'deleteLogging'],
  ['doc_id', 'id'],
  ['dateRangeBegin', 'from'],
  ['dateRangeEnd', 'until'],
  ['endTime', 'until'],
  ['event_name', 'event'],
  ['folder_id', 'folder'],
  ['logtype', 'type'],
  ['new_record_name', 'newRecord'],
  ['override', 'replace'],
  ['purpose_other', 'purposeOther'],
  ['randomization_id', 'randomizationId'],
  ['repeat_instance', 'instance'],
  ['report_id', 'report'],
  ['returnMetadataOnly', 'metadataOnly'],
  ['role_id', 'roleId'],
  ['unique_role_name', 'uniqueName'],
]);
