/** Removes old transfers and their files. */
import type { ISql } from 'postgres'
import { removeOldFiles } from '../sent-keys.ts'

/** Days for which the state of a transfer can be read. */
const RETENTION_DAYS = 30

export async function removeOldTransfers(sql: ISql): Promise<void> {
  await removeOldFiles(sql)
  await sql`delete from ingot.transfers where ended_at < now() - ${RETENTION_DAYS} * interval '1 day'`
}
