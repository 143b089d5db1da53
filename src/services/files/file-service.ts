import type { Readable } from 'node:stream';
import { PayloadTooLargeError } from '../../errors/caller-errors.js';
import type {
  CallOptions,
  CrfClient,
  FileInfo,
  FilePlace,
  FileUpload,
  NewFolder,
  PdfSelection,
  RepositoryEntry,
} from '../../gateways/redcap/crf-client.js';
import type { AuditedOptions, AuditNotes } from '../audit/audit-entry.js';
import type { ReaderPaceOptions } from '../record-export/reader-pace.js';
import { discard, ImportBody } from '../record-import/import-body.js';
import { pacedUpload } from './paced-upload.js';
import { fileAnswer, type FileAnswer } from './file-answer.js';

/** What the service needs of the client, and no more. */
export interface FileClient {
  readonly files: Pick<CrfClient['files'], 'download' | 'upload' | 'delete' | 'info' | 'size'>;
  readonly fileRepository: Pick<
    CrfClient['fileRepository'],
    'list' | 'createFolder' | 'download' | 'upload' | 'delete'
  >;
  readonly pdf: Pick<CrfClient['pdf'], 'download'>;
}

export interface FileServiceOptions {
  /** Bytes of one upload; 128 MiB by default. */
  readonly limitBytes?: number | undefined;
  /** How fast a reader has to be whose progress is known, and a sender; no floor by default. */
  readonly pace?: ReaderPaceOptions | undefined;
}

/** What is known of a file of the repository. */
export interface DocumentInfo extends FileInfo {
  /** In bytes. */
  readonly length: number;
}

/** A file that is being uploaded, without its bytes. */
export type UploadHead = Omit<FileUpload, 'bytes'>;

const DEFAULT_LIMIT_BYTES = 128 * 1024 * 1024;

/** Files in both directions as streams: of any size up to the limit, and never held. */
export class FileService {
  readonly #client: FileClient;
  readonly #limitBytes: number;
  readonly #pace: ReaderPaceOptions;

  constructor(client: FileClient, options: FileServiceOptions = {}) {
    this.#client = client;
    this.#limitBytes = options.limitBytes ?? DEFAULT_LIMIT_BYTES;
    this.#pace = options.pace ?? { minBytesPerSecond: 0 };
  }

  /** The file of a field. @throws {FileNotFoundError} none is stored there */
  async openFile(place: FilePlace, { audit, ...call }: AuditedOptions = {}): Promise<FileAnswer> {
    return fileAnswer(await this.#client.files.download(place, call), place.field, this.#pace, audit);
  }

  /**
   * Stores the file of a field.
   *
   * @throws {PayloadTooLargeError} it is larger than the limit
   * @throws {RequestTimeoutError} it came too slowly
   */
  putFile(
    place: FilePlace,
    source: Readable,
    head: UploadHead,
    { audit, ...call }: AuditedOptions = {},
  ): Promise<void> {
    return this.#upload(source, head, (file) => this.#client.files.upload(place, file, call), audit);
  }

  /** Removes the file of a field. @throws {FileNotFoundError} none is stored there */
  deleteFile(place: FilePlace, call: CallOptions = {}): Promise<void> {
    return this.#client.files.delete(place, call);
  }

  list(folder: number | undefined, call: CallOptions = {}): Promise<RepositoryEntry[]> {
    return this.#client.fileRepository.list(folder, call);
  }

  /** @returns the number of the folder */
  createFolder(folder: NewFolder, call: CallOptions = {}): Promise<number> {
    return this.#client.fileRepository.createFolder(folder, call);
  }

  /** A file of the repository. @throws {FileNotFoundError} there is no such document */
  async openDocument(documentId: number, { audit, ...call }: AuditedOptions = {}): Promise<FileAnswer> {
    const download = await this.#client.fileRepository.download(documentId, call);
    return fileAnswer(download, `document-${documentId}`, this.#pace, audit);
  }

  /**
   * What is known of a file of the repository. REDCap is asked for the length on its own only where its description of
   * the file leaves it out.
   *
   * @throws {FileNotFoundError} there is no such document
   */
  async documentInfo(documentId: number, call: CallOptions = {}): Promise<DocumentInfo> {
    const info = await this.#client.files.info(documentId, call);
    return { ...info, length: info.length ?? (await this.#client.files.size(documentId, call)) };
  }

  /** Adds a file to the repository. @throws {PayloadTooLargeError} it is larger than the limit */
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

  /** Removes a file of the repository. @throws {FileNotFoundError} there is no such document */
  deleteDocument(documentId: number, call: CallOptions = {}): Promise<void> {
    return this.#client.fileRepository.delete(documentId, call);
  }

  /** Forms as a PDF document: blank, or with the data of a record. */
  async openPdf(selection: PdfSelection, { audit, ...call }: AuditedOptions = {}): Promise<FileAnswer> {
    return fileAnswer(await this.#client.pdf.download(selection, call), 'forms.pdf', this.#pace, audit);
  }

  async #upload(
    source: Readable,
    head: UploadHead,
    send: (file: FileUpload) => Promise<void>,
    audit: AuditNotes | undefined,
  ): Promise<void> {
    const limitBytes = this.#limitBytes;
    const body = new ImportBody(source, { limitBytes });
    try {
      if ((head.length ?? 0) > limitBytes) throw new PayloadTooLargeError(limitBytes);
      await send({ ...head, bytes: pacedUpload(body.pieces(), source, this.#pace) });
      audit?.add({ bytes: body.digest().bytes });
    } finally {
      // The connection has to carry the answer, and the next request.
      discard(source);
    }
  }
}
