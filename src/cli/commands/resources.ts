import type { CommandModule } from 'yargs';
import { withYes, type YesArguments } from '../options/confirm.js';
import type { GlobalArguments } from '../options/global-arguments.js';
import type { FormArguments } from '../printing/print-rows.js';
import { RESOURCE_COMMANDS, type ResourceCommand, type ResourceName } from '../actions/resource-commands.js';

interface PutArguments extends YesArguments {
  file: string;
  replace: boolean;
}

/** `crf arms`, `crf arms put FILE`, `crf arms delete 2`, and the same for the other lists of a project. */
export const resourceCommands: readonly CommandModule<GlobalArguments, FormArguments>[] = (
  Object.entries(RESOURCE_COMMANDS) as [ResourceName, ResourceCommand][]
).map(([name, resource]) => ({
  command: name,
  describe: resource.describe,
  builder: (yargs) => {
    const list = yargs
      .option('json', { type: 'boolean', default: false, describe: 'Print one JSON document' })
      .option('csv', { type: 'boolean', default: false, describe: 'Print CSV' });
    if (resource.put !== undefined) list.command(putCommand(name, resource, resource.put) as never);
    if (resource.delete !== undefined) list.command(deleteCommand(name, resource.delete) as never);
    if (name === 'dags') list.command(switchCommand as never);
    return list as never; // subcommands have their own options
  },
  handler: async (options) => {
    const { listResource } = await import('../actions/run-resource.js');
    await listResource(name, options);
  },
}));

function putCommand(
  name: ResourceName,
  { isReplaceable = false }: ResourceCommand,
  does: string,
): CommandModule<GlobalArguments, PutArguments> {
  const isRisky = isReplaceable || does.startsWith('replace');
  return {
    command: 'put <file>',
    describe: `${does[0]?.toUpperCase()}${does.slice(1)}, from a JSON file as --json prints it`,
    builder: (yargs) => {
      const file = yargs.positional('file', {
        type: 'string',
        demandOption: true,
        describe: 'JSON file; - for standard input',
      });
      const replaceable = isReplaceable
        ? file.option('replace', {
            type: 'boolean',
            default: false,
            describe: 'Delete what is not in the file, with everything that is stored there',
          })
        : file;
      return (isRisky ? withYes(replaceable) : replaceable).example(
        `$0 ${name} --json > ${name}.json; $0 ${name} put ${name}.json`,
        'The file that it prints can be sent back',
      ) as never;
    },
    handler: async (options) => {
      const { putResource } = await import('../actions/run-resource.js');
      const isReplacement = options.replace ?? false;
      const ends = isReplacement ? `, and delete all other ${name} with what is stored there` : '';
      await putResource(name, options, {
        isReplacement,
        question: isReplacement || does.startsWith('replace') ? `${does}${ends}` : undefined,
      });
    },
  };
}

function deleteCommand(
  name: ResourceName,
  { argument, does }: NonNullable<ResourceCommand['delete']>,
): CommandModule<GlobalArguments, YesArguments & { names: string[] }> {
  return {
    command: `delete <names..>`,
    describe: `${does[0]?.toUpperCase()}${does.slice(1)}`,
    builder: (yargs) =>
      withYes(
        yargs.positional('names', {
          type: 'string',
          array: true,
          demandOption: true,
          describe: `Each ${argument} to delete`,
        }),
      ),
    handler: async (options) => {
      const { deleteResource } = await import('../actions/run-resource.js');
      await deleteResource(name, options.names.map(String), { ...options, does });
    },
  };
}

/** `crf dags switch`: changes which records every program with this token sees. */
const switchCommand: CommandModule<GlobalArguments, YesArguments & { dag: string }> = {
  command: 'switch [dag]',
  describe: 'Put the user of the token into another data access group, or without one into none',
  builder: (yargs) =>
    withYes(
      yargs.positional('dag', {
        type: 'string',
        default: '',
        describe: 'Unique name of the group',
      }),
    ),
  handler: async (options) => {
    const { switchDag } = await import('../actions/run-resource.js');
    await switchDag(options.dag, options);
  },
};
