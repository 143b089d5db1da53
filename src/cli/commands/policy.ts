import { defineCommand } from '../define-command.js';

const file = { type: 'string', describe: 'The policy file; by default POLICY_FILE' } as const;

const checkCommand = defineCommand({
  name: 'check',
  describe: 'Check a policy file and its lock against the project',
  args: { file },
  positionals: ['file'],
  examples: [['$0 policy check policy.yaml', 'List what is wrong, and bindings that never match']],
  epilogue: 'Exit codes: 0 every policy fits the project; 1 one does not; 2 a file cannot be read.',
  handler: async (options) => (await import('../actions/run-policy.js')).checkPolicy(options),
});

const explainCommand = defineCommand({
  name: 'explain',
  describe: 'Show what a caller sees of the project',
  args: {
    file,
    as: {
      type: 'string',
      demandOption: true,
      requiresArg: true,
      describe: 'The caller: key:NAME or session:ADDRESS',
    },
    field: { type: 'string', requiresArg: true, describe: 'Say only whether this field is visible, and why' },
    record: { type: 'string', requiresArg: true, describe: 'Say only whether this record is visible' },
  },
  positionals: ['file'],
  examples: [
    ['$0 policy explain policy.yaml --as key:stats', 'The forms, fields and records of an API key'],
    ['$0 policy explain --as session:ada@example.org --field dob', 'Whether a person sees a field, and why'],
  ],
  handler: async (options) => (await import('../actions/run-policy.js')).explainPolicy(options),
});

const acceptCommand = defineCommand({
  name: 'accept',
  describe: 'Write policy.lock: show every field that the policies grant now',
  args: {
    file,
    'dry-run': { type: 'boolean', default: false, describe: 'Only print what would be added' },
    identifying: {
      type: 'string',
      array: true,
      describe: 'Show these fields, as POLICY.FIELD, although they may identify somebody',
    },
  },
  positionals: ['file'],
  examples: [
    ['$0 policy accept policy.yaml --dry-run', 'Which fields would become visible'],
    ['$0 policy accept policy.yaml --identifying analyst.bmi', 'A field that de-identification would hide'],
  ],
  handler: async (options) => (await import('../actions/run-policy.js')).acceptPolicy(options),
});

export const policyCommand = defineCommand({
  name: 'policy',
  describe: 'Check, explain and accept what callers of the service see of the project',
  subcommands: [checkCommand, explainCommand, acceptCommand],
});
