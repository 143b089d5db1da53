import type { Readable } from 'node:stream';
import { ProblemError } from '../../domain/errors/problem-error.js';
import type { OrUndefined } from '../../domain/identifiers/check-options.js';
import type {
  CallOptions,
  CrfCalls,
  FileDownload,
  FileInfo,
  FilePlace,
  FileUpload,
  PdfSelection,
  ProjectXmlOptions,
  ReportForm,
  RepositoryEntry,
} from '../../gateways/redcap/crf-client.js';
import type { AuditedOptions, AuditNotes } from '../../records/audit-notes.js';
import {
  checkRowsForm,
  rowsAnswer,
  rowsNoted,
  upstreamFormat,
  type RowsForm,
} from '../../records/formats/rows-answer.js';
import { firstByteOf } from '../../records/streaming/first-byte.js';
import type { ReaderPaceOptions } from '../../records/streaming/reader-pace.js';
import { streamedAnswer, type StreamedAnswer } from '../../records/streaming/streamed-answer.js';
import { discard, ImportBody } from '../../records/import/import-body.js';
import { bareFileName } from './file-name.js';

/** A file in a response. */
export interface FileAnswer extends StreamedAnswer {
  /** The name without folders and control characters. */
  readonly fileName: string;
  /** Size in bytes, if REDCap states it. */
  readonly length: number | undefined;
}

/** Options for exporting a report. */
export interface ReportRequest extends OrUndefined<ReportForm>, RowsForm {
  readonly csvDelimiter?: RowsForm['csvDelimiter'];
}

export interface FileServiceOptions {
  /** Maximum size of an upload in bytes; 128 MiB by default. */
  readonly limitBytes?: number | undefined;
  /** Minimum speed of a reader whose progress is known, and of a sender; none by default. */
  readonly pace?: ReaderPaceOptions | undefined;
}

/** The details of a file in the repository. */
export interface RepositoryFileInfo extends FileInfo {
  /**
   * The length in bytes.
   * @isInt
   * @example 48213
   */
  readonly length: number;
}

/** A file that was added to the repository. */
export interface StoredRepositoryFile {
  /**
   * Its number. Missing if others added a file of this name to the folder at the same time, or the folder could not be
   * listed afterwards: list the folder.
   * @isInt
   * @example 201
   */
  readonly id?: number;
  /** @example "protocol.pdf" */
  readonly name: string;
}

/** The details of an uploaded file, without its bytes. */
export type UploadHead = Omit<FileUpload, 'bytes'>;

/** The largest file by default. */
export const DEFAULT_FILE_BYTES = 128 * 1024 * 1024;

/**
 * Reads what REDCap hands out as a whole, and writes files, as streams: of any size up to the limit and without buffering
 * them. An answer is opened once its first bytes have arrived and look like what was asked for.
 */
export class FileService {
  readonly #limitBytes: number;
  readonly #pace: ReaderPaceOptions;

  constructor(
    private readonly client: CrfCalls,
    options: FileServiceOptions = {},
  ) {
    this.#limitBytes = options.limitBytes ?? DEFAULT_FILE_BYTES;
    this.#pace = options.pace ?? { minBytesPerSecond: 0 };
  }

  /** Opens the file of a field. @throws {ProblemError} `file_not_found`: no file is stored there */
  async openFile(place: FilePlace, { audit, ...call }: AuditedOptions): Promise<FileAnswer> {
    return this.#answer(await this.client.files.get(place, call), place.field, audit);
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
    return this.#upload(source, head, (file) => this.client.files.put(place, file, call), audit);
  }

  /** Opens a file of the repository. @throws {ProblemError} `file_not_found`: there is no file of this number */
  async openRepositoryFile(id: number, { audit, ...call }: AuditedOptions): Promise<FileAnswer> {
    const download = await this.client.fileRepository.get(id, call);
    return this.#answer(download, `file-${id}`, audit);
  }

  /**
   * Returns the details of a file in the repository. The size is requested separately only if REDCap's description of
   * the file omits it.
   *
   * @throws {ProblemError} `file_not_found`: there is no file of this number
   */
  async repositoryFileInfo(id: number, call: CallOptions = {}): Promise<RepositoryFileInfo> {
    const info = await this.client.fileRepository.info(id, call);
    return { ...info, length: info.length ?? (await this.client.fileRepository.size(id, call)) };
  }

