/** A proxy in front of a server that `INGOT_PROXIES` does not name: the processes that answer report it, the doctor reads it. */
import type { ISql } from 'postgres'
import type { Logger } from '../../core/contracts/log.ts'
import type { UnnamedProxy } from '../../web/http/forwarded.ts'
import type { LogRow } from '../../web/logs/model.ts'
import { type Finding, warning } from './finding.ts'

/** Type of the entries in the log of the site. */
const TYPE = 'unnamed_proxy'
/** Milliseconds between two entries of a process: entries are deleted after some days, and the doctor reads new ones only. */
const AGAIN = 86_400_000

/** Logs a proxy once, and stores it for the doctor as long as the process runs. */
export function reportUnnamedProxy(found: UnnamedProxy, logger: Logger, keep: (row: LogRow) => void): void {
  const message = sentenceOf(found)
  logger.warn({}, message)
  const store = (): void => keep({ at: new Date(), type: TYPE, message, data: '{}' })
  store()
  setInterval(store, AGAIN).unref()
}

function sentenceOf({ peer, header }: UnnamedProxy): string {
  return `Requests from ${peer} have the header ${header}, and INGOT_PROXIES is not set: all visitors behind it count as one, so the wrong passwords of one lock out the others, no rate limit applies to them, and cookies lack Secure. Set INGOT_PROXIES to the number of your proxies in front of the server, or to 0 if there are none.`
}

/** What processes that run have reported; asked of servers that do not set INGOT_PROXIES. */
export async function proxyFindings(sql: ISql): Promise<readonly Finding[]> {
  const [row] = await sql<{ message: string }[]>`
    select message from ingot.logs
    where created_at > now() - ${(2 * AGAIN) / 1000} * interval '1 second' and type = ${TYPE}
    order by created_at desc limit 1`
  return row === undefined ? [] : [warning(row.message)]
}
