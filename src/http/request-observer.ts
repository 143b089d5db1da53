/** A request whose response has ended. */
export interface EndedRequest {
  readonly method: string;
  /** The template of the route, not the actual path. */
  readonly route: string;
  /** The configured name of the project; undefined in an application of one, and before a project was entered. */
  readonly project: string | undefined;
  /** Undefined if the caller left before an answer had begun. */
  readonly status: number | undefined;
  readonly seconds: number;
  /** The number of bytes sent, including headers. */
  readonly bytes: number;
  /** The code of the problem that was returned, if any. */
  readonly problem: string | undefined;
}

/** Observes requests. */
export interface RequestObserver {
  /** Called when a request arrives. The returned function is called when its response has ended. */
  began(): (ended: EndedRequest) => void;
}
