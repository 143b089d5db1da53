import type { SandboxProject } from '../project.js';
import type { StudyUser } from '../study.js';
import type { Format } from '../wire/answer.js';
import type { Parameters } from '../wire/parameters.js';

/** One call, after its token was found good. */
export interface OperationCall {
  readonly project: SandboxProject;
  readonly parameters: Parameters;
  readonly user: StudyUser;
  /** Of the data, and of what is exported. */
  readonly format: Format;
  /** Of errors, and of the results of imports and deletes. */
  readonly returnFormat: Format;
}
