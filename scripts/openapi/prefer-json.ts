import { operationsOf, type OpenApiDocument } from './document.js';

const JSON_TYPE = 'application/json';

/**
 * Leaves JSON as the only content of a body or response that also has other media types, and moves those to the
 * extension `x-media-types`. With several, generators of clients choose a stream of lines as the result of an export,
 * send no media type with an import, and give every result the type of a text. The other media types are for callers
 * who set `Accept` and `Content-Type` themselves.
 */
export function preferJson(document: OpenApiDocument): void {
  for (const { operation } of operationsOf(document)) {
    for (const part of [operation.requestBody, ...Object.values(operation.responses)]) {
      const { [JSON_TYPE]: json, ...others } = part?.content ?? {};
      if (part === undefined || json === undefined || Object.keys(others).length === 0) continue;
      part.content = { [JSON_TYPE]: json };
      part['x-media-types'] = others;
    }
  }
}
