/** What the benchmarks have printed, as it is kept for the reference. Data only. */

/** What one benchmark printed. */
export interface BenchFigures {
  /** As it is called by `npm run bench -- NAME`. */
  readonly name: string
  /** What it does, from its source. */
  readonly says: string
  /** The day, as `2026-01-31`. */
  readonly day: string
  readonly machine: {
    readonly processor: string
    readonly cores: number
    readonly node: string
    /** What else the machine did, when it began: processes that wanted to run. */
    readonly load: number
  }
  readonly tables: readonly { readonly heads: readonly string[]; readonly rows: readonly (readonly string[])[] }[]
}
