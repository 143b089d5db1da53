import { NotSupportedUpstreamError } from '../../domain/errors/upstream-errors.js';
import type { CallOptions } from './call-options.js';
import type { Interceptor } from './wire-call.js';

/**
 * Adds REDCap's version to the error of a call that this version does not support.
 *
 * @param versionOf only called after such an error
 */
export function nameVersion(versionOf: (options: CallOptions) => Promise<string>): Interceptor {
  return async (call, next) => {
    try {
      return await next(call);
    } catch (error) {
      // The question for the version must not lead to another one.
      if (!(error instanceof NotSupportedUpstreamError) || call.parameters['content'] === 'version')
        throw error;
      const { signal, caller } = call;
      // The original error matters more than a failure to read the version.
      const version = await versionOf({ signal, caller }).catch(() => undefined);
      throw new NotSupportedUpstreamError(error.operation, version, { cause: error });
    }
  };
}
