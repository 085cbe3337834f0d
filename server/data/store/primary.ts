/**
 * Watches whether the primary, the database that is written to, can be reached. While it is away, connections to it wait for a moment and
 * then
 * fail immediately, so that no request waits for a missing database. After a failover, the address leads to another server, and work
 * continues
 * there.
 */
import type { Duplex } from 'node:stream'
import { setImmediate, setTimeout as sleep } from 'node:timers/promises'
import type { Sql } from 'postgres'
import type { Address } from './database-url.ts'
import { type Failure, failureOf } from './failure.ts'
import { type ConnectionAttempt, failingSocket, type OpeningSocket, openSocket } from './socket.ts'

export interface Primary {
  /** Whether the primary did not answer the last check. */
  readonly away: boolean
  /**
   * Checks on a separate connection whether the primary can be reached. Call it when a connection broke, when an answer is late, or when a
   * change
   * was rejected.
   */
  suspect(): void
  /**
   * Waits while the primary is away or read-only.
   * @throws an error of the kind `away` after the maximum wait
   */
  ready(): Promise<void>
  /** Opens the socket of a connection once the primary can be reached. When it is away for long, the socket fails. */
  readonly socket: () => OpeningSocket
  close(): Promise<void>
}

interface PrimaryLog {
  info(fields: object, message: string): void
  warn(fields: object, message: string): void
}

/** Milliseconds after which an answer is late. */
export const LATE_ANSWER_TIME = 400
/** Timeout of a check, and pause between two checks, in milliseconds. */
const ANSWER_TIMEOUT = 800
const CHECK_INTERVAL = 200

/**
 * Maximum wait of requests in milliseconds, by the kind of absence. A primary that reports that it starts, stops or is read-only is being
 * restarted or replaced as planned, so a longer wait is worthwhile. The same applies to a silent one on this machine (`busy`): no network
 * is
 * involved and no other server takes over, so only the load of the machine delays it.
 */
const MAX_WAIT = { broken: 1_500, silent: 1_900, busy: 20_000, orderly: 20_000, readOnly: 20_000 } as const
type Absence = keyof typeof MAX_WAIT

/**
 * Watches a primary.
 * @param connectTo creates a client of one connection through the given socket
 */
export function watchPrimary(
  address: Address,
  log: PrimaryLog,
  connectTo: (socket: () => OpeningSocket) => Sql,
): Primary {
  return new PrimaryWatch(address, log, connectTo)
}

class PrimaryWatch implements Primary {
  readonly #address: Address
  readonly #log: PrimaryLog
  readonly #connectTo: (socket: () => OpeningSocket) => Sql
  readonly #attempts = new Set<ConnectionAttempt>()
  readonly #sockets = new Set<Duplex>()
  readonly #waiting = new Set<{ readonly back: () => void; readonly lost: (error: Error) => void }>()
  #probe: Sql | null = null
  /** The connection attempt of the probe. */
  #probeSocket: ConnectionAttempt | null = null
  /** The result of the last check, while it is pending. */
  #probeResult: Promise<Absence | null> | null = null
  #isChecking = false
  /** Null while the primary can be reached. */
  #absence: { readonly since: number; kind: Absence; isLong: boolean } | null = null
  #closed = false

  constructor(address: Address, log: PrimaryLog, connectTo: (socket: () => OpeningSocket) => Sql) {
    this.#address = address
    this.#log = log
    this.#connectTo = connectTo
  }

  get away(): boolean {
    return this.#absence !== null && this.#absence.kind !== 'readOnly'
  }

