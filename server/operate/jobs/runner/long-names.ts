/** Remembers which jobs run for long, by their names: such jobs get no thread that was added for the others. */

export interface LongNames {
  add(name: string): void
  delete(name: string): void
  /** The latest ones. */
  all(): readonly string[]
}

/** Most names that are remembered: all of them go to the database with a fetch. */
const MOST = 100

export function createLongNames(): LongNames {
  /** The latest ones come last. */
  const names = new Set<string>()
  return {
    add(name) {
      names.delete(name)
      names.add(name)
      const [oldest] = names
      if (names.size > MOST && oldest !== undefined) names.delete(oldest)
    },
    delete: (name) => void names.delete(name),
    all: () => [...names],
  }
}
