/** The sockets of database connections. */
import { connect } from 'node:net'
import { Duplex } from 'node:stream'
import type { Address } from './database-url.ts'

/** A socket soon. */
export type OpeningSocket = Promise<Duplex>

/** Bytes of a request to cancel a statement, which is answered by closing the connection. */
const CANCEL_REQUEST = 16
/** Milliseconds for a connection. */
const CONNECT_TIMEOUT = 10_000
/**
 * Milliseconds after which a connection that may not be made fails. The client keeps what it writes until its next turn, and when
 * the socket was closed before, sends it on its next connection.
 */
const FAILS_AFTER = 10

/** An attempt to connect. */
export interface ConnectionAttempt {
  /** Never rejects: where there is no connection, the socket fails once the client has it. */
  readonly socket: Promise<Duplex>
  /** Gives the attempt, or the connection, up. */
  fail(error: Error): void
}

/**
 * Connects a socket. One that is closed before the database has said a word fails with an error; the client by itself would connect
 * again and again, and its statement would wait for ever.
 */
export function openSocket({ host, port }: Address): ConnectionAttempt {
  const path = { path: `${host}/.s.PGSQL.${port}` }
  const socket = Object.assign(connect(host.startsWith('/') ? path : { host, port }), { host, port })
  const late = setTimeout(() => socket.destroy(noAnswer()), CONNECT_TIMEOUT)
  socket.once('close', () => {
    if (!socket.errored && socket.bytesRead === 0 && socket.bytesWritten !== CANCEL_REQUEST)
      socket.emit('error', notServed())
  })
  const opened = new Promise<Duplex>((done) => {
    socket.once('connect', () => {
      clearTimeout(late)
      done(socket)
    })
    socket.once('error', (error) => {
      clearTimeout(late)
      done(failingSocket(error))
    })
    // The client may have ended before it got the socket, and then nobody else listens.
    socket.on('error', () => undefined)
  })
  return { socket: opened, fail: (error) => void socket.destroy(error) }
}

/** A socket that leads nowhere and fails: the client takes the reason from it, and from nothing else. */
export function failingSocket(reason: Error): Duplex {
  const socket = new Duplex({ read: () => undefined, write: (_chunk, _encoding, done) => done() })
  socket.on('error', () => undefined)
  setTimeout(() => socket.destroy(reason), FAILS_AFTER)
  return socket
}

function noAnswer(): Error {
  return Object.assign(new Error('The connection was not taken in time.'), { code: 'CONNECT_TIMEOUT' })
}

function notServed(): Error {
  return Object.assign(new Error('The connection was closed before the database answered.'), { code: NOT_SERVED })
}

/** The code of the error of a connection that was closed before the database answered. */
export const NOT_SERVED = 'NOT_SERVED'
