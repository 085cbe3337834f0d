/**
 * A primary and a streaming replica at one address, as with a load balancer. Tests the behavior while no primary is reachable, and after a
 * failover.
 */
import { chownSync, cpSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { chmod } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pino from 'pino'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { newMeter } from '../../../../server/core/contracts/meter.ts'
import { createStatements, type Statements } from '../../../../server/web/graphql/database/statements.ts'
import { errorCodeOf } from '../../../../server/core/error-code.ts'
import { createClient } from '../../../../server/data/store/connection.ts'
import { readDatabaseUrl } from '../../../../server/data/store/database-url.ts'
import {
  type ClusterLocation,
  createCluster,
  startCluster,
  stopCluster,
} from '../../../../server/data/store/postgres/cluster.ts'
import { openStore, type Store } from '../../../../server/data/store/store.ts'
import { retryUnsent } from '../../../../server/data/store/retry-unsent.ts'
import { testCluster } from '../../../support/postgres.ts'
import { product, type Server } from '../../../support/product.ts'
import { statementOf } from '../../../support/statement.ts'
import { type Door, openDoor } from '../../web/graphql/door.ts'

// Each test starts two databases and a server, and the machine may be busy with other tests.
vi.setConfig({ testTimeout: 120_000, hookTimeout: 240_000 })
const PATIENT = { timeout: 60_000, interval: 100 }

const ingot = product()
const home = mkdtempSync(join(tmpdir(), 'ingot-failover-'))
const logger = pino({ level: 'silent' })
const site = ingot.folder({
  'app/schema/note.yml': 'name: note\nproperties:\n  - name: text\n',
  'app/graphql/add.graphql':
    'mutation add($text: String!) {\n  record_create(record: { table: "note", properties: [{ name: "text", value: $text }] }) { id }\n}\n',
  'app/graphql/count.graphql':
    'query count {\n  records(per_page: 1, filter: { table: { value: "note" } }) { total_entries }\n}\n',
  'app/views/pages/count.liquid':
    "---\nslug: count\n---\n{%- graphql found = 'count' -%}{{ found.records.total_entries }}",
  'app/views/pages/add.liquid':
    "---\nslug: add\nmethod: post\n---\n{%- graphql added = 'add', text: 'x' -%}{{ added.record_create.id }}",
})

let places: readonly ClusterLocation[] = []
let copyUrl: string
let primaryUrl: string
let door: Door
let store: Store
let statements: Statements
let server: Server
/** The number of times that the test has waited for the replica. */
let marks = 0

beforeAll(async () => {
  await chmod(home, 0o755)
  const first = { ...(await testCluster(home)), folder: join(home, 'first') }
  await createCluster(first)
  primaryUrl = await startCluster(first)
  const socket = readDatabaseUrl(primaryUrl, 'DATABASE_URL')
  await stopCluster(first, 'fast')
  // A copy of the folder is equivalent to a base backup.
  const second = {
    ...first,
    folder: join(home, 'second'),
    settings: {
      ...first.settings,
      primary_conninfo: `host=${socket.host} port=${socket.port} user=${socket.user}`,
      recovery_min_apply_delay: '0',
    },
  }
  cpSync(first.folder, second.folder, { recursive: true, preserveTimestamps: true })
  writeFileSync(join(second.folder, 'standby.signal'), '')
  giveTo(second)
  places = [first, second]
  primaryUrl = await startCluster(first)
  await admitCopy(first)
  copyUrl = await startCluster(second)
  door = await openDoor(primaryUrl)
  const { host, port, user, database } = door.address
  const url = `postgres://${user}@${host}:${port}/${database}?sslmode=disable`
  store = await openStore({ url, replicaUrl: copyUrl, replicaLag: 0, pool: 5, logger })
  await store.sql`create table public.written (n int)`
  statements = createStatements(store, logger)
  expect(await ingot.run(['build', site])).toMatchObject({ code: 0 })
  const env = { DATABASE_URL: url, DATABASE_REPLICA_URL: copyUrl, INGOT_JOB_THREADS: '0', INGOT_ENV: 'staging' }
  server = await ingot.serve(['serve', site], { env })
})

afterAll(async () => {
  await server?.stop()
  await store?.close()
  await door?.close()
  for (const place of places) await stopCluster(place, 'immediate')
  await ingot.clean()
  rmSync(home, { recursive: true, force: true })
})

/** Lets the replica connect to the primary. If the tests run as root, both databases run as a user that neither of them admits. */
async function admitCopy({ folder }: ClusterLocation): Promise<void> {
  writeFileSync(join(folder, 'pg_hba.conf'), 'local all all trust\nlocal replication all trust\n')
  await at(primaryUrl, 'select pg_reload_conf()')
}

/** Makes the account of the database the owner of a copied folder. */
function giveTo({ folder, account }: ClusterLocation): void {
  if (account === null) return
  for (const name of ['.', ...(readdirSync(folder, { recursive: true }) as string[])])
    chownSync(join(folder, name), account.uid, account.gid)
  expect(statSync(folder).uid).toBe(account.uid)
}

async function run(text: string, options: { write?: boolean; replica?: boolean } = {}): Promise<unknown> {
  const how = { write: false, replica: false, timeout: 20, connection: null, meter: newMeter(), ...options }
  const [row] = await statements.run(statementOf(text, []), how)
  return row?.[0]
}

const write = (): Promise<unknown> => run('insert into public.written values (1) returning n::text', { write: true })
const isCopy = (replica: boolean): Promise<unknown> => run('select pg_is_in_recovery()::text', { replica })

/** Runs statements on one of the two servers, independently of the address, and returns the rows of the last one. */
async function at(url: string, ...texts: readonly string[]): Promise<readonly unknown[]> {
  const sql = createClient(readDatabaseUrl(url, 'DATABASE_URL'), { pool: 1, name: 'tests', copy: true })
  let rows: readonly unknown[] = []
  for (const text of texts) rows = await sql.unsafe(text)
  await sql.end()
  return rows
}

/**
 * Waits until the replica has replayed everything that the primary has written so far. Writers wait neither for the replica nor, in tests,
 * for the disk, so a recent write may exist only in the primary's memory.
 */
async function copied(): Promise<void> {
  const mark = `mark_${++marks}`
  // This commit is flushed to disk together with all earlier ones.
  await at(primaryUrl, 'set synchronous_commit = local', `create table public.${mark} ()`)
  const found = `select from pg_class where relname = '${mark}'`
  await expect.poll(() => at(copyUrl, found), PATIENT).toHaveLength(1)
}

interface Answer {
  readonly status: number
  readonly after: string | null
  readonly text: string
}

async function ask(path: string, method = 'GET'): Promise<Answer> {
  const reply = await fetch(`${server.url}${path}`, { method })
  return { status: reply.status, after: reply.headers.get('retry-after'), text: (await reply.text()).trim() }
}

test('the copy answers what asks for it, unless it lags behind', async () => {
  await copied()
  expect([await isCopy(false), await isCopy(true)]).toEqual(['false', 'true'])
  await at(copyUrl, 'select pg_wal_replay_pause()')
  await write()
  await expect.poll(() => isCopy(true), PATIENT).toBe('false')
  await at(copyUrl, 'select pg_wal_replay_resume()')
  await expect.poll(() => isCopy(true), PATIENT).toBe('true')
})

test('what changes something waits while the primary was told to take no changes', async () => {
  await at(primaryUrl, 'alter system set default_transaction_read_only = on', 'select pg_reload_conf()')
  // Only writes that are acknowledged after this are on both servers.
  await expect.poll(() => run(`select current_setting('default_transaction_read_only')`), PATIENT).toBe('on')
  let done = 0
  const note = (): void => void done++
  const begin = (): Promise<unknown> =>
    store.sql.begin(async (transaction) => transaction`insert into public.written values (2)`)
  const all = [write(), retryUnsent(begin, store.primary)].map((each) => each.then(note))
  expect(await isCopy(false)).toBe('false')
  expect(done).toBe(0)
  await at(primaryUrl, 'alter system reset default_transaction_read_only', 'select pg_reload_conf()')
  await Promise.all(all)
  expect(await run('select count(*)::text from public.written')).toBe('3')
})

test('a change is made although the connection before was ended by an administrator', async () => {
  const sql = createClient(readDatabaseUrl(primaryUrl, 'DATABASE_URL'), { pool: 1, name: 'ended', copy: false })
  try {
    const asleep = sql`select pg_sleep(100)`.catch((error: unknown) => errorCodeOf(error))
    const end = `select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'ended' and query like '%pg_sleep%'`
    await expect.poll(() => at(primaryUrl, end), PATIENT).toHaveLength(1)
    // It is unknown whether the write was made, so it is not retried.
    expect(await asleep).toBe('CONNECTION_CLOSED')
    const insert = (): Promise<readonly unknown[]> => sql`insert into public.written values (3) returning n`.execute()
    await expect(insert()).rejects.toMatchObject({ code: '57P01' })
    await expect(insert()).resolves.toHaveLength(1)
    void sql`select pg_sleep(100)`.catch(() => undefined)
    await expect.poll(() => at(primaryUrl, end), PATIENT).toHaveLength(1)
    expect(await retryUnsent(insert, store.primary)).toHaveLength(1)
    // A rejected write was not made.
    expect(await sql`select from public.written where n = 3`).toHaveLength(2)
    await sql`delete from public.written where n = 3`
  } finally {
    await sql.end({ timeout: 0 })
  }
})

test('a connection that leads to a copy is not used', async () => {
  door.lead(copyUrl)
  await expect(write()).rejects.toThrow('The database is not reachable')
  door.lead(primaryUrl)
  await expect.poll(() => write().catch(() => null), PATIENT).toBe('1')
})

test('without the primary everything is read from the copy, and changes are refused for now', async () => {
  expect(await ask('/add', 'POST')).toMatchObject({ status: 200 })
  expect(await ask('/count')).toMatchObject({ status: 200, text: '1' })
  await copied()
  door.lead(null)
  await expect(write()).rejects.toThrow('The database is not reachable')
  expect(await isCopy(false)).toBe('true')
  const refused = await ask('/add', 'POST')
  expect([refused.status, Number(refused.after) > 0]).toEqual([503, true])
  expect(await ask('/count')).toMatchObject({ status: 200, text: '1' })
  await expect.poll(async () => (await ask('/_ingot/ready')).text, PATIENT).toContain('"database":"read-only"')
  expect(await ask('/_ingot/ready')).toMatchObject({ status: 200 })
})

test('after the copy has taken over, everything goes on there', async () => {
  await stopCluster(places[0] as ClusterLocation, 'immediate')
  await at(copyUrl, 'select pg_promote()')
  door.lead(copyUrl)
  await expect.poll(() => write().catch(() => null), PATIENT).toBe('1')
  await expect.poll(async () => (await ask('/add', 'POST')).status, PATIENT).toBe(200)
  expect(await ask('/count')).toMatchObject({ status: 200, text: '2' })
  await expect.poll(async () => (await ask('/_ingot/ready')).text, PATIENT).toContain('"database":"ok"')
})
