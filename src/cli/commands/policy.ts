import { defineCommand } from '../define-command.js';
import { YES } from '../options/output-options.js';

const file = { type: 'string', describe: 'The policy file; by default POLICY_FILE' } as const;

const checkCommand = defineCommand({
  name: 'check',
  describe: 'Check a policy file and its lock against the project',
  args: { file },
  positionals: ['file'],
  examples: [['$0 policy check policy.yaml', 'List what is wrong, and bindings that never match']],
  epilogue:
    'Also names groups and API keys that do not exist, and rights of the REDCap token that no policy needs. Exit codes: 0 every policy fits the project; 1 one does not; 2 a file cannot be read.',
  handler: async (options) => (await import('./check-policy.js')).checkPolicy(options),
});

const testCommand = defineCommand({
  name: 'test',
  describe: 'Compare what callers see with what a file of cases expects',
  args: {
    cases: {
      type: 'string',
      demandOption: true,
      describe: 'The file of cases (YAML); - reads standard input',
    },
    policy: { type: 'string', requiresArg: true, describe: 'The policy file; by default POLICY_FILE' },
  },
  positionals: ['cases'],
  examples: [['$0 policy test cases.yaml --policy policy.yaml', 'Which expectations are not met']],
  epilogue:
    'Exit codes: 0 every expectation is met; 1 one is not, or a policy does not fit the project; 2 a file cannot be read.',
  handler: async ({ policy, ...options }) =>
    (await import('./check-policy.js')).testPolicy({ ...options, file: policy }),
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
  handler: async (options) => (await import('./policy-action.js')).explainPolicy(options),
});

const acceptCommand = defineCommand({
  name: 'accept',
  describe: 'Write the lock of a policy file: show every field that the policies grant now',
  args: {
    file,
    ...YES,
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
    ['$0 policy accept trial.yaml --yes', 'Write trial.lock without a question, as scripts have to'],
    ['$0 policy accept policy.yaml --identifying analyst.bmi', 'A field that de-identification would hide'],
  ],
  handler: async (options) => (await import('./policy-action.js')).acceptPolicy(options),
});

const pseudonymCommand = defineCommand({
  name: 'pseudonym',
  describe: 'Print the pseudonyms of record ids, and the record ids of pseudonyms',
  args: {
    ids: { type: 'string', array: true, demandOption: true, describe: 'Record ids or pseudonyms' },
    as: {
      type: 'string',
      demandOption: true,
      requiresArg: true,
      describe: 'A caller whose policy has the pseudonyms: key:NAME or session:ADDRESS',
    },
    policy: { type: 'string', requiresArg: true, describe: 'The policy file; by default POLICY_FILE' },
  },
  positionals: ['ids'],
  examples: [['$0 policy pseudonym --as key:stats 1001 1002', 'Each record id, a tab, and its pseudonym']],
  epilogue:
    'Needs PSEUDONYM_KEY, and so is for whoever may know who the people are. Exit codes: 0 done; 1 a pseudonym belongs to another key, policy or project; 2 the policy has no pseudonyms.',
  handler: async ({ policy, ...options }) =>
    (await import('./policy-action.js')).translatePseudonyms({ ...options, file: policy }),
});

export const policyCommand = defineCommand({
  name: 'policy',
  describe: 'Check, test, explain and accept what callers of the service see of the project',
  subcommands: [checkCommand, testCommand, explainCommand, acceptCommand, pseudonymCommand],
});
