/** In the address of a request: a cursor of the same list, from the time when the person saw everything. */
export const FOREIGN_CURSOR = '{cursor}';

export interface Request {
  readonly method?: string;
  readonly path: string;
  readonly body?: string;
  readonly type?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** The Idempotency-Key. */
  readonly key?: string;
  /** Who sends it: by default somebody with every scope; `counts` may read no records, but know how many there are. */
  readonly as?: 'counts';
  /** Whether the same person has sent the same before, while their policy granted everything. */
  readonly isAfterMore?: boolean;
  /** Whether the policy does not grant it, so that there is nothing to compare with a smaller project. */
  readonly isNeverGranted?: boolean;
  /** The statuses of its refusal, where it is valid as it stands, so that nothing but the policy may refuse it. */
  readonly refusals?: readonly number[] | undefined;
  /**
   * What a view shows by a rule of its own, for which there is no smaller project that shows the same, with the reason.
   * Two projects that differ in hidden things alone still have to show the same.
   */
  readonly unlike?: string;
  /** What to ask the smaller project in its place, and what to compare, where only a view has an answer. */
  readonly like?:
    | {
        readonly path: string;
        readonly expected: (answer: Answer) => Answer;
        readonly told: (answer: Answer) => Answer;
      }
    | undefined;
}

/** A call of REDCap's API, without its token. */
export interface ApiCall {
  readonly entries: readonly (readonly [name: string, value: string])[];
  readonly file?: { readonly name: string; readonly text: string } | undefined;
  /** Whether it is sent as multipart, as every call with a file. */
  readonly isMultipart?: boolean;
}

/** What somebody gets of a request, without what differs from answer to answer by itself. */
export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

export type Query = Readonly<Record<string, string | readonly string[]>>;

/** The names of a project that requests try: a visible one, a hidden one, and one that nobody has. */
export interface Names {
  readonly id: string;
  readonly fields: readonly string[];
  readonly visibleFields: readonly string[];
  readonly hiddenFields: readonly string[];
  readonly forms: readonly string[];
  readonly visibleForms: readonly string[];
  readonly events: readonly string[];
  readonly visibleEvents: readonly string[];
  readonly hiddenEvents: readonly string[];
  readonly records: readonly string[];
  /** Filters for values that are shown as others, as they are and as they are shown. */
  readonly filters: readonly string[];
  readonly visibleRecords: readonly string[];
  readonly fileFields: readonly string[];
  readonly surveys: readonly string[];
  readonly groups: readonly string[];
  /** The numbers of reports, and whether one has survey identifiers. */
  readonly reports: readonly { readonly id: number; readonly hasSurveyFields: boolean }[];
}

export function get(path: string, query: Query = {}): Request {
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(query))
    for (const one of [value].flat()) parameters.append(name, one);
  const text = parameters.toString().replaceAll(encodeURIComponent(FOREIGN_CURSOR), FOREIGN_CURSOR);
  return { path: `${path.startsWith('/') ? '' : '/api/v1/'}${path}${text === '' ? '' : `?${text}`}` };
}

/** An import of rows. */
export function imported(records: readonly object[], query = ''): Request {
  return send('POST', `records${query}`, { records });
}

export function send(method: string, path: string, body: unknown): Request {
  return { ...get(path), method, body: typeof body === 'string' ? body : JSON.stringify(body) };
}
