/** The limits of one render. `values/value-limits.ts` has the limits of single values. */

export interface Limits {
  /**
   * Maximum number of steps: loop iterations, partial calls, and one for each 16 characters of a long text that is read or written. The
   * default ends an empty loop within a second.
   */
  readonly steps: number
  /** Maximum length of a text that a template prints or captures, in UTF-16 units. */
  readonly output: number
  /** Maximum number of nested partial calls. */
  readonly depth: number
  /** Maximum size of the text that a render prints, in bytes. */
  readonly renderLength?: number
  /** Maximum number of rendered nodes: each text, output and tag counts on every iteration of its body. */
  readonly renderScore?: number
  /** Maximum size of texts that are assigned and captured, in bytes. A number counts 1, a list 1 plus its items. */
  readonly assignScore?: number
  /** Maximum wall time in milliseconds. */
  readonly time: number
  /**
   * Milliseconds to subtract from the wall time, because the thread waited for a processor. Called when the time is
   * over.
   */
  readonly cpuWait?: () => number
  /**
   * Checks the memory in use.
   * @throws LimitFault when it is too much
   */
  readonly memory?: () => void
}

/** The limits of a render without limits of its own. The settings of a server override the time. */
export const DEFAULT_LIMITS: Limits = { steps: 10_000_000, output: 50_000_000, depth: 100, time: 9_000 }
