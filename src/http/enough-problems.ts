import { ValidationService } from '@tsoa/runtime';

/** The number of problems after which no more of a request is checked: it is refused anyway. */
const MAX_PROBLEMS = 100;

type Problems = Parameters<ValidationService['ValidateParam']>[3];

/**
 * Makes tsoa stop checking a request at its first hundred problems. It counts all problems again for every item of a
 * list, so that half a million wrong items in one megabyte would block the process for many minutes.
 */
export function stopAtEnoughProblems(): void {
  const { prototype } = ValidationService;
  // eslint-disable-next-line @typescript-eslint/unbound-method -- applied to its own object below
  const { ValidateParam } = prototype;
  // Remembered, because to count them for each further item would take long, too.
  const full = new WeakSet<Problems>();
  prototype.ValidateParam = function (this: ValidationService, ...values): unknown {
    const problems = values[3];
    if (full.has(problems)) return undefined;
    if (Object.keys(problems).length >= MAX_PROBLEMS) full.add(problems);
    return ValidateParam.apply(this, values);
  };
}
