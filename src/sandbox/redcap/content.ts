import type { Caller } from './caller.js';
import type { SandboxProject } from './project.js';
import type { ServerVersion } from '../../wire/server-version.js';
import type { Answer, Format } from '../../wire/answer.js';
import type { Parameters } from '../../wire/parameters.js';
import type { RightName } from './rights.js';

/** One API call, made with a token of a project. */
export interface ContentCall {
  readonly project: SandboxProject;
  readonly parameters: Parameters;
  readonly caller: Caller;
  /** The REDCap version that the sandbox imitates. */
  readonly version: ServerVersion;
  /** The format of the data, sent or exported. */
  readonly format: Format;
  /** The format of errors, and of the results of imports and deletes. */
  readonly returnFormat: Format;
}

/** One action of one content of REDCap's API. */
export interface ContentAction {
  /** The first version that has the action; undefined if every version has it. */
  readonly since?: string;
  /** The rights that the caller needs, all of them. The error message names the first one that is missing. */
  readonly rights: readonly RightName[];
  /** The details that are logged under `Manage/Design`. Undefined for actions that write their own log entry. */
  readonly log?: string;
  /** @throws {ApiFailure} when the server refuses the call */
  run(call: ContentCall): Answer | Promise<Answer>;
}

/** One content of REDCap's API: its actions. */
export type Content = Readonly<Partial<Record<ActionName, ContentAction>>>;

/** @see docs/protocol/redcap.md 1.3 (client) */
export type ActionName =
  'export' | 'import' | 'delete' | 'rename' | 'randomize' | 'switch' | 'list' | 'createFolder';
