// The arrows of docs/architecture.md as a check: a layer may import what stands in its list, and nothing else of src.
const layers = {
  errors: [],
  memory: [],
  identifiers: ['errors'],
  dictionary: ['identifiers', 'errors'],
  gateways: ['dictionary', 'identifiers', 'errors', 'memory'],
  services: ['gateways', 'dictionary', 'identifiers', 'errors', 'memory'],
  pages: ['services', 'gateways', 'dictionary', 'identifiers', 'errors'],
  controllers: ['pages', 'services', 'dictionary', 'identifiers', 'errors'],
  config: ['dictionary', 'identifiers', 'errors'],
  sandbox: ['dictionary', 'identifiers', 'errors'],
};

// Types alone: what a controller answers is what the client library gives.
const CONTRACTS = ['^src/gateways/redcap/crf-client\\.ts$'];

module.exports = {
  forbidden: [
    { name: 'no-cycles', severity: 'error', from: { path: '^src/' }, to: { circular: true } },
    ...Object.entries(layers).map(([layer, below]) => ({
      name: `${layer}-looks-down-only`,
      severity: 'error',
      from: { path: `^src/${layer}/` },
      to: { path: '^src/', pathNot: [`^src/(${[layer, ...below].join('|')})/`, ...CONTRACTS] },
    })),
    {
      name: 'appwrite-sdk-in-its-gateway-only',
      severity: 'error',
      from: { path: '^src/', pathNot: '^src/gateways/appwrite/' },
      to: { path: 'node_modules/node-appwrite' },
    },
    {
      name: 'no-express-below-the-middleware',
      severity: 'error',
      from: { path: '^src/(errors|identifiers|dictionary|gateways|services|config)/' },
      to: { path: 'node_modules/(@types/)?(express|cookie-parser)/' },
    },
    {
      name: 'client-stays-light',
      severity: 'error',
      from: { path: '^src/client\\.ts$' },
      to: { path: 'node_modules/(express|@tsoa|node-appwrite|pino)', reachable: true },
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
