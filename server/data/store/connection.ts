/** Creates clients of a database, and checks that its server is supported. */
import type { Duplex } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import postgres, { type Sql } from 'postgres'
import { errorCodeOf } from '../../core/error-code.ts'
import type { Measures } from '../../core/contracts/observer.ts'
import { StartError } from '../../core/start-error.ts'
import { type Address, readDatabaseUrl } from './database-url.ts'
import { failureOf } from './failure.ts'
import { prepareClassOf } from './prepare-class.ts'
import { type OpeningSocket, openSocket } from './socket.ts'
import { TransactionPool } from './transactions.ts'

interface ClientOptions {
  /** Maximum number of connections; they are opened on demand. */
  readonly pool: number
  /** The `application_name` of the connections. */
  readonly name: string
  /** Receives the number of open transactions; absent or null without measurements. */
  readonly measures?: Measures | null
  /** Whether the server may be a read-only copy; false by default. */
  readonly copy?: boolean
  /** Opens the socket of a connection; by default directly. */
  readonly socket?: () => OpeningSocket
}

/** Seconds. */
const CONNECT_TIMEOUT = 10
const IDLE_TIMEOUT = 300
const END_TIMEOUT = 5
const PROBE_IDLE = 20
/**
 * Timeouts of a start, in milliseconds: `away` for an unreachable database, `busy` for a silent one on this machine, and `starting` for one
 * that is starting up. A silent local database is only delayed by the load of the machine, because no network is involved.
 */
const START_TIMEOUTS = { away: 3_000, busy: 60_000, starting: 120_000 } as const
const MIN_VERSION = 15

/**
 * Sends one statement at a time per connection. With pipelining, a statement would wait behind a slow one although
 * other connections are free, and a lost connection or a cancellation would affect both. The client's types lack this
 * option.
 */
const NO_PIPELINING: object = { max_pipeline: 0 }

/**
 * Closes a connection when its server turns out to be a read-only copy. After a failover, the address may still lead to the former primary
 * for
 * a while.
 */
const PRIMARY_ONLY = { target_session_attrs: 'primary' } as const

/**
 * The client's option for its sockets, which its types lack. The function must not reject, because the client would lose the connection.
 */
function withSocket(socket: () => OpeningSocket): object {
  return { socket }
}

/**
 * Creates a client without opening a connection. Transactions use separate connections, two fifths of the pool, which
 * survive the loss of the others.
 */
export function createClient(address: Address, options: ClientOptions): Sql {
  const { pool, name, measures = null, copy = false, socket = () => openSocket(address).socket } = options
  const transactionLimit = Math.max(1, Math.floor(pool * 0.4))
  const commonOptions = { ...optionsOf(address, name), ...(!copy && PRIMARY_ONLY) }
  const sql = postgres({
    ...commonOptions,
    ...NO_PIPELINING,
    ...withSocket(socket),
    max: Math.max(1, pool - transactionLimit),
    idle_timeout: IDLE_TIMEOUT,
  })
  const transactions = new TransactionPool(
    (onclose) => createClosableClient(commonOptions, socket, onclose),
    transactionLimit,
  )
  if (measures !== null) measureTransactions(transactions, transactionLimit, measures)
  const end = sql.end.bind(sql)
  return Object.assign(sql, {
    begin: (first: unknown, second?: unknown) => {
      const [mode, body] = typeof first === 'string' ? [first, second] : ['', first]
      return transactions.begin(mode, async (transaction): Promise<unknown> => {
        if (typeof body !== 'function') throw new TypeError('A transaction needs a function.')
        return body(transaction)
      })
    },
    end: async (options: { timeout?: number } = {}) => {
      const timeout = options.timeout ?? END_TIMEOUT
      await Promise.all([end({ timeout }), transactions.end(timeout * 1000)])
    },
  })
}

function measureTransactions(transactions: TransactionPool, limit: number, measures: Measures): void {
  const pool = 'transactions'
  measures.gauge('pool', () => [
    { labels: [pool, 'limit'], value: limit },
    { labels: [pool, 'busy'], value: transactions.busy },
  ])
  measures.gauge('poolWaiting', () => [{ labels: [pool], value: transactions.waiting }])
}

/**
 * Creates a client of one connection, which is opened with the first statement and has no time limit. After a loss, the
 * next statement opens a new one.
 */
export function createSession(address: Address, name: string, onclose: () => void): Sql {
  return postgres({ ...optionsOf(address, name), max: 1, idle_timeout: 0, max_lifetime: null, onclose })
}

/**
 * Creates a client of one connection whose `end` closes every socket that it has opened. The library's own `end`
 * forgets a socket that is being reopened, which happens when a statement was pending while the connection was lost.
 */
function createClosableClient(
  options: ReturnType<typeof optionsOf>,
  open: () => OpeningSocket,
  onclose: () => void,
): Sql {
  const sockets = new Set<Duplex>()
  let hasEnded = false
  const socket = async (): Promise<Duplex> => {
    const opened = hasEnded ? null : await open()
    if (opened === null || hasEnded) {
      opened?.destroy()
      // The client has ended, so the socket is not needed.
      return new Promise(() => undefined)
    }
    sockets.add(opened)
    opened.once('close', () => sockets.delete(opened))
    return opened
  }
  const sql = postgres({ ...options, ...withSocket(socket), max: 1, idle_timeout: 0, max_lifetime: null, onclose })
  const end = sql.end.bind(sql)
  return Object.assign(sql, {
    end: async (options?: { timeout?: number }) => {
      hasEnded = true
      await end(options)
      for (const open of sockets) destroySoon(open)
    },
  })
}