  suspect(): void {
    if (this.#isChecking || this.#closed) return
    this.#isChecking = true
    void this.#checkUntilBack(performance.now()).finally(() => {
      this.#isChecking = false
    })
  }

  ready(): Promise<void> {
    if (this.#absence === null) return Promise.resolve()
    if (this.#absence.isLong) return Promise.reject(primaryAway())
    return new Promise<void>((back, lost) => void this.#waiting.add({ back, lost }))
  }

  readonly socket = (): OpeningSocket => {
    if (!this.away) return this.#open()
    return this.ready().then(() => this.#open(), failingSocket)
  }

  async #open(): Promise<Duplex> {
    const attempt = openSocket(this.#address)
    this.#attempts.add(attempt)
    const socket = await attempt.socket
    // With TLS, the closing of a socket is not reported.
    for (const openSocketOfPrimary of this.#sockets)
      if (openSocketOfPrimary.destroyed) this.#sockets.delete(openSocketOfPrimary)
    this.#attempts.delete(attempt)
    this.#sockets.add(socket)
    socket.once('close', () => {
      this.#sockets.delete(socket)
      // An idle connection is closed only by the database, or by a network device in between.
      this.suspect()
    })
    return socket
  }

  async close(): Promise<void> {
    this.#closed = true
    this.#rejectWaiting(primaryAway())
    await this.#closeProbe()
  }

  async #checkUntilBack(since: number): Promise<void> {
    for (;;) {
      const kind = await this.#checkOnce()
      if (this.#closed) return
      if (kind === null) {
        this.#noteReturn()
        return
      }
      this.#noteAbsence(kind, since)
      await sleep(CHECK_INTERVAL, null, { ref: false })
    }
  }

  #noteAbsence(kind: Absence, since: number): void {
    this.#absence ??= { since, kind, isLong: false }
    // After the primary has reported that it stops, nothing answers for a while. A primary that became read-only stops next.
    if (this.#absence.kind === 'readOnly' && kind !== 'readOnly') this.#absence.kind = 'orderly'
    else if (this.#absence.kind !== 'orderly') this.#absence.kind = kind
    const remaining = this.#absence.since + MAX_WAIT[this.#absence.kind] - performance.now()
    const absence = this.#absence
    if (absence.isLong) return
    if (remaining <= 0) this.#giveUp(absence)
    else if (remaining < CHECK_INTERVAL + ANSWER_TIMEOUT)
      setTimeout(() => {
        if (this.#absence === absence && performance.now() >= absence.since + MAX_WAIT[absence.kind] - 1)
          this.#giveUp(absence)
      }, remaining).unref()
  }

  #giveUp(absence: { kind: Absence; isLong: boolean }): void {
    if (absence.isLong) return
    absence.isLong = true
    const what = absence.kind === 'readOnly' ? 'is read-only' : 'cannot be reached'
    this.#log.warn({}, `the database ${what}: changes are rejected until this ends`)
    const error = primaryAway()
    this.#rejectWaiting(error)
    if (absence.kind === 'readOnly') return
    for (const attempt of this.#attempts) attempt.fail(error)
    for (const socket of this.#sockets) socket.destroy(error)
  }

  #rejectWaiting(error: Error): void {
    for (const { lost } of this.#waiting) lost(error)
    this.#waiting.clear()
  }

  #noteReturn(): void {
    if (this.#absence?.isLong === true) this.#log.info({}, 'the database is back')
    this.#absence = null
    for (const { back } of this.#waiting) back()
    this.#waiting.clear()
  }

  /** Checks once. Returns null when the primary can be reached. */
  async #checkOnce(): Promise<Absence | null> {
    const timerAbort = new AbortController()
    const silence = this.#address.host.startsWith('/') ? ('busy' as const) : ('silent' as const)
    // An answer that arrived while this process was suspended is read in the event loop turn after the timer's turn.
    const timeout = sleep(ANSWER_TIMEOUT, null, { signal: timerAbort.signal, ref: false }).then(() =>
      setImmediate(silence),
    )
    // Aborted when the answer arrives first.
    timeout.catch(() => undefined)
    const kind = await Promise.race([(this.#probeResult ??= this.#sendProbe()), timeout])
    timerAbort.abort()
    // On a busy machine, a new connection would be answered even later than the pending check.
    if (kind === 'busy') return kind
    this.#probeResult = null
    if (kind !== null && kind !== 'readOnly') void this.#closeProbe()
    return kind
  }

  #sendProbe(): Promise<Absence | null> {
    const sql = (this.#probe ??= this.#connectTo(() => {
      this.#probeSocket = openSocket(this.#address)
      return this.#probeSocket.socket
    }))
    return sql<{ closed: boolean }[]>`select current_setting('transaction_read_only')::boolean as closed`.then(
      ([row]) => (row?.closed === true ? 'readOnly' : null),
      (error: unknown) => absenceOf(failureOf(error)?.kind ?? null),
    )
  }

  /** Closes the probe's connection, because it is lost or its state is unknown. */
  async #closeProbe(): Promise<void> {
    const probe = this.#probe
    const probeSocket = this.#probeSocket
    this.#probe = null
    this.#probeSocket = null
    // Errors of closing are ignored, because the reason was already reported.
    await probe?.end({ timeout: 0 }).catch(() => undefined)
    // A client that ends forgets a socket that is still being opened, which would keep the process alive.
    probeSocket?.fail(primaryAway())
  }
}

/** Converts a failure to a kind of absence. A primary that rejects a connection for another reason can be reached. */
function absenceOf(kind: Failure['kind'] | null): Absence | null {
  if (kind === 'starting') return 'orderly'
  return kind === 'away' ? 'broken' : null
}

function primaryAway(): Error {
  return Object.assign(new Error('The primary cannot be reached.'), { code: PRIMARY_AWAY })
}

/** The error code of statements that were not sent because the primary was away for long. */
export const PRIMARY_AWAY = 'PRIMARY_AWAY'
