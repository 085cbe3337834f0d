/** Reads a database URL like PostgreSQL's own tools, including sockets and `sslmode`. */
import { readFileSync } from 'node:fs'
import type { ConnectionOptions } from 'node:tls'
import { StartError } from '../../core/start-error.ts'

export interface Address {
  /** A host name, an address, or the folder of a socket. */
  readonly host: string
  readonly port: number
  readonly database: string
  readonly user: string
  /** Empty when the URL has none; the client then uses `PGPASSWORD`. */
  readonly password: string
  readonly ssl: false | 'prefer' | 'require' | ConnectionOptions
}

const EXAMPLE = 'postgres://user:password@host:5432/database'
const MODES = ['disable', 'allow', 'prefer', 'require', 'verify-ca', 'verify-full']

/**
 * Reads a URL. `postgres://user@/database?host=/folder` names the socket in that folder.
 * @param variable the setting that contains the URL, for messages
 * @throws StartError, whose message never contains the password
 */
export function readDatabaseUrl(text: string, variable: string): Address {
  const url = parseUrl(text)
  if (url === null || !['postgres:', 'postgresql:'].includes(url.protocol)) {
    throw new StartError(`${variable} is not the URL of a PostgreSQL database: use the form ${EXAMPLE}.`)
  }
  const query = url.searchParams
  const user = query.get('user') ?? decode(url.username, variable)
  if (user === '') throw new StartError(`${variable} contains no user: use the form ${EXAMPLE}.`)
  const named = decode(url.hostname.replace(/^\[(.*)\]$/, '$1'), variable)
  const host = query.get('host') ?? (named === PLACEHOLDER_HOST ? 'localhost' : named)
  if (host.includes(',') && !host.startsWith('/'))
    throw new StartError(`${variable} contains several hosts, but Ingot connects to one: choose one.`)
  const port = Number(query.get('port') ?? (url.port === '' ? 5432 : url.port))
  if (!Number.isInteger(port) || port < 1 || port > 65_535) {
    throw new StartError(`${variable} has no port between 1 and 65535: use the form ${EXAMPLE}.`)
  }
  return {
    host,
    port,
    database: decode(url.pathname.slice(1), variable) || user,
    user,
    password: query.get('password') ?? decode(url.password, variable),
    ssl: host.startsWith('/') ? false : parseSsl(query, variable),
  }
}

// `URL` rejects a user without a host, which PostgreSQL allows.
const PLACEHOLDER_HOST = 'no-host.invalid'

/** Null for an invalid URL. */
function parseUrl(text: string): URL | null {
  try {
    return new URL(text.trim().replace(/^(\w+:\/\/(?:[^/?#@]*@)?)(?=[/?]|$)/, `$1${PLACEHOLDER_HOST}`))
  } catch {
    return null
  }
}

function decode(text: string, variable: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    throw new StartError(`${variable} contains a '%' that does not start an escape: write it as %25.`)
  }
}

function parseSsl(query: URLSearchParams, variable: string): Address['ssl'] {
  const mode = query.get('sslmode') ?? 'prefer'
  const rootFile = query.get('sslrootcert')
  if (!MODES.includes(mode)) {
    throw new StartError(`${variable} has the unknown sslmode '${mode}': use one of ${MODES.join(', ')}.`)
  }
  if (mode === 'disable') return false
  if (mode === 'allow' || mode === 'prefer') return 'prefer'
  if (mode === 'require' && rootFile === null) return 'require'
  const ca = rootFile === null || rootFile === 'system' ? {} : { ca: certificate(rootFile, variable) }
  // `verify-ca` checks the certificate authority but not the host name.
  const named = mode === 'verify-full' ? {} : { checkServerIdentity: () => undefined }
  return { rejectUnauthorized: true, ...ca, ...named }
}

function certificate(file: string, variable: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    throw new StartError(`${variable} names the certificate '${file}' as sslrootcert, but the file cannot be read.`)
  }
}
