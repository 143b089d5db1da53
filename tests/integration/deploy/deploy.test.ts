import { expect } from 'chai';
import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer, type IncomingMessage } from 'node:http';
import { get as httpsGet } from 'node:https';
import { text as readText } from 'node:stream/consumers';
import { promisify } from 'node:util';
import { parse, parseAllDocuments } from 'yaml';
import { jsonArguments, readDockerfile } from '../../../scripts/image/dockerfile.js';
import { bundledPackages } from '../../../scripts/bundle/bundled-packages.js';
import { foreignLicences } from '../../../scripts/licences.js';
import { billOfMaterials } from '../../../scripts/sbom.js';
import { loadSettings } from '../../../src/server/config/settings.js';
import { SETTINGS } from '../../../src/server/config/all-settings.js';
import { describeWith } from '../../support/needed-programs.js';
import { NginxServer } from '../../support/nginx-server.js';
import { closeServer, listen } from '../../support/start-service.js';
import { ComposeFile, KubernetesManifest } from './manifest-shapes.js';

const run = promisify(execFile);
const root = new URL('../../../', import.meta.url);
const read = (file: string): string => readFileSync(new URL(file, root), 'utf8');

/** The part of a YAML document that the tests use. */
type Node = Record<string, any>; // eslint-disable-line @typescript-eslint/no-explicit-any -- manifests have no types here

/** The names of settings that a file mentions. */
function settingsIn(text: string): string[] {
  const all =
    text.match(
      /\b(?:ALLOWED|CAPTURE|ADMIN|AUDIT|API|REDIS|TRUST|LOG|APPWRITE|DRAIN|SHUTDOWN|SERVER|IMPORT)_[A-Z_]+\b/g,
    ) ?? [];
  return all.map((name) => name.replace(/_FILE$/, ''));
}

