/** How many expressions of templates are emitted by their types: none of them asks of what kind its value is when it runs. */

const COUNTED = ['variable', 'property', 'filter', 'comparison', 'arithmetic'] as const

/** Reads of variables and of properties, calls of filters, comparisons, and the filters that compute with numbers. Literals are none. */
export type CountedKind = (typeof COUNTED)[number]

/** @internal Exported for tests. */
export interface Count {
  readonly all: number
  readonly typed: number
}

export type Coverage = ReadonlyMap<CountedKind, Count>

/** Counts while a function is written. */
export class CoverageCounter {
  readonly #counts = new Map<CountedKind, { all: number; typed: number }>()

  count(kind: CountedKind, isTyped: boolean): void {
    this.#add(kind, 1, isTyped ? 1 : 0)
  }

  add(coverage: Coverage): void {
    for (const [kind, { all, typed }] of coverage) this.#add(kind, all, typed)
  }

  #add(kind: CountedKind, all: number, typed: number): void {
    const known = this.#counts.get(kind)
    if (known === undefined) this.#counts.set(kind, { all, typed })
    else {
      known.all += all
      known.typed += typed
    }
  }

  get coverage(): Coverage {
    return this.#counts
  }
}

const NOTHING: Count = { all: 0, typed: 0 }

/** The counts of all kinds together. @internal Exported for tests. */
export function total(coverage: Coverage): Count {
  return [...coverage.values()].reduce(
    (sum, { all, typed }) => ({ all: sum.all + all, typed: sum.typed + typed }),
    NOTHING,
  )
}

/** The counts as a table, with their sum. */
export function coverageText(coverage: Coverage): string {
  const line = (name: string, count: Count) =>
    `${name.padEnd(12)}${String(count.typed).padStart(7)} of ${String(count.all).padStart(7)}  ${percent(count).padStart(5)}\n`
  const lines = COUNTED.map((kind) => line(kind, coverage.get(kind) ?? NOTHING))
  return ['Expressions emitted by their types:\n', ...lines, line('all', total(coverage))].join('')
}

function percent({ all, typed }: Count): string {
  return all === 0 ? '-' : `${((100 * typed) / all).toFixed(0)} %`
}
