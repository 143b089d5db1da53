import { error } from '@sveltejs/kit';
import { problemOf } from 'crf-service/sveltekit';

/** Shows an error of `crf-service` as the page `+error.svelte`, with its status. SvelteKit handles all others. */
export function showProblem(thrown: unknown): never {
  const problem = problemOf(thrown);
  if (problem === undefined) throw thrown;
  error(problem.status, problem.body);
}
