/** Limits of WebSockets. */

/** Maximum size of a message of a client in bytes. A larger message closes the connection. */
export const MAX_MESSAGE = 256 * 1024
/** Milliseconds in which a partial of a channel must end. The service has the same limit. */
export const CALLBACK_TIME = 5_000
export const MAX_SUBSCRIPTIONS = 100
/** Maximum number of connections of one client: an IPv4 address, or 64 bits of an IPv6 address. */
export const MAX_PER_CLIENT = 250
/** Messages that a connection may send at once, and each second. Further messages wait. */
const BURST = 60
const PER_SECOND = 20
/** Messages that wait in memory before the socket is no longer read. */
export const MAX_WAITING = 16
/** Maximum bytes that wait for a client that reads slowly. More close the connection. */
export const MAX_UNREAD = 1024 * 1024
/** Milliseconds between two pings. Clients of Action Cable reconnect after six seconds without one. */
export const PING_INTERVAL = 3_000
/** Milliseconds between two checks whether connections and their sessions still exist. */
export const CHECK_INTERVAL = 30_000

/** Limits how often something may happen. */
export class Pace {
  #tokens = BURST
  #at = performance.now()

  /** Counts one message. Returns the milliseconds to wait before it may be handled. */
  count(): number {
    const now = performance.now()
    this.#tokens = Math.min(BURST, this.#tokens + ((now - this.#at) / 1_000) * PER_SECOND) - 1
    this.#at = now
    return this.#tokens >= 0 ? 0 : (-this.#tokens / PER_SECOND) * 1_000
  }
}
