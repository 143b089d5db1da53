import { Controller } from '@tsoa/runtime';
import type { Request } from 'express';
import { requestState, responseOf } from '../http/request-state.js';
import type { Scope } from '../domain/identifiers/scope.js';
import type { AuditedOptions } from '../records/audit-notes.js';
import type { Caller } from '../services/access/access-control.js';
import type { CrfService } from '../services/crf-service.js';
import type { ChangeOutcome } from '../services/design/change-preview.js';
import type { RequestKey } from '../services/idempotency/count-once.js';

/** The number of entries that a write changed. */
export interface CountResponse {
  data: {
    /**
     * The number of entries that REDCap accepted, changed or deleted.
     * @isInt
     * @example 1
     */
    count: number;
  };
}

/** What a change of the design, or of users, did or would do. */
export interface ChangeResponse {
  data: ChangeOutcome;
}

/** A controller of routes about the project. Each request gets one of its own. */
export abstract class CrfController extends Controller {
  #call: AuditedOptions | undefined;

  constructor(
    protected readonly crf: CrfService,
    protected readonly request: Request,
  ) {
    super();
  }

  /**
   * The options that a request passes to the services: a signal that fires when the client disconnects before it has its
   * response (STR-04), the name of the caller, who gets a fair share of the calls to REDCap (UP-05), and the notes that
   * services take for the audit log.
   */
  protected get call(): AuditedOptions {
    return (this.#call ??= this.#callOptions());
  }

  #callOptions(): AuditedOptions {
    const response = responseOf(this.request);
    const controller = new AbortController();
    response.once('close', () => {
      if (!response.writableFinished) controller.abort();
    });
    const { trace, audit } = requestState(this.request);
    return {
      signal: controller.signal,
      caller: this.#callerName,
      traceparent: trace?.traceparent,
      audit,
    };
  }

  /**
   * Returns what makes the request safe to repeat: its key, which belongs to the caller. A response that is not the
   * first one has the header `Idempotent-Replayed: true`.
   */
  protected requestKey(idempotencyKey: string | undefined): RequestKey {
    const onReplay = (): void => void responseOf(this.request).setHeader('Idempotent-Replayed', 'true');
    const { seen } = requestState(this.request);
    // A result of one view says nothing in another.
    const scope = seen === undefined ? this.#callerName : `${this.#callerName} ${seen.view.key}`;
    return { idempotencyKey, scope, onReplay };
  }

  /** The scopes of the caller of a route with `@Security`. */
  protected get scopes(): readonly Scope[] {
    return this.#caller?.scopes ?? [];
  }

  get #callerName(): string {
    return this.#caller?.name ?? 'anonymous';
  }

  /** As set by authentication. */
  get #caller(): Caller | undefined {
    return (this.request as Request & { readonly user?: Caller }).user;
  }
}
