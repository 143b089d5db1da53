import * as z from 'zod';

/**
 * The parts of Kubernetes' and Compose's formats that `deploy/` uses, by their reference pages. Every object is strict: a name
 * that is misspelt, or stands in the wrong place, is refused. To use more of a format, add it here first.
 *
 * The official schemas are in no maintained package that runs on Node 20, and those of Kubernetes accept unknown names.
 */
const { strictObject: object, string, int, array, record, union, literal, enum: oneOf } = z;

const labels = record(string(), string());
const quantity = string().regex(/^\d+(?:\.\d+)?(?:m|Ki|Mi|Gi)?$/);
const name = string().regex(/^[a-z0-9](?:[-a-z0-9]{0,61}[a-z0-9])?$/);
const portName = string().regex(/^[a-z0-9][-a-z0-9]{0,14}$/);
const selector = object({ matchLabels: labels });
const metadata = object({ name, labels: labels.optional() });

const probe = object({
  httpGet: object({ path: string().startsWith('/'), port: union([portName, int()]) }),
  periodSeconds: int().min(1).optional(),
  timeoutSeconds: int().min(1).optional(),
  failureThreshold: int().min(1).optional(),
});

const container = object({
  name,
  image: string().regex(/^[\w./-]+:[\w.-]+$/),
  ports: array(object({ name: portName, containerPort: int().min(1).max(65_535) })),
  env: array(object({ name: string().regex(/^[A-Z][A-Z0-9_]*$/), value: string() })),
  volumeMounts: array(object({ name, mountPath: string().startsWith('/'), readOnly: z.boolean() })),
  securityContext: object({
    allowPrivilegeEscalation: z.boolean(),
    readOnlyRootFilesystem: z.boolean(),
    capabilities: object({ drop: array(string()) }),
  }),
  startupProbe: probe,
  livenessProbe: probe,
  readinessProbe: probe,
  resources: object({
    requests: object({ cpu: quantity, memory: quantity }),
    limits: object({ memory: quantity }),
  }),
});

const deployment = object({
  apiVersion: literal('apps/v1'),
  kind: literal('Deployment'),
  metadata,
  spec: object({
    replicas: int().min(1),
    selector,
    strategy: object({
      type: literal('RollingUpdate'),
      rollingUpdate: object({ maxUnavailable: int(), maxSurge: int() }),
    }),
    template: object({
      metadata: object({ labels, annotations: labels }),
      spec: object({
        automountServiceAccountToken: z.boolean(),
        terminationGracePeriodSeconds: int(),
        securityContext: object({
          runAsNonRoot: z.boolean(),
          runAsUser: int().min(1),
          runAsGroup: int().min(1),
          seccompProfile: object({ type: oneOf(['RuntimeDefault', 'Localhost', 'Unconfined']) }),
        }),
        containers: array(container).min(1),
        volumes: array(object({ name, secret: object({ secretName: name, defaultMode: int().max(0o777) }) })),
      }),
    }),
  }),
});

const service = object({
  apiVersion: literal('v1'),
  kind: literal('Service'),
  metadata,
  spec: object({
    selector: labels,
    ports: array(object({ name: portName, port: int(), targetPort: union([portName, int()]) })),
  }),
});

const disruptionBudget = object({
  apiVersion: literal('policy/v1'),
  kind: literal('PodDisruptionBudget'),
  metadata,
  spec: object({ minAvailable: int().min(1), selector }),
});

const scaling = object({
  apiVersion: literal('autoscaling/v2'),
  kind: literal('HorizontalPodAutoscaler'),
  metadata,
  spec: object({
    scaleTargetRef: object({ apiVersion: string(), kind: string(), name }),
    minReplicas: int().min(1),
    maxReplicas: int(),
    metrics: array(
      object({
        type: literal('Resource'),
        resource: object({
          name: oneOf(['cpu', 'memory']),
          target: object({ type: literal('Utilization'), averageUtilization: int().min(1).max(100) }),
        }),
      }),
    ),
  }),
});

const peers = array(object({ namespaceSelector: selector.optional(), podSelector: selector.optional() })).min(
  1,
);
const policyPorts = array(
  object({ port: union([portName, int()]), protocol: oneOf(['TCP', 'UDP']).optional() }),
).min(1);

const networkPolicy = object({
  apiVersion: literal('networking.k8s.io/v1'),
  kind: literal('NetworkPolicy'),
  metadata,
  spec: object({
    podSelector: selector,
    policyTypes: array(oneOf(['Ingress', 'Egress'])),
    ingress: array(object({ from: peers, ports: policyPorts })),
    egress: array(object({ to: peers.optional(), ports: policyPorts })),
  }),
});

/** One document of `deploy/kubernetes/crf-service.yaml`. */
export const KubernetesManifest = z.discriminatedUnion('kind', [
  deployment,
  service,
  disruptionBudget,
  scaling,
  networkPolicy,
]);

const duration = string().regex(/^(?:\d+(?:ms|s|m|h))+$/);
const bytes = string().regex(/^\d+[kmg]$/);

const composeService = object({
  build: string().optional(),
  image: string().optional(),
  command: array(string()).optional(),
  environment: record(string().regex(/^[A-Z][A-Z0-9_]*$/), string()).optional(),
  secrets: array(string()).optional(),
  networks: array(string()).optional(),
  ports: array(string().regex(/^(?:127\.0\.0\.1:)?\d+:\d+$/)).optional(),
  volumes: array(string().regex(/^[\w./-]+:\/[\w./-]+(?::ro)?$/)).optional(),
  read_only: z.boolean().optional(),
  cap_drop: array(string()).optional(),
  security_opt: array(string()).optional(),
  user: string().optional(),
  stop_grace_period: duration.optional(),
  mem_limit: bytes.optional(),
  restart: oneOf(['no', 'always', 'on-failure', 'unless-stopped']).optional(),
  depends_on: record(
    string(),
    object({ condition: oneOf(['service_started', 'service_healthy']) }),
  ).optional(),
  healthcheck: object({
    test: array(string()),
    interval: duration,
    timeout: duration,
    retries: int(),
  }).optional(),
}).refine(
  ({ build, image }) => (build === undefined) !== (image === undefined),
  'has either an image or a build',
);

/** `compose.yaml`, with the objects that its services refer to. */
export const ComposeFile = object({
  services: record(string(), composeService),
  networks: record(string(), object({})).default({}),
  volumes: record(string(), object({})).default({}),
  secrets: record(string(), object({ file: string().startsWith('./') })).default({}),
}).superRefine(({ services, networks, volumes, secrets }, context) => {
  const known = (place: object, names: readonly string[], what: string): void => {
    for (const each of names) {
      if (!Object.hasOwn(place, each))
        context.addIssue({ code: 'custom', message: `There is no ${what} ${each}.` });
    }
  };
  for (const each of Object.values(services)) {
    known(networks, each.networks ?? [], 'network');
    known(secrets, each.secrets ?? [], 'secret');
    known(services, Object.keys(each.depends_on ?? {}), 'service');
    const named = (each.volumes ?? [])
      .map((volume) => volume.split(':')[0] ?? '')
      .filter((from) => !from.startsWith('.'));
    known(volumes, named, 'volume');
  }
});
