/** All errors of this package. Import them from here. */
export { CrfError, type CrfErrorOptions } from './crf-error.js';
export type { FieldProblem, RecordProblem } from './field-problem.js';
export { PROBLEMS, type ProblemCode } from './problem-table.js';
export { isProblem, ProblemError, type PlainProblem, type ProblemDetails } from './problem-error.js';
export * from './access-errors.js';
export * from './caller-errors.js';
export * from './operator-errors.js';
export * from './service-errors.js';
export {
  ImportIncompleteError,
  ImportInterruptedError,
  type CountedRecords,
  type ImportInterruptedOptions,
  IncompleteExportError,
  NotSupportedUpstreamError,
  type RowRange,
  UpstreamForbiddenError,
  UpstreamInvalidError,
  UpstreamRefusedError,
  UpstreamRejectedError,
  UpstreamTimeoutError,
  UpstreamUnavailableError,
} from './upstream-errors.js';
