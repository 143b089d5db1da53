/** How one test of a client's own suite ended. */
export interface Outcome {
  /** The test as its suite names it. */
  readonly test: string;
  readonly state: 'passed' | 'failed' | 'skipped';
  /** The first lines of what it said when it failed or was skipped. */
  readonly detail: string;
}

/** A test that cannot pass here, and why. */
export interface Exception {
  readonly test: string;
  readonly reason: string;
}

/** What a client's suite and its public methods did against the sandbox. */
export interface ClientReport {
  readonly client: string;
  /** The client's version or revision. */
  readonly version: string;
  readonly outcomes: readonly Outcome[];
  /** Every public method, and whether a call of it succeeded. */
  readonly methods: Readonly<Record<string, boolean>>;
  readonly exceptions: readonly Exception[];
}

/** What a report says that its list of exceptions does not. */
export interface Surprises {
  readonly failures: readonly Outcome[];
  /** Exceptions that pass, or name no test: to be taken off the list. */
  readonly stale: readonly Exception[];
}

/** Holds a report against its list of exceptions. */
export function surprisesOf({ outcomes, exceptions }: ClientReport): Surprises {
  const excepted = new Set(exceptions.map(({ test }) => test));
  const short = new Set(outcomes.filter(({ state }) => state !== 'passed').map(({ test }) => test));
  return {
    failures: outcomes.filter(({ test, state }) => state !== 'passed' && !excepted.has(test)),
    stale: exceptions.filter(({ test }) => !short.has(test)),
  };
}

/** The report as text: figures, methods without a success, exceptions with their reasons, and surprises. */
export function describeReport(report: ClientReport): string {
  const { outcomes, methods, exceptions } = report;
  const { failures, stale } = surprisesOf(report);
  const names = Object.keys(methods);
  const silent = names.filter((name) => methods[name] !== true);
  const passed = outcomes.filter(({ state }) => state === 'passed').length;
  return [
    `${report.client} ${report.version}`,
    `  methods  ${names.length - silent.length} of ${names.length}`,
    ...silent.map((name) => `           without a success: ${name}`),
    `  tests    ${passed} of ${outcomes.length}`,
    ...outcomes
      .filter(({ state }) => state !== 'passed')
      .flatMap(({ test, state }) => {
        const reason = exceptions.find((exception) => exception.test === test)?.reason;
        return reason === undefined ? [] : [`           ${state}, as known: ${test} (${reason})`];
      }),
    ...failures.map(({ test, state, detail }) => `  ${state.toUpperCase()}  ${test}\n${indent(detail)}`),
    ...stale.map(({ test }) => `  STALE EXCEPTION  ${test} passed or does not exist`),
    '',
  ].join('\n');
}

function indent(text: string): string {
  return text.replaceAll(/^/gm, '           ');
}
