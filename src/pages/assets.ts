/** The paths of the files that the pages use. */
export const ASSETS = {
  styleSheet: '/assets/pages.css',
  mark: '/assets/mark.svg',
  mailboxScript: '/assets/mailbox.js',
  plotsScript: '/assets/plots.js',
  tryFileScript: '/assets/try-file.js',
  commandsScript: '/assets/commands.js',
} as const;
