/** A request whose answer is over. */
export interface EndedRequest {
  readonly method: string;
  /** The template of the route, never the path. */
  readonly route: string;
  readonly status: number;
  readonly seconds: number;
  /** That were sent, heads included. */
  readonly bytes: number;
  /** The code of the problem that was answered. */
  readonly problem: string | undefined;
}

/** Hears of each request. */
export interface RequestObserver {
  /** A request has come; the function is called when its answer is over. */
  began(): (ended: EndedRequest) => void;
}
