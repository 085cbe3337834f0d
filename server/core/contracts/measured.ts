/** Measures on their way from a process or a thread to the one that keeps them: plain data, each told once. */

/** What was added to one series since it was told last. */
export interface MeasuredChange {
  /** Name of the metric in the list. */
  readonly metric: string
  readonly labels: readonly string[]
  /** How much a counter grew; the sum of what a histogram took. */
  readonly sum: number
  /** For a histogram: how many values each bucket took, the last one being those above all bounds. */
  readonly buckets?: readonly number[]
}

/** The present value of one series. */
export interface MeasuredState {
  readonly metric: string
  readonly labels: readonly string[]
  readonly value: number
}
