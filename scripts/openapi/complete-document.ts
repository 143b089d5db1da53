import { stateCommonResponses } from './common-responses.js';
import { addProblems, scopesOf } from './common-problems.js';
import {
  operationsOf,
  type OpenApiDocument,
  type Operation,
  type Parameter,
  type Schema,
} from './document.js';
import { addDoor } from './redcap-door.js';
import { orderOperations } from './order-operations.js';
import { addHeaders } from './response-headers.js';
import { publishNames } from './schema-names.js';
import { shareResponses } from './share-responses.js';

/**
 * Completes the document that tsoa generates: adds what all operations share and what tsoa cannot express, and corrects
 * what OpenAPI 3.0 does not allow. Modifies the given document.
 */
export function completeDocument(document: OpenApiDocument): OpenApiDocument {
  publishNames(document);
  document.info.license = { name: 'MIT', url: 'https://opensource.org/license/mit' };
  document.info.contact = { name: 'The operator of this service' };
  for (const { path, operation } of operationsOf(document)) {
    admitSessions(operation);
    addNotModified(path, operation);
    describeParameters(operation);
  }
  addProblems(document);
  addHeaders(document);
  for (const { operation } of operationsOf(document)) {
    nameScopes(operation);
    addRequestExample(document, operation);
    addIfNoneMatch(operation);
  }
  for (const schema of Object.values(document.components.schemas)) wrapReferences(schema);
  dropOptionalExamples(document);
  shareResponses(document);
  stateCommonResponses(document);
  addDoor(document);
  orderOperations(document);
  dropUnused(document, 'schemas');
  dropUnused(document, 'examples');
  return document;
}

/** A session opens what an API key with its scopes opens, so controllers name the key alone. */
function admitSessions(operation: Operation): void {
  if (operation.security === undefined) return;
  operation.security = operation.security.flatMap((scheme) =>
    scheme['apiKey'] === undefined ? [scheme] : [scheme, { cookieAuth: scheme['apiKey'] }],
  );
}

/**
 * A whole record, and what describes the project or is a list, has an ETag unless it is a file or a stream, which nobody
 * has whole before it is sent: such a route answers with `sendUnlessKnown`.
 */
function addNotModified(path: string, operation: Operation): void {
  const { responses, operationId = '', parameters = [] } = operation;
  const isDescription = scopesOf(operation).join() === 'project:read';
  const isStream = ['format', 'pageSize'].some((name) => parameters.some((each) => each.name === name));
  const isTagged = isDescription || operationId.startsWith('List') || operationId === 'GetRecord';
  if (!isTagged || isStream || path.endsWith('/pdf')) return;
  responses['304'] = { description: 'Nothing has changed since the ETag of If-None-Match' };
}

/** Describes the parameters that every change has, unless its controller does. */
function describeParameters({ parameters = [] }: Operation): void {
  for (const parameter of parameters)
    if (parameter.name === 'dryRun') parameter.description ??= DRY_RUN;
    else if (parameter.name === 'If-Match') parameter.description ??= IF_MATCH;
}

const DRY_RUN = 'checks everything, sends nothing, and says what would change';
const IF_MATCH = 'the `ETag` of an earlier read: the change is made only if the resource still has it';

/** OpenAPI 3.0 has scopes only for OAuth. For other credentials they go into the description and an extension. */
function nameScopes(operation: Operation): void {
  const scopes = scopesOf(operation);
  if (scopes.length === 0) return;
  operation['x-required-scopes'] = scopes;
  operation.description = `${operation.description ?? ''}\n\nRequires the scope${scopes.length > 1 ? 's' : ''} \`${scopes.join('` and `')}\`.`;
  operation.security = (operation.security ?? []).map((scheme) =>
    Object.fromEntries(Object.keys(scheme).map((name) => [name, []])),
  );
}

/** Gives a JSON body without an example one that is made from the examples of its properties. */
function addRequestExample({ components }: OpenApiDocument, { requestBody }: Operation): void {
  const media = requestBody?.content['application/json'];
  if (media === undefined || media.example !== undefined) return;
  const { properties = {} } = components.schemas[nameOf(media.schema?.$ref)] ?? media.schema ?? {};
  media.example = Object.fromEntries(
    Object.entries(properties).map(([name, { example }]) => [name, example]),
  );
}

/** Adds the header that leads to a 304. Routes read it from the request and do not declare it as a parameter. */
function addIfNoneMatch(operation: Operation): void {
  if (operation.responses['304'] === undefined) return;
  operation.parameters = [
    ...(operation.parameters ?? []),
    {
      name: 'If-None-Match',
      in: 'header',
      required: false,
      description:
        'The `ETag` of an earlier response. If the response is unchanged, a 304 without a body is returned.',
      schema: { type: 'string' },
    },
  ];
}

/** Moves a `$ref` with siblings into an `allOf`, because OpenAPI 3.0 ignores a description next to a `$ref`. */
function wrapReferences(schema: Schema): void {
  for (const property of [
    ...Object.values(schema.properties ?? {}),
    ...(schema.items ? [schema.items] : []),
  ]) {
    if (property.$ref !== undefined && Object.keys(property).length > 1) {
      property.allOf = [{ $ref: property.$ref }];
      delete property.$ref;
    }
    wrapReferences(property);
  }
}

/**
 * Moves the examples of optional parameters into their descriptions. Swagger UI prefills and sends the example of a
 * parameter, so an optional example could make a request fail. A required parameter of the same type keeps its example.
 */
function dropOptionalExamples(document: OpenApiDocument): void {
  const parameters = operationsOf(document).flatMap(({ operation }) => operation.parameters ?? []);
  const typeOf = ({ schema }: Parameter): Schema | undefined =>
    document.components.schemas[nameOf(schema.$ref ?? schema.items?.$ref)];
  for (const parameter of parameters)
    if (parameter.required === true) parameter.example ??= typeOf(parameter)?.example;
  for (const { path, operation } of operationsOf(document))
    for (const parameter of operation.parameters ?? [])
      if (parameter.name === 'field' && path.endsWith('/files/{field}')) parameter.example = FILE_FIELD;
  for (const { operation } of operationsOf(document))
    for (const parameter of operation.parameters ?? [])
      if (parameter.name === 'record' && /^(Delete|Rename)Record$/.test(operation.operationId ?? ''))
        parameter.example = EXPENDABLE_RECORD;
  for (const parameter of parameters) {
    if (parameter.required === true) continue;
    const type = typeOf(parameter);
    if (type?.example === undefined) continue;
    const example = typeof type.example === 'string' ? type.example : JSON.stringify(type.example);
    type.description = `${type.description ?? ''} For example \`${example}\`.`;
    delete type.example;
  }
}

/** A file field of the demo study. tsoa does not support a separate example for a parameter of a named type. */
const FILE_FIELD = 'consent_form';

/** A participant of the demo study that no example of the documentation reads. */
const EXPENDABLE_RECORD = 'COHORT-2026-PARTICIPANT-0250';

/** Removes what nothing refers to: tsoa also describes the interface that holds the query parameters. */
function dropUnused({ paths, components }: OpenApiDocument, kind: 'schemas' | 'examples'): void {
  const entries = components[kind] ?? {};
  for (;;) {
    const text = JSON.stringify([paths, components]);
    const unused = Object.keys(entries).filter((name) => !text.includes(`"#/components/${kind}/${name}"`));
    if (unused.length === 0) return;
    for (const name of unused) Reflect.deleteProperty(entries, name);
  }
}

function nameOf(reference = ''): string {
  return reference.slice(reference.lastIndexOf('/') + 1);
}
