import { Get, Queries, Route, Security, SuccessResponse, Tags } from '@tsoa/runtime';
import { mountedAt } from '../http/mounted-at.js';
import { CrfController } from './crf-controller.js';
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

@Route('api/v1/project')
@Tags('Project')
@Security('apiKey', ['project:read'])
export class ProjectSchemaController extends CrfController {
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
