import {
  Controller,
  Example,
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
import type { CrfService } from '../services/crf-service.js';
import { callOptions } from './call-options.js';
import type { FieldNameText, InstrumentNameText } from './parameters.js';
import { PROBLEM, type Problem } from './problem.js';
import type {
  ExportFieldNamesResponse,
  FieldsResponse,
  InstrumentsResponse,
  ProjectInfoResponse,
  VersionResponse,
} from './project-responses.js';

/** Which fields of the data dictionary. */
export interface FieldsQuery {
  /** Only the fields of these instruments: `forms=a,b` or `forms=a&forms=b`. */
  forms?: InstrumentNameText[];
}

/** Which export columns. */
export interface ExportFieldNamesQuery {
  /** Only the columns of this field. */
  field?: FieldNameText;
}

@Route('api/v1/project')
@Tags('Project')
@Security('apiKey', ['project:read'])
@Security('cookieAuth', ['project:read'])
export class ProjectController extends Controller {
  constructor(private readonly crf: CrfService) {
    super();
  }

  /**
   * The version of REDCap behind this service.
   * @summary REDCap's version
   */
  @Get('version')
  @SuccessResponse(200, 'The version')
  @Response<Problem>(400, 'invalid_request: an unknown or malformed parameter', undefined, PROBLEM)
  @Response<Problem>(401, 'unauthenticated: no valid credential', undefined, PROBLEM)
  @Response<Problem>(403, 'insufficient_scope: needs `project:read`', undefined, PROBLEM)
  @Response<Problem>(406, 'not_acceptable: ask for application/json', undefined, PROBLEM)
  @Response<Problem>(429, 'rate_limited: wait as Retry-After says', undefined, PROBLEM)
  @Response<Problem>(500, 'internal_error: a fault of this service', undefined, PROBLEM)
  @Response<Problem>(502, 'upstream_refused, upstream_invalid: a wrong answer of REDCap', undefined, PROBLEM)
  @Response<Problem>(503, 'upstream_unavailable, overloaded: try again later', undefined, PROBLEM)
  @Response<Problem>(504, 'upstream_timeout: REDCap took too long', undefined, PROBLEM)
  @Example<VersionResponse>({ data: { version: '16.1.9' } })
  async getVersion(@Request() request: ExpressRequest): Promise<VersionResponse> {
    return { data: { version: await this.crf.getVersion(callOptions(request)) } };
  }

  /**
   * What the project is: its title, its state, and which of REDCap's features it uses.
   * @summary The project
   */
  @Get('info')
  @SuccessResponse(200, 'The project')
  @Response<Problem>(400, 'invalid_request: an unknown or malformed parameter', undefined, PROBLEM)
  @Response<Problem>(401, 'unauthenticated: no valid credential', undefined, PROBLEM)
  @Response<Problem>(403, 'insufficient_scope: needs `project:read`', undefined, PROBLEM)
  @Response<Problem>(406, 'not_acceptable: ask for application/json', undefined, PROBLEM)
  @Response<Problem>(429, 'rate_limited: wait as Retry-After says', undefined, PROBLEM)
  @Response<Problem>(500, 'internal_error: a fault of this service', undefined, PROBLEM)
  @Response<Problem>(502, 'upstream_refused, upstream_invalid: a wrong answer of REDCap', undefined, PROBLEM)
  @Response<Problem>(503, 'upstream_unavailable, overloaded: try again later', undefined, PROBLEM)
  @Response<Problem>(504, 'upstream_timeout: REDCap took too long', undefined, PROBLEM)
  async getProjectInfo(@Request() request: ExpressRequest): Promise<ProjectInfoResponse> {
    return { data: await this.crf.getProjectInfo(callOptions(request)) };
  }

  /**
   * The project's instruments (data entry forms), in project order.
   * @summary List the instruments
   */
  @Get('instruments')
  @SuccessResponse(200, 'The instruments')
  @Response<Problem>(400, 'invalid_request: an unknown or malformed parameter', undefined, PROBLEM)
  @Response<Problem>(401, 'unauthenticated: no valid credential', undefined, PROBLEM)
  @Response<Problem>(403, 'insufficient_scope: needs `project:read`', undefined, PROBLEM)
  @Response<Problem>(406, 'not_acceptable: ask for application/json', undefined, PROBLEM)
  @Response<Problem>(429, 'rate_limited: wait as Retry-After says', undefined, PROBLEM)
  @Response<Problem>(500, 'internal_error: a fault of this service', undefined, PROBLEM)
  @Response<Problem>(502, 'upstream_refused, upstream_invalid: a wrong answer of REDCap', undefined, PROBLEM)
  @Response<Problem>(503, 'upstream_unavailable, overloaded: try again later', undefined, PROBLEM)
  @Response<Problem>(504, 'upstream_timeout: REDCap took too long', undefined, PROBLEM)
  @Example<InstrumentsResponse>({ data: [{ name: 'demographics', label: 'Demographics' }] })
  async getInstruments(@Request() request: ExpressRequest): Promise<InstrumentsResponse> {
    return { data: await this.crf.getInstruments(callOptions(request)) };
  }

  /**
   * The data dictionary: every field of the project in its own order, as its designer made it. Labels may hold
   * HTML: escape them before you show them.
   * @summary List the fields of the data dictionary
   */
  @Get('fields')
  @SuccessResponse(200, 'The fields')
  @Response<Problem>(400, 'invalid_request: an unknown or malformed parameter', undefined, PROBLEM)
  @Response<Problem>(401, 'unauthenticated: no valid credential', undefined, PROBLEM)
  @Response<Problem>(403, 'insufficient_scope: needs `project:read`', undefined, PROBLEM)
  @Response<Problem>(406, 'not_acceptable: ask for application/json', undefined, PROBLEM)
  @Response<Problem>(429, 'rate_limited: wait as Retry-After says', undefined, PROBLEM)
  @Response<Problem>(500, 'internal_error: a fault of this service', undefined, PROBLEM)
  @Response<Problem>(502, 'upstream_refused, upstream_invalid: a wrong answer of REDCap', undefined, PROBLEM)
  @Response<Problem>(503, 'upstream_unavailable, overloaded: try again later', undefined, PROBLEM)
  @Response<Problem>(504, 'upstream_timeout: REDCap took too long', undefined, PROBLEM)
  async getFields(
    @Request() request: ExpressRequest,
    @Queries() query: FieldsQuery,
  ): Promise<FieldsResponse> {
    return { data: await this.crf.getFields({ ...callOptions(request), ...query }) };
  }

  /**
   * What each field becomes in an export: a checkbox field has one column a choice.
   * @summary List the export columns
   */
  @Get('export-field-names')
  @SuccessResponse(200, 'The export columns')
  @Response<Problem>(400, 'invalid_request: an unknown or malformed parameter', undefined, PROBLEM)
  @Response<Problem>(401, 'unauthenticated: no valid credential', undefined, PROBLEM)
  @Response<Problem>(403, 'insufficient_scope: needs `project:read`', undefined, PROBLEM)
  @Response<Problem>(406, 'not_acceptable: ask for application/json', undefined, PROBLEM)
  @Response<Problem>(429, 'rate_limited: wait as Retry-After says', undefined, PROBLEM)
  @Response<Problem>(500, 'internal_error: a fault of this service', undefined, PROBLEM)
  @Response<Problem>(502, 'upstream_refused, upstream_invalid: a wrong answer of REDCap', undefined, PROBLEM)
  @Response<Problem>(503, 'upstream_unavailable, overloaded: try again later', undefined, PROBLEM)
  @Response<Problem>(504, 'upstream_timeout: REDCap took too long', undefined, PROBLEM)
  @Example<ExportFieldNamesResponse>({
    data: [
      { fieldName: 'age', choiceCode: '', exportColumn: 'age' },
      { fieldName: 'sites', choiceCode: '2', exportColumn: 'sites___2' },
    ],
  })
  async getExportFieldNames(
    @Request() request: ExpressRequest,
    @Queries() query: ExportFieldNamesQuery,
  ): Promise<ExportFieldNamesResponse> {
    return { data: await this.crf.getExportFieldNames({ ...callOptions(request), ...query }) };
  }
}
