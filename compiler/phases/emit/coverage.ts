/** Counts how many expressions are emitted by their types, so that their code does not check the kind of a value at run time. */

const KINDS = ['variable', 'property', 'filter', 'comparison', 'arithmetic'] as const

/**
 * The kinds of counted expressions: reads of variables and properties, filter calls, comparisons, and filters that compute with numbers.
 * Literals are not counted.
 */
export type CountedKind = (typeof KINDS)[number]

/** @internal Exported for tests. */
export interface Count {
  readonly total: number
  readonly typedCount: number
}

export type Coverage = ReadonlyMap<CountedKind, Count>

/** Counts while a function is emitted. */
export class CoverageCounter {
  readonly #counts = new Map<CountedKind, { total: number; typedCount: number }>()

  count(kind: CountedKind, isTyped: boolean): void {
    this.#add(kind, 1, isTyped ? 1 : 0)
  }

  add(coverage: Coverage): void {
    for (const [kind, { total, typedCount }] of coverage) this.#add(kind, total, typedCount)
  }

  #add(kind: CountedKind, total: number, typedCount: number): void {
    const known = this.#counts.get(kind)
    if (known === undefined) this.#counts.set(kind, { total, typedCount })
    else {
      known.total += total
      known.typedCount += typedCount
    }
  }

  get coverage(): Coverage {
    return this.#counts
  }
}

const NO_COUNT: Count = { total: 0, typedCount: 0 }

/** Returns the sum of the counts of all kinds. @internal Exported for tests. */
export function total(coverage: Coverage): Count {
  return [...coverage.values()].reduce(
    (sum, { total, typedCount }) => ({ total: sum.total + total, typedCount: sum.typedCount + typedCount }),
    NO_COUNT,
  )
}

/** Returns the counts as a table, with their sum. */
export function coverageText(coverage: Coverage): string {
  const line = (name: string, count: Count) =>
    `${name.padEnd(12)}${String(count.typedCount).padStart(7)} of ${String(count.total).padStart(7)}  ${percent(count).padStart(5)}\n`
  const lines = KINDS.map((kind) => line(kind, coverage.get(kind) ?? NO_COUNT))
  return ['Expressions emitted by their types:\n', ...lines, line('all', total(coverage))].join('')
}

function percent({ total, typedCount }: Count): string {
  return total === 0 ? '-' : `${((100 * typedCount) / total).toFixed(0)} %`
}
