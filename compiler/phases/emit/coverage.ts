/** Counts how many expressions are emitted by their types, so that their code does not check the kind of a value at run time. */

const KINDS = ['variable', 'property', 'filter', 'comparison', 'arithmetic'] as const

/**
 * The kinds of counted expressions: reads of variables and properties, filter calls, comparisons, and filters that compute with numbers.
 * Literals are not counted.
 */
export type CountedKind = (typeof KINDS)[number]

/** @internal Exported for tests. */
export interface Count {
  readonly all: number
  readonly typed: number
}

export type Coverage = ReadonlyMap<CountedKind, Count>

/** Counts while a function is emitted. */
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

const NO_COUNT: Count = { all: 0, typed: 0 }

/** Returns the sum of the counts of all kinds. @internal Exported for tests. */
export function total(coverage: Coverage): Count {
  return [...coverage.values()].reduce(
    (sum, { all, typed }) => ({ all: sum.all + all, typed: sum.typed + typed }),
    NO_COUNT,
  )
}

/** Returns the counts as a table, with their sum. */
export function coverageText(coverage: Coverage): string {
  const line = (name: string, count: Count) =>
    `${name.padEnd(12)}${String(count.typed).padStart(7)} of ${String(count.all).padStart(7)}  ${percent(count).padStart(5)}\n`
  const lines = KINDS.map((kind) => line(kind, coverage.get(kind) ?? NO_COUNT))
  return ['Expressions emitted by their types:\n', ...lines, line('all', total(coverage))].join('')
}

function percent({ all, typed }: Count): string {
  return all === 0 ? '-' : `${((100 * typed) / all).toFixed(0)} %`
}
