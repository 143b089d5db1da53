// The arrows of docs/architecture.md as a check: a folder may import what stands in its list, and nothing else of src.
const layers = {
  domain: [],
  gateways: ['domain'],
  records: ['gateways', 'domain'],
  policy: ['records', 'gateways', 'domain'],
  sync: ['records', 'gateways', 'domain'],
  services: ['policy', 'records', 'gateways', 'domain'],
  client: ['services', 'policy', 'records', 'gateways', 'domain'],
  door: ['http', 'services', 'policy', 'records', 'gateways', 'wire', 'domain'],
  http: ['services', 'policy', 'records', 'wire', 'domain'],
  pages: ['http', 'services', 'records', 'domain'],
  controllers: ['pages', 'http', 'services', 'records', 'domain'],
  app: [
    'controllers',
    'pages',
    'door',
    'http',
    'client',
    'services',
    'policy',
    'records',
    'gateways',
    'domain',
  ],
  wire: ['domain'],
  sandbox: ['wire', 'domain'],
  server: ['app', 'http', 'client', 'services', 'policy', 'records', 'gateways', 'sandbox', 'domain'],
  // `crf summary --report` writes the report of the dashboard; `crf serve` starts the server; `crf check` validates as a host would, with an entry point of the package.
  cli: [
    'server',
    'pages',
    'client',
    'services',
    'policy',
    'sync',
    'records',
    'gateways',
    'sandbox',
    'domain',
    'validators\\.ts$',
  ],
};

// The folders within a folder: what each may import of the others. '.' stands for the files beside the folders: whether
// a folder may import them, and, as a key, which folders they may import.
const rooms = {
  domain: {
    '.': [],
    errors: [],
    bytes: ['errors'],
    crypto: [],
    identifiers: ['errors'],
    dictionary: ['bytes', 'identifiers', 'errors'],
    logic: ['dictionary', 'identifiers', 'errors'],
  },
  'domain/dictionary': { '.': [], 'project-schema': ['.'], 'project-types': ['.'] },
  sync: { '.': ['syntax'], syntax: ['.'] },
  client: { '.': [], service: [] },
  app: { '.': [], hooks: [] },
  http: { '.': [], middleware: ['.', 'openapi'], openapi: ['.'] },
  'http/middleware': { '.': [], audit: ['.'], limits: [] },
  server: { '.': ['config', 'logging', 'metrics'], config: [], logging: [], metrics: [] },
  'server/config': { '.': ['variables'], variables: [] },
  cli: {
    '.': ['commands', 'conformance', 'files', 'options', 'printing'],
    backup: ['.', 'commands', 'files'],
    check: ['.', 'printing'],
    commands: ['.', 'backup', 'check', 'conformance', 'files', 'options', 'printing'],
    conformance: ['.'],
    files: ['.', 'options', 'printing'],
    options: ['.'],
    printing: ['.'],
  },
  gateways: { '.': [], appwrite: [], audit: [], redcap: [], redis: ['redcap'] },
  'gateways/redcap': {
    '.': ['contents', 'resilience'],
    contents: ['.', 'resilience'],
    resilience: ['.'],
  },
  policy: { '.': ['groups', 'deidentify'], groups: ['.'], deidentify: ['.'] },
  pages: { '.': ['texts'], dashboard: ['.', 'texts'], texts: [], 'try-file': ['.', 'texts'] },
  records: {
    '.': [],
    streaming: ['.'],
    rules: [],
    filter: [],
    formats: ['.', 'streaming'],
    export: ['.', 'filter', 'formats', 'rules', 'streaming'],
    typed: ['.', 'export', 'filter', 'formats', 'streaming'],
    import: ['.', 'typed', 'rules', 'formats', 'streaming'],
    undo: ['.', 'import', 'rules'],
  },
  'records/import': { '.': ['warnings', 'workbook'], warnings: ['.'], workbook: ['.'] },
  sandbox: {
    '.': ['demo-study', 'longitudinal-study', 'redcap'],
    appwrite: [],
    'demo-study': ['redcap'],
    'longitudinal-study': ['demo-study', 'redcap'],
    redcap: [],
  },
  'sandbox/redcap': {
    '.': ['contents', 'files', 'odm', 'records'],
    contents: ['.', 'files', 'odm', 'records'],
    files: [],
    odm: ['.', 'records'],
    records: ['.', 'files', 'odm'],
  },
  services: {
    '.': ['auth', 'files', 'idempotency', 'log', 'design', 'project-schema', 'quality', 'records', 'summary'],
    access: ['auth'],
    audit: ['.', 'auth'],
    auth: ['.'],
    files: [],
    idempotency: [],
    log: ['.'],
    design: [],
    'project-schema': ['.'],
    quality: ['log'],
    records: [],
    summary: ['log', 'quality'],
  },
  'services/auth': { '.': ['address'], address: [] },
};

