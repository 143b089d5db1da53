import { addProblems, scopesOf } from './common-problems.js';
import {
  operationsOf,
  type OpenApiDocument,
  type Operation,
  type Parameter,
  type Schema,
} from './document.js';
import { addHeaders } from './response-headers.js';

/**
 * Completes the document that tsoa generates: what all operations share, what tsoa cannot say, and what it says in a way
 * that OpenAPI 3.0 does not allow. Changes the document that it is given.
 */
export function completeDocument(document: OpenApiDocument): OpenApiDocument {
  document.info.license = { name: 'MIT', url: 'https://opensource.org/license/mit' };
  document.info.contact = { name: 'The operator of this service' };
  addProblems(document);
  addHeaders(document);
  for (const { operation } of operationsOf(document)) {
    nameScopes(operation);
    addRequestExample(document, operation);
    addIfNoneMatch(operation);
  }
  for (const schema of Object.values(document.components.schemas)) wrapReferences(schema);
  dropOptionalExamples(document);
  dropUnusedSchemas(document);
  return document;
}

/** OpenAPI 3.0 has scopes for OAuth alone; for other credentials the description says them, and an extension. */
function nameScopes(operation: Operation): void {
  const scopes = scopesOf(operation);
  if (scopes.length === 0) return;
  operation['x-required-scopes'] = scopes;
  operation.description = `${operation.description ?? ''}\n\nNeeds the scope \`${scopes.join('`, `')}\`.`;
  operation.security = (operation.security ?? []).map((scheme) =>
    Object.fromEntries(Object.keys(scheme).map((name) => [name, []])),
  );
}

/** A JSON body without an example gets one from the examples of its properties. */
function addRequestExample({ components }: OpenApiDocument, { requestBody }: Operation): void {
  const media = requestBody?.content['application/json'];
  if (media === undefined || media.example !== undefined) return;
  const { properties = {} } = components.schemas[nameOf(media.schema?.$ref)] ?? media.schema ?? {};
  media.example = Object.fromEntries(
    Object.entries(properties).map(([name, { example }]) => [name, example]),
  );
}

/** The header that 304 answers to. Routes read it from the request, for it is no parameter of theirs. */
function addIfNoneMatch(operation: Operation): void {
  if (operation.responses['304'] === undefined) return;
  operation.parameters = [
    ...(operation.parameters ?? []),
    {
      name: 'If-None-Match',
      in: 'header',
      required: false,
      description:
        'The `ETag` of an earlier answer: while it would be the same, 304 is answered, without a body.',
      schema: { type: 'string' },
    },
  ];
}

/** What stands beside a `$ref` is ignored: the reference moves into an `allOf`, which may have a description. */
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
 * Swagger UI sends the example of a parameter as if somebody had filled it in: an optional one says its example in words,
 * so that every route answers well as it is prefilled. A required one of the same type keeps it.
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
  for (const parameter of parameters) {
    if (parameter.required === true) continue;
    const type = typeOf(parameter);
    if (typeof type?.example !== 'string') continue;
    type.description = `${type.description ?? ''} For example \`${type.example}\`.`;
    delete type.example;
  }
}

/** A field of the demo study of another kind than most: tsoa takes no example of its own for a parameter of a named type. */
const FILE_FIELD = 'consent_form';

/** tsoa describes the interface of a query beside its parameters. */
function dropUnusedSchemas(document: OpenApiDocument): void {
  const { schemas } = document.components;
  for (;;) {
    const text = JSON.stringify(document);
    const unused = Object.keys(schemas).filter((name) => !text.includes(`"#/components/schemas/${name}"`));
    if (unused.length === 0) return;
    for (const name of unused) Reflect.deleteProperty(schemas, name);
  }
}

function nameOf(reference = ''): string {
  return reference.slice(reference.lastIndexOf('/') + 1);
}