  /** Adds a file to the repository. @throws {ProblemError} `payload_too_large`: it is larger than the limit */
  putRepositoryFile(
    source: Readable,
    head: UploadHead,
    { audit, ...options }: AuditedOptions & FolderOption = {},
  ): Promise<StoredRepositoryFile> {
    return this.#upload(source, head, (file) => addToRepository(this.client, file, options), audit);
  }

  /** Opens forms as a PDF document, blank or with the data of a record. */
  async openPdf(selection: PdfSelection, { audit, ...call }: AuditedOptions): Promise<FileAnswer> {
    return this.#answer(await this.client.pdf.get(selection, call), 'forms.pdf', audit);
  }

  /** Opens the whole project as one XML document. */
  async openXml(
    request: Omit<ProjectXmlOptions, keyof CallOptions>,
    { audit, ...call }: AuditedOptions,
  ): Promise<StreamedAnswer> {
    const body = await this.client.project.openXml({ ...request, ...call });
    const contentType = 'application/xml; charset=utf-8';
    return streamedAnswer(await firstByteOf(body), { contentType, pace: this.#pace, audit });
  }

  /**
   * Opens a report in one of the forms of records; as NDJSON, once its first row is whole.
   *
   * @throws {InvalidRequestError} an option belongs to another format
   * @throws {ProblemError} `report_not_found`: there is no such report, or the token's user may not see it
   */
  async openReport(
    report: number,
    request: ReportRequest,
    { audit, ...call }: AuditedOptions,
  ): Promise<StreamedAnswer> {
    checkRowsForm(request);
    const {
      format: _format,
      trailer: _trailer,
      spreadsheetSafe: _safe,
      hasEnvelope: _envelope,
      onRows: _onRows,
      ...form
    } = request;
    const format = upstreamFormat(request);
    const body = await this.client.reports.open(report, { ...form, ...call, format });
    return rowsAnswer({ ...request, onRows: rowsNoted(request, audit) }, body, this.#pace);
  }

  /** @param fallback the name to use if that of the file is unusable */
  async #answer(
    { body, name, contentType, length }: FileDownload,
    fallback: string,
    audit: AuditNotes | undefined,
  ): Promise<FileAnswer> {
    await firstByteOf(body);
    const answer = streamedAnswer(body, { contentType, pace: this.#pace, audit });
    return { ...answer, fileName: bareFileName(name, fallback), length };
  }

  async #upload<Stored>(
    source: Readable,
    head: UploadHead,
    send: (file: FileUpload) => Promise<Stored>,
    audit: AuditNotes | undefined,
  ): Promise<Stored> {
    const limitBytes = this.#limitBytes;
    const body = new ImportBody(source, { limitBytes, pace: this.#pace });
    try {
      if ((head.length ?? 0) > limitBytes) throw new ProblemError('payload_too_large', { limitBytes });
      const stored = await send({ ...head, bytes: body.pieces() });
      audit?.add({ bytes: body.digest().bytes });
      return stored;
    } finally {
      // The connection is still needed for the response and the next request.
      discard(source);
    }
  }
}

interface FolderOption {
  readonly folder?: number | undefined;
}

/**
 * Adds a file to the repository, and finds its number, which REDCap does not return: that of the entry which its folder
 * has after the upload and had not before.
 */
export async function addToRepository(
  { fileRepository }: Pick<CrfCalls, 'fileRepository'>,
  file: FileUpload,
  { folder, ...call }: CallOptions & FolderOption = {},
): Promise<StoredRepositoryFile> {
  const filesNow = async (): Promise<RepositoryEntry[]> =>
    (await fileRepository.list(folder, call)).filter(({ kind }) => kind === 'file');
  const before = new Set((await filesNow()).map(({ id }) => id));
  await fileRepository.put(file, { ...call, folder });
  // The file is stored, whether it can be found or not.
  const after = await filesNow().catch(() => []);
  const [added, another] = after.filter(({ id, name }) => !before.has(id) && name === file.name);
  return { ...(added && !another && { id: added.id }), name: file.name };
}
