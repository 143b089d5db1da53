/**
 * Names the path under which a host application has mounted the service, or that of a project, so that generated clients
 * and the reference page send their requests there.
 *
 * @param json an OpenAPI document as generated, whose server is `/`
 * @param mountPath such as `/crf`; blank at the root
 * @param hasProjects whether the projects of the service have paths of their own below it
 */
export function mountedAt(mountPath: string, json: string, hasProjects = false): string {
  if (mountPath === '' && !hasProjects) return json;
  const servers = [
    { url: mountPath === '' ? '/' : mountPath },
    ...(hasProjects
      ? [
          {
            url: `${mountPath}/projects/{project}`,
            description: 'One of several projects, by its name in GET /api/v1/projects',
            // Whoever reads the document need not know the names.
            variables: { project: { default: 'name' } },
          },
        ]
      : []),
  ];
  return json.replace('"servers":[{"url":"/"}]', () => `"servers":${JSON.stringify(servers)}`);
}

/**
 * Returns the path of a page or route under which it is reached.
 *
 * @param base the path under which the service is mounted, or a project of it: `/crf/projects/cohort`
 * @param path begins with a slash; one below `/projects/` is that of a project already
 */
export function pathBelow(base: string, path: string): string {
  return `${path.startsWith('/projects/') ? base.replace(/\/projects\/[^/]+$/, '') : base}${path}`;
}
