/** Checks of the setup that a server runs and logs when it starts. */
import type { Logger } from '../../core/contracts/log.ts'
import type { ReadySettings, Settings } from '../../core/settings.ts'
import { announceServer, type ServerPresence } from '../../data/store/servers.ts'
import { checkDatabaseServer } from './database-checks.ts'
import type { Finding } from './finding.ts'
import { conflictFindings, describeServer } from './presence.ts'
import { type ServerDuties, settingsFindings } from './settings-findings.ts'

/** Returns whether there may be other servers: not in development, and not with the embedded database. */
export function hasOthers({ environment, databaseUrl }: Settings): boolean {
  return environment !== 'development' && databaseUrl !== null
}

/** Announces a server to the other servers of its database. */
export function announcePresence(readySettings: ReadySettings, version: string): ServerPresence {
  return announceServer(readySettings.databaseUrl, describeServer(readySettings, version))
}

/**
 * Logs the problems in the setup of a server.
 * @param configuredSettings the settings before the database was opened
 * @param presence null when there can be no other servers
 * @param duties a server that only runs jobs takes no requests; its links use the host of the request that queued the job
 */
export async function logFindings(
  configuredSettings: Settings,
  presence: ServerPresence | null,
  logger: Logger,
  duties: ServerDuties,
): Promise<void> {
  const others =
    presence !== null && hasOthers(configuredSettings) ? await otherServerFindings(configuredSettings, presence) : []
  for (const { level, text } of [...settingsFindings(configuredSettings, duties), ...others])
    if (level === 'error') logger.error({}, text)
    else logger.warn({}, text)
}

/** Returns findings about the database, and about conflicts with the other servers. */
async function otherServerFindings(
  configuredSettings: Settings,
  presence: ServerPresence,
): Promise<readonly Finding[]> {
  if (configuredSettings.databaseUrl === null) return []
  // `checkDatabaseServer` reports an unreachable database.
  const others = await presence.others().catch(() => [])
  const { findings } = await checkDatabaseServer(configuredSettings.databaseUrl, null, configuredSettings)
  return [...findings, ...conflictFindings(presence.self, others)]
}
