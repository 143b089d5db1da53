// The arrows of docs/architecture.md as a check: a folder may import what stands in its list, and nothing else of src.
const domain = ['dictionary', 'identifiers', 'errors'];
const layers = {
  errors: [],
  bytes: [],
  crypto: [],
  identifiers: ['errors'],
  dictionary: ['identifiers', 'errors'],
  logic: domain,
  gateways: ['bytes', 'crypto', 'logic', ...domain],
  records: ['gateways', 'bytes', 'crypto', 'logic', ...domain],
  services: ['records', 'gateways', 'bytes', 'crypto', 'logic', ...domain],
  client: ['services', 'records', 'gateways', 'logic', ...domain],
  conformance: ['gateways', ...domain],
  'service-client': ['identifiers', 'errors'],
  http: ['services', 'records', 'bytes', ...domain],
  pages: ['http', 'services', 'records', ...domain],
  openapi: ['http', ...domain],
  controllers: ['pages', 'http', 'services', 'records', ...domain],
  middleware: ['pages', 'openapi', 'http', 'services', 'records', ...domain],
  hooks: ['pages', 'middleware', 'http', 'services', 'records', ...domain],
  logging: ['errors'],
  config: domain,
  sandbox: domain,
  app: [
    'controllers',
    'middleware',
    'openapi',
    'pages',
    'http',
    'services',
    'records',
    'gateways',
    ...domain,
  ],
  metrics: ['http', 'gateways', ...domain],
  server: [
    'app',
    'metrics',
    'client',
    'http',
    'config',
    'logging',
    'services',
    'records',
    'gateways',
    'bytes',
    'sandbox',
    ...domain,
  ],
  // `crf serve` starts the server; `crf check` validates as a host would, with an entry point of the package.
  cli: [
    'client',
    'conformance',
    'config',
    'logging',
    'services',
    'records',
    'gateways',
    'bytes',
    'sandbox',
    ...domain,
    'server',
    'validators\\.ts$',
  ],
};

// The rooms of the record engine: what each may import of the others. The files beside them are for all.
const recordRooms = {
  streaming: [],
  rules: [],
  filter: [],
  formats: ['streaming'],
  export: ['formats', 'streaming'],
  typed: ['export', 'formats', 'streaming'],
  import: ['typed', 'rules', 'formats', 'streaming'],
};

// Types alone: what a controller answers, and what an application is made of, is what the client library gives.
const CONTRACTS = ['^src/gateways/redcap/crf-client\\.ts$'];

/** The files of a folder, or an entry point by its own pattern. */
function toPath(name) {
  return name.endsWith('$') ? `^src/${name}` : `^src/${name}/`;
}

module.exports = {
  forbidden: [
    {
      name: 'no-cycles',
      severity: 'error',
      from: { path: '^src/', pathNot: '^src/cli/' },
      to: { circular: true },
    },
    {
      // A command loads its action when it runs, and the action takes the type of the command's arguments.
      name: 'no-cycles-of-commands-but-types',
      severity: 'error',
      from: { path: '^src/cli/' },
      to: { circular: true, viaOnly: { dependencyTypesNot: ['type-only'] } },
    },
    ...Object.entries(layers).map(([layer, below]) => ({
      name: `${layer}-looks-down-only`,
      severity: 'error',
      from: { path: `^src/${layer}/` },
      to: { path: '^src/', pathNot: [layer, ...below].map(toPath).concat(CONTRACTS) },
    })),
    ...Object.entries(recordRooms).map(([room, below]) => ({
      name: `records-${room}-knows-its-neighbours-only`,
      severity: 'error',
      from: { path: `^src/records/${room}/` },
      to: { path: '^src/records/[^/]+/', pathNot: [room, ...below].map((name) => `^src/records/${name}/`) },
    })),
    {
      name: 'records-beside-the-rooms-know-none',
      severity: 'error',
      from: { path: '^src/records/[^/]+$' },
      to: { path: '^src/records/[^/]+/' },
    },
    {
      name: 'no-cycles-between-folders-of-services',
      severity: 'error',
      scope: 'folder',
      from: { path: '^src/services/' },
      to: { circular: true, path: '^src/services/' },
    },
    {
      // What both read in the same way, no test of one against the other can notice: tests/contract/redcap/shared-reading.test.ts
      name: 'sandbox-shares-the-reading-of-the-dictionary-only',
      severity: 'error',
      from: { path: '^src/sandbox/' },
      to: {
        path: '^src/dictionary/',
        pathNot:
          '^src/dictionary/(field|export-column|choices|dictionary-csv|data-dictionary|csv-rows|text-validations)\\.ts$',
      },
    },
    {
      name: 'appwrite-sdk-in-its-gateway-only',
      severity: 'error',
      from: { path: '^src/', pathNot: '^src/gateways/appwrite/' },
      to: { path: 'node_modules/node-appwrite' },
    },
    {
      name: 'redis-library-in-its-gateway-only',
      severity: 'error',
      from: { path: '^src/', pathNot: '^src/gateways/redis/' },
      to: { path: 'node_modules/@redis/' },
    },
    {
      // What is shared is chosen where the process starts; everybody else knows the interfaces.
      name: 'redis-gateway-for-the-process-only',
      severity: 'error',
      from: { path: '^src/', pathNot: '^src/(gateways/redis|server)/' },
      to: { path: '^src/gateways/redis/' },
    },
    {
      name: 'no-express-below-http',
      severity: 'error',
      from: {
        path: '^src/(errors|bytes|crypto|identifiers|dictionary|logic|gateways|records|services|config)/',
      },
      to: { path: 'node_modules/(@types/)?(express|cookie-parser|swagger-ui-express|hono)/' },
    },
    {
      name: 'client-stays-light',
      severity: 'error',
      from: { path: '^src/client\\.ts$' },
      to: { path: 'node_modules/(express|@tsoa|node-appwrite|@redis|pino)', reachable: true },
    },
    {
      name: 'src-imports-no-development-dependency',
      severity: 'error',
      from: { path: '^src/' },
      to: { dependencyTypes: ['npm-dev'], dependencyTypesNot: ['type-only', 'npm'] },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
  },
};
