import { once } from 'node:events';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { fillProject } from './records/load-rows.js';
import type { SandboxProject } from './project.js';
import { ProjectRegistry } from './project-registry.js';
import { serveApi } from './redcap-api.js';
import type { SandboxFault } from './send-other.js';
import { VERSION_PROFILES } from './version-profiles.js';
import { ServerVersion } from '../../wire/server-version.js';
import type { Study } from './study.js';

export interface RedcapSandboxOptions {
  readonly study: Study;
  /** More projects, each with its own tokens. */
  readonly otherStudies?: readonly Study[] | undefined;
  /** Any free port by default. */
  readonly port?: number | undefined;
  /** The version that `content=version` returns; `16.1.9` by default. */
  readonly version?: string | undefined;
  /** 64 hexadecimal characters; can create projects and read the version. */
  readonly superToken?: string | undefined;
  /** REDCap's own address in links, with a trailing slash; `https://redcap.example.org/` by default. */
  readonly publicUrl?: string | undefined;
  readonly clock?: (() => Date) | undefined;
  /** What REDCap answers to every call in place of its result; it can be changed while the sandbox runs. */
  readonly fault?: SandboxFault | undefined;
}

/** An imitation of REDCap that implements its API on a loopback port. Its data is lost when it stops. */
export interface RedcapSandbox {
  /** `http://127.0.0.1:PORT/api/` */
  readonly url: string;
  readonly project: SandboxProject;
  /** Messages about the parts of the studies that were left out, and about values that violate their own rules. */
  readonly notes: readonly string[];
  /** The state of an outage to play; undefined for none. */
  fault: SandboxFault | undefined;
  close(): Promise<void>;
}

/** Starts a sandbox with the given study. @throws {InvalidRequestError} a row of a study has no record ID */
export async function startRedcapSandbox(options: RedcapSandboxOptions): Promise<RedcapSandbox> {
  const { study, otherStudies = [], port = 0, version = VERSION_PROFILES['16.1'], superToken } = options;
  const projects = new ProjectRegistry(options.clock ?? (() => new Date()), options.publicUrl);
  const project = projects.add(study);
  const notes = fillProject(project, study);
  for (const other of otherStudies) notes.push(...fillProject(projects.add(other), other));

  const api = { projects, now: () => project.now(), version: new ServerVersion(version), superToken };
  let { fault } = options;
  const server = http.createServer((request, response) => void serveApi(api, fault, request, response));
  server.keepAliveTimeout = 60_000;
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/api/`,
    project,
    notes,
    get fault() {
      return fault;
    },
    set fault(next) {
      fault = next;
    },
    close: async () => {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}
