import {
  Controller,
  Get,
  Queries,
  Request,
  Response,
  Route,
  Security,
  SuccessResponse,
  Tags,
} from '@tsoa/runtime';
import type { Request as ExpressRequest } from 'express';
import type { ProjectDocuments } from '../services/project-schema/project-documents.js';
import { callOptions } from './call-options.js';
import { sendDocument } from './send-document.js';

/** Of which values. */
export interface SchemaQuery {
  /** Text as REDCap has it, or typed values. `typed` by default. */
  values?: 'raw' | 'typed';
}

/** A JSON document. */
export interface JsonDocumentResponse {
  [keyword: string]: unknown;
}

@Route('api/v1/project')
@Tags('Project')
@Security('apiKey', ['project:read'])
@Security('cookieAuth', ['project:read'])
export class ProjectSchemaController extends Controller {
  constructor(private readonly documents: ProjectDocuments) {
    super();
  }

  /**
   * The rows of each instrument as a JSON Schema (2020-12), in `$defs` by the name of the instrument, with labels as
   * descriptions. A row validates when an import would take it. `ETag` is the same as long as the structure is;
   * `If-None-Match` gets 304.
   * @summary The project as a JSON Schema
   */
  @Get('schema')
  @SuccessResponse(200, 'The schema')
  @Response<void>(304, 'Nothing has changed since the ETag of If-None-Match')
  async getSchema(
    @Request() request: ExpressRequest,
    @Queries() query: SchemaQuery,
  ): Promise<JsonDocumentResponse> {
    return sendDocument(request, this.documents.schema(query.values ?? 'typed', callOptions(request)));
  }

  /**
   * TypeScript for this project, as `crf types` writes it: `createCrfClient<Project>(…)` then knows its fields, choices and
   * events.
   * @summary The project as TypeScript
   */
  @Get('types')
  @SuccessResponse(200, 'The types', 'text/plain')
  @Response<void>(304, 'Nothing has changed since the ETag of If-None-Match')
  async getTypes(@Request() request: ExpressRequest): Promise<string> {
    return sendDocument(request, this.documents.types(callOptions(request)));
  }

  /**
   * This document with the rows of the project: a schema for each instrument in place of any column with any value.
   * @summary The OpenAPI document of the project
   */
  @Get('openapi.json')
  @SuccessResponse(200, 'The document')
  @Response<void>(304, 'Nothing has changed since the ETag of If-None-Match')
  async getProjectOpenApi(@Request() request: ExpressRequest): Promise<JsonDocumentResponse> {
    return sendDocument(request, this.documents.openApi(callOptions(request)));
  }
}