/** Removes the comment signs before settings and secrets of the sign-in. */
const uncommented = (text: string): string =>
  text.replace(/^( +)# (?=(?:- )?(?:\{ name: )?(?:APPWRITE_|LOGIN_URL|ALLOWED_|appwrite_))/gm, '$1');

const KNOWN = new Set(Object.keys(SETTINGS));

describe('The container image', () => {
  const stages = readDockerfile(read('Dockerfile'));
  const last = stages.at(-1);
  const textOf = (name: string) => last?.instructions.find((each) => each.name === name)?.text ?? '';

  it('OPS-07: runs as a numeric user other than root', () => {
    expect(textOf('USER')).to.match(/^[1-9]\d*:[1-9]\d*$/);
  });

  it('OPS-07: runs Node as its first process, so that it receives signals', () => {
    expect(jsonArguments(textOf('ENTRYPOINT'))).to.deep.equal(['node', 'build/dist/bin/server.js']);
  });

  it('OPS-07: has a health check of its liveness', () => {
    expect(textOf('HEALTHCHECK')).to.include("+'/health'");
  });

  it('OPS-07: copies the runtime files from the build stage, and builds nothing itself', () => {
    expect(last?.instructions.filter(({ name }) => name === 'RUN')).to.deep.equal([]);
    const copies = last?.instructions.filter(({ name }) => name === 'COPY') ?? [];
    expect(copies.every(({ text }) => text.startsWith('--from=build '))).to.equal(true);
    expect(stages[0]?.instructions.map(({ text }) => text)).to.include(
      'npm prune --omit=dev --ignore-scripts --no-audit --no-fund',
    );
  });
});

describe('deploy/', () => {
  const service = (parse(read('compose.yaml')) as Node).services as Node;
  const manifests = parseAllDocuments(read('deploy/kubernetes/crf-service.yaml')).map(
    (document) => document.toJS() as Node,
  );

  it('OPS-07: runs the service read-only and without privileges in Compose', () => {
    expect(service.crf).to.deep.include({
      read_only: true,
      cap_drop: ['ALL'],
      security_opt: ['no-new-privileges:true'],
    });
    expect(service.crf).to.not.have.property('ports');
  });

  it('OPS-07: runs read-only as an unprivileged user in Kubernetes', () => {
    const { spec } = manifests[0]?.spec.template as Node;

    expect(spec.securityContext).to.include({ runAsNonRoot: true });
    expect(spec.containers[0].securityContext).to.deep.equal({
      allowPrivilegeEscalation: false,
      readOnlyRootFilesystem: true,
      capabilities: { drop: ['ALL'] },
    });
    expect(spec.automountServiceAccountToken).to.equal(false);
  });

  it('OPS-01: probes liveness and readiness on the admin port in Kubernetes', () => {
    const [container] = (manifests[0]?.spec.template as Node).spec.containers as Node[];

    expect(container?.livenessProbe.httpGet).to.deep.equal({ path: '/live', port: 'admin' });
    expect(container?.readinessProbe.httpGet).to.deep.equal({ path: '/ready', port: 'admin' });
  });

  it('has manifests that are valid for Kubernetes', () => {
    for (const manifest of manifests) {
      expect(
        KubernetesManifest.safeParse(manifest).error?.issues ?? [],
        manifest.kind as string,
      ).to.deep.equal([]);
    }
  });

  it('names only existing ports, volumes and targets in Kubernetes', () => {
    const [deployment, service, , scaling] = manifests;
    const { containers, volumes } = deployment?.spec.template.spec as Node;
    const ports = (containers[0].ports as Node[]).map(({ name }) => name as string);
    const asked = [
      service?.spec.ports[0].targetPort,
      ...['startupProbe', 'livenessProbe', 'readinessProbe'].map(
        (probe) => containers[0][probe].httpGet.port,
      ),
    ];

    expect(ports).to.include.members(asked);
    expect((containers[0].volumeMounts as Node[]).map(({ name }) => name as string)).to.deep.equal(
      (volumes as Node[]).map(({ name }) => name as string),
    );
    expect(scaling?.spec.scaleTargetRef.name).to.equal(deployment?.metadata.name);
  });

  it('limits the heap to two thirds of the memory, and warns before the memory is used up', () => {
    const container = (manifests[0]?.spec.template as Node).spec.containers[0] as Node;
    const { value: heap } = (container.env as Node[]).find(({ name }) => name === 'NODE_OPTIONS') as Node;
    const threshold = /process_resident_memory_bytes\{job="crf-service"\}\) > (\S+)'/.exec(
      read('deploy/prometheus/alerts.yml'),
    )?.[1];

    expect(heap).to.equal('--max-old-space-size=680');
    expect(container.resources.limits.memory).to.equal('1Gi');
    expect(service.crf).to.deep.include({ mem_limit: '1g' });
    expect(service.crf.environment).to.include({ NODE_OPTIONS: heap });
    expect(read('deploy/systemd/crf-service@.service'))
      .to.include(`NODE_OPTIONS=${heap}`)
      .and.include('MemoryMax=1G');
    expect(Number(threshold)).to.be.within(680 * 2 ** 20, 0.9 * 2 ** 30);
  });

  it('has a valid compose.yaml that names only existing objects', () => {
    expect(ComposeFile.safeParse(parse(read('compose.yaml'))).error?.issues ?? []).to.deep.equal([]);
  });

  it('has a compose file of ten lines that shows the sandbox on this machine alone', () => {
    const text = read('compose.sandbox.yaml');
    const { services } = ComposeFile.parse(parse(text));

    expect(text.trim().split('\n').length).to.be.at.most(10);
    expect(services).to.have.all.keys('crf');
    expect(services.crf?.ports).to.deep.equal(['127.0.0.1:3000:3000']);
    // With what the image sets, the settings are complete.
    const { environment } = services.crf ?? {};
    expect(loadSettings({ NODE_ENV: 'production', HOST: '0.0.0.0', ...environment }).capture).to.equal(
      undefined,
    );
  });

  it('keeps the secrets beside compose.yaml out of the build context and out of git', () => {
    const { services, secrets } = parse(read('compose.yaml')) as Node;
    const mounted = Object.values(services as Node).flatMap((each: Node) => (each.volumes ?? []) as string[]);
    const all = [...Object.values(secrets as Node).map(({ file }: Node) => file as string), ...mounted]
      .map((path) => /^\.\/([^/:]+)/.exec(path)?.[1])
      .filter((folder) => folder !== undefined && folder !== 'deploy');
    const paths = [...new Set(all)];

    expect(paths).to.include.members(['secrets', 'tls']);
    for (const file of ['.dockerignore', '.gitignore'])
      expect(read(file).split('\n')).to.include.members(paths);
    const { files } = JSON.parse(read('package.json')) as { files: string[] };
    expect(files).to.not.include.members(paths);
  });

  it('lets only the ingress reach the service, and only the monitoring its admin port', () => {
    const { ingress, egress, policyTypes } = manifests[4]?.spec as Node;
    const [container] = (manifests[0]?.spec.template as Node).spec.containers as Node[];
    const names = (container?.ports as Node[]).map(({ name }) => name as string);

    expect(policyTypes).to.deep.equal(['Ingress', 'Egress']);
    expect((ingress as Node[]).map(({ ports }) => ports as object)).to.deep.equal(
      names.map((port) => [{ port }]),
    );
    for (const { from } of ingress as Node[]) expect(from).to.have.length(1);
    expect(
      (egress as Node[]).flatMap(({ ports }) => (ports as Node[]).map(({ port }) => port as number)),
    ).to.deep.equal([53, 53, 6379, 443]);
  });

  const SIGN_IN = [
    'APPWRITE_ENDPOINT',
    'APPWRITE_PROJECT_ID',
    'APPWRITE_API_KEY_FILE',
    'LOGIN_URL',
    'ALLOWED_DOMAINS_REGEXP',
  ];

  it('is valid with the sign-in, whose settings are in comments', () => {
    const compose = parse(uncommented(read('compose.yaml'))) as Node;
    const [deployment] = parseAllDocuments(uncommented(read('deploy/kubernetes/crf-service.yaml'))).map(
      (document) => document.toJS() as Node,
    );
    const env = deployment?.spec.template.spec.containers[0].env as Node[];

    expect(ComposeFile.safeParse(compose).error?.issues ?? []).to.deep.equal([]);
    expect(KubernetesManifest.safeParse(deployment).error?.issues ?? []).to.deep.equal([]);
    expect(Object.keys(compose.services.crf.environment as Node)).to.include.members(SIGN_IN);
    expect(compose.services.crf.secrets).to.include('appwrite_api_key');
    expect(env.map(({ name }) => name as string)).to.include.members(SIGN_IN);
    for (const name of SIGN_IN) expect(read('deploy/systemd/crf-service@.service')).to.include(name);
  });

  it('gives Valkey a password that is in no argument and no setting', () => {
    const { crf, valkey } = service;

    expect(crf.environment).to.not.have.property('REDIS_URL');
    expect(crf.environment).to.have.property('REDIS_URL_FILE', '/run/secrets/redis_url');
    expect(valkey.command.slice(0, 2)).to.deep.equal(['valkey-server', '/run/secrets/valkey.conf']);
    expect(valkey.secrets).to.deep.equal(['valkey.conf']);
  });

  it('starts one process for each project under systemd, with settings and a log of its own', () => {
    const lines = read('deploy/systemd/crf-service@.service')
      .split('\n')
      .filter((line) => /^(?:EnvironmentFile|LoadCredential|LogsDirectory)=|AUDIT_LOG=/.test(line));

    expect(lines).to.have.length(5);
    for (const line of lines) expect(line).to.include('/%i');
  });

  it('detects a misspelled name', () => {
    const misspelt = read('compose.yaml').replace('read_only:', 'readonly:');
    const [deployment] = read('deploy/kubernetes/crf-service.yaml').split('\n---');
    const misplaced = (deployment ?? '').replace('runAsNonRoot', 'runAsNonroot');

    expect(ComposeFile.safeParse(parse(misspelt)).success).to.equal(false);
    expect(
      ComposeFile.safeParse(parse(read('compose.yaml').replace('[inside]', '[outside]'))).success,
    ).to.equal(false);
    expect(KubernetesManifest.safeParse(parse(misplaced)).success).to.equal(false);
  });

  it('has a disruption budget, an autoscaler, a network policy and a service for the same pods', () => {
    expect(manifests.map(({ kind }) => kind as string)).to.deep.equal([
      'Deployment',
      'Service',
      'PodDisruptionBudget',
      'HorizontalPodAutoscaler',
      'NetworkPolicy',
    ]);
    const pods = { app: 'crf-service' };
    expect(manifests[0]?.spec.template.metadata.labels).to.deep.equal(pods);
    expect(manifests[1]?.spec.selector).to.deep.equal(pods);
    expect(manifests[2]?.spec.selector.matchLabels).to.deep.equal(pods);
    expect(manifests[4]?.spec.podSelector.matchLabels).to.deep.equal(pods);
  });

  for (const [file, seconds] of [
    ['compose.yaml', /stop_grace_period: (\d+)s/],
    ['deploy/kubernetes/crf-service.yaml', /terminationGracePeriodSeconds: (\d+)/],
    ['deploy/systemd/crf-service@.service', /TimeoutStopSec=(\d+)/],
  ] as const) {
    it(`OPS-02: leaves time for an orderly stop in ${file}`, () => {
      const [, wait = '0'] = seconds.exec(read(file)) ?? [];

      // DRAIN_DELAY_MS in production, SHUTDOWN_TIMEOUT_MS, and the last attempt to end sessions.
      expect(Number(wait) * 1000).to.be.greaterThan(5_000 + 25_000 + 3_000);
    });
  }

  for (const file of [
    'Dockerfile',
    'compose.yaml',
    'deploy/kubernetes/crf-service.yaml',
    'deploy/systemd/crf-service@.service',
    'deploy/nginx/crf.conf',
    'deploy/caddy/Caddyfile',
    'docs/operations.md',
  ]) {
    it(`names only existing settings in ${file}`, () => {
      expect(settingsIn(read(file)).filter((name) => !KNOWN.has(name))).to.deep.equal([]);
    });
  }
});

