import {
  Controller,
  Example,
  Get,
  Header,
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
import type { Field } from '../dictionary/field.js';
import { sendUnlessKnown } from '../http/entity-tag.js';
import type { DesignChanges } from '../services/project/design-changes.js';
import type { DictionaryService } from '../services/project/dictionary-service.js';
import { callOptions } from './call-options.js';
import type { CountResponse } from './count-response.js';
import { acceptsCsv, bodyIsCsv } from './dictionary-formats.js';
import type { EntityTagsText, FieldNameText, InstrumentNameText } from './parameters.js';
import { PROBLEM, type Problem } from './problem.js';
import { sendText } from './send-text.js';
import { whileUnchanged } from './while-unchanged.js';

/** The data dictionary. */
export interface FieldsResponse {
  data: Field[];
}

/** Selects fields of the data dictionary. */
export interface FieldsQuery {
  /** Only these fields: `fields=a,b` or `fields=a&fields=b`. */
  fields?: FieldNameText[];
  /** Only the fields of these instruments: `forms=a,b` or `forms=a&forms=b`. */
  forms?: InstrumentNameText[];
}

@Route('api/v1/project/fields')
@Tags('Project')
export class DictionaryController extends Controller {
  constructor(
    private readonly dictionary: DictionaryService,
    private readonly changes: DesignChanges,
  ) {
    super();
  }

  /**
   * Returns the data dictionary: every field of the project, in its order, as its designer defined it. With `Accept:
   * text/csv` it is a data dictionary CSV that REDCap can read. Labels may contain HTML: escape them before displaying
   * them.
   * @summary List the fields of the data dictionary
   */
  @Get()
  @Security('apiKey', ['project:read'])
  @Security('cookieAuth', ['project:read'])
  @SuccessResponse(200, 'The fields')
  @Response<void>(304, 'Nothing has changed since the ETag of If-None-Match')
  @Response<Problem>(400, 'upstream_rejected: a field does not exist', undefined, PROBLEM)
  async listFields(
    @Request() request: ExpressRequest,
    @Queries() query: FieldsQuery,
  ): Promise<FieldsResponse> {
    const selection = { ...query, ...callOptions(request) };
    if (acceptsCsv(request)) return sendText(request, 'text/csv', await this.dictionary.csv(selection));
    return sendUnlessKnown(request, { data: await this.dictionary.fields(selection) });
  }

  /**
   * Replaces the whole data dictionary. A field that is omitted is deleted, with its stored data. Accepts
   * `application/json` with the fields in the form that `GET` returns, or a data dictionary as `text/csv`. Possible
   * only while the project is in development. Idempotent.
   * @param ifMatch the `ETag` of an earlier read: the change is made only if the resource still has it
   * @summary Replace the data dictionary
   */
  @Put()
  @Security('apiKey', ['design:write', 'design:delete'])
  @Security('cookieAuth', ['design:write', 'design:delete'])
  @SuccessResponse(200, 'The number of fields in the project')
  @Example<CountResponse>({ data: { count: 42 } })
  @Response<Problem>(400, 'upstream_rejected: REDCap refused the dictionary', undefined, PROBLEM)
  @Response<Problem>(413, 'payload_too_large: a dictionary has at most 16 MiB', undefined, PROBLEM)
  @Response<Problem>(412, 'precondition_failed: the resource no longer matches If-Match', undefined, PROBLEM)
  async putFields(
    @Request() request: ExpressRequest,
    @Header('If-Match') ifMatch?: EntityTagsText,
  ): Promise<CountResponse> {
    const format = bodyIsCsv(request) ? 'csv' : 'json';
    const options = callOptions(request);
    const isUnchanged = whileUnchanged(ifMatch, async () => [
      { data: await this.dictionary.fields(options) },
      await this.dictionary.csv(options),
    ]);
    const replace = (): Promise<number> => this.dictionary.replace(request, format, options);
    return { data: { count: await this.changes.make(isUnchanged, replace) } };
  }
}
