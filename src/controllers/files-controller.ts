import {
  Delete,
  Example,
  Get,
  Header,
  Path,
  Put,
  Queries,
  Response,
  Route,
  Security,
  SuccessResponse,
  Tags,
} from '@tsoa/runtime';
import type { FieldNameText } from '../domain/identifiers/names.js';
import type { RecordIdText } from '../domain/identifiers/record-id.js';
import type { FormPlace, PdfForms } from '../gateways/redcap/crf-client.js';
import { uploadedFile, type FileNameHeader } from '../http/file-headers.js';
import { CrfController, type CountResponse } from './crf-controller.js';
import type { Problem } from '../http/send-problem.js';
import { sendFile } from './streamed-answers.js';

/** The place of an uploaded file, and its name. */
export interface FileUploadQuery extends FormPlace {
  /**
   * The name of the file. It takes precedence over `Content-Disposition`.
   * @minLength 1
   * @maxLength 255
   * @example "consent.pdf"
   */
  fileName?: string;
}

@Route('api/v1/records/{record}')
@Tags('Files')
export class FilesController extends CrfController {
  /**
   * Downloads the file of a file field byte for byte, with the media type of its upload and its name in
   * `Content-Disposition`. It is always an attachment, which browsers save instead of showing. `Content-Length` is set
   * if REDCap reports it. Range requests are not supported. If the download fails midway, the connection is broken
   * rather than closed cleanly.
   * @param record the record
   * @param field the name of a file field
   * @summary Download a file
   */
  @Get('files/{field}')
  @Security('apiKey', ['files:read'])
  @SuccessResponse(200, 'The file')
  @Response<Problem>(404, 'file_not_found, record_not_found: the field has no file')
  async getFile(
    @Path() record: RecordIdText,
    @Path() field: FieldNameText,
    @Queries() query: FormPlace,
  ): Promise<void> {
    const place = { record, field, ...query };
    return sendFile(this.request, () => this.crf.fileService.openFile(place, this.call));
  }

  /**
   * Stores a file in a file field, replacing any existing file. The body is the file itself, with its media type in
   * `Content-Type`, or a form (`multipart/form-data`) whose only part is the file and is named `file`. Idempotent.
   * @param record the record
   * @param field the name of a file field
   * @param _name the name of the file, unless `fileName` or the form gives it, such as `attachment; filename="consent.pdf"`; names beyond ASCII follow RFC 5987: `attachment; filename*=UTF-8''%C3%A9tude.pdf`
   * @summary Upload a file
   */
  @Put('files/{field}')
  @Security('apiKey', ['files:write'])
  @SuccessResponse(200, 'The number of files that were stored')
  @Example<CountResponse>({ data: { count: 1 } })
  async putFile(
    @Path() record: RecordIdText,
    @Path() field: FieldNameText,
    @Queries() query: FileUploadQuery,
    @Header('Content-Disposition') _name?: FileNameHeader,
  ): Promise<CountResponse> {
    const { fileName, ...place } = { record, field, ...query };
    const { file, head } = await uploadedFile(this.request, fileName);
    await this.crf.fileService.putFile(place, file, head, this.call);
    return { data: { count: 1 } };
  }

  /**
   * Deletes the file of a file field. REDCap keeps it for a while, and an administrator can restore it.
   * @param record the record
   * @param field the name of a file field
   * @summary Delete a file
   */
  @Delete('files/{field}')
  @Security('apiKey', ['files:write'])
  @SuccessResponse(200, 'The number of files that were deleted')
  @Example<CountResponse>({ data: { count: 1 } })
  @Response<Problem>(404, 'file_not_found, record_not_found: the field has no file')
  async deleteFile(
    @Path() record: RecordIdText,
    @Path() field: FieldNameText,
    @Queries() query: FormPlace,
  ): Promise<CountResponse> {
    await this.crf.files.delete({ record, field, ...query }, this.call);
    return { data: { count: 1 } };
  }

  /**
   * Returns the forms of a record as a PDF document with its data: all forms, or those selected by the query.
   * @param record the record
   * @summary Download a record as PDF
   */
  @Get('pdf')
  @Security('apiKey', ['records:read'])
  @SuccessResponse(200, 'The document')
  async getRecordPdf(@Path() record: RecordIdText, @Queries() query: PdfForms): Promise<void> {
    const selection = { record, ...query };
    return sendFile(this.request, () => this.crf.fileService.openPdf(selection, this.call));
  }
}