/** The rules of the folders within `src/<parent>`. A folder that is not listed may import none of the others. */
function roomRules([parent, allowed]) {
  const top = `^src/${parent}`;
  const path = (name) => (name === '.' ? `${top}/[^/]+$` : `${top}/${name}/`);
  const rule = (name, from, to) => ({
    name: `${parent}: ${name}-knows-its-neighbours-only`,
    severity: 'error',
    from: { path: from },
    to: { path: `${top}/`, pathNot: to },
  });
  const listed = Object.entries(allowed).map(([name, others]) =>
    rule(name, path(name), [name, ...others].map(path)),
  );
  const known = Object.keys(allowed).map(path);
  return [...listed, { ...rule('unlisted', `${top}/`, known), from: { path: `${top}/`, pathNot: known } }];
}

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
      from: { path: '^src/' },
      to: { circular: true },
    },
    ...Object.entries(layers).map(([layer, below]) => ({
      name: `${layer}-looks-down-only`,
      severity: 'error',
      from: { path: `^src/${layer}/` },
      to: { path: '^src/', pathNot: [layer, ...below].map(toPath).concat(CONTRACTS) },
    })),
    ...Object.entries(rooms).flatMap(roomRules),
    {
      // What both read or write in the same way, no test of one against the other can notice: tests/contract/redcap/shared-reading.test.ts
      name: 'sandbox-shares-the-dictionary-and-the-writing-of-values-only',
      severity: 'error',
      from: { path: '^src/sandbox/' },
      to: {
        path: '^src/domain/dictionary/',
        pathNot:
          '^src/domain/dictionary/(field|export-column|choices|dictionary-csv|data-dictionary|csv-rows|text-validations|labels|written-values)\\.ts$',
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
        path: '^src/(domain|gateways|records|policy|sync|services|server/config)/',
      },
      to: { path: 'node_modules/(@types/)?(express|cookie-parser|swagger-ui-express|hono)/' },
    },
    {
      name: 'service-client-stays-light',
      severity: 'error',
      from: { path: '^src/client/service/' },
      to: { path: '^src/', pathNot: '^src/(client/service|domain/(identifiers|errors))/' },
    },
    {
      name: 'client-stays-light',
      severity: 'error',
      from: { path: '^src/client\\.ts$' },
      to: { path: 'node_modules/(express|@tsoa|node-appwrite|@redis|pino)', reachable: true },
    },
    {
      // What only the programs use is bundled into them, as is tsoa's runtime: scripts/bundle.
      name: 'library-imports-no-development-dependency',
      severity: 'error',
      from: { path: '^src/', pathNot: '^src/(cli|server|sync|gateways/redis)/' },
      to: {
        dependencyTypes: ['npm-dev'],
        dependencyTypesNot: ['type-only', 'npm'],
        pathNot: 'node_modules/@tsoa/runtime/',
      },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
  },
};
