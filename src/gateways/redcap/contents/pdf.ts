import { options, type Shape, type OrUndefined } from '../../../domain/identifiers/check-options.js';
import {
  eventName,
  flag,
  instrumentName,
  positiveInteger,
  recordId,
  type RepeatInstanceNumber,
} from './argument-values.js';
import type { EventNameText, InstrumentNameText } from '../../../domain/identifiers/names.js';
import { CALL, type CallOptions } from '../call-options.js';
import { PDF_FORM } from '../export-form.js';
import { content, type ContentCalls } from './content-calls.js';
import type { FileDownload } from './file-transfer.js';

/** Selects the forms of a document and the record whose data they show. */
export interface PdfSelection extends OrUndefined<PdfForms> {
  /** The record to show; without it the forms are blank. */
  readonly record?: string | undefined;
}

/** Selects the forms of a record to print. */
export interface PdfForms {
  /** Only this instrument. */
  readonly instrument?: InstrumentNameText;
  /** Only this event. Longitudinal projects only. */
  readonly event?: EventNameText;
  /** Only this instance of a repeating instrument or event. */
  readonly instance?: RepeatInstanceNumber;
  /** Leaves out fields without a value. */
  readonly compact?: boolean;
}

/** `content=pdf`: data entry forms as documents. @see docs/protocol/redcap.md 11.4 (client) */
export class Pdf {
  constructor(private readonly calls: ContentCalls) {}

  /**
   * Downloads the forms, blank or with the data of one record.
   *
   * @throws {UpstreamRejectedError} the record does not exist
   */
  async get(selection: PdfSelection = {}, options: CallOptions = {}): Promise<FileDownload> {
    const { record, instrument, event, instance, compact } = selection;
    return this.#download(
      {
        record,
        instrument,
        event,
        repeat_instance: instance,
        compactDisplay: compact === undefined ? undefined : String(compact).toUpperCase(),
      },
      options,
    );
  }

  /**
   * Downloads the forms with the data of every record that the token can see. This can be large and can take REDCap a
   * long time.
   */
  async getAll(
    options: CallOptions & { readonly compact?: boolean | undefined } = {},
  ): Promise<FileDownload> {
    const { compact, ...call } = options;
    const compactDisplay = compact === undefined ? undefined : String(compact).toUpperCase();
    // REDCap checks only whether the parameter is present, not its value.
    return this.#download({ allRecords: true, compactDisplay }, call);
  }

  /**
   * Corrects the file's name and content type: REDCap declares HTML and gives no name.
   *
   * @see docs/protocol/redcap.md 20 (client)
   */
  async #download(parameters: object, options: CallOptions): Promise<FileDownload> {
    const file = await this.calls.download(
      { content: 'pdf', action: 'export', ...parameters },
      options,
      PDF_FORM,
    );
    return { ...file, name: file.name === '' ? 'forms.pdf' : file.name, contentType: 'application/pdf' };
  }
}

const SELECTION = {
  record: recordId.optional(),
  instrument: instrumentName.optional(),
  event: eventName.optional(),
  instance: positiveInteger.optional(),
  compact: flag.optional(),
} satisfies Shape<PdfSelection>;

export const PDF = content(Pdf, {
  get: [options(SELECTION), options(CALL)],
  getAll: [options({ ...CALL, compact: SELECTION.compact })],
});
