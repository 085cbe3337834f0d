/** Checks the database: its version, clock, tables, and read replica. */
import type { Sql } from 'postgres'
import { createClient } from '../../data/store/connection.ts'
import { readDatabaseUrl } from '../../data/store/database-url.ts'
import { failureOf } from '../../data/store/failure.ts'
import { countMissingMigrations } from '../../data/store/migrate.ts'
import { otherServers, type ServerRow } from '../../data/store/servers.ts'
import { type Finding, problem, warning } from './finding.ts'
import type { Settings } from '../../core/settings.ts'
import { conflictFindings } from './presence.ts'
import { connectionsOf } from './settings-findings.ts'
import { proxyFindings } from './unnamed-proxy.ts'

/** The oldest PostgreSQL that is supported. */
const MIN_VERSION = 15
/** Maximum difference of two clocks in seconds. */
const MAX_CLOCK_DIFFERENCE = 5
/** Milliseconds to wait for an answer. */
const ANSWER_TIMEOUT = 8_000

export interface CheckResult {
  /** A phrase about the successful check, such as `PostgreSQL 18.4 answers in 2 ms`. Null when the check failed. */
  readonly success: string | null
  readonly findings: readonly Finding[]
}

/**
 * Checks the database.
 * @param self the row of this server; null to leave out the other servers
 */
export async function checkDatabaseServer(
  url: string,
  self: ServerRow | null,
  settings: Settings,
): Promise<CheckResult> {
  const sql = createClient(readDatabaseUrl(url, 'DATABASE_URL'), { pool: 1, name: 'ingot doctor', copy: true })
  try {
    return await withTimeout(checkServer(sql, self, settings))
  } catch (error) {
    return { success: null, findings: [problem(reasonOf(error))] }
  } finally {
    await sql.end({ timeout: 0 })
  }
}

async function checkServer(sql: Sql, self: ServerRow | null, settings: Settings): Promise<CheckResult> {
  const connections = connectionsOf(settings)
  await sql`select 1`
  const startedAt = Date.now()
  const [row] = await sql<{ version: string; number: number; most: number; now: number }[]>`
    select current_setting('server_version') as version, current_setting('server_version_num')::int / 10000 as number,
      current_setting('max_connections')::int as most,
      extract(epoch from clock_timestamp())::float8 * 1000 as now`
  const ended = Date.now()
  if (row === undefined) throw new Error('it reports no version')
  const findings: Finding[] = []
  if (row.number < MIN_VERSION)
    findings.push(problem(`The database is PostgreSQL ${row.version}: upgrade it to version ${MIN_VERSION} or newer.`))
  if (connections > row.most)
    findings.push(
      warning(
        `This server may open ${connections} connections, but the database allows ${row.most}: lower INGOT_POOL or INGOT_WORKERS, or raise max_connections.`,
      ),
    )
  const clockDifference = Math.round((row.now - (startedAt + ended) / 2) / 1000)
  if (Math.abs(clockDifference) > MAX_CLOCK_DIFFERENCE)
    findings.push(
      warning(
        `The clock of this machine is ${Math.abs(clockDifference)} s ${clockDifference > 0 ? 'behind' : 'ahead of'} the database's, so jobs run at the wrong time: synchronize both clocks over the network.`,
      ),
    )
  findings.push(...(await tableFindings(sql, self, settings)))
  return { success: `PostgreSQL ${row.version} answers in ${Math.max(1, ended - startedAt)} ms`, findings }
}

async function tableFindings(sql: Sql, self: ServerRow | null, { proxies }: Settings): Promise<readonly Finding[]> {
  const [there] = await sql<{ migrations: boolean; servers: boolean; logs: boolean }[]>`
    select to_regclass('ingot.migrations') is not null as migrations,
      to_regclass('ingot.servers') is not null as servers, to_regclass('ingot.logs') is not null as logs`
  if (there?.migrations !== true) return []
  const missingCount = await countMissingMigrations(sql)
  const steps =
    missingCount === 0
      ? []
      : [
          warning(
            `The database lacks ${missingCount === 1 ? 'one migration step' : `${missingCount} migration steps`} of this version: the next start of a server runs what is missing.`,
          ),
        ]
  const others = self === null || !there.servers ? [] : conflictFindings(self, await otherServers(sql, ''))
  const unnamed = proxies === null && there.logs ? await proxyFindings(sql) : []
  return [...steps, ...others, ...unnamed]
}

/** Checks the read replica. */
export async function checkReplica(url: string): Promise<CheckResult> {
  const sql = createClient(readDatabaseUrl(url, 'DATABASE_REPLICA_URL'), { pool: 1, name: 'ingot doctor', copy: true })
  try {
    const [row] = await withTimeout(
      sql<{ copy: boolean; timeout: number | null }[]>`
        select pg_is_in_recovery() as copy, extract(epoch from now() - pg_last_xact_replay_timestamp())::float8 as late`,
    )
    const findings =
      row?.copy === true
        ? []
        : [
            warning(
              'DATABASE_REPLICA_URL is not a replica of another database, so its data may be wrong: set it to a replica.',
            ),
          ]
    return { success: 'the read replica answers', findings }
  } catch (error) {
    const reason = reasonOf(error).replaceAll('DATABASE_URL', 'DATABASE_REPLICA_URL')
    return { success: null, findings: [problem(`The read replica: ${reason}`)] }
  } finally {
    await sql.end({ timeout: 0 })
  }
}

/** Waits for an answer for a limited time. @throws Error when it does not come in time */
export async function withTimeout<T>(answer: PromiseLike<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const timeout = new Promise<never>((_done, reject) => {
    timer = setTimeout(() => reject(new Error(`there is no answer within ${ANSWER_TIMEOUT / 1000} s.`)), ANSWER_TIMEOUT)
  })
  try {
    return await Promise.race([answer, timeout])
  } finally {
    clearTimeout(timer)
  }
}

function reasonOf(error: unknown): string {
  return failureOf(error)?.sentence ?? (error instanceof Error ? error.message : String(error))
}
