/** The site's constants in this process's memory: loaded at the start, read again whenever any process has set one. */
import type { Sql } from 'postgres'
import type { Logger } from '../../contracts/log.ts'
import type { Seal } from './secrets.ts'

/** Channel of the database on which processes tell each other that constants have changed. */
export const CONSTANTS_CHANGED = 'ingot_constants'

export interface Constants {
  /** Plain values by name. Another object after every change. */
  all(): Readonly<Record<string, string>>
  /** Reads them again. @throws what the database's client throws */
  reload(): Promise<void>
  close(): Promise<void>
}

/** Loads the constants and follows their changes. @throws what the database's client throws */
export async function openConstants(sql: Sql, seal: Seal, logger: Logger): Promise<Constants> {
  let values: Readonly<Record<string, string>> = {}
  let asked = 0
  let shown = 0
  const unreadable = new Set<string>()

  async function reload(): Promise<void> {
    const turn = ++asked
    const rows = await sql<{ name: string; value: string }[]>`select name, value from ingot.constants order by name`
    // An answer that was overtaken by a later one is older than what is shown.
    if (turn < shown) return
    shown = turn
    const read: [string, string][] = []
    for (const { name, value } of rows) {
      const plain = opened(name, value)
      if (plain !== null) read.push([name, plain])
    }
    // Own properties whatever the name: `__proto__` is a name like others.
    values = Object.fromEntries(read)
  }

  function opened(name: string, value: string): string | null {
    try {
      return seal.open(value)
    } catch {
      if (!unreadable.has(value)) {
        unreadable.add(value)
        logger.error({}, `the constant '${name}' was sealed with another INGOT_SECRET: set it again`)
      }
      return null
    }
  }

  function follow(): void {
    reload().catch((error: unknown) => {
      logger.warn(
        { reason: error instanceof Error ? error.message : String(error) },
        'the constants were not read again',
      )
    })
  }

  await reload()
  // Listening begins again by itself after a lost connection; what was missed meanwhile is read then.
  const listening = await sql.listen(CONSTANTS_CHANGED, follow, follow)
  return {
    all: () => values,
    reload,
    async close() {
      // A connection that is gone listens no more.
      await listening.unlisten().catch(() => undefined)
    },
  }
}
