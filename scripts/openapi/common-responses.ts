import { operationsOf, type OpenApiDocument } from './document.js';
import { STATUS_NAMES } from './share-responses.js';

/** What is read of a document and of an operation to know how it can answer. */
interface WithCommon<R> {
  readonly 'x-common-responses'?: Readonly<Record<string, R>>;
}
interface Answering<R> {
  readonly responses: Readonly<Record<string, R>>;
  readonly 'x-required-scopes'?: readonly string[];
}

/**
 * States once, as `x-common-responses` and in words, the errors of every operation that requires a scope, and takes them
 * out of the operations. An operation keeps an error of which it says more. All keep 400: what they refuse is their own,
 * and generated clients know from it that an error is a problem document.
 */
export function stateCommonResponses(document: OpenApiDocument): void {
  const operations = operationsOf(document)
    .map(({ operation }) => operation)
    .filter((operation) => operation['x-required-scopes'] !== undefined);
  const common = Object.entries(STATUS_NAMES).filter(
    ([status]) => status !== '400' && operations.every(({ responses }) => status in responses),
  );
  document['x-common-responses'] = Object.fromEntries(
    common.map(([status, name]) => [status, { $ref: `#/components/responses/${name}` }]),
  );
  for (const { responses } of operations)
    for (const [status, name] of common)
      if (responses[status]?.$ref?.endsWith(`/${name}`) === true) Reflect.deleteProperty(responses, status);
  const lines = common.map(([status, name]) => {
    const [codes = '', ...meaning] = document.components.responses?.[name]?.description?.split(': ') ?? [];
    return `| ${status} | \`${codes.replaceAll(', ', '`, `')}\` | ${meaning.join(': ')} |`;
  });
  document.info.description = [
    document.info.description,
    '',
    'Every operation that requires a scope can also answer with these errors (`x-common-responses`). It lists one of them only to say more about it. Operations that require no scope list all their errors.',
    '',
    '| Status | Code | Meaning |',
    '| --- | --- | --- |',
    ...lines,
  ].join('\n');
}

/** @returns all responses of an operation by their status: its own, and the common ones that it does not list */
export function responsesOf<R>(document: WithCommon<R>, operation: Answering<R>): Record<string, R> {
  const common = operation['x-required-scopes'] === undefined ? {} : document['x-common-responses'];
  return { ...common, ...operation.responses };
}
