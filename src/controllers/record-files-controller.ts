import {
  Controller,
  Delete,
  Get,
  Header,
  Path,
  Put,
  Queries,
  Request,
  Response,
  Route,
  Security,
  SuccessResponse,
  Tags,
} from '@tsoa/runtime';
import type { Request as ExpressRequest } from 'express';
import { fileHeaders } from '../http/file-headers.js';
import type { FileService } from '../services/files/file-service.js';
import { callOptions } from './call-options.js';
import type {
  EventNameText,
  FieldNameText,
  FileNameHeader,
  InstrumentNameText,
  RecordIdText,
  RepeatInstanceNumber,
} from './parameters.js';
import { PROBLEM, type Problem } from './problem.js';
import { sendFile } from './send-streamed.js';

/** Which of the files of a field. */
export interface FilePlaceQuery {
  /** The event; needed in a longitudinal project. */
  event?: EventNameText;
  /** The instance of a repeating instrument or event; 1 by default. */
  repeatInstance?: RepeatInstanceNumber;
}

/** Which forms of a record. */
export interface RecordPdfQuery {
  /** Only this instrument. */
  instrument?: InstrumentNameText;
  /** Only this event; longitudinal projects. */
  event?: EventNameText;
  /** Only this instance of a repeating instrument or event. */
  repeatInstance?: RepeatInstanceNumber;
  /** Leaves out fields without a value. */
  compact?: boolean;
}

@Route('api/v1/records/{recordId}')
@Tags('Files')
export class RecordFilesController extends Controller {
  constructor(private readonly files: FileService) {
    super();
  }

  /**
   * The file of a file field, byte for byte, as it was uploaded: its media type, and its name in `Content-Disposition`.
   * It is always an attachment, which a browser saves and does not show. `Content-Length` is there when REDCap says it.
   * Ranges are not served. A file that breaks off ends with a broken connection, never cleanly.
   * @param recordId the record
   * @param field the name of a file field
   * @summary Download a file
   */
  @Get('files/{field}')
  @Security('apiKey', ['files:read'])
  @Security('cookieAuth', ['files:read'])
  @SuccessResponse(200, 'The file')
  @Response<Problem>(404, 'file_not_found, record_not_found: no file is stored there', undefined, PROBLEM)
  async downloadFile(
    @Request() request: ExpressRequest,
    @Path() recordId: RecordIdText,
    @Path() field: FieldNameText,
    @Queries() query: FilePlaceQuery,
  ): Promise<void> {
    const place = { record: recordId, field, ...query };
    return sendFile(request, () => this.files.openFile(place, callOptions(request)));
  }

  /**
   * Stores a file in a file field, in place of the one that may stand there. The body is the file itself, with its media
   * type in `Content-Type`; a form (`multipart/form-data`) is refused. Sent again it comes to the same.
   * @param recordId the record
   * @param field the name of a file field
   * @param _name the name of the file, as in `attachment; filename="consent.pdf"`; for letters beyond ASCII as RFC 5987 has it: `attachment; filename*=UTF-8''%C3%A9tude.pdf`
   * @summary Upload a file
   */
  @Put('files/{field}')
  @Security('apiKey', ['files:write'])
  @Security('cookieAuth', ['files:write'])
  @SuccessResponse(204, 'The file is stored')
  @Response<Problem>(404, 'record_not_found: no such record', undefined, PROBLEM)
  async uploadFile(
    @Request() request: ExpressRequest,
    @Path() recordId: RecordIdText,
    @Path() field: FieldNameText,
    @Queries() query: FilePlaceQuery,
    @Header('Content-Disposition') _name: FileNameHeader,
  ): Promise<void> {
    const place = { record: recordId, field, ...query };
    return this.files.putFile(place, request, fileHeaders(request.headers), callOptions(request));
  }

  /**
   * Removes the file of a file field. REDCap keeps it for a while where an administrator can restore it.
   * @param recordId the record
   * @param field the name of a file field
   * @summary Delete a file
   */
  @Delete('files/{field}')
  @Security('apiKey', ['files:write'])
  @Security('cookieAuth', ['files:write'])
  @SuccessResponse(204, 'The file is gone')
  @Response<Problem>(404, 'file_not_found, record_not_found: no file is stored there', undefined, PROBLEM)
  async deleteFile(
    @Request() request: ExpressRequest,
    @Path() recordId: RecordIdText,
    @Path() field: FieldNameText,
    @Queries() query: FilePlaceQuery,
  ): Promise<void> {
    return this.files.deleteFile({ record: recordId, field, ...query }, callOptions(request));
  }

  /**
   * The forms of a record as a PDF document, with its data: all of them, or those that the query names.
   * @param recordId the record
   * @summary A record as PDF
   */
  @Get('pdf')
  @Security('apiKey', ['records:read'])
  @Security('cookieAuth', ['records:read'])
  @SuccessResponse(200, 'The document')
  @Response<Problem>(404, 'record_not_found: no such record', undefined, PROBLEM)
  async downloadRecordPdf(
    @Request() request: ExpressRequest,
    @Path() recordId: RecordIdText,
    @Queries() query: RecordPdfQuery,
  ): Promise<void> {
    const selection = { record: recordId, ...query };
    return sendFile(request, () => this.files.openPdf(selection, callOptions(request)));
  }
}
