/** Findings that depend only on the settings. A server with DATABASE_URL is one of several, or may become one. */
import { findChromium, missingChromium } from '../../core/print/find-chromium.ts'
import { hostNames } from '../../web/http/host-names.ts'
import type { Settings } from '../../core/settings.ts'
import { type Finding, warning } from './finding.ts'

/** What a server does, which decides the settings that it needs. */
export interface ServerDuties {
  /** False for a server that only runs jobs. */
  readonly takesRequests: boolean
  readonly sendsMails: boolean
  /** Whether the site creates PDF files. */
  readonly printsPdfs: boolean
}

/** Returns findings for every server outside of development, and more for one in production with DATABASE_URL. */
export function settingsFindings(
  settings: Settings,
  { takesRequests, sendsMails, printsPdfs }: ServerDuties,
): readonly Finding[] {
  return [
    ...(takesRequests ? abuseFindings(settings) : []),
    ...sharedFindings(settings),
    ...(sendsMails ? mailFindings(settings) : []),
    ...(printsPdfs ? printFindings(settings) : []),
  ]
}

function mailFindings({ environment, delivery }: Settings): readonly Finding[] {
  if (environment !== 'production' || delivery.smtpUrl !== null) return []
  return [warning('INGOT_SMTP_URL is not set, so every mail of the site fails: set it to your mail server.')]
}

function printFindings({ print: { chromium } }: Settings): readonly Finding[] {
  if (findChromium(chromium) !== null) return []
  return [
    warning(
      `The site creates PDF files, and no Chromium is found, so each of them fails: ${missingChromium(chromium)}`,
    ),
  ]
}

/** Returns findings about what visitors can abuse. */
function abuseFindings(settings: Settings): readonly Finding[] {
  const { environment, hosts } = settings
  if (environment === 'development' || hosts.length > 0) return []
  const { lasting } = hostNames({ ...settings, isDevelopment: false })
  return [
    warning(
      `INGOT_HOSTS is not set, so a visitor may send any host name, and links in mails, jobs and API calls lead to ${lasting('')} instead of the site: set it to the host names of the site, such as shop.example,*.shop.example.`,
    ),
  ]
}

function sharedFindings({ environment, databaseUrl, secret, s3 }: Settings): readonly Finding[] {
  if (environment !== 'production' || databaseUrl === null) return []
  const findings: Finding[] = []
  if (secret === null)
    findings.push(
      warning(
        'INGOT_SECRET is not set, so another server, or this one without its data folder, can read neither sessions nor constants: set the same secret of 32 characters or more everywhere.',
      ),
    )
  if (s3 === null)
    findings.push(
      warning(
        'Uploaded files are stored on the disk of this machine, so other servers do not have them: set INGOT_S3_ENDPOINT and related, or set INGOT_DATA to a folder that all servers share.',
      ),
    )
  return findings
}

/** Returns how many database connections the processes of a server may open at once. */
export function connectionsOf({ workers, pool, jobs }: Settings): number {
  return (workers + (jobs.threads === 0 ? 0 : 1)) * pool
}
