import { Controller, Example, Get, Request, Route, Security, SuccessResponse, Tags } from '@tsoa/runtime';
import type { Request as ExpressRequest } from 'express';
import { UnauthenticatedError } from '../domain/errors/access-errors.js';
import { projectListOf, type ProjectEntry } from '../http/app-state.js';
import { requestState } from '../http/request-state.js';
import { sendUnlessKnown } from './tagged-answers.js';

/** The projects that the caller may use. */
export interface ProjectsResponse {
  data: ProjectEntry[];
}

@Route('api/v1/projects')
@Tags('Project')
@Security('apiKey', [])
export class ProjectsController extends Controller {
  /**
   * Lists the projects that the caller may use, in the order of the configuration. In a service that has several
   * (`PROJECTS_FILE`), each has every route of this document below `/projects/{name}`.
   * @summary List the projects
   */
  @Get()
  @SuccessResponse(200, 'The projects, in the order of the configuration')
  @Example<ProjectsResponse>({
    data: [{ name: 'trial', title: 'Trial 2026', status: 'up', isDefault: false }],
  })
  async listProjects(@Request() request: ExpressRequest): Promise<ProjectsResponse> {
    const caller = await requestState(request).caller;
    if (caller === undefined) throw new UnauthenticatedError();
    return sendUnlessKnown(request, { data: await projectListOf(request, caller) });
  }
}