/** Closes a socket after it has sent the data that was written to it. */
function destroySoon(socket: Duplex): void {
  if (socket.writableFinished) socket.destroy()
  else socket.end(() => socket.destroy())
}

/** Creates a client of one connection for `watchPrimary`. The connection is closed after some seconds without use. */
export function createProbe(address: Address, socket: () => OpeningSocket): Sql {
  const options = { ...optionsOf(address, 'ingot watch'), ...PRIMARY_ONLY }
  return postgres({ ...options, ...withSocket(socket), max: 1, idle_timeout: PROBE_IDLE })
}

function optionsOf({ host, port, database, user, password, ssl }: Address, name: string) {
  return {
    host,
    port,
    database,
    user,
    ...(password === '' ? {} : { password }),
    ssl,
    connect_timeout: CONNECT_TIMEOUT,
    // Seconds until a lost connection is retried; short, so that requests succeed soon after the database is back.
    backoff: (retries: number) => Math.min(0.05 * 2 ** retries, 1),
    fetch_types: false,
    onnotice: () => undefined,
    connection: {
      application_name: name,
      // Input and output formats must not depend on the settings of the server.
      TimeZone: 'UTC',
      DateStyle: 'ISO, YMD',
      // The planner overestimates the cost of statements that build JSON, so that compiling them takes longer than
      // running them.
      jit: 'off',
      // Our statements contain property names and table numbers as literals, so a generic plan fits all parameters.
      // Planning each execution would take as long as the execution.
      plan_cache_mode: 'force_generic_plan',
    },
  }
}

/**
 * Connects, and checks that Ingot supports the server. Waits for a server that is starting up.
 * @param variable the setting that contains the URL
 * @throws StartError
 */
export async function connect(url: string, variable: string, options: ClientOptions): Promise<Sql> {
  const address = readDatabaseUrl(url, variable)
  const sql = createClient(address, options)
  try {
    requireServer(await connectWithRetries(() => askServer(sql), address.host.startsWith('/')), variable)
    return sql
  } catch (error) {
    await sql.end({ timeout: 0 })
    throw startError(error, address, variable)
  }
}

async function connectWithRetries<T>(attempt: () => Promise<T>, isLocal: boolean): Promise<T> {
  const startedAt = performance.now()
  for (;;) {
    try {
      return await withTimeout(attempt())
    } catch (error) {
      const kind = isLocal && errorCodeOf(error) === 'CONNECT_TIMEOUT' ? 'busy' : failureOf(error)?.kind
      const limit = kind === 'away' || kind === 'busy' || kind === 'starting' ? START_TIMEOUTS[kind] : 0
      if (performance.now() - startedAt >= limit) throw isReadOnlyCopy(error) ? readOnlyError() : error
      await sleep(200)
    }
  }
}

// The client closes a new connection immediately only when the server is a read-only copy.
function isReadOnlyCopy(error: unknown): boolean {
  return errorCodeOf(error) === 'CONNECTION_DESTROYED'
}

function readOnlyError(): Error {
  return Object.assign(new Error('the server is in recovery'), { code: '25006' })
}

// The client would endlessly retry a server that closes each connection immediately, such as one that is not PostgreSQL.
async function withTimeout<T>(attempt: Promise<T>): Promise<T> {
  const timerAbort = new AbortController()
  const timeout = sleep((CONNECT_TIMEOUT + 1) * 1000, null, { signal: timerAbort.signal }).then(() => {
    throw Object.assign(new Error('no answer'), { code: 'CONNECT_TIMEOUT' })
  })
  try {
    return await Promise.race([attempt, timeout])
  } finally {
    timerAbort.abort()
  }
}

/** The version and encoding of a server. */
interface ServerInfo {
  /** The version in the form of `server_version_num`: 180004 is 18.4. */
  readonly version: number
  readonly shown: string
  readonly encoding: string
}

async function askServer(sql: Sql): Promise<ServerInfo> {
  const query = sql<ServerInfo[]>`
    select current_setting('server_version_num')::int as version, current_setting('server_version') as shown,
      current_setting('server_encoding') as encoding`
  const rows = await query
  prepareClassOf(query)
  prepareClassOf(rows)
  const [facts] = rows
  return facts ?? { version: 0, shown: 'of an unknown version', encoding: 'UTF8' }
}

/**
 * Checks that Ingot supports a server.
 * @throws StartError
 * @internal Exported for tests.
 */
export function requireServer({ version, shown, encoding }: ServerInfo, variable: string): void {
  if (version < MIN_VERSION * 10_000) {
    throw new StartError(
      `${variable} points to PostgreSQL ${shown}, but Ingot requires ${MIN_VERSION} or newer: upgrade it, or remove ${variable}.`,
    )
  }
  if (encoding !== 'UTF8') {
    throw new StartError(
      `The database of ${variable} is encoded in ${encoding}, but Ingot requires UTF8: create it with \`createdb --encoding=UTF8 --template=template0\`.`,
    )
  }
}

/** Converts an error of the database into a `StartError` with a sentence; returns other errors unchanged. */
export function startError(error: unknown, address: Address | null, variable: string): unknown {
  if (error instanceof StartError) return error
  const failure = failureOf(error, address)
  if (failure === null) return error
  return new StartError(failure.sentence.replaceAll('DATABASE_URL', variable), { cause: error })
}
