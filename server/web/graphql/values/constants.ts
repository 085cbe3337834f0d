/** The site's constants in the memory of this process. They are loaded at the start and after every change. */
import type { Sql } from 'postgres'
import type { Logger } from '../../../core/contracts/log.ts'
import type { Seal } from './secrets.ts'

/** PostgreSQL notification channel for changed constants. */
export const CONSTANTS_CHANGED = 'ingot_constants'

export interface Constants {
  /** Decrypted values by name. Every change creates a new object. */
  all(): Readonly<Record<string, string>>
  /**
   * Reloads the constants.
   * @throws the database client's errors
   */
  reload(): Promise<void>
  close(): Promise<void>
}

/**
 * Loads the constants and reloads them after every change.
 * @throws the database client's errors
 */
export async function openConstants(sql: Sql, seal: Seal, logger: Logger): Promise<Constants> {
  let values: Readonly<Record<string, string>> = {}
  let reloadCount = 0
  let shownReload = 0
  const unreadable = new Set<string>()

  async function reload(): Promise<void> {
    const reloadNumber = ++reloadCount
    const rows = await sql<{ name: string; value: string }[]>`select name, value from ingot.constants order by name`
    // The result of a slower, older reload must not replace a newer one.
    if (reloadNumber < shownReload) return
    shownReload = reloadNumber
    const decrypted: [string, string][] = []
    for (const { name, value } of rows) {
      const plainValue = decrypt(name, value)
      if (plainValue !== null) decrypted.push([name, plainValue])
    }
    // `fromEntries` is safe for a constant named `__proto__`.
    values = Object.fromEntries(decrypted)
  }

  function decrypt(name: string, value: string): string | null {
    try {
      return seal.open(value)
    } catch {
      if (!unreadable.has(value)) {
        unreadable.add(value)
        logger.error({}, `the constant '${name}' was encrypted with another INGOT_SECRET: set it again`)
      }
      return null
    }
  }

  function reloadOrWarn(): void {
    reload().catch((error: unknown) => {
      logger.warn(
        { reason: error instanceof Error ? error.message : String(error) },
        'the constants could not be reloaded',
      )
    })
  }

  await reload()
  // The client listens again after a lost connection. The second callback then reloads the missed changes.
  const listening = await sql.listen(CONSTANTS_CHANGED, reloadOrWarn, reloadOrWarn)
  return {
    all: () => values,
    reload,
    async close() {
      // Listening has already ended when the connection is lost.
      await listening.unlisten().catch(() => undefined)
    },
  }
}
