/** The outcome of one test of a client's own suite. */
export interface Outcome {
  /** The name of the test in its suite. */
  readonly test: string;
  readonly state: 'passed' | 'failed' | 'skipped';
  /** The first lines of its output when it failed or was skipped. */
  readonly detail: string;
}

/** A test that cannot pass here, with the reason. */
export interface Exception {
  readonly test: string;
  readonly reason: string;
}

/** The results of a client's suite and public methods against the sandbox. */
export interface ClientReport {
  readonly client: string;
  /** The client's version or revision. */
  readonly version: string;
  readonly outcomes: readonly Outcome[];
  /** Every public method, and whether a call of it succeeded. */
  readonly methods: Readonly<Record<string, boolean>>;
  readonly exceptions: readonly Exception[];
}

/** The differences between a report and its list of exceptions. */
export interface Surprises {
  readonly failures: readonly Outcome[];
  /** Exceptions that pass or name no test, to be removed from the list. */
  readonly stale: readonly Exception[];
}

/** Compares a report with its list of exceptions. */
export function surprisesOf({ outcomes, exceptions }: ClientReport): Surprises {
  const excepted = new Set(exceptions.map(({ test }) => test));
  const short = new Set(outcomes.filter(({ state }) => state !== 'passed').map(({ test }) => test));
  return {
    failures: outcomes.filter(({ test, state }) => state !== 'passed' && !excepted.has(test)),
    stale: exceptions.filter(({ test }) => !short.has(test)),
  };
}

/** Writes the report as text: figures, methods without a success, exceptions with their reasons, and surprises. */
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
