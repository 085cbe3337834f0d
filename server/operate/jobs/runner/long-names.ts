/** Remembers the names of long-running jobs. These jobs do not run in threads that were added for short jobs. */

export interface LongNames {
  add(name: string): void
  delete(name: string): void
  /** Returns the latest names. */
  all(): readonly string[]
}

/** Maximum number of names, because every fetch sends all of them to the database. */
const MAX_NAMES = 100

export function createLongNames(): LongNames {
  /** Names in the order of their last use. */
  const names = new Set<string>()
  return {
    add(name) {
      names.delete(name)
      names.add(name)
      const [oldest] = names
      if (names.size > MAX_NAMES && oldest !== undefined) names.delete(oldest)
    },
    delete: (name) => void names.delete(name),
    all: () => [...names],
  }
}
