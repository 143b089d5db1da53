import { Controller, Get, Response, Route, SuccessResponse, Tags } from '@tsoa/runtime';
import type { HealthService } from '../services/health-service.js';

/** The process lives. */
export interface HealthResponse {
  status: 'ok';
}

/** The state of one thing the service depends on. */
export interface DependencyResponse {
  name: 'redcap' | 'identity' | 'redis';
  status: 'up' | 'down';
  /**
   * Milliseconds until it answered, or was given up.
   * @isInt
   */
  latencyMs: number;
}

/** Whether the service can do its work. */
export interface ReadinessResponse {
  /** `degraded`: it does its work, but what needs the dependency that is down is refused. */
  status: 'ready' | 'degraded' | 'not_ready';
  dependencies: DependencyResponse[];
}

@Route('health')
@Tags('Health')
export class HealthController extends Controller {
  constructor(private readonly health: HealthService) {
    super();
  }

  /**
   * Answers whenever the process lives. Asks nothing of REDCap.
   * @summary Is the process alive?
   */
  @Get()
  @SuccessResponse(200, 'It lives')
  getHealth(): HealthResponse {
    return { status: 'ok' };
  }

  /**
   * Asks everything the service depends on, at most once in a few seconds. 503 when one of them does not answer,
   * and while the service is about to stop. Without Redis it is `degraded`, and still answers 200.
   * @summary Can the service do its work?
   */
  @Get('ready')
  @SuccessResponse(200, 'The service can do its work')
  @Response<ReadinessResponse>(503, 'Something does not answer')
  async getReadiness(): Promise<ReadinessResponse> {
    const { status, dependencies } = await this.health.readiness();
    if (status === 'not_ready') this.setStatus(503);
    return { status, dependencies: [...dependencies] };
  }
}
