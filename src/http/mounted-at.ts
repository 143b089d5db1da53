/**
 * Names the path under which a host application has mounted the service, so that generated clients and the reference
 * page send their requests there.
 *
 * @param json an OpenAPI document as generated, whose server is `/`
 * @param mountPath such as `/crf`; blank at the root
 */
export function mountedAt(mountPath: string, json: string): string {
  if (mountPath === '') return json;
  return json.replace('"servers":[{"url":"/"}]', () => `"servers":[{"url":${JSON.stringify(mountPath)}}]`);
}
