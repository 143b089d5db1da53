import type { Application, Request } from 'express';
import { enteredFirst } from '../services/audit/entered-first.js';
import type { Services } from '../services/services.js';
import { requestState } from './request-state.js';

const SERVICES = new WeakMap<Application, Services>();

/** Stores the services of an application. Only `servicesOf` gives them out. */
export function setServices(app: Application, services: Services): void {
  SERVICES.set(app, services);
}

/**
 * Returns the services for a request, for routes and pages alike. Their operations on data run only after the call is in
 * the audit log, if the application has one.
 */
export function servicesOf(request: Request): Services {
  const services = SERVICES.get(request.app);
  if (services === undefined) throw new TypeError('The application has no services: createApp sets them.');
  const { audit } = requestState(request);
  return audit === undefined || audit.isBegun ? services : enteredFirst(services, () => audit.begin());
}
