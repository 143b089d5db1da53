import { Controller, Get, Response, Route, SuccessResponse, Tags } from '@tsoa/runtime';
import type { HealthService, Readiness } from '../services/health-service.js';

/** The process is running. */
export interface HealthResponse {
  status: 'ok';
}

@Route('health')
@Tags('Health')
export class HealthController extends Controller {
  constructor(private readonly health: HealthService) {
    super();
  }

  /**
   * Responds as long as the process is running. Does not call REDCap.
   * @summary Check that the process is running
   */
  @Get()
  @SuccessResponse(200, 'The process is running')
  getHealth(): HealthResponse {
    return { status: 'ok' };
  }

  /**
   * Checks what the service depends on: REDCap and the identity backend at most once a minute, for all processes that
   * share a Redis. If one of them or Redis is unavailable, the status is `degraded`, which is still a 200. Responds with
   * 503 while the audit log cannot be written, or while the service is shutting down.
   * @summary Check that the service is ready
   */
  @Get('ready')
  @SuccessResponse(200, 'The service is ready or degraded')
  @Response<Readiness>(503, 'The audit log cannot be written, or the service is shutting down')
  async getReadiness(): Promise<Readiness> {
    const readiness = await this.health.readiness();
    if (readiness.status === 'not_ready') this.setStatus(503);
    return readiness;
  }
}
