/** Explains errors of the database to the operator, in one sentence. */
import { errorCodeOf } from '../../core/error-code.ts'
import type { Address } from './database-url.ts'

export interface Failure {
  /**
   * The kind of failure. `away`: unreachable, or the connection was lost. `starting`: starting up. `full`: the disk is full. `crowded`: no
   * connection or memory is free. `refused`: authentication failed. `rights`: a privilege is missing. `stopped`: the statement was
   * cancelled,
   * usually by a timeout. `conflict`: a serialization failure or deadlock, so the transaction may be retried.
   */
  readonly kind: 'away' | 'starting' | 'full' | 'crowded' | 'refused' | 'rights' | 'stopped' | 'conflict'
  readonly sentence: string
}

/** Returns the failure that caused an error; null when the error is not about the connection, the machine or privileges. */
export function failureOf(error: unknown, address: Address | null = null): Failure | null {
  const code = errorCodeOf(error)
  if (code === null) return null
  // A missing file has the same code as a missing socket.
  if (code === 'ENOENT' && !isConnecting(error)) return null
  const place = address === null ? 'the database' : `the database at ${addressText(address)}`
  const user = address === null ? 'the user' : `the user '${address.user}'`
  const name = address === null ? 'the database' : `the database '${address.database}'`
  switch (code) {
    case 'ECONNREFUSED':
    case 'ENOENT':
      return unavailable(`Nothing listens at the address of ${place}: start the database, or correct DATABASE_URL.`)
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return unavailable(`The host name of ${place} is unknown: correct DATABASE_URL.`)
    case 'ETIMEDOUT':
    case 'EHOSTUNREACH':
    case 'ENETUNREACH':
    case 'CONNECT_TIMEOUT':
    case 'NOT_SERVED':
    case 'PRIMARY_AWAY':
      return unavailable(
        `There is no answer from ${place}: check that it is running and that the network allows the connection.`,
      )
    case 'CONNECTION_CLOSED':
    case 'CONNECTION_DESTROYED':
    case 'CONNECTION_ENDED':
    case 'ECONNRESET':
    case 'EPIPE':
    case 'ERR_SOCKET_CLOSED':
    case 'ERR_STREAM_DESTROYED':
      return unavailable(`The connection to ${place} was lost.`)
    case '28P01':
      return {
        kind: 'refused',
        sentence: `${capitalize(place)} refuses the password of ${user}: correct DATABASE_URL.`,
      }
    case '28000':
      return {
        kind: 'refused',
        sentence: `${capitalize(place)} does not allow ${user} to connect (${messageOf(error)}): correct DATABASE_URL, or pg_hba.conf of the server.`,
      }
    case '3D000':
      return {
        kind: 'refused',
        sentence: `There is no database ${quoted(address)}: create it with createdb, or correct DATABASE_URL.`,
      }
    case '42501':
      return {
        kind: 'rights',
        sentence: `${capitalize(user)} lacks rights in ${name} (${messageOf(error)}): grant them, or make the user the owner of the database.`,
      }
    case '25006':
      return {
        kind: 'rights',
        sentence: `${capitalize(place)} is a read-only copy: set DATABASE_URL to the primary, and DATABASE_REPLICA_URL to the copy.`,
      }
    case '53100':
    case 'ENOSPC':
      return { kind: 'full', sentence: 'The disk of the database is full: free some space.' }
    case '53200':
      return { kind: 'crowded', sentence: 'The database is out of memory.' }
    case '53300':
      return {
        kind: 'crowded',
        sentence: `${capitalize(place)} has no free connection: raise its max_connections, or lower INGOT_POOL or INGOT_WORKERS.`,
      }
    case '57P03':
      return { kind: 'starting', sentence: `${capitalize(place)} is starting up and does not answer yet.` }
    case '57014':
      return { kind: 'stopped', sentence: 'The statement was cancelled.' }
    case '40001':
    case '40P01':
      return {
        kind: 'conflict',
        sentence: 'Two transactions changed the same rows at once, and this one was rolled back.',
      }
    default:
      // 57P01 and 57P02: an administrator or a crash ended the connection; class 08: connection errors.
      if (/^(?:57P0[12]|08...)$/.test(code)) return unavailable(`The connection to ${place} was lost.`)
      if (isCertificate(code)) {
        return {
          kind: 'refused',
          sentence: `The certificate of ${place} cannot be trusted (${messageOf(error)}): correct the certificate, or sslmode in DATABASE_URL.`,
        }
      }
      return null
  }
}

/** Returns whether an error of the system is about opening a connection. */
function isConnecting(error: unknown): boolean {
  return error instanceof Error && 'syscall' in error && error.syscall === 'connect'
}

function unavailable(sentence: string): Failure {
  return { kind: 'away', sentence }
}

function isCertificate(code: string): boolean {
  return /CERT|^ERR_TLS_|^ERR_SSL_|SELF_SIGNED|UNABLE_TO/.test(code)
}

/** The address of the database, without the password. */
function addressText({ host, port, database }: Address): string {
  return host.startsWith('/') ? `${host} (${database})` : `${host}:${port}/${database}`
}

function quoted(address: Address | null): string {
  return address === null ? 'with the name in DATABASE_URL' : `'${address.database}'`
}

function capitalize(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1)
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
