/**
 * Translations that were set at run time, in the memory of this process. They are loaded at the start and after every
 * change.
 */
import { createHash } from 'node:crypto'
import type { Sql } from 'postgres'
import { overrideTranslations, type SetTranslation } from '../../../../runtime/page/filters/translation/overrides.ts'
import type { CompiledSite } from '../../../../runtime/page/site.ts'
import type { Logger } from '../../../core/contracts/log.ts'

/** PostgreSQL notification channel for changed translations. */
const TRANSLATIONS_CHANGED = 'ingot_translations'

export interface Translations {
  /** Applies the translations to a site, instead of the previous site. */
  applyTo(site: CompiledSite): void
  /**
   * Identifies the current translations. Equal translations have the same revision in all processes; without
   * translations it is `''`. It is part of the key of cached fragments.
   */
  revision(): string
  /**
   * Reloads the translations.
   * @throws the database client's errors
   */
  reload(): Promise<void>
  close(): Promise<void>
}

/**
 * Loads the translations and reloads them after every change.
 * @throws the database client's errors
 */
export async function openTranslations(sql: Sql, logger: Logger): Promise<Translations> {
  let currentTranslations: readonly SetTranslation[] = []
  let revision = ''
  let site: CompiledSite | null = null
  let reloadCount = 0
  let shownReload = 0

  async function reload(): Promise<void> {
    const reloadNumber = ++reloadCount
    const rows = await sql<{ locale: string; key: string; value: unknown }[]>`
      select locale, key, value::text as value from ingot.translations order by updated_at, id`
    // The result of a slower, older reload must not replace a newer one.
    if (reloadNumber < shownReload) return
    shownReload = reloadNumber
    const current = rows.map(({ locale, key, value }): SetTranslation => {
      return { locale, key, value: value === null ? null : JSON.parse(String(value)) }
    })
    const next =
      current.length === 0 ? '' : createHash('sha256').update(JSON.stringify(current)).digest('hex').slice(0, 16)
    if (next === revision) return
    currentTranslations = current
    revision = next
    if (site !== null) overrideTranslations(site, currentTranslations)
  }

  function reloadOrWarn(): void {
    reload().catch((error: unknown) => {
      const reason = error instanceof Error ? error.message : String(error)
      logger.warn({ reason }, 'the translations could not be reloaded')
    })
  }

  await reload()
  // The client listens again after a lost connection. The second callback then reloads the missed changes.
  const listening = await sql.listen(TRANSLATIONS_CHANGED, reloadOrWarn, reloadOrWarn)
  return {
    applyTo(next) {
      site = next
      overrideTranslations(site, currentTranslations)
    },
    revision: () => revision,
    reload,
    async close() {
      // Listening has already ended when the connection is lost.
      await listening.unlisten().catch(() => undefined)
    },
  }
}
