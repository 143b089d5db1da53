import type { InputErrors } from './input-errors.js';
import type { RowReader } from './input-item.js';

/** Options of the parsers of JSON rows. */
export interface JsonRowOptions {
  readonly maxRowBytes: number;
  readonly errors: InputErrors;
  readonly reader: RowReader;
  /** Whether values may be lists and objects, as in typed rows. */
  readonly areTyped: boolean;
}
