import type { ContentCall } from './content-call.js';
import type { RightName } from './rights.js';
import type { Answer } from './wire/answer.js';

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

/** One content of REDCap's API, with its actions. */
export interface Content {
  /** The value of the parameter `content`. */
  readonly name: string;
  /** The first version that has the content; undefined if every version has it. */
  readonly since?: string;
  readonly actions: Readonly<Partial<Record<ActionName, ContentAction>>>;
}

/** @see docs/protocol/redcap.md 1.3 (client) */
export type ActionName =
  'export' | 'import' | 'delete' | 'rename' | 'randomize' | 'switch' | 'list' | 'createFolder';
