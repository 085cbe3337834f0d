/** Translations that were set at run time, in this process's memory: loaded at the start and whenever one changes. */
import { createHash } from 'node:crypto'
import type { Sql } from 'postgres'
import { overrideTranslations, type SetTranslation } from '../../../../runtime/page/filters/translation/overrides.ts'
import type { CompiledSite } from '../../../../runtime/page/site.ts'
import type { Logger } from '../../../core/contracts/log.ts'

/** Notification channel for changed translations. */
const TRANSLATIONS_CHANGED = 'ingot_translations'

export interface Translations {
  /** Applies the translations to a site, in place of the previous site. */
  applyTo(site: CompiledSite): void
  /**
   * Identifies the current translations: equal in all processes for equal translations, `''` when there are none. Part
   * of the key of cached fragments.
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
 * Loads the translations and follows their changes.
 * @throws the database client's errors
 */
export async function openTranslations(sql: Sql, logger: Logger): Promise<Translations> {
  let all: readonly SetTranslation[] = []
  let revision = ''
  let site: CompiledSite | null = null
  let asked = 0
  let shown = 0

  async function reload(): Promise<void> {
    const turn = ++asked
    const rows = await sql<{ locale: string; key: string; value: unknown }[]>`
      select locale, key, value::text as value from ingot.translations order by updated_at, id`
    // A slower, older answer must not replace a newer one.
    if (turn < shown) return
    shown = turn
    const current = rows.map(({ locale, key, value }): SetTranslation => {
      return { locale, key, value: value === null ? null : JSON.parse(String(value)) }
    })
    const next =
      current.length === 0 ? '' : createHash('sha256').update(JSON.stringify(current)).digest('hex').slice(0, 16)
    if (next === revision) return
    all = current
    revision = next
    if (site !== null) overrideTranslations(site, all)
  }

  function follow(): void {
    reload().catch((error: unknown) => {
      const reason = error instanceof Error ? error.message : String(error)
      logger.warn({ reason }, 'the translations were not read again')
    })
  }

  await reload()
  // Listening resumes by itself after a lost connection; the second callback then reloads what was missed.
  const listening = await sql.listen(TRANSLATIONS_CHANGED, follow, follow)
  return {
    applyTo(next) {
      site = next
      overrideTranslations(site, all)
    },
    revision: () => revision,
    reload,
    async close() {
      // The connection may be gone, and then nothing is left to stop.
      await listening.unlisten().catch(() => undefined)
    },
  }
}
