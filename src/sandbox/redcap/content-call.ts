import type { Caller } from './caller.js';
import type { SandboxProject } from './project.js';
import type { ServerVersion } from './server-version.js';
import type { Format } from './wire/answer.js';
import type { Parameters } from './wire/parameters.js';

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
