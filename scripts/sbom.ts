/**
 * Writes the bill of materials (CycloneDX) of what an installation without development dependencies contains, from the
 * lockfile, and of what is bundled, from the last build, to standard output. `npm run sbom`.
 *
 * `npm sbom --omit dev` leaves out every package that a development dependency needs as well, so the complete bill is
 * made and reduced here.
 */
import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { bundledPackages } from './bundle/bundled-packages.js';

/** The parts of a bill of materials that are read; the others are passed on. */
interface Bill {
  readonly bomFormat: string;
  readonly metadata: { readonly component: { readonly 'bom-ref': string } };
  readonly components: readonly Component[];
  readonly dependencies: readonly { readonly ref: string; readonly dependsOn: readonly string[] }[];
}

interface Component {
  readonly 'bom-ref': string;
  readonly name: string;
  readonly version: string;
  readonly properties?: readonly { readonly name: string; readonly value: string }[];
}

const root = fileURLToPath(new URL('..', import.meta.url));

export async function billOfMaterials(): Promise<Bill> {
  const args = [
    'sbom',
    '--package-lock-only',
    '--sbom-format',
    'cyclonedx',
    '--sbom-type',
    'application',
    '--include=dev', // with NODE_ENV=production npm would leave out too much
  ];
  const { stdout } = await promisify(execFile)('npm', args, { cwd: root, maxBuffer: 2 ** 26 });
  const bill = JSON.parse(stdout) as Bill;
  const bundled = bundledPackages();
  const components = bill.components.filter(
    (component) => !isForDevelopment(component) || bundled.has(`${component.name}@${component.version}`),
  );
  const kept = new Set([bill.metadata.component, ...components].map((component) => component['bom-ref']));
  const dependencies = bill.dependencies
    .filter(({ ref }) => kept.has(ref))
    .map((each) => ({ ...each, dependsOn: each.dependsOn.filter((ref) => kept.has(ref)) }));
  return { ...bill, components, dependencies };
}

function isForDevelopment({ properties = [] }: Component): boolean {
  return properties.some(({ name }) => name === 'cdx:npm:package:development');
}

if (import.meta.filename === process.argv[1])
  process.stdout.write(`${JSON.stringify(await billOfMaterials(), null, 2)}\n`);
