/** What the settings alone tell. A server with a database of its own is one of several, or may be soon. */
import type { Settings } from '../settings.ts'
import { type Finding, warning } from './finding.ts'

/** Findings for a server in production that has a database in DATABASE_URL; none for others. */
export function settingsFindings(settings: Settings): readonly Finding[] {
  const { environment, databaseUrl, secret, s3, hosts, delivery } = settings
  if (environment !== 'production' || databaseUrl === null) return []
  const found: Finding[] = []
  if (secret === null)
    found.push(
      warning(
        'INGOT_SECRET is not set: another server, or this one without its data folder, could read neither sessions nor constants. Set the same secret of 32 characters or more everywhere.',
      ),
    )
  if (s3 === null)
    found.push(
      warning(
        'Uploaded files are kept on the disk of this machine: another server has none of them. Set INGOT_S3_ENDPOINT and its like, or let INGOT_DATA be a folder that all servers share.',
      ),
    )
  if (hosts.length === 0)
    found.push(
      warning(
        'INGOT_HOSTS is not set: a request decides which host is in links and mails. Set the names of the site, such as shop.example,*.shop.example.',
      ),
    )
  if (delivery.smtpUrl === null)
    found.push(warning('INGOT_SMTP_URL is not set: every mail fails. Set the server that sends them.'))
  return found
}

/** How many connections to the database the processes of a server may open at once. */
export function connectionsOf({ workers, pool, jobs }: Settings): number {
  return (workers + (jobs.threads === 0 ? 0 : 1)) * pool
}
