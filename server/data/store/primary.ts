/**
 * Knows whether the primary can be reached: the database that is written to. While it is away, connections to it wait for a
 * moment, and then fail at once, so that no request waits for a database that is gone. After a failover, the address leads
 * to another server, and everything goes on there.
 */
import type { Duplex } from 'node:stream'
import { setImmediate, setTimeout as sleep } from 'node:timers/promises'
import type { Sql } from 'postgres'
import type { Address } from './database-url.ts'
import { type Failure, failureOf } from './failure.ts'
import { type ConnectionAttempt, failingSocket, type OpeningSocket, openSocket } from './socket.ts'

export interface Primary {
  /** Whether it did not answer when it was asked last. */
  readonly away: boolean
  /** To be called when a connection to it broke, an answer is late, or it refused a change: asks on a connection of its own whether it is there. */
  suspect(): void
  /**
   * Waits while it is away, and while it takes no changes.
   * @throws an error of the kind `away` when that is so for long
   */
  ready(): Promise<void>
  /** Opens the socket of a connection to it, once it is there. When the primary is away for long, the socket fails. */
  readonly socket: () => OpeningSocket
  close(): Promise<void>
}

export interface PrimaryLog {
  info(fields: object, message: string): void
  warn(fields: object, message: string): void
}

/** Milliseconds after which an answer is late. */
export const LATE_ANSWER = 400
/** Milliseconds for an answer, and between two questions. */
const ANSWER_TIMEOUT = 800
const ASK_EVERY = 200

/**
 * Milliseconds of its absence in which requests wait. One that says that it starts or stops, or was told to take no changes, is
 * being restarted, or another takes over from it by plan, so it is worth while to wait for longer. So it is for one on this machine
 * that is silent (`busy`): no network lies between, nobody takes over from it, and its silence is the machine's load.
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
  /** The socket of that client. */
  #probeSocket: ConnectionAttempt | null = null
  /** What was asked last, while nothing has been answered. */
  #probeResult: Promise<Absence | null> | null = null
  #isChecking = false
  /** Null while it is there. */
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
    // With TLS, nobody is told when a socket is closed.
    for (const other of this.#sockets) if (other.destroyed) this.#sockets.delete(other)
    this.#attempts.delete(attempt)
    this.#sockets.add(socket)
    socket.once('close', () => {
      this.#sockets.delete(socket)
      // An idle connection is closed by nobody but the database, or what lies before it.
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
      await sleep(ASK_EVERY, null, { ref: false })
    }
  }

  #noteAbsence(kind: Absence, since: number): void {
    this.#absence ??= { since, kind, isLong: false }
    // Once it has said that it stops, nobody answers for a while, and one that was told to take no changes stops next.
    if (this.#absence.kind === 'readOnly' && kind !== 'readOnly') this.#absence.kind = 'orderly'
    else if (this.#absence.kind !== 'orderly') this.#absence.kind = kind
    const left = this.#absence.since + MAX_WAIT[this.#absence.kind] - performance.now()
    const absence = this.#absence
    if (absence.isLong) return
    if (left <= 0) this.#giveUp(absence)
    else if (left < ASK_EVERY + ANSWER_TIMEOUT)
      setTimeout(() => {
        if (this.#absence === absence && performance.now() >= absence.since + MAX_WAIT[absence.kind] - 1)
          this.#giveUp(absence)
      }, left).unref()
  }

  #giveUp(absence: { kind: Absence; isLong: boolean }): void {
    if (absence.isLong) return
    absence.isLong = true
    const what = absence.kind === 'readOnly' ? 'takes no changes' : 'cannot be reached'
    this.#log.warn({}, `the database ${what}: what would change something is refused until it does`)
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

  /** Asks once; null when it is there. */
  async #checkOnce(): Promise<Absence | null> {
    const over = new AbortController()
    const silence = this.#address.host.startsWith('/') ? ('busy' as const) : ('silent' as const)
    // An answer that came while this process had no processor is read in the turn after the timer's.
    const late = sleep(ANSWER_TIMEOUT, null, { signal: over.signal, ref: false }).then(() => setImmediate(silence))
    // Aborted when the answer has come.
    late.catch(() => undefined)
    const kind = await Promise.race([(this.#probeResult ??= this.#sendProbe()), late])
    over.abort()
    // On a busy machine, a new connection would be later still than the answer that is on its way.
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

  /** Ends the connection for questions: it is lost, or its state unknown. */
  async #closeProbe(): Promise<void> {
    const own = this.#probe
    const ear = this.#probeSocket
    this.#probe = null
    this.#probeSocket = null
    // It is given up whatever becomes of it: whoever asked was told already why it is lost.
    await own?.end({ timeout: 0 }).catch(() => undefined)
    // A client that ends forgets a socket that is being opened, and the process would live for as long as that does.
    ear?.fail(primaryAway())
  }
}

/** A primary that refuses a connection for another reason is there. */
function absenceOf(kind: Failure['kind'] | null): Absence | null {
  if (kind === 'starting') return 'orderly'
  return kind === 'away' ? 'broken' : null
}

function primaryAway(): Error {
  return Object.assign(new Error('The primary cannot be reached.'), { code: PRIMARY_AWAY })
}

/** The code of the error of what was not sent because the primary was away for long. */
export const PRIMARY_AWAY = 'PRIMARY_AWAY'
