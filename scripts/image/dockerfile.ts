/** One instruction of a Dockerfile. */
export interface Instruction {
  readonly name: string;
  /** Everything after the name, on one line. */
  readonly text: string;
}

/** A build stage: its `FROM` and the instructions after it. */
export interface Stage {
  readonly image: string;
  readonly name: string | undefined;
  readonly instructions: readonly Instruction[];
}

/** @returns the stages of a Dockerfile, without comments and with continued lines joined */
export function readDockerfile(text: string): Stage[] {
  const lines = text
    .split('\n')
    .filter((line) => !line.trimStart().startsWith('#'))
    .join('\n')
    .replace(/\\\n\s*/g, '')
    .split('\n');
  const stages: { image: string; name: string | undefined; instructions: Instruction[] }[] = [];
  for (const line of lines) {
    const [, name, rest = ''] = /^([A-Z]+)\s+(.*)$/.exec(line.trim()) ?? [];
    if (name === undefined) continue;
    if (name !== 'FROM') stages.at(-1)?.instructions.push({ name, text: rest });
    else {
      const [image = '', , stage] = rest.split(/\s+/);
      stages.push({ image, name: stage, instructions: [] });
    }
  }
  return stages;
}

/** @returns the arguments of an instruction in JSON form, such as `ENTRYPOINT ["node", "x"]` */
export function jsonArguments(text: string): string[] {
  return JSON.parse(text.slice(text.indexOf('['))) as string[];
}
