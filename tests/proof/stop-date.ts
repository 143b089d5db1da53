/**
 * Lets `new Date()` and `Date.now()` be one moment, in all of this process, since the moment of an answer is part of
 * some.
 *
 * @returns lets time go on
 */
export function stopDate(moment: Date): () => void {
  const real = globalThis.Date;
  globalThis.Date = new Proxy(real, {
    construct: (target, given: unknown[], made) =>
      Reflect.construct(target, given.length === 0 ? [moment.getTime()] : given, made) as object,
    get: (target, name) => (name === 'now' ? () => moment.getTime() : (Reflect.get(target, name) as unknown)),
  });
  return () => {
    globalThis.Date = real;
  };
}
