/** Reads the parameters of a call to REDCap like PHP, URL-encoded or multipart. */
export function readForm(body: string, contentType = ''): URLSearchParams {
  const [, boundary] = /^multipart\/form-data; *boundary=(\S+)$/.exec(contentType) ?? [];
  if (boundary === undefined) return new URLSearchParams(body);
  const form = new URLSearchParams();
  for (const part of body.split(`--${boundary}`).slice(1, -1)) {
    const [, name = '', value = ''] = /^\r\n[^\r\n]* name="([^"]*)"\r\n\r\n([\s\S]*)\r\n$/.exec(part) ?? [];
    form.append(name, value);
  }
  return form;
}
