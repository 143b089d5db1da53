import { Get, Queries, Route, Security, SuccessResponse, Tags } from '@tsoa/runtime';
import type { EventNameText, InstrumentNameText } from '../domain/identifiers/names.js';
import type { FilterLogicText, ProjectXmlContent } from '../gateways/redcap/crf-client.js';
import { CrfController } from './crf-controller.js';
import { mountedAt } from '../http/mounted-at.js';
import { sendStreamed } from '../http/send-streamed.js';
import { sendFile } from './streamed-answers.js';
import { sendDocument } from './tagged-answers.js';

/** The form of the values. */
export interface SchemaQuery {
  /** `raw`: text, as in REDCap; `typed`: typed values. `typed` by default. */
  values?: 'raw' | 'typed';
}

/** A JSON document. */
export interface JsonDocumentResponse {
  [keyword: string]: unknown;
}

/** Selects blank forms. */
export interface BlankPdfQuery {
  /** Only this instrument. */
  instrument?: InstrumentNameText;
  /** Only the instruments of this event. Longitudinal projects only. */
  event?: EventNameText;
}

/** What the document contains in addition to the design. */
export interface ProjectXmlQuery extends ProjectXmlContent {
  /** Only records for which this expression is true. Must be percent-encoded. */
  filterLogic?: FilterLogicText;
}

/** The project as documents. */
@Route('api/v1/project')
@Tags('Project')
@Security('apiKey', ['project:read'])
export class ProjectDocumentsController extends CrfController {
  /**
   * Returns blank forms as a PDF document: all instruments, or the one that the query names.
   * @summary Download blank forms as PDF
   */
  @Get('instruments/pdf')
  @SuccessResponse(200, 'The document')
  async getBlankPdf(@Queries() query: BlankPdfQuery): Promise<void> {
    return sendFile(this.request, () => this.crf.fileService.openPdf(query, this.call));
  }

  /**
   * Returns the whole project as one document in CDISC ODM with REDCap's own attributes: its design, its roles and its
   * records, or without records if `metadataOnly` is set. REDCap can create a copy of the project from it, and so can
   * `crf sandbox --project`. The response is a stream. If it fails midway, the connection is broken rather than closed
   * cleanly.
   * @summary Download the project as XML
   */
  @Get('xml')
  @Security('apiKey', ['project:read', 'records:read', 'users:read'])
  @SuccessResponse(200, 'The document')
  async getProjectXml(@Queries() query: ProjectXmlQuery): Promise<void> {
    return sendStreamed(
      this.request,
      () => this.crf.fileService.openXml(query, this.call),
      (response) => response.setHeader('Content-Disposition', 'attachment; filename="project.REDCap.xml"'),
    );
  }

  /**
   * Describes the rows of each instrument as a JSON Schema (2020-12), in `$defs` by the name of the instrument, with
   * labels as descriptions. A row is valid if an import would accept it. The `ETag` changes only with the structure of
   * the project; `If-None-Match` gets a 304.
   * @summary Get the project as JSON Schema
   */
  @Get('schema')
  @SuccessResponse(200, 'The schema')
  async getSchema(@Queries() query: SchemaQuery): Promise<JsonDocumentResponse> {
    return sendDocument(this.request, this.crf.documents.schema(query.values ?? 'typed', this.call));
  }

  /**
   * Returns TypeScript types for this project, like `crf types`. With them, `createCrfClient<Project>(…)` knows the
   * fields, choices and events of the project.
   * @summary Get the project as TypeScript types
   */
  @Get('types')
  @SuccessResponse(200, 'The types', 'text/plain')
  async getTypes(): Promise<string> {
    return sendDocument(this.request, this.crf.documents.types(this.call));
  }

  /**
   * Returns this OpenAPI document for the project: the rows of each instrument have a path and a schema of their own,
   * in place of rows with arbitrary columns and values, and the names of fields, instruments and events are
   * enumerations. Code that is generated from it knows the project.
   * @summary Get the OpenAPI document of the project
   */
  @Get('openapi.json')
  @SuccessResponse(200, 'The document')
  async getProjectOpenApi(): Promise<JsonDocumentResponse> {
    return sendDocument(this.request, this.crf.documents.openApi(this.call), (text) =>
      mountedAt(this.request.baseUrl, text),
    );
  }
}
