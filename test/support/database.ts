/** Creates a database for each suite, as a copy of a template database with Ingot's tables, on the test run's PostgreSQL server. */
import { randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import type { Sql } from 'postgres'
import type { DataSchema } from '../../runtime/page/compiled.ts'
import { installQueue } from '../../server/data/queue/install.ts'
import { connect } from '../../server/data/store/connection.ts'
import { migrate } from '../../server/data/store/migrate.ts'
import { createCluster, startCluster } from '../../server/data/store/postgres/cluster.ts'
import { applySchema } from '../../server/data/store/tables.ts'
import { RUN_FOLDER_VARIABLE, testCluster } from './postgres.ts'

export interface TestDatabase {
  /** The URL of the database, as in `DATABASE_URL`. Other processes can use it too. */
  readonly url: string
  /** A client created by the product's code. */
  readonly sql: Sql
  /** Ends the client, and drops the database even if other clients are connected. */
  close(): Promise<void>
}

const TEMPLATE = 'template_ingot'
const LOCK = 748_110_900

let server: Promise<string> | null = null

/** Returns the URL of the database `postgres` on the run's server. The first call starts the server. */
export function testServer(): Promise<string> {
  server ??= start()
  return server
}

async function start(): Promise<string> {
  const home = process.env[RUN_FOLDER_VARIABLE]
  if (home === undefined || !existsSync(home)) throw new Error('The tests were not started by test/vitest.config.ts.')
  const place = await testCluster(home)
  await createCluster(place)
  return startCluster(place)
}

/** Creates a new database. @param empty if true, the database has no tables of Ingot */
export async function testDatabase({ empty = false }: { readonly empty?: boolean } = {}): Promise<TestDatabase> {
  const url = await testServer()
  const admin = await connect(url, 'DATABASE_URL', { pool: 1, name: 'tests' })
  const name = `t_${randomBytes(8).toString('hex')}`
  if (!empty) await ensureTemplate(admin, url)
  await admin.unsafe(`create database ${name} template ${empty ? 'template1' : TEMPLATE} strategy file_copy`)
  const own = databaseUrl(url, name)
  const sql = await connect(own, 'DATABASE_URL', { pool: 10, name: 'tests' })
  return {
    url: own,
    sql,
    async close() {
      await sql.end({ timeout: 5 })
      await admin.unsafe(`drop database if exists ${name} with (force)`)
      await admin.end({ timeout: 5 })
    },
  }
}

/** Declares tables. Returns their ids by name. */
export async function applyData(sql: Sql, data: DataSchema): Promise<ReadonlyMap<string, number>> {
  return applySchema(sql, data)
}

/** Returns the URL of another database on the same server. */
export function databaseUrl(url: string, name: string): string {
  return url.replace('/postgres?', `/${name}?`)
}

// Suites in several processes may call this at once. One of them creates the template under another name and renames it.
async function ensureTemplate(admin: Sql, url: string): Promise<void> {
  await admin`select pg_advisory_lock(${LOCK})`
  const made = await admin`select 1 from pg_database where datname = ${TEMPLATE}`
  if (made.length === 0) {
    await admin.unsafe(`drop database if exists ${TEMPLATE}_new with (force)`)
    await admin.unsafe(`create database ${TEMPLATE}_new template template0`)
    const sql = await connect(databaseUrl(url, `${TEMPLATE}_new`), 'DATABASE_URL', { pool: 1, name: 'tests' })
    await migrate(sql)
    await installQueue(databaseUrl(url, `${TEMPLATE}_new`), sql)
    await sql.end({ timeout: 5 })
    // A template must have no connections while it is copied, and terminated server processes take a moment to end.
    await admin`select pg_terminate_backend(pid) from pg_stat_activity where datname = ${`${TEMPLATE}_new`}`
    await admin.unsafe(`alter database ${TEMPLATE}_new rename to ${TEMPLATE}`)
  }
  await admin`select pg_advisory_unlock(${LOCK})`
}
