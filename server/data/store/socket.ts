/** The sockets of database connections. */
import { connect } from 'node:net'
import { Duplex } from 'node:stream'
import type { Address } from './database-url.ts'

/** A socket that is being opened. */
export type OpeningSocket = Promise<Duplex>

/** Length in bytes of a request to cancel a statement. The database answers it by closing the connection. */
const CANCEL_REQUEST_LENGTH = 16
/** Milliseconds within which a connection must open. */
const CONNECT_TIMEOUT = 10_000
/**
 * Milliseconds before a failing socket fails. The client sends its data in its next turn; when the socket is closed before, the client
 * sends
 * the data on its next connection.
 */
const FAILURE_DELAY = 10

/** An attempt to connect. */
export interface ConnectionAttempt {
  /** Never rejects. Without a connection, the socket fails after the client has received it. */
  readonly socket: Promise<Duplex>
  /** Aborts the attempt, or the connection. */
  fail(error: Error): void
}

/**
 * Connects a socket. When the connection is closed before the database has sent anything, the socket fails with an error. Otherwise the
 * client
 * would reconnect endlessly, and its statement would wait forever.
 */
export function openSocket({ host, port }: Address): ConnectionAttempt {
  const path = { path: `${host}/.s.PGSQL.${port}` }
  const socket = Object.assign(connect(host.startsWith('/') ? path : { host, port }), { host, port })
  const timeout = setTimeout(() => socket.destroy(noAnswerError()), CONNECT_TIMEOUT)
  socket.once('close', () => {
    if (!socket.errored && socket.bytesRead === 0 && socket.bytesWritten !== CANCEL_REQUEST_LENGTH)
      socket.emit('error', notServedError())
  })
  const opened = new Promise<Duplex>((resolve) => {
    socket.once('connect', () => {
      clearTimeout(timeout)
      resolve(socket)
    })
    socket.once('error', (error) => {
      clearTimeout(timeout)
      resolve(failingSocket(error))
    })
    // The client may have ended before it received the socket; then no one else handles its errors.
    socket.on('error', () => undefined)
  })
  return { socket: opened, fail: (error) => void socket.destroy(error) }
}

/** Returns an unconnected socket that fails. The client takes the reason for a failure only from a socket. */
export function failingSocket(reason: Error): Duplex {
  const socket = new Duplex({ read: () => undefined, write: (_chunk, _encoding, callback) => callback() })
  socket.on('error', () => undefined)
  setTimeout(() => socket.destroy(reason), FAILURE_DELAY)
  return socket
}

function noAnswerError(): Error {
  return Object.assign(new Error('The connection was not accepted in time.'), { code: 'CONNECT_TIMEOUT' })
}

function notServedError(): Error {
  return Object.assign(new Error('The connection was closed before the database answered.'), { code: NOT_SERVED })
}

/** The error code of a connection that was closed before the database answered. */
export const NOT_SERVED = 'NOT_SERVED'
