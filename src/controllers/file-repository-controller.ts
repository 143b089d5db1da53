import {
  Body,
  Delete,
  Example,
  Get,
  Header,
  Path,
  Post,
  Queries,
  Response,
  Route,
  Security,
  SuccessResponse,
  Tags,
} from '@tsoa/runtime';
import type {
  FolderNumber,
  NewFolder,
  RepositoryEntry,
  RepositoryFileNumber,
} from '../gateways/redcap/crf-client.js';
import { uploadedFile, type FileNameHeader } from '../http/file-headers.js';
import { responseOf } from '../http/request-state.js';
import type { RepositoryFileInfo, StoredRepositoryFile } from '../services/files/file-service.js';
import { CrfController, type CountResponse } from './crf-controller.js';
import type { Problem } from '../http/send-problem.js';
import { sendFile } from './streamed-answers.js';
import { sendUnlessKnown } from './tagged-answers.js';

/** The contents of a folder. */
export interface RepositoryEntriesResponse {
  data: RepositoryEntry[];
}

/** The properties of a file. */
export interface RepositoryFileInfoResponse {
  data: RepositoryFileInfo;
}

/** The file that was added. */
export interface StoredRepositoryFileResponse {
  data: StoredRepositoryFile;
}

/** The folder that was created. */
export interface NewFolderResponse {
  data: {
    /**
     * @isInt
     * @example 45
     */
    id: number;
  };
}

/** Selects a folder of the file repository. */
export interface FolderQuery {
  /** The number of a folder; the top level by default. */
  folder?: FolderNumber;
}

/** The folder of an uploaded file, and its name. */
export interface RepositoryFileQuery extends FolderQuery {
  /**
   * The name of the file. It takes precedence over `Content-Disposition`.
   * @minLength 1
   * @maxLength 255
   * @example "protocol.pdf"
   */
  fileName?: string;
}

/** The file repository of the project: files that belong to no record. */
@Route('api/v1/file-repository')
@Tags('Files')
@Security('apiKey', ['files:read'])
export class FileRepositoryController extends CrfController {
  /**
   * Lists the contents of a folder of the file repository, or of its top level: folders first, then files, both in REDCap's
   * order.
   * @summary List files and folders
   */
  @Get()
  @SuccessResponse(200, 'Folders and files')
  @Example<RepositoryEntriesResponse>({
    data: [{ kind: 'file', id: 201, name: 'protocol.pdf', role: '', dag: '' }],
  })
  async listRepositoryFiles(@Queries() query: FolderQuery): Promise<RepositoryEntriesResponse> {
    const data = await this.crf.fileRepository.list(query.folder, this.call);
    return sendUnlessKnown(this.request, { data }, 'no-store');
  }

  /**
   * Creates a folder in the file repository. A name that already exists in the parent folder is refused. If a request
   * fails but may have arrived, list the folder before sending it again. `Location` lists the new folder.
   * @summary Create a folder
   */
  @Post('folders')
  @Security('apiKey', ['files:write'])
  @SuccessResponse(201, 'The new folder')
  @Example<NewFolderResponse>({ data: { id: 45 } })
  async createRepositoryFolder(@Body() folder: NewFolder): Promise<NewFolderResponse> {
    const id = await this.crf.fileRepository.createFolder(folder, this.call);
    this.#setLocation((path) => path.replace(/\/folders$/, `?folder=${id}`));
    return { data: { id } };
  }

  /**
   * Adds a file to the file repository. The body is the file itself, with its media type in `Content-Type`, or a form
   * (`multipart/form-data`) whose only part is the file and is named `file`. REDCap
   * does not return the number of the new file: it is that of the entry which its folder has after the upload and had not
   * before. If several files of this name were added at the same time, there is no `id` and no `Location`: list the folder.
   * Not idempotent: a repeated request adds the file again.
   * @param _name the name of the file, unless `fileName` or the form gives it, such as `attachment; filename="protocol.pdf"`; names beyond ASCII follow RFC 5987: `attachment; filename*=UTF-8''%C3%A9tude.pdf`
   * @summary Add a file
   */
  @Post()
  @Security('apiKey', ['files:write'])
  @SuccessResponse(201, 'The new file')
  @Example<StoredRepositoryFileResponse>({ data: { id: 201, name: 'protocol.pdf' } })
  async putRepositoryFile(
    @Queries() query: RepositoryFileQuery,
    @Header('Content-Disposition') _name?: FileNameHeader,
  ): Promise<StoredRepositoryFileResponse> {
    const options = { ...this.call, folder: query.folder };
    const { file, head } = await uploadedFile(this.request, query.fileName);
    const data = await this.crf.fileService.putRepositoryFile(file, head, options);
    if (data.id !== undefined) this.#setLocation((path) => `${path}/${data.id}`);
    return { data };
  }

  /**
   * Downloads a file of the file repository byte for byte, with its media type and its name in `Content-Disposition`.
   * It is always an attachment, which browsers save instead of showing. `Content-Length` is set if REDCap reports it.
   * Range requests are not supported. If the download fails midway, the connection is broken rather than closed
   * cleanly.
   * @param id its number, as the list of its folder has it
   * @summary Download a file of the repository
   */
  @Get('{id}')
  @SuccessResponse(200, 'The file')
  @Response<Problem>(404, 'file_not_found: there is no file of this number')
  async getRepositoryFile(@Path() id: RepositoryFileNumber): Promise<void> {
    return sendFile(this.request, () => this.crf.fileService.openRepositoryFile(id, this.call));
  }

  /**
   * Returns the name, media type and length of a file of the file repository, without its content.
   * @param id its number, as the list of its folder has it
   * @summary Describe a file of the repository
   */
  @Get('{id}/info')
  @SuccessResponse(200, 'The description')
  @Response<Problem>(404, 'file_not_found: there is no file of this number')
  @Example<RepositoryFileInfoResponse>({
    data: { id: 201, name: 'protocol.pdf', contentType: 'application/pdf', length: 48_213 },
  })
  async getRepositoryFileInfo(@Path() id: RepositoryFileNumber): Promise<RepositoryFileInfoResponse> {
    return { data: await this.crf.fileService.repositoryFileInfo(id, this.call) };
  }

  /**
   * Deletes a file of the file repository. REDCap keeps it for a while, and a user can restore it.
   * @param id its number, as the list of its folder has it
   * @summary Delete a file of the repository
   */
  @Delete('{id}')
  @Security('apiKey', ['files:write'])
  @SuccessResponse(200, 'The number of files that were deleted')
  @Example<CountResponse>({ data: { count: 1 } })
  @Response<Problem>(404, 'file_not_found: there is no file of this number')
  async deleteRepositoryFile(@Path() id: RepositoryFileNumber): Promise<CountResponse> {
    await this.crf.fileRepository.delete(id, this.call);
    return { data: { count: 1 } };
  }

  /** Says where the new entry is, as a path: behind the prefix of the project, where there are several. */
  #setLocation(of: (path: string) => string): void {
    const { pathname } = new URL(this.request.originalUrl, 'http://localhost');
    responseOf(this.request).setHeader('Location', of(pathname));
  }
}
