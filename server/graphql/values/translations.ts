/** Translations that were set while the site runs, in this process's memory: read at the start, and whenever one has changed. */
import { createHash } from 'node:crypto'
import type { Sql } from 'postgres'
import { layOver, type SetTranslation } from '../../../runtime/page/filters/translation/overlay.ts'
import type { CompiledSite } from '../../../runtime/page/site.ts'
import type { Logger } from '../../contracts/log.ts'

/** Channel of the database on which it tells of every change. */
const TRANSLATIONS_CHANGED = 'ingot_translations'

export interface Translations {
  /** Lays them over a site from now on, in place of the one before. */
  over(site: CompiledSite): void
  /** Says what is set: equal in all processes for equal translations, `''` for none. Part of what cached fragments go by. */
  revision(): string
  /** Reads them again. @throws what the database's client throws */
  reload(): Promise<void>
  close(): Promise<void>
}

/** Loads the translations and follows their changes. @throws what the database's client throws */
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
    // An answer that was overtaken by a later one is older than what is shown.
    if (turn < shown) return
    shown = turn
    const found = rows.map(({ locale, key, value }): SetTranslation => {
      return { locale, key, value: value === null ? null : JSON.parse(String(value)) }
    })
    const next = found.length === 0 ? '' : createHash('sha256').update(JSON.stringify(found)).digest('hex').slice(0, 16)
    if (next === revision) return
    all = found
    revision = next
    if (site !== null) layOver(site, all)
  }

  function follow(): void {
    reload().catch((error: unknown) => {
      const reason = error instanceof Error ? error.message : String(error)
      logger.warn({ reason }, 'the translations were not read again')
    })
  }

  await reload()
  // Listening begins again by itself after a lost connection; what was missed meanwhile is read then.
  const listening = await sql.listen(TRANSLATIONS_CHANGED, follow, follow)
  return {
    over(next) {
      site = next
      layOver(site, all)
    },
    revision: () => revision,
    reload,
    async close() {
      // A connection that is gone listens no more.
      await listening.unlisten().catch(() => undefined)
    },
  }
}
