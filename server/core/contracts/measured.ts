/** Measurements that a process or thread sends to the process that collects them. Each is plain data, and is sent once. */

/** What was added to one series since it was last sent. */
export interface MeasuredChange {
  /** Name of the metric in the list. */
  readonly metric: string
  readonly labels: readonly string[]
  /** The increase of a counter, or the sum of the values of a histogram. */
  readonly sum: number
  /** For a histogram: the number of values in each bucket. The last bucket has the values above all bounds. */
  readonly buckets?: readonly number[]
}

/** The current value of one series. */
export interface MeasuredState {
  readonly metric: string
  readonly labels: readonly string[]
  readonly value: number
}
