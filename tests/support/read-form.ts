/** The parameters of a call to REDCap, urlencoded or multipart, as PHP reads them. */
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
