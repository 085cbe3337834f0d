/** Describes the errors of checks for their author. */

/** Maximum length of a description in characters. */
const MAX_LENGTH = 1_000

/** Returns the message of an error in one line, with the place in the author's code where it was thrown, if that is known. */
export function describeError(error: unknown): string {
  const text = error instanceof Error ? `${error.name}: ${error.message}` : `it threw ${String(error)}`
  const line = text.replace(/\s+/g, ' ').trim().slice(0, MAX_LENGTH)
  const at = error instanceof Error ? placeOf(error) : null
  return at === null ? line : `${line} (${at})`
}

/** Returns the first place in a file in the stack of an error, or in the first line of a syntax error; null if there is none. */
function placeOf({ stack = '' }: Error): string | null {
  const [, path, position] =
    /(?:\(|at |^)(?:file:\/\/)?((?:\/|[A-Za-z]:\\)[^\n()]*?):(\d+(?::\d+)?)\)?$/m.exec(stack) ?? []
  return path === undefined || path.endsWith('custom-checks.cjs') ? null : `${path}:${position}`
}
