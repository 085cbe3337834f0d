/** What a server tells the others of its database, and whether they fit together. */
import { createHash, hkdfSync, randomUUID } from 'node:crypto'
import { linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { codeOf } from '../../core/error-code.ts'
import { readSecret } from '../../web/graphql/values/secrets.ts'
import type { ReadySettings } from '../../core/settings.ts'
import type { ServerRow } from '../../data/store/servers.ts'
import { type Finding, problem, warning } from './finding.ts'

/** What this server tells of itself. */
export function selfOf(settings: ReadySettings, version: string): ServerRow {
  const secret = readSecret(settings.secret, settings.dataFolder)
  const mark = Buffer.from(hkdfSync('sha256', secret, '', 'ingot mark of the secret', 9)).toString('base64url')
  const { environment } = settings
  return { host: hostname(), version, secret: mark, files: placeOfFiles(settings), environment }
}

function placeOfFiles({ s3, dataFolder }: ReadySettings): string {
  return s3 === null ? `disk ${folderId(join(dataFolder, 'files'))}` : `s3 ${s3.endpoint}/${s3.bucket}`
}

/** An identity that lies in the folder itself: servers that share the folder read the same one. */
function folderId(folder: string): string {
  const file = join(folder, '.id')
  const read = (): string | null => {
    try {
      return readFileSync(file, 'utf8').trim()
    } catch (error) {
      if (codeOf(error) === 'ENOENT') return null
      throw error
    }
  }
  const known = read()
  if (known !== null) return known
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  // Several servers may start at once: one of them creates the link, and all read the linked file.
  const draft = `${file}.${randomUUID()}`
  writeFileSync(draft, `${randomUUID()}\n`, { mode: 0o600, flag: 'wx' })
  try {
    linkSync(draft, file)
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') throw error
  } finally {
    rmSync(draft)
  }
  return read() ?? createHash('sha256').update(folder).digest('hex')
}

/** What does not fit between this server and the others. */
export function othersFindings(self: ServerRow, others: readonly ServerRow[]): readonly Finding[] {
  const found: Finding[] = []
  const named = (rows: readonly ServerRow[]) => [...new Set(rows.map(({ host }) => `'${host}'`))].join(', ')
  const secrets = others.filter(({ secret }) => secret !== self.secret)
  if (secrets.length > 0)
    found.push(
      problem(
        `Another secret is in use on ${named(secrets)}: visitors lose their session from one request to the next. Set the same INGOT_SECRET everywhere.`,
      ),
    )
  const files = others.filter((other) => other.files !== self.files)
  if (files.length > 0)
    found.push(
      problem(
        `Uploaded files are elsewhere for ${named(files)}: half of them are missing on either. Set the same INGOT_S3_ENDPOINT and bucket everywhere, or let INGOT_DATA be a folder that all share.`,
      ),
    )
  const versions = others.filter(({ version }) => version !== self.version)
  if (versions.length > 0)
    found.push(
      warning(
        `Ingot ${[...new Set(versions.map(({ version }) => version))].join(', ')} runs on ${named(versions)}, and this is ${self.version}: bring all servers to one version.`,
      ),
    )
  return found
}