describeWith(['nginx', 'openssl'], 'deploy/nginx/crf.conf', () => {
  let nginx: NginxServer;
  let received: IncomingMessage | undefined;
  const service = createServer((message, response) => {
    received = message;
    message.resume().once('end', () => response.end('from the service'));
  });

  before(async () => {
    nginx = await NginxServer.start([Number(new URL(await listen(service)).port)]);
  });
  after(async () => {
    await nginx.dispose();
    await closeServer(service);
  });

  /** Sends a request over TLS. */
  async function ask(path: string, headers: Readonly<Record<string, string>> = {}): Promise<string> {
    const { port } = new URL(nginx.url);
    const [response] = (await once(
      httpsGet({
        ...{ host: '127.0.0.1', port, path, servername: nginx.host, ca: nginx.certificate, agent: false },
        headers: { host: nginx.host, ...headers },
      }),
      'response',
    )) as [IncomingMessage];
    return readText(response);
  }

  it('is accepted by nginx', async () => {
    expect(await nginx.test()).to.include('test is successful');
  });

  it('redirects to the same page with TLS', async () => {
    const { status, headers } = await fetch(`${nginx.plainUrl}/login?userId=a`, { redirect: 'manual' });

    expect(status).to.equal(308);
    expect(headers.get('location')).to.equal(`https://${nginx.host}/login?userId=a`);
  });

  it('passes on no request for another host, of which the links of its answer would be', async () => {
    received = undefined;
    expect(await ask('/health', { host: 'evil.example' })).to.include('421 Misdirected Request');
    expect(received).to.equal(undefined);
  });

  it('RATE-03: passes on only the address of the client, whatever the client sends', async () => {
    expect(
      await ask('/health', { 'x-forwarded-for': '10.0.0.1', 'x-forwarded-host': 'evil.example' }),
    ).to.equal('from the service');

    expect(received?.headers).to.include({
      'x-forwarded-for': '127.0.0.1',
      'x-forwarded-proto': 'https',
      'x-forwarded-host': nginx.host,
      host: nginx.host,
    });
  });
});

