/**
 * Schedules requests while a process is busy. A page renders without interruption, and requests that arrive together
 * would run one after another. Between two pages, the event loop therefore gets to accept connections and handle
 * everything else, and clients take turns, however many requests each of them sends.
 */

import { network } from './network.ts'

export interface Turns {
  /**
   * Waits for the turn of a request. Null means now. Otherwise the promise resolves to true at the turn, or to false when
   * the wait took so long that the client has left.
   * @param visitor IP address of the client
   */
  ask(visitor: string): Promise<boolean> | null
  /** Makes all requests wait until `release`. */
  hold(): void
  release(): void
}

interface WaitingRequest {
  readonly since: number
  readonly go: (soon: boolean) => void
}

/** Milliseconds of an event loop round in which requests start immediately. */
const ROUND_TIME = 25
/** Milliseconds after which a client no longer waits. */
const MAX_WAIT = 30_000
/**
 * Rounds without a new request after which all have arrived. A connection is accepted in one round and read in the next.
 */
const QUIET_ROUNDS = 2
/** Most rounds between two pages in which new requests are accepted. */
const MAX_ROUNDS = 256

/**
 * Creates the schedule of a process.
 * @param accepted returns the number of connections accepted so far
 * @param longest time in milliseconds that a request may wait
 */
export function createTurns(accepted: () => number, longest = MAX_WAIT): Turns {
  /** Waiting requests by client; the first client is next. */
  const lines = new Map<string, WaitingRequest[]>()
  /** When the first request of this round started; null when none has. */
  let roundStart: number | null = null
  let asked = 0
  /** The arrivals seen by the last check, and the number of rounds without a new one. */
  let seen = 0
  let rounds = 0
  let quiet = 0
  let held = false

  // The system delivers one connection in each round. All waiting connections must be accepted first, or the earliest
  // clients would be served before the others.
  function isComplete(): boolean {
    const arrived = asked + accepted()
    quiet = arrived === seen ? quiet + 1 : 0
    seen = arrived
    return quiet >= QUIET_ROUNDS || ++rounds >= MAX_ROUNDS
  }

  function round(): void {
    if (held) {
      roundStart = null
      return
    }
    const now = performance.now()
    if ((lines.size > 0 || (roundStart !== null && now - roundStart >= ROUND_TIME)) && !isComplete()) {
      setImmediate(round)
      return
    }
    roundStart = null
    rounds = 0
    quiet = 0
    const [first] = lines
    if (first === undefined) return
    // Scheduled before `go`, whose effects run after this function has returned.
    begin(now)
    const [visitor, line] = first
    const next = line.shift()
    lines.delete(visitor)
    if (line.length > 0) lines.set(visitor, line)
    next?.go(now - next.since < longest)
  }

  function begin(now: number): void {
    roundStart = now
    setImmediate(round)
  }

  return {
    ask(visitor) {
      const now = performance.now()
      asked++
      if (roundStart === null && !held) {
        roundStart = now
        setImmediate(round)
        return null
      }
      if (!held && roundStart !== null && lines.size === 0 && now - roundStart < ROUND_TIME) return null
      return new Promise((go) => {
        const client = network(visitor)
        const line = lines.get(client)
        if (line === undefined) lines.set(client, [{ since: now, go }])
        else line.push({ since: now, go })
      })
    },
    hold() {
      held = true
    },
    release() {
      held = false
      if (lines.size > 0 && roundStart === null) begin(performance.now())
    },
  }
}
