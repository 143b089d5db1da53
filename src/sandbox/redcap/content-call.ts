import type { Caller } from './caller.js';
import type { SandboxProject } from './project.js';
import type { ServerVersion } from './server-version.js';
import type { Format } from './wire/answer.js';
import type { Parameters } from './wire/parameters.js';

/** One call of a project's token. */
export interface ContentCall {
  readonly project: SandboxProject;
  readonly parameters: Parameters;
  readonly caller: Caller;
  /** The version of REDCap that answers. */
  readonly version: ServerVersion;
  /** Of the data, and of what is exported. */
  readonly format: Format;
  /** Of errors, and of the results of imports and deletes. */
  readonly returnFormat: Format;
}
