/** What a server says of its setup when it starts. */
import type { Logger } from '../contracts/log.ts'
import type { ReadySettings, Settings } from '../settings.ts'
import { askDatabase } from './database-findings.ts'
import { announceServer, othersFindings, type Presence, selfOf } from './presence.ts'
import { connectionsOf, settingsFindings } from './settings-findings.ts'

/**
 * Makes the server known to the others of its database, and logs what is wrong with its setup. A server in development, or with
 * the database that Ingot brings, has no others.
 * @param given the settings as they were given
 * @returns null where there are no others to be known to
 */
export async function introduce(
  given: Settings,
  ready: ReadySettings,
  version: string,
  logger: Logger,
): Promise<Presence | null> {
  if (given.environment === 'development' || given.databaseUrl === null) return null
  const self = selfOf(ready, version)
  const presence = announceServer(ready.databaseUrl, self)
  const others = await presence.others().catch(() => [])
  const { findings } = await askDatabase(ready.databaseUrl, null, connectionsOf(given))
  for (const { level, text } of [...settingsFindings(given), ...findings, ...othersFindings(self, others)])
    if (level === 'error') logger.error({}, text)
    else logger.warn({}, text)
  return presence
}
