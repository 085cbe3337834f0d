/** Publishes facts about this server for the other servers of its database, and finds conflicts between the servers. */
import { createHash, hkdfSync, randomUUID } from 'node:crypto'
import { linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { errorCodeOf } from '../../core/error-code.ts'
import { readSecret } from '../../web/graphql/values/secrets.ts'
import type { ReadySettings } from '../../core/settings.ts'
import type { ServerRow } from '../../data/store/servers.ts'
import { type Finding, problem, warning } from './finding.ts'

/** Returns the row that describes this server to the others. */
export function describeServer(settings: ReadySettings, version: string): ServerRow {
  const secret = readSecret(settings.secret, settings.dataFolder)
  const secretId = Buffer.from(hkdfSync('sha256', secret, '', 'ingot mark of the secret', 9)).toString('base64url')
  const { environment } = settings
  return { host: hostname(), version, secret: secretId, files: fileStoreId(settings), environment }
}

function fileStoreId({ s3, dataFolder }: ReadySettings): string {
  return s3 === null ? `disk ${folderId(join(dataFolder, 'files'))}` : `s3 ${s3.endpoint}/${s3.bucket}`
}

/** Returns the identity of a folder, from a file in it. Servers that share the folder read the same one. */
function folderId(folder: string): string {
  const file = join(folder, '.id')
  const read = (): string | null => {
    try {
      return readFileSync(file, 'utf8').trim()
    } catch (error) {
      if (errorCodeOf(error) === 'ENOENT') return null
      throw error
    }
  }
  const known = read()
  if (known !== null) return known
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  // Several servers may start at once: one of them creates the link, and all of them read the linked file.
  const draft = `${file}.${randomUUID()}`
  writeFileSync(draft, `${randomUUID()}\n`, { mode: 0o600, flag: 'wx' })
  try {
    linkSync(draft, file)
  } catch (error) {
    if (errorCodeOf(error) !== 'EEXIST') throw error
  } finally {
    rmSync(draft)
  }
  return read() ?? createHash('sha256').update(folder).digest('hex')
}

/** Returns the conflicts between this server and the others. */
export function conflictFindings(self: ServerRow, others: readonly ServerRow[]): readonly Finding[] {
  const findings: Finding[] = []
  const formatHosts = (rows: readonly ServerRow[]) => [...new Set(rows.map(({ host }) => `'${host}'`))].join(', ')
  const secrets = others.filter(({ secret }) => secret !== self.secret)
  if (secrets.length > 0)
    findings.push(
      problem(
        `${formatHosts(secrets)} uses another secret, so visitors lose their session from one request to the next: set the same INGOT_SECRET everywhere.`,
      ),
    )
  const files = others.filter((other) => other.files !== self.files)
  if (files.length > 0)
    findings.push(
      problem(
        `${formatHosts(files)} stores uploaded files in another place, so some files are missing on each server: set the same INGOT_S3_ENDPOINT and bucket everywhere, or set INGOT_DATA to a folder that all servers share.`,
      ),
    )
  const versions = others.filter(({ version }) => version !== self.version)
  if (versions.length > 0)
    findings.push(
      warning(
        `${formatHosts(versions)} runs Ingot ${[...new Set(versions.map(({ version }) => version))].join(', ')}, and this server runs ${self.version}: use the same version on all servers.`,
      ),
    )
  return findings
}
