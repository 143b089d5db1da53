import * as z from 'zod';
import {
  argument,
  options,
  strictObject,
  type Shape,
  type OrUndefined,
} from '../../../domain/identifiers/check-options.js';
import { positiveInteger } from './argument-values.js';
import { CALL, type CallOptions } from '../call-options.js';
import { integer, optionalInteger, renamed, text } from './answer-values.js';
import { content, type ContentCalls } from './content-calls.js';
import { file, toFileSource, type FileDownload, type FileUpload } from './file-transfer.js';

/**
 * The number of a folder in the file repository.
 * @isInt
 * @minimum 1
 * @maximum 2147483647
 */
export type FolderNumber = number;

/**
 * The number of a file of the file repository.
 * @isInt
 * @minimum 1
 * @maximum 2147483647
 * @example 1
 */
export type RepositoryFileNumber = number;

/** A folder or a file of the file repository. */
export interface RepositoryEntry {
  /** @example "file" */
  readonly kind: 'folder' | 'file';
  /**
   * The number of the folder or the file.
   * @isInt
   * @example 201
   */
  readonly id: number;
  /** @example "protocol.pdf" */
  readonly name: string;
  /** The only role that can see the folder; blank for all. REDCap 16.0.8 or later. */
  readonly role: string;
  /** The only data access group that can see the folder; blank for all. REDCap 16.0.8 or later. */
  readonly dag: string;
}

/** A folder to create. */
export interface NewFolder {
  /**
   * @pattern ^[^\u0000-\u001f\u007f-\u009f]*\S[^\u0000-\u001f\u007f-\u009f]*$ must not be blank or contain control characters
   * @maxLength 150
   * @example "Ethics"
   */
  readonly name: string;
  /** The parent folder; the top level by default. */
  readonly parent?: FolderNumber;
  /**
   * The number of the only data access group that can see the folder.
   * @isInt
   * @minimum 1
   * @maximum 2147483647
   */
  readonly dagId?: number;
  /**
   * The number of the only role that can see the folder.
   * @isInt
   * @minimum 1
   * @maximum 2147483647
   */
  readonly roleId?: number;
}

/** What REDCap states about a stored file. Versions differ in how much. */
export interface FileInfo {
  /**
   * @isInt
   * @example 201
   */
  readonly id: number;
  /**
   * Blank if REDCap does not report it.
   * @example "protocol.pdf"
   */
  readonly name: string;
  /**
   * Blank if REDCap does not report it.
   * @example "application/pdf"
   */
  readonly contentType: string;
  /** In bytes. */
  readonly length?: number | undefined;
}

const InfoRow: z.ZodType<FileInfo> = renamed({
  id: ['doc_id', integer],
  name: ['doc_name', text],
  contentType: ['mime_type', text],
  length: ['doc_size', optionalInteger],
});

/** One object, or a list with one object. */
const InfoAnswer: z.ZodType<FileInfo> = z.union([InfoRow, z.tuple([InfoRow]).transform(([row]) => row)]);

const EntryRows: z.ZodType<RepositoryEntry[]> = z.array(
  z
    .object({ folder_id: optionalInteger, doc_id: optionalInteger, name: text, role: text, dag: text })
    .refine(({ folder_id, doc_id }) => folder_id !== undefined || doc_id !== undefined)
    .transform(({ folder_id, doc_id, name, role, dag }) => ({
      kind: folder_id === undefined ? ('file' as const) : ('folder' as const),
      id: folder_id ?? doc_id ?? 0,
      name,
      role,
      dag,
    })),
);

const FolderAnswer: z.ZodType<number> = z
  .tuple([z.object({ folder_id: integer })])
  .transform(([{ folder_id }]) => folder_id);

/**
 * `content=fileRepository`, `fileinfo` and `filesize`: project files that belong to no record, and what REDCap knows of a
 * file by its number.
 *
 * @see docs/protocol/redcap.md 11.2 (doc), 11.3 (client)
 */
export class FileRepository {
  constructor(private readonly calls: ContentCalls) {}

  /** Lists a folder, or the top level: folders first, then files. @throws {UpstreamRejectedError} no such folder */
  async list(folder?: number, options: CallOptions = {}): Promise<RepositoryEntry[]> {
    const parameters = {
      content: 'fileRepository',
      action: 'list',
      folder_id: folder,
    };
    return this.calls.ask(parameters, EntryRows, options);
  }

  /** Returns what is known of a stored file, also of one of a record, by its number. */
  async info(id: number, options: CallOptions = {}): Promise<FileInfo> {
    const parameters = { content: 'fileinfo', action: 'export', doc_id: id };
    return this.calls.ask(parameters, InfoAnswer, options);
  }

  /** Returns the length of a stored file in bytes, by its number. */
  async size(id: number, options: CallOptions = {}): Promise<number> {
    const parameters = { content: 'filesize', action: 'export', doc_id: id };
    return Number(await this.calls.askText(parameters, /^\d{1,15}$/, options));
  }

  /** Creates a folder. Not retried after a failure: an existing name is refused. @returns the id of the folder */
  async createFolder(
    { name, parent, dagId, roleId }: OrUndefined<NewFolder>,
    options: CallOptions = {},
  ): Promise<number> {
    const parameters = {
      content: 'fileRepository',
      action: 'createFolder',
      name,
      folder_id: parent,
      dag_id: dagId,
      role_id: roleId,
    };
    return this.calls.write(parameters, FolderAnswer, options);
  }

  /** Opens a file. @throws {UpstreamRejectedError} no such file */
  async get(id: number, options: CallOptions = {}): Promise<FileDownload> {
    const parameters = { content: 'fileRepository', action: 'export', doc_id: id };
    return this.calls.download(parameters, options);
  }

  /**
   * Adds a file. REDCap does not return its id: `list` its folder. The file is sent only once, because sending it twice would
   * store it twice.
   *
   * @throws {InvalidRequestError} the name or the media type cannot be sent, or the length was wrong
   */
  async put(
    file: FileUpload,
    { folder, ...options }: CallOptions & { readonly folder?: number | undefined } = {},
  ): Promise<void> {
    const parameters = {
      content: 'fileRepository',
      action: 'import',
      folder_id: folder,
    };
    return this.calls.upload(parameters, toFileSource(file), options);
  }

  /** Moves a file to REDCap's trash. Not retried after a failure: a missing file is refused. */
  async delete(id: number, options: CallOptions = {}): Promise<void> {
    const parameters = { content: 'fileRepository', action: 'delete', doc_id: id };
    return this.calls.writeNothing(parameters, options);
  }
}

const FOLDER_NAME_RULE = 'must have 1 to 150 characters, none of them a control character';

const FOLDER = {
  name: z.string(FOLDER_NAME_RULE).regex(/^(?!\s*$)[^\p{Cc}\p{Cs}]{1,150}$/u, FOLDER_NAME_RULE),
  parent: positiveInteger.optional(),
  dagId: positiveInteger.optional(),
  roleId: positiveInteger.optional(),
} satisfies Shape<NewFolder>;

const id = argument('id', positiveInteger);

export const FILE_REPOSITORY = content(FileRepository, {
  list: [argument('folder', positiveInteger.optional()), options(CALL)],
  info: [id, options(CALL)],
  size: [id, options(CALL)],
  createFolder: [argument('folder', strictObject(FOLDER, 'a property')), options(CALL)],
  get: [id, options(CALL)],
  put: [file, options({ ...CALL, folder: positiveInteger.optional() })],
  delete: [id, options(CALL)],
});
