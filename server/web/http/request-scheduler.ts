/**
 * Schedules requests while a process is busy. A page renders without interruption, and requests that arrive together
 * would run one after another. Between two pages, the event loop therefore gets to accept connections and handle
 * everything else, and clients take turns, however many requests each of them sends.
 */

import { network } from './network.ts'

export interface RequestScheduler {
  /**
   * Waits for the turn of a request. Null means now. Otherwise the promise resolves to true at the turn, or to false when
   * the wait took so long that the client has left.
   * @param visitor IP address of the client
   */
  wait(visitor: string): Promise<boolean> | null
  /** Makes all requests wait until `resume`. */
  pause(): void
  resume(): void
}

interface WaitingRequest {
  readonly since: number
  readonly startRequest: (soon: boolean) => void
}

/** Milliseconds of an event loop round in which requests start immediately. */
const ROUND_TIME = 25
/** Milliseconds after which a client is assumed to have left. */
const MAX_WAIT = 30_000
/**
 * Rounds without a new request after which all have arrived. A connection is accepted in one round and read in the next.
 */
const QUIET_ROUNDS = 2
/** Maximum number of rounds between two pages in which new requests are accepted. */
const MAX_ROUNDS = 256

/**
 * Creates the schedule of a process.
 * @param accepted returns the number of connections accepted so far
 * @param longest time in milliseconds that a request may wait
 */
export function createRequestScheduler(accepted: () => number, longest = MAX_WAIT): RequestScheduler {
  /** Waiting requests by client; the first client is next. */
  const queues = new Map<string, WaitingRequest[]>()
  /** When the first request of this round started; null when none has. */
  let roundStart: number | null = null
  let requests = 0
  /** The number of arrivals at the last check, and the number of rounds since then without a new arrival. */
  let checkedArrivals = 0
  let rounds = 0
  let quietRounds = 0
  let isPaused = false

  // The system delivers one connection in each round. All waiting connections must be accepted first, or the earliest
  // clients would be served before the others.
  function isComplete(): boolean {
    const arrived = requests + accepted()
    quietRounds = arrived === checkedArrivals ? quietRounds + 1 : 0
    checkedArrivals = arrived
    return quietRounds >= QUIET_ROUNDS || ++rounds >= MAX_ROUNDS
  }

  function round(): void {
    if (isPaused) {
      roundStart = null
      return
    }
    const now = performance.now()
    if ((queues.size > 0 || (roundStart !== null && now - roundStart >= ROUND_TIME)) && !isComplete()) {
      setImmediate(round)
      return
    }
    roundStart = null
    rounds = 0
    quietRounds = 0
    const [first] = queues
    if (first === undefined) return
    // Scheduled before `go`, whose effects run after this function has returned.
    begin(now)
    const [visitor, queue] = first
    const next = queue.shift()
    queues.delete(visitor)
    if (queue.length > 0) queues.set(visitor, queue)
    next?.startRequest(now - next.since < longest)
  }

  function begin(now: number): void {
    roundStart = now
    setImmediate(round)
  }

  return {
    wait(visitor) {
      const now = performance.now()
      requests++
      if (roundStart === null && !isPaused) {
        roundStart = now
        setImmediate(round)
        return null
      }
      if (!isPaused && roundStart !== null && queues.size === 0 && now - roundStart < ROUND_TIME) return null
      return new Promise((startRequest) => {
        const client = network(visitor)
        const queue = queues.get(client)
        if (queue === undefined) queues.set(client, [{ since: now, startRequest }])
        else queue.push({ since: now, startRequest })
      })
    },
    pause() {
      isPaused = true
    },
    resume() {
      isPaused = false
      if (queues.size > 0 && roundStart === null) begin(performance.now())
    },
  }
}
