/** What a server says of its setup when it starts. */
import type { Logger } from '../../core/contracts/log.ts'
import type { ReadySettings, Settings } from '../../core/settings.ts'
import { announceServer, type ServerPresence } from '../../data/store/servers.ts'
import { askDatabase } from './database-findings.ts'
import type { Finding } from './finding.ts'
import { othersFindings, selfOf } from './presence.ts'
import { settingsFindings } from './settings-findings.ts'

/** Whether a server may have others beside it: not in development, and not with the database that Ingot brings. */
export function hasOthers({ environment, databaseUrl }: Settings): boolean {
  return environment !== 'development' && databaseUrl !== null
}

/** Makes a server known to the others of its database. */
export function present(ready: ReadySettings, version: string): ServerPresence {
  return announceServer(ready.databaseUrl, selfOf(ready, version))
}

/**
 * Logs what is wrong with the setup of a server.
 * @param given the settings as they were given
 * @param presence null where it can have no others beside it
 * @param takesRequests false for a server that only runs jobs, whose links have the host that they were queued with
 */
export async function logFindings(
  given: Settings,
  presence: ServerPresence | null,
  logger: Logger,
  takesRequests = true,
): Promise<void> {
  const others = presence !== null && hasOthers(given) ? await neighbourFindings(given, presence) : []
  for (const { level, text } of [...settingsFindings(given, takesRequests), ...others])
    if (level === 'error') logger.error({}, text)
    else logger.warn({}, text)
}

/** What its database says, and what does not fit between it and the others there. */
async function neighbourFindings(given: Settings, presence: ServerPresence): Promise<readonly Finding[]> {
  if (given.databaseUrl === null) return []
  // An unreachable database is a finding of `askDatabase`.
  const others = await presence.others().catch(() => [])
  const { findings } = await askDatabase(given.databaseUrl, null, given)
  return [...findings, ...othersFindings(presence.self, others)]
}
