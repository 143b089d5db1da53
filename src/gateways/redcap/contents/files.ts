import {
  argument,
  options,
  strictObject,
  type Shape,
  type OrUndefined,
} from '../../../domain/identifiers/check-options.js';
import {
  eventName,
  fieldName,
  positiveInteger,
  recordId,
  type RepeatInstanceNumber,
} from './argument-values.js';
import type { EventNameText } from '../../../domain/identifiers/names.js';
import { CALL, type CallOptions } from '../call-options.js';
import type { WireParameters } from '../wire-parameters.js';
import { content, type ContentCalls } from './content-calls.js';
import { file, toFileSource, type FileDownload, type FileUpload } from './file-transfer.js';

export type { FileDownload, FileUpload } from './file-transfer.js';

/** Selects one form of a record. */
export interface FormPlace {
  /** The event; required in longitudinal projects. */
  readonly event?: EventNameText;
  /** The instance of a repeating instrument or event; 1 by default. */
  readonly instance?: RepeatInstanceNumber;
}

/** Identifies a file by its record, field, event and repeat instance. An upload creates a missing instance. */
export interface FilePlace extends OrUndefined<FormPlace> {
  readonly record: string;
  /** The name of a file field. */
  readonly field: string;
}

/**
 * `content=file`: the files of file fields.
 *
 * @see docs/protocol/redcap.md 11.1 (client, doc)
 */
export class Files {
  constructor(private readonly calls: ContentCalls) {}

  /**
   * Opens the file of a field. An error of REDCap is thrown, never returned as a file.
   *
   * @throws {ProblemError} `file_not_found`: no file is stored there
   * @throws {UpstreamRejectedError} the field is not a file field, or the record does not exist
   */
  async get(place: FilePlace, options: CallOptions = {}): Promise<FileDownload> {
    return this.calls.download({ content: 'file', action: 'export', ...toParameters(place) }, options);
  }

  /**
   * Stores a file, replacing an existing one. It is sent only once, because it can be read only once; the caller can
   * safely send it again.
   *
   * @throws {InvalidRequestError} the name or the media type cannot be sent, or the length was wrong
   */
  async put(place: FilePlace, file: FileUpload, options: CallOptions = {}): Promise<void> {
    const parameters = { content: 'file', action: 'import', ...toParameters(place) };
    return this.calls.upload(parameters, toFileSource(file), options);
  }

  /**
   * Removes a file. Not retried after a failure: a file that is already gone is refused.
   *
   * @throws {ProblemError} `file_not_found`: there is no file
   */
  async delete(place: FilePlace, options: CallOptions = {}): Promise<void> {
    return this.calls.writeNothing({ content: 'file', action: 'delete', ...toParameters(place) }, options);
  }
}

function toParameters({ instance, ...place }: FilePlace): WireParameters {
  return { ...place, repeat_instance: instance };
}

const PLACE = {
  record: recordId,
  field: fieldName,
  event: eventName.optional(),
  instance: positiveInteger.optional(),
} satisfies Shape<FilePlace>;

const place = argument('place', strictObject(PLACE, 'a property'));

export const FILES = content(Files, {
  get: [place, options(CALL)],
  put: [place, file, options(CALL)],
  delete: [place, options(CALL)],
});
