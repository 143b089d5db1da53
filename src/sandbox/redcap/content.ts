import type { ContentCall } from './content-call.js';
import type { RightName } from './rights.js';
import type { Answer } from './wire/answer.js';

/** What a call may do: one content and one action of REDCap's API. */
export interface ContentAction {
  /** The first version that has it; every one when it is not given. */
  readonly since?: string;
  /** The rights that the caller needs, all of them; the first one that is missing is named in the refusal. */
  readonly rights: readonly RightName[];
  /** The details of the entry that the log gets under `Manage/Design`; without it the action logs what it does itself. */
  readonly log?: string;
  /** @throws {ApiFailure} what the server refuses */
  run(call: ContentCall): Answer | Promise<Answer>;
}

/** One content of REDCap's API: everything the sandbox knows about it, by action. */
export interface Content {
  /** The value of the parameter `content`. */
  readonly name: string;
  /** The first version that has it; every one when it is not given. */
  readonly since?: string;
  readonly actions: Readonly<Partial<Record<ActionName, ContentAction>>>;
}

/** @see docs/protocol/redcap.md 1.3 (client) */
export type ActionName =
  'export' | 'import' | 'delete' | 'rename' | 'randomize' | 'switch' | 'list' | 'createFolder';
