/** Types of the benchmark results in the reference. Data only. */

/** The output of one benchmark. */
export interface BenchFigures {
  /** The name in `npm run bench -- NAME`. */
  readonly name: string
  /** Description of the benchmark, from its source file. */
  readonly description: string
  /** The date, as `2026-01-31`. */
  readonly day: string
  readonly machine: {
    readonly processor: string
    readonly cores: number
    readonly node: string
    /** The load average of the machine at the start. */
    readonly load: number
  }
  readonly tables: readonly {
    readonly columnTitles: readonly string[]
    readonly rows: readonly (readonly string[])[]
  }[]
}
