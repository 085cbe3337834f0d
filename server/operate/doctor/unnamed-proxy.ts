/** Detects a proxy that `INGOT_PROXIES` does not cover. Processes that answer requests report it, and the doctor reads the report. */
import type { ISql } from 'postgres'
import type { Logger } from '../../core/contracts/log.ts'
import type { UnconfiguredProxy } from '../../web/http/forwarded.ts'
import type { LogRow } from '../../web/logs/model.ts'
import { type Finding, warning } from './finding.ts'

/** Type of the entries in the site's log. */
const ENTRY_TYPE = 'unnamed_proxy'
/** Milliseconds between two entries of a process. Log entries expire after some days, and the doctor reads only new ones. */
const REPORT_INTERVAL = 86_400_000

/** Logs a proxy once, and stores an entry for the doctor every day. */
export function reportUnnamedProxy(proxy: UnconfiguredProxy, logger: Logger, storeEntry: (row: LogRow) => void): void {
  const message = formatMessage(proxy)
  logger.warn({}, message)
  const store = (): void => storeEntry({ at: new Date(), type: ENTRY_TYPE, message, data: '{}' })
  store()
  setInterval(store, REPORT_INTERVAL).unref()
}

function formatMessage({ peer, header }: UnconfiguredProxy): string {
  return `Requests from ${peer} have the header ${header}, but INGOT_PROXIES is not set. All visitors behind that proxy count as one: wrong passwords of one visitor lock out the others, no rate limit applies to them, and cookies lack Secure. Set INGOT_PROXIES to the number of your proxies in front of the server, or to 0 if there are none.`
}

/** Returns what running processes have reported. Only for servers without INGOT_PROXIES. */
export async function proxyFindings(sql: ISql): Promise<readonly Finding[]> {
  const [row] = await sql<{ message: string }[]>`
    select message from ingot.logs
    where created_at > now() - ${(2 * REPORT_INTERVAL) / 1000} * interval '1 second' and type = ${ENTRY_TYPE}
    order by created_at desc limit 1`
  return row === undefined ? [] : [warning(row.message)]
}
