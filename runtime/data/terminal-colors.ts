/** Decides whether an output gets colors. Only terminals get colors. */

/**
 * Returns whether text for a stream may contain color codes. `NO_COLOR` and a terminal without control codes turn them off.
 * @param env variables of the process
 */
export function hasColors(to: object, env: Readonly<Record<string, string | undefined>>): boolean {
  return 'isTTY' in to && to.isTTY === true && (env['NO_COLOR'] ?? '') === '' && env['TERM'] !== 'dumb'
}
