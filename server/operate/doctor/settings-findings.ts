/** Findings that need nothing but the settings. A server with a database in DATABASE_URL is one of several, or may be soon. */
import { hostNames } from '../../web/http/host-names.ts'
import type { Settings } from '../../core/settings.ts'
import { type Finding, warning } from './finding.ts'

/** Findings for every server outside of development, and more for one in production that has a database in DATABASE_URL. */
export function settingsFindings(settings: Settings, takesRequests = true): readonly Finding[] {
  return [...(takesRequests ? openFindings(settings) : []), ...sharedFindings(settings)]
}

/** What is open to the world. */
function openFindings(settings: Settings): readonly Finding[] {
  const { environment, hosts } = settings
  if (environment === 'development' || hosts.length > 0) return []
  const { lasting } = hostNames({ ...settings, isDevelopment: false })
  return [
    warning(
      `INGOT_HOSTS is not set, and a visitor may send any host name: links in mails, jobs and API calls lead to ${lasting('')}, not to the site. Set the names of the site, such as shop.example,*.shop.example.`,
    ),
  ]
}

function sharedFindings({ environment, databaseUrl, secret, s3, delivery }: Settings): readonly Finding[] {
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
  if (delivery.smtpUrl === null)
    found.push(warning('INGOT_SMTP_URL is not set: every mail fails. Set the server that sends them.'))
  return found
}

/** How many connections to the database the processes of a server may open at once. */
export function connectionsOf({ workers, pool, jobs }: Settings): number {
  return (workers + (jobs.threads === 0 ? 0 : 1)) * pool
}
