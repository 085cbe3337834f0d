/** The client of a database: how it is made, what the server must be, and statements that do not run for ever. */
import { connect as connectSocket, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import postgres, { type Sql, type TransactionSql } from 'postgres'
import { StartError } from '../start-error.ts'
import { type Address, readDatabaseUrl } from './database-url.ts'
import { failureOf } from './failure.ts'
import { TransactionPool } from './transactions.ts'

export interface ClientOptions {
  /** Connections at most; they are opened when they are needed. */
  readonly pool: number
  /** What the database lists the connections as. */
  readonly name: string
}

/** Seconds. */
const CONNECT_TIMEOUT = 10
const IDLE_TIMEOUT = 300
const END_TIMEOUT = 5
/** Milliseconds that a start waits for a database that does not answer, and for one that says that it will. */
const PATIENCE = { away: 3_000, starting: 120_000 } as const
const OLDEST = 15

/**
 * One statement a connection at a time: behind a slow one others would wait although connections are free, and a lost
 * connection or a cancelled statement would take them with it. The client's types do not know the option.
 */
const ONE_BY_ONE: object = { max_pipeline: 0 }

/**
 * Makes the client of an address; nothing is opened yet. Its transactions have connections of their own, two fifths of the
 * pool, and survive whatever happens to these.
 */
export function createClient(address: Address, { pool, name }: ClientOptions): Sql {
  const busy = Math.max(1, Math.floor(pool * 0.4))
  const sql = postgres({
    ...optionsOf(address, name),
    ...ONE_BY_ONE,
    max: Math.max(1, pool - busy),
    idle_timeout: IDLE_TIMEOUT,
  })
  const transactions = new TransactionPool((onclose) => createLease(address, name, onclose), busy)
  const end = sql.end.bind(sql)
  return Object.assign(sql, {
    begin: (first: unknown, second?: unknown) => {
      const [mode, body] = typeof first === 'string' ? [first, second] : ['', first]
      return transactions.begin(mode, async (transaction) => (body as Body)(transaction))
    },
    end: async (options: { timeout?: number } = {}) => {
      const timeout = options.timeout ?? END_TIMEOUT
      await Promise.all([end({ timeout }), transactions.end(timeout * 1000)])
    },
  })
}

/**
 * A client of one connection, opened with the first statement, that lasts until it is ended or lost. One that was lost is
 * opened anew with the next statement.
 */
export function createSession(address: Address, name: string, onclose: () => void): Sql {
  return postgres({ ...optionsOf(address, name), max: 1, idle_timeout: 0, max_lifetime: null, onclose })
}

/**
 * A client of one connection whose end is the end of all that it has opened. The library's own end forgets a connection that is
 * just being opened anew, as happens where something was still on its way when the last one broke.
 */
function createLease(address: Address, name: string, onclose: () => void): Sql {
  const sockets = new Set<Socket>()
  let over = false
  const socket = (): Promise<Socket> => {
    // Nobody waits for it any more.
    if (over) return new Promise(() => undefined)
    const made = connectSocket(pathOrPort(address))
    sockets.add(made)
    made.once('close', () => sockets.delete(made))
    // The client writes to it at once, which waits for the connection, and looks after its errors and its time.
    return Promise.resolve(made)
  }
  // The client's types do not know the option.
  const own: object = { socket }
  const sql = postgres({ ...optionsOf(address, name), ...own, max: 1, idle_timeout: 0, max_lifetime: null, onclose })
  const end = sql.end.bind(sql)
  return Object.assign(sql, {
    end: async (options?: { timeout?: number }) => {
      over = true
      await end(options)
      for (const open of sockets) open.destroySoon()
    },
  })
}

function pathOrPort({ host, port }: Address): { path: string } | { host: string; port: number } {
  return host.startsWith('/') ? { path: `${host}/.s.PGSQL.${port}` } : { host, port }
}

type Body = (sql: TransactionSql) => unknown

function optionsOf({ host, port, database, user, password, ssl }: Address, name: string) {
  return {
    host,
    port,
    database,
    user,
    ...(password === '' ? {} : { password }),
    ssl,
    connect_timeout: CONNECT_TIMEOUT,
    // Seconds until a lost connection is tried again: soon, so that requests succeed as soon as the database is back.
    backoff: (retries: number) => Math.min(0.05 * 2 ** retries, 1),
    fetch_types: false,
    onnotice: () => undefined,
    connection: {
      application_name: name,
      // What a session prints and reads must not depend on how the server is set up.
      TimeZone: 'UTC',
      DateStyle: 'ISO, YMD',
      // Statements with much JSON look expensive, and are compiled for longer than they run.
      jit: 'off',
      // Names and tables stand in the text of our statements, so that a plan for any value is the plan for each; making one
      // for every execution would take as long as running it.
      plan_cache_mode: 'force_generic_plan',
    },
  }
}

/**
 * Connects, and makes sure that the database is one that Ingot can use. A server that is starting up is waited for.
 * @param variable the setting that holds the URL
 * @throws StartError
 */
export async function connect(url: string, variable: string, options: ClientOptions): Promise<Sql> {
  const address = readDatabaseUrl(url, variable)
  const sql = createClient(address, options)
  try {
    requireServer(await patiently(() => askServer(sql)), variable)
    return sql
  } catch (error) {
    await sql.end({ timeout: 0 })
    throw startError(error, address, variable)
  }
}

async function patiently<T>(attempt: () => Promise<T>): Promise<T> {
  const begun = performance.now()
  for (;;) {
    try {
      return await inTime(attempt())
    } catch (error) {
      const kind = failureOf(error)?.kind
      const limit = kind === 'away' || kind === 'starting' ? PATIENCE[kind] : 0
      if (performance.now() - begun >= limit) throw error
      await sleep(200)
    }
  }
}

// One that hangs up at once, as what is no PostgreSQL does, is tried for ever by the client.
async function inTime<T>(attempt: Promise<T>): Promise<T> {
  const over = new AbortController()
  const late = sleep((CONNECT_TIMEOUT + 1) * 1000, null, { signal: over.signal }).then(() => {
    throw Object.assign(new Error('no answer'), { code: 'CONNECT_TIMEOUT' })
  })
  // Ended before its time: nobody listens to it any more.
  late.catch(() => undefined)
  try {
    return await Promise.race([attempt, late])
  } finally {
    over.abort()
  }
}

/** What a server says of itself. */
export interface ServerFacts {
  /** 180004 is 18.4. */
  readonly version: number
  readonly shown: string
  readonly encoding: string
}

async function askServer(sql: Sql): Promise<ServerFacts> {
  const [facts] = await sql<ServerFacts[]>`
    select current_setting('server_version_num')::int as version, current_setting('server_version') as shown,
      current_setting('server_encoding') as encoding`
  return facts ?? { version: 0, shown: 'of an unknown version', encoding: 'UTF8' }
}

/** Makes sure that a server is one that Ingot can use. @throws StartError */
export function requireServer({ version, shown, encoding }: ServerFacts, variable: string): void {
  if (version < OLDEST * 10_000) {
    throw new StartError(
      `${variable} leads to PostgreSQL ${shown}, and Ingot needs ${OLDEST} or newer: upgrade it, or take ${variable} away to do without it.`,
    )
  }
  if (encoding !== 'UTF8') {
    throw new StartError(
      `The database of ${variable} is encoded in ${encoding}, and Ingot needs UTF8: make it with \`createdb --encoding=UTF8 --template=template0\`.`,
    )
  }
}

/** The sentence for an error at the start; errors that have none are given back as they are. */
export function startError(error: unknown, address: Address | null, variable: string): unknown {
  if (error instanceof StartError) return error
  const failure = failureOf(error, address)
  if (failure === null) return error
  return new StartError(failure.sentence.replaceAll('DATABASE_URL', variable), { cause: error })
}
