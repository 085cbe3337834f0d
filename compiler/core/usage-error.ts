/** A reason why a command cannot run, with how to mend it: exit code 2. */
export class UsageError extends Error {}