describe('The dependencies', () => {
  const lock = JSON.parse(read('package-lock.json')) as Parameters<typeof foreignLicences>[0] & {
    readonly packages: Readonly<
      Record<
        string,
        { readonly hasInstallScript?: boolean; readonly dev?: boolean; readonly version?: string }
      >
    >;
  };

  it('SUP-01: have licences that allow their use', () => {
    expect(foreignLicences(lock, bundledPackages())).to.deep.equal([]);
  });

  it('SUP-01: are reported if a licence is not on the list', () => {
    const packages = {
      'node_modules/a': { license: 'GPL-3.0' },
      'node_modules/b': { license: '(MIT OR GPL-3.0)' },
    };

    expect(foreignLicences({ packages })).to.deep.equal(['a: GPL-3.0']);
  });

  for (const [license, isAllowed] of [
    ['(MIT OR GPL-3.0) AND ISC', true],
    ['MIT OR ISC AND GPL-3.0', true],
    ['(GPL-3.0 OR (MIT AND ISC))', true],
    ['(MIT OR ISC) AND GPL-3.0', false],
    ['GPL-3.0 AND (MIT OR ISC)', false],
    ['(MIT', false],
    ['MIT)', false],
    ['MIT GPL-3.0', false],
    ['GPL-3.0 WITH Classpath-exception-2.0', false],
    ['', false],
  ] as const) {
    it(`SUP-01: may ${isAllowed ? '' : 'not '}have the licence "${license}"`, () => {
      const foreign = foreignLicences({ packages: { 'node_modules/a': { license } } });

      expect(foreign).to.deep.equal(isAllowed ? [] : [`a: ${license}`]);
    });
  }

  it('SUP-01: run no install scripts except a download counter, which is disabled', () => {
    const scripts = Object.entries(lock.packages).filter(([, each]) => each.hasInstallScript && !each.dev);
    const { scarfSettings } = JSON.parse(read('package.json')) as { scarfSettings: object };

    expect(scripts.map(([path]) => path).filter((path) => path !== '')).to.deep.equal([
      'node_modules/@scarf/scarf',
    ]);
    expect(scarfSettings).to.deep.equal({ enabled: false });
  });

  it('SUP-01: are listed in the bill of materials as npm installs and the build bundles them', async () => {
    interface Installed {
      readonly version?: string;
      readonly dependencies?: Readonly<Record<string, Installed>>;
    }
    const args = ['ls', '--omit=dev', '--all', '--json', '--package-lock-only'];
    const { stdout } = await run('npm', args, { cwd: root, maxBuffer: 2 ** 26 });
    const installed = new Set<string>();
    const collect = ({ dependencies = {} }: Installed): void => {
      for (const [name, each] of Object.entries(dependencies)) {
        if (each.version !== undefined) installed.add(`${name}@${each.version}`);
        collect(each);
      }
    };
    collect(JSON.parse(stdout) as Installed);
    const bundled = bundledPackages();

    const { bomFormat, components, dependencies } = await billOfMaterials();

    expect(bomFormat).to.equal('CycloneDX');
    expect(components.map(({ name, version }) => `${name}@${version}`)).to.have.members([
      ...new Set([...installed, ...bundled]),
    ]);
    expect(installed).to.include('zod@' + (lock.packages['node_modules/zod']?.version ?? ''));
    expect(bundled).to.include('yargs@' + (lock.packages['node_modules/yargs']?.version ?? ''));
    const listed = components.map((component) => component['bom-ref']);
    expect(listed).to.include.members(dependencies.flatMap(({ dependsOn }) => dependsOn));
  });
});
