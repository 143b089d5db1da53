import type { Readable } from 'node:stream';
import { ProblemError } from '../../domain/errors/problem-error.js';
import type {
  CallOptions,
  CrfClient,
  FileInfo,
  FilePlace,
  FileUpload,
  PdfSelection,
} from '../../gateways/redcap/crf-client.js';
import type { AuditedOptions, AuditNotes } from '../../records/audit-notes.js';
import type { ReaderPaceOptions } from '../../records/streaming/reader-pace.js';
import { discard, ImportBody } from '../../records/import/import-body.js';
import { fileAnswer, type FileAnswer } from './file-answer.js';

/** The operations of the client that the service needs. */
export interface FileClient {
  readonly files: Pick<CrfClient['files'], 'download' | 'upload' | 'info' | 'size'>;
  readonly fileRepository: Pick<CrfClient['fileRepository'], 'download' | 'upload'>;
  readonly pdf: Pick<CrfClient['pdf'], 'download'>;
}

export interface FileServiceOptions {
  /** Maximum size of an upload in bytes; 128 MiB by default. */
  readonly limitBytes?: number | undefined;
  /** Minimum speed of a reader whose progress is known, and of a sender; none by default. */
  readonly pace?: ReaderPaceOptions | undefined;
}

/** The details of a file in the repository. */
export interface DocumentInfo extends FileInfo {
  /**
   * The length in bytes.
   * @isInt
   * @example 48213
   */
  readonly length: number;
}

/** The details of an uploaded file, without its bytes. */
export type UploadHead = Omit<FileUpload, 'bytes'>;

const DEFAULT_LIMIT_BYTES = 128 * 1024 * 1024;

/** Reads and writes files as streams, of any size up to the limit and without buffering them. */
export class FileService {
  readonly #client: FileClient;
  readonly #limitBytes: number;
  readonly #pace: ReaderPaceOptions;

  constructor(client: FileClient, options: FileServiceOptions = {}) {
    this.#client = client;
    this.#limitBytes = options.limitBytes ?? DEFAULT_LIMIT_BYTES;
    this.#pace = options.pace ?? { minBytesPerSecond: 0 };
  }

  /** Opens the file of a field. @throws {ProblemError} `file_not_found`: no file is stored there */
  async openFile(place: FilePlace, { audit, ...call }: AuditedOptions): Promise<FileAnswer> {
    return fileAnswer(await this.#client.files.download(place, call), place.field, this.#pace, audit);
  }

  /**
   * Stores the file of a field.
   *
   * @throws {ProblemError} `payload_too_large`: it is larger than the limit
   * @throws {ProblemError} `request_timeout`: it was sent too slowly
   */
  putFile(
    place: FilePlace,
    source: Readable,
    head: UploadHead,
    { audit, ...call }: AuditedOptions = {},
  ): Promise<void> {
    return this.#upload(source, head, (file) => this.#client.files.upload(place, file, call), audit);
  }

  /** Opens a file of the repository. @throws {ProblemError} `file_not_found`: there is no such document */
  async openDocument(documentId: number, { audit, ...call }: AuditedOptions): Promise<FileAnswer> {
    const download = await this.#client.fileRepository.download(documentId, call);
    return fileAnswer(download, `document-${documentId}`, this.#pace, audit);
  }

  /**
   * Returns the details of a file in the repository. The size is requested separately only if REDCap's description of
   * the file omits it.
   *
   * @throws {ProblemError} `file_not_found`: there is no such document
   */
  async documentInfo(documentId: number, call: CallOptions = {}): Promise<DocumentInfo> {
    const info = await this.#client.files.info(documentId, call);
    return { ...info, length: info.length ?? (await this.#client.files.size(documentId, call)) };
  }

  /** Adds a file to the repository. @throws {ProblemError} `payload_too_large`: it is larger than the limit */
  addDocument(
    source: Readable,
    head: UploadHead,
    { folder, audit, ...call }: AuditedOptions & { readonly folder?: number | undefined } = {},
  ): Promise<void> {
    return this.#upload(
      source,
      head,
      (file) => this.#client.fileRepository.upload(file, { ...call, folder }),
      audit,
    );
  }

  /** Opens forms as a PDF document, blank or with the data of a record. */
  async openPdf(selection: PdfSelection, { audit, ...call }: AuditedOptions): Promise<FileAnswer> {
    return fileAnswer(await this.#client.pdf.download(selection, call), 'forms.pdf', this.#pace, audit);
  }

  async #upload(
    source: Readable,
    head: UploadHead,
    send: (file: FileUpload) => Promise<void>,
    audit: AuditNotes | undefined,
  ): Promise<void> {
    const limitBytes = this.#limitBytes;
    const body = new ImportBody(source, { limitBytes, pace: this.#pace });
    try {
      if ((head.length ?? 0) > limitBytes) throw new ProblemError('payload_too_large', { limitBytes });
      await send({ ...head, bytes: body.pieces() });
      audit?.add({ bytes: body.digest().bytes });
    } finally {
      // The connection is still needed for the response and the next request.
      discard(source);
    }
  }
}
