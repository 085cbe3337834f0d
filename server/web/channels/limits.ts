/** Limits of WebSockets. */

/** Maximum size of a message of a client in bytes. A larger message closes the connection. */
export const MAX_MESSAGE = 256 * 1024
/** Milliseconds in which a partial of a channel must end. The service has the same limit. */
export const CALLBACK_TIME = 5_000
export const MAX_SUBSCRIPTIONS = 100
/** Maximum number of connections of one client: an IPv4 address, or 64 bits of an IPv6 address. */
export const MAX_PER_CLIENT = 250
/** Maximum number of messages of a connection that wait in memory. Until they are handled, the socket is not read. */
export const MAX_WAITING = 16
/** Bytes that may wait for a client for a few seconds, and bytes that close the connection at once. */
export const MAX_UNREAD = 1024 * 1024
export const TOO_MUCH_UNREAD = 8 * MAX_UNREAD
/** Milliseconds for which more than `MAX_UNREAD` may wait. */
export const UNREAD_TIME = 10_000
/** Milliseconds between two pings. Clients of Action Cable reconnect after six seconds without one. */
export const PING_INTERVAL = 3_000
/** Milliseconds between two checks whether connections and their sessions still exist. */
export const CHECK_INTERVAL = 30_000

/** How many messages may be handled at once, and each second. Further messages wait. */
interface Frequency {
  readonly burst: number
  readonly perSecond: number
}

const OF_CONNECTION: Frequency = { burst: 60, perSecond: 20 }
/** All connections of a client together. An office may be one client. */
const OF_CLIENT: Frequency = { burst: 600, perSecond: 200 }

/** Limits how often something may happen. */
export class Pace {
  readonly #frequency: Frequency
  #tokens: number
  #at = performance.now()

  constructor(of: 'connection' | 'client') {
    this.#frequency = of === 'client' ? OF_CLIENT : OF_CONNECTION
    this.#tokens = this.#frequency.burst
  }

  /** Counts one message. Returns the milliseconds to wait before it may be handled. */
  count(): number {
    const { burst, perSecond } = this.#frequency
    const now = performance.now()
    this.#tokens = Math.min(burst, this.#tokens + ((now - this.#at) / 1_000) * perSecond) - 1
    this.#at = now
    return this.#tokens >= 0 ? 0 : (-this.#tokens / perSecond) * 1_000
  }
}
