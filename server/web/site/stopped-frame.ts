/** Types for reading the variables of a render that fails. */
import type { ShownVariable } from './error-page.ts'

/** A function of emitted code that an exception has left, with its variables. */
export interface StoppedFrame {
  /** URL of the script. */
  readonly url: string
  /** Counted from 1, as in stacks. */
  readonly line: number
  readonly column: number
  readonly variables: readonly ShownVariable[]
}

/**
 * Runs a render that fails again, and returns the frames of its last exception, the innermost first.
 * @param isEmitted whether a script is emitted code, by its URL
 */
export type Inspect = (
  render: () => Promise<unknown>,
  isEmitted: (url: string) => boolean,
) => Promise<readonly StoppedFrame[]>
