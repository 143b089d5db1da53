import { Controller, Get, Queries, Request, Route, Security, SuccessResponse, Tags } from '@tsoa/runtime';
import type { Request as ExpressRequest } from 'express';
import type { FileService } from '../services/files/file-service.js';
import type { ProjectXmlExporter } from '../services/project-xml.js';
import { callOptions } from './call-options.js';
import type {
  EventNameText,
  FieldNameText,
  FilterLogicText,
  InstrumentNameText,
  RecordIdText,
} from './parameters.js';
import { sendFile, sendStreamed } from './send-streamed.js';

/** Which blank forms. */
export interface BlankPdfQuery {
  /** Only this instrument. */
  instrument?: InstrumentNameText;
  /** Only the instruments of this event; longitudinal projects. */
  event?: EventNameText;
}

/** What the document holds besides the design. */
export interface ProjectXmlQuery {
  /** Leaves out the records. */
  metadataOnly?: boolean;
  /** Only these records. */
  records?: RecordIdText[];
  /** Only these fields. */
  fields?: FieldNameText[];
  /** Only these events; longitudinal projects. */
  events?: EventNameText[];
  /** Only records for which this expression is true. Percent-encode it. */
  filterLogic?: FilterLogicText;
  /** Adds the survey identifier and the survey time stamps. */
  exportSurveyFields?: boolean;
  /** Adds the data access group. */
  exportDataAccessGroups?: boolean;
}

/** The project as documents. */
@Route('api/v1/project')
@Tags('Project')
export class ProjectDocumentsController extends Controller {
  constructor(
    private readonly files: FileService,
    private readonly xml: ProjectXmlExporter,
  ) {
    super();
  }

  /**
   * The blank forms as a PDF document: all instruments, or the one that the query names.
   * @summary Blank forms as PDF
   */
  @Get('instruments/pdf')
  @Security('apiKey', ['project:read'])
  @Security('cookieAuth', ['project:read'])
  @SuccessResponse(200, 'The document')
  async downloadBlankPdf(@Request() request: ExpressRequest, @Queries() query: BlankPdfQuery): Promise<void> {
    return sendFile(request, () => this.files.openPdf(query, callOptions(request)));
  }

  /**
   * The whole project as one document, CDISC ODM with REDCap's own attributes: its design, its roles and its records, or
   * with `metadataOnly` without the records. REDCap makes a copy of the project from it, and so does `crf sandbox
   * --project`. The answer is a stream; one that breaks off ends with a broken connection, never cleanly.
   * @summary The project as XML
   */
  @Get('xml')
  @Security('apiKey', ['project:read', 'records:read', 'users:read'])
  @Security('cookieAuth', ['project:read', 'records:read', 'users:read'])
  @SuccessResponse(200, 'The document')
  async exportProjectXml(
    @Request() request: ExpressRequest,
    @Queries() query: ProjectXmlQuery,
  ): Promise<void> {
    return sendStreamed(
      request,
      () => this.xml.open(query, callOptions(request)),
      (response) => response.setHeader('Content-Disposition', 'attachment; filename="project.REDCap.xml"'),
    );
  }
}
