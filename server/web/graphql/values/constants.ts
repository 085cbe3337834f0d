/** The site's constants in this process's memory: loaded at the start, and again whenever a process sets one. */
import type { Sql } from 'postgres'
import type { Logger } from '../../../core/contracts/log.ts'
import type { Seal } from './secrets.ts'

/** Notification channel for changed constants. */
export const CONSTANTS_CHANGED = 'ingot_constants'

export interface Constants {
  /** Decrypted values by name. A new object after every change. */
  all(): Readonly<Record<string, string>>
  /**
   * Reloads the constants.
   * @throws the database client's errors
   */
  reload(): Promise<void>
  close(): Promise<void>
}

/**
 * Loads the constants and follows their changes.
 * @throws the database client's errors
 */
export async function openConstants(sql: Sql, seal: Seal, logger: Logger): Promise<Constants> {
  let values: Readonly<Record<string, string>> = {}
  let asked = 0
  let shown = 0
  const unreadable = new Set<string>()

  async function reload(): Promise<void> {
    const turn = ++asked
    const rows = await sql<{ name: string; value: string }[]>`select name, value from ingot.constants order by name`
    // A slower, older answer must not replace a newer one.
    if (turn < shown) return
    shown = turn
    const read: [string, string][] = []
    for (const { name, value } of rows) {
      const plain = opened(name, value)
      if (plain !== null) read.push([name, plain])
    }
    // `fromEntries`, because a constant may be named `__proto__`.
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
  // Listening resumes by itself after a lost connection; the second callback then reloads what was missed.
  const listening = await sql.listen(CONSTANTS_CHANGED, follow, follow)
  return {
    all: () => values,
    reload,
    async close() {
      // The connection may be gone, and then nothing is left to stop.
      await listening.unlisten().catch(() => undefined)
    },
  }
}
