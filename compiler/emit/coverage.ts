/** How many expressions of templates are emitted by their types: none of them asks of what kind its value is when it runs. */

export const COUNTED = ['variable', 'property', 'filter', 'comparison', 'arithmetic'] as const

/** Reads of variables and of properties, calls of filters, comparisons, and the filters that compute with numbers. Literals are none. */
export type CountedKind = (typeof COUNTED)[number]

export interface Count {
  readonly all: number
  readonly typed: number
}

export type Coverage = ReadonlyMap<CountedKind, Count>

/** Counts while a function is written. */
export class CoverageCounter {
  readonly #counts = new Map<CountedKind, Count>()

  count(kind: CountedKind, isTyped: boolean): void {
    const { all, typed } = this.#counts.get(kind) ?? NOTHING
    this.#counts.set(kind, { all: all + 1, typed: typed + (isTyped ? 1 : 0) })
  }

  add(coverage: Coverage): void {
    for (const [kind, { all, typed }] of coverage) {
      const known = this.#counts.get(kind) ?? NOTHING
      this.#counts.set(kind, { all: known.all + all, typed: known.typed + typed })
    }
  }

  get coverage(): Coverage {
    return this.#counts
  }
}

const NOTHING: Count = { all: 0, typed: 0 }

/** The counts as a table, with their sum. */
export function coverageText(coverage: Coverage): string {
  const rows = COUNTED.map((kind) => [kind, coverage.get(kind) ?? NOTHING] as const)
  const sum = rows.reduce(
    (total, [, { all, typed }]) => ({ all: total.all + all, typed: total.typed + typed }),
    NOTHING,
  )
  const line = (name: string, { all, typed }: Count) =>
    `${name.padEnd(12)}${String(typed).padStart(7)} of ${String(all).padStart(7)}  ${percent({ all, typed }).padStart(5)}\n`
  return [
    'Expressions emitted by their types:\n',
    ...rows.map(([kind, count]) => line(kind, count)),
    line('all', sum),
  ].join('')
}

function percent({ all, typed }: Count): string {
  return all === 0 ? '-' : `${((100 * typed) / all).toFixed(0)} %`
}
