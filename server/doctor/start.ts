/** What a server says of its setup when it starts. */
import type { Logger } from '../contracts/log.ts'
import type { ReadySettings, Settings } from '../settings.ts'
import { announceServer, type Presence } from '../store/servers.ts'
import { askDatabase } from './database-findings.ts'
import { othersFindings, selfOf } from './presence.ts'
import { connectionsOf, settingsFindings } from './settings-findings.ts'

/** Whether a server may have others beside it: not in development, and not with the database that Ingot brings. */
export function hasOthers({ environment, databaseUrl }: Settings): boolean {
  return environment !== 'development' && databaseUrl !== null
}

/** Makes a server known to the others of its database. */
export function present(ready: ReadySettings, version: string): Presence {
  return announceServer(ready.databaseUrl, selfOf(ready, version))
}

/**
 * Logs what is wrong with the setup of a server that may have others beside it.
 * @param given the settings as they were given
 */
export async function logFindings(given: Settings, presence: Presence, logger: Logger): Promise<void> {
  const url = given.databaseUrl
  if (url === null) return
  const others = await presence.others().catch(() => [])
  const { findings } = await askDatabase(url, null, connectionsOf(given))
  for (const { level, text } of [...settingsFindings(given), ...findings, ...othersFindings(presence.self, others)])
    if (level === 'error') logger.error({}, text)
    else logger.warn({}, text)
}
