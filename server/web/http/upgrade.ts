/** Opens WebSockets: recognizes requests for one, and passes their connections to a handler. */
import { IncomingMessage, STATUS_CODES } from 'node:http'
import type { Duplex } from 'node:stream'
import { finish } from './finish.ts'
import { pathOf, type Reply, type Request } from './message.ts'

/** The path of WebSockets. */
export const SOCKET_PATH = '/websocket'

/** A request for a WebSocket that the handler opens. */
export interface AdmittedSocket {
  /** Takes the connection over. */
  readonly open: (message: IncomingMessage, socket: Duplex, head: Buffer) => void
  /** Id of the signed-in user, for the request log; absent for other visitors. */
  readonly user?: string
  /** Why the handler closes the WebSocket at once, for the request log. */
  readonly reason?: string
}

/** Handles WebSockets. */
export interface SocketHandler {
  /** Decides about a request for a WebSocket. Returns the reply that refuses it, if it is not opened. Never throws. */
  admit(request: Request): Promise<AdmittedSocket | Reply>
  /**
   * Closes all WebSockets.
   * @param time maximum milliseconds
   */
  stop(time: number): Promise<void>
}

/**
 * A request that asks Node for another protocol only if it is for a WebSocket. Other requests with the header `Upgrade`,
 * such as those of Java's client for HTTP/2, are answered as HTTP/1.1. Node reads `upgrade` after it has set `url`.
 */
export class UpgradableMessage extends IncomingMessage {
  // Not a private field, because Node's constructor sets `upgrade` before private fields exist.
  declare wantsUpgrade: unknown

  get upgrade(): boolean {
    return this.wantsUpgrade === true && this.url !== undefined && pathOf(this.url) === SOCKET_PATH
  }

  set upgrade(wanted: unknown) {
    this.wantsUpgrade = wanted
  }
}

/** Answers a request for a WebSocket with a reply, and closes the connection. */
export function refuseUpgrade(request: Request, socket: Duplex, reply: Reply): void {
  const { status, headers, body } = finish(request, reply)
  const bytes = typeof body === 'string' || body instanceof Uint8Array ? Buffer.from(body) : Buffer.alloc(0)
  const lines = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}`,
    ...Object.entries({ ...headers, 'content-length': String(bytes.length), connection: 'close' }).map(
      ([name, value]) => `${name}: ${value}`,
    ),
  ]
  socket.end(Buffer.concat([Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'latin1'), bytes]))
}
