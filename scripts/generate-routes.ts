// Generates build/routes.ts and build/openapi.json with tsoa. Controllers answer with the types of the rooms below, so
// what those say to TypeScript is said here as OpenAPI says it: a property that may be undefined is one that may be left
// out, a type without a description is written out where it is used, and names stand in the order of their list.
import { createRequire } from 'node:module';
import { generateSpecAndRoutes } from 'tsoa';
import ts from 'typescript';
import { IN_ENVELOPE, OPEN_NAMES, SCHEMA_NAMES } from './openapi/schema-names.js';

/** What matters here of tsoa's metadata. */
interface Type {
  readonly dataType?: string;
  readonly refName?: string;
  readonly description?: string;
  readonly enums?: readonly string[];
  /** What a `refAlias` stands for. */
  readonly type?: Type;
  /** The members of a union. */
  readonly types?: readonly Type[];
}

interface Resolver {
  readonly typeNode: ts.TypeNode;
  readonly current: { readonly typeChecker: ts.TypeChecker };
  resolve: (this: Resolver) => Type;
}

const require = createRequire(import.meta.url);
const { TypeResolver } = createRequire(require.resolve('tsoa'))(
  '@tsoa/cli/dist/metadataGeneration/typeResolver.js',
) as { TypeResolver: { prototype: Resolver } };
const { resolve } = TypeResolver.prototype;
TypeResolver.prototype.resolve = function () {
  const type = simplified(resolve.call(this));
  const names = namesOf(this);
  return names === undefined ? type : { dataType: 'union', types: names };
};

const metadata = await generateSpecAndRoutes({});
const types: Readonly<Record<string, object>> = metadata.referenceTypeMap;
for (const name of [...IN_ENVELOPE, ...OPEN_NAMES, ...Object.keys(SCHEMA_NAMES)])
  if (!(name in types)) throw new Error(`No route has ${name}: see scripts/openapi/schema-names.ts`);
rename(metadata, new Set());
metadata.referenceTypeMap = Object.fromEntries(
  Object.values(metadata.referenceTypeMap).map((type) => [type.refName, type]),
);
await generateSpecAndRoutes({}, metadata);

/** Returns the texts of `(typeof LIST)[number]` and of `keyof Names` in their order, which that of the compiler is not. */
function namesOf({ typeNode, current: { typeChecker } }: Resolver): Type[] | undefined {
  if (typeNode.pos === -1) return undefined; // made by tsoa
  if (ts.isTypeOperatorNode(typeNode) && typeNode.operator === ts.SyntaxKind.KeyOfKeyword)
    return typeChecker
      .getTypeFromTypeNode(typeNode.type)
      .getProperties()
      .map(({ name }) => named(name));
  if (!ts.isIndexedAccessTypeNode(typeNode)) return undefined;
  const list = typeChecker.getTypeFromTypeNode(typeNode.objectType);
  if (!typeChecker.isTupleType(list)) return undefined;
  const items = typeChecker.getTypeArguments(list as ts.TupleTypeReference);
  return items.flatMap((item) => (item.isStringLiteral() ? [named(item.value)] : []));
}

function named(name: string): Type {
  return { dataType: 'enum', enums: [name] };
}

function simplified(type: Type): Type {
  const { refName = '', description } = type;
  if (OPEN_NAMES.has(refName)) return { dataType: 'string' };
  if (IN_ENVELOPE.has(refName) || (type.dataType === 'refObject' && description === undefined))
    return { ...type, dataType: 'nestedObjectLiteral' };
  if (type.dataType === 'refAlias' && type.type !== undefined && description === undefined) return type.type;
  if (type.dataType !== 'union' || type.types === undefined) return type;
  const defined = type.types.filter(({ dataType }) => dataType !== 'undefined');
  const [only] = defined;
  return only !== undefined && defined.length === 1 ? only : { ...type, types: defined };
}

/** Gives the types below a value the names of their schemas. */
function rename(value: object, seen: Set<object>): void {
  if (seen.has(value)) return;
  seen.add(value);
  for (const child of Object.values(value) as unknown[])
    if (typeof child === 'object' && child !== null) rename(child, seen);
  const { refName } = value as Type;
  if (refName !== undefined) Reflect.set(value, 'refName', SCHEMA_NAMES[refName] ?? refName);
}
