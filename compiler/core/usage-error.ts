/** Reports why a command cannot run and how to fix it. The exit code is 2. */
export class UsageError extends Error {}
