/** The limits of one render. `values/value-limits.ts` has the limits of single values. */

export interface Limits {
  /**
   * Maximum number of steps: one for each loop iteration, one for each call of a partial, and one for each 16 characters of a long text
   * that is read or written. The default ends an empty loop within a second.
   */
  readonly steps: number
  /** Maximum length of a text that a template prints or captures, in UTF-16 units. */
  readonly output: number
  /** Maximum number of nested partial calls. */
  readonly depth: number
  /** Maximum size of the text that a render prints, in bytes. */
  readonly renderLength?: number
  /** Maximum number of rendered nodes. Each text, output and tag counts once for every iteration of its body. */
  readonly renderScore?: number
  /** Maximum size of texts that are assigned and captured, in bytes. A number counts as 1, and a list as 1 plus the sizes of its items. */
  readonly assignScore?: number
  /** Maximum wall time in milliseconds. */
  readonly time: number
  /**
   * Returns the milliseconds in which the thread waited for a processor. They are subtracted from the wall time. It is called when the time
   * is over.
   */
  readonly cpuWait?: () => number
  /**
   * Checks the memory in use.
   * @throws LimitFault when too much memory is in use
   */
  readonly memory?: () => void
}

/** The default limits of a render. A server's settings override the time. */
export const DEFAULT_LIMITS: Limits = { steps: 10_000_000, output: 50_000_000, depth: 100, time: 9_000 }
