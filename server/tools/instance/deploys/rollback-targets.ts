/** Chooses the earlier releases that can be served again. */
import type { ISql } from 'postgres'

/** Maximum number of earlier releases of single changes. */
const MAX_SINGLE_CHANGES = 10

/**
 * Returns the earlier releases that stay: the last ones of deploys, and the last ones of single files and of mutations, which never take the place of deploys.
 * @param earlier releases, the latest first
 * @param count number of releases of deploys
 */
export async function rollbackTargets(
  sql: ISql,
  earlier: readonly string[],
  count: number,
): Promise<readonly string[]> {
  const rows = await sql<{ release: string }[]>`
    select release from ingot.deploys
    where release = any(array(select jsonb_array_elements_text(${JSON.stringify(earlier)}::text::jsonb)))
    group by release having bool_and(kind in ('sync', 'change'))`
  const singleChanges = new Set(rows.map(({ release }) => release))
  const left = { deploys: count, changes: Math.min(count, MAX_SINGLE_CHANGES) }
  return earlier.filter((id) => (singleChanges.has(id) ? left.changes-- : left.deploys--) > 0)
}
