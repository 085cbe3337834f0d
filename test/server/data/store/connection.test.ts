/** The client of a database: messages when it cannot connect, and the effects of a lost connection. */
import { readFileSync, writeFileSync } from 'node:fs'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer, type Server, type Socket } from 'node:net'
import { chmod } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Sql } from 'postgres'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { connect, createClient, requireServer, startError } from '../../../../server/data/store/connection.ts'
import { readDatabaseUrl } from '../../../../server/data/store/database-url.ts'
import { failureOf } from '../../../../server/data/store/failure.ts'
import { migrate } from '../../../../server/data/store/migrate.ts'
import {
  type ClusterLocation,
  createCluster,
  startCluster,
  stopCluster,
} from '../../../../server/data/store/postgres/cluster.ts'
import { openStore } from '../../../../server/data/store/store.ts'
import { databaseUrl, type TestDatabase, testDatabase } from '../../../support/database.ts'
import { testCluster } from '../../../support/postgres.ts'

const options = { pool: 3, name: 'tests' }

describe('a URL of a database', () => {
  const read = (url: string) => readDatabaseUrl(url, 'DATABASE_URL')

  it.each([
    ['postgres://u:p@host:5433/db', { host: 'host', port: 5433, database: 'db', user: 'u', password: 'p' }],
    ['postgresql://u@host', { host: 'host', port: 5432, database: 'u', user: 'u', password: '' }],
    [
      'postgres://u%40x:p%2F%3A%25@[::1]:1/a%20b',
      { host: '::1', port: 1, database: 'a b', user: 'u@x', password: 'p/:%' },
    ],
    ['postgres://app@/db?host=%2Fa%20b%2Cc', { host: '/a b,c', port: 5432, database: 'db', user: 'app', ssl: false }],
    [
      'postgres:///db?user=u&password=p&host=h&port=7',
      { host: 'h', port: 7, database: 'db', user: 'u', password: 'p' },
    ],
    ['postgres://u@/db', { host: 'localhost' }],
    ['postgres://u@h/db?sslmode=require', { ssl: 'require' }],
    ['postgres://u@h/db?sslmode=disable', { ssl: false }],
    ['postgres://u@h/db?sslmode=verify-full', { ssl: { rejectUnauthorized: true } }],
  ])('%s is read', (url, expected) => {
    expect(read(url)).toMatchObject(expected)
  })

  it.each([
    [
      'host:5432/db',
      'is not the URL of a PostgreSQL database: use the form postgres://user:password@host:5432/database.',
    ],
    ['mysql://u:secret@h/db', 'is not the URL of a PostgreSQL database'],
    ['postgres://h/db', 'contains no user'],
    ['postgres://u:secret@h:99999/db', 'is not the URL'],
    ['postgres://u:secret@h/db?port=0', 'has no port between 1 and 65535'],
    ['postgres://u:se%zzcret@h/db', "contains a '%' that does not start an escape: write it as %25."],
    ['postgres://u:secret@a,b/db', 'contains several hosts'],
    ['postgres://u:secret@h/db?sslmode=on', "unknown sslmode 'on'"],
    ['postgres://u:secret@h/db?sslmode=verify-ca&sslrootcert=/no/such', "the certificate '/no/such'"],
  ])('%s is refused with a reason, and never with the password', (url, reason) => {
    expect(() => read(url)).toThrow(reason)
    expect(() => read(url)).toThrow(/^(?!.*secret)/)
  })
})

describe('a database that cannot be had', () => {
  let database: TestDatabase
  const opened: Server[] = []
  beforeAll(async () => {
    database = await testDatabase({ empty: true })
  })
  afterAll(() => database.close())
  afterEach(() => {
    for (const server of opened.splice(0)) server.close()
  })

  /** Starts a server that speaks another protocol, or none. */
  function strange(answer: (socket: Socket) => void): Promise<number> {
    const server = createServer((socket) => {
      socket.on('error', () => undefined)
      answer(socket)
    })
    opened.push(server)
    return new Promise((done) => {
      server.listen(0, '127.0.0.1', () => {
        const address = server.address()
        done(typeof address === 'object' && address !== null ? address.port : 0)
      })
    })
  }

  it('is told from one where nobody listens', async () => {
    await expect(connect('postgres://u:secret@127.0.0.1:1/db', 'DATABASE_URL', options)).rejects.toThrow(
      'Nothing listens at the address of the database at 127.0.0.1:1/db: start the database, or correct DATABASE_URL.',
    )
    await expect(connect('postgres://u@/db?host=/no/such', 'DATABASE_REPLICA_URL', options)).rejects.toThrow(
      'Nothing listens at the address of the database at /no/such (db): start the database, or correct DATABASE_REPLICA_URL.',
    )
  })

  it('is told from one without an address', async () => {
    await expect(connect('postgres://u@no-such-host.invalid/db', 'DATABASE_URL', options)).rejects.toThrow(
      'The host name of the database at no-such-host.invalid:5432/db is unknown: correct DATABASE_URL.',
    )
  })

  it('is told from one that hangs up, or is something else', async () => {
    const silent = await strange((socket) => socket.once('data', () => socket.destroy()))
    const http = await strange((socket) => socket.once('data', () => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n')))
    const said = await Promise.all(
      [silent, http].map((port) =>
        connect(`postgres://u@127.0.0.1:${port}/db`, 'DATABASE_URL', options).catch((error: Error) => error.message),
      ),
    )
    for (const sentence of said)
      expect(sentence).toMatch(/^There is no answer from the database at 127.*check that it is running/)
  })

  it('is told from one of no such name', async () => {
    await expect(
      connect(databaseUrl(database.url.replace(/\/t_\w+\?/, '/postgres?'), 'missing'), 'DATABASE_URL', options),
    ).rejects.toThrow("There is no database 'missing': create it with createdb, or correct DATABASE_URL.")
  })

  it('is told from one without the rights', async () => {
    const role = `guest_${database.url.match(/t_\w+/)?.[0]}`
    await database.sql.unsafe(`create role ${role} login`)
    const url = database.url.replace('//app@', `//${role}@`)
    const store = openStore({
      url,
      replicaUrl: null,
      pool: 2,
      logger: { info: () => undefined, warn: () => undefined },
    })
    await expect(store).rejects.toThrow(
      new RegExp(
        `^The user '${role}' lacks rights in the database 't_\\w+' \\(permission denied for database .*\\): grant them`,
      ),
    )
    await database.sql.unsafe(`drop role ${role}`)
  })

  it('is told from one without a free connection', async () => {
    const role = `few_${database.url.match(/t_\w+/)?.[0]}`
    await database.sql.unsafe(`create role ${role} login connection limit 1`)
    const url = database.url.replace('//app@', `//${role}@`)
    const first = await connect(url, 'DATABASE_URL', options)
    await expect(connect(url, 'DATABASE_URL', options)).rejects.toThrow(
      /has no free connection: raise its max_connections, or lower INGOT_POOL or INGOT_WORKERS\.$/,
    )
    await first.end()
    await database.sql.unsafe(`drop role ${role}`)
  })

  it('is told from one in another encoding', async () => {
    const name = `${database.url.match(/t_\w+/)?.[0]}_ascii`
    await database.sql.unsafe(
      `create database ${name} encoding 'SQL_ASCII' template template0 locale_provider libc locale 'C'`,
    )
    await expect(connect(database.url.replace(/\/t_\w+\?/, `/${name}?`), 'DATABASE_URL', options)).rejects.toThrow(
      'is encoded in SQL_ASCII, but Ingot requires UTF8: create it with `createdb --encoding=UTF8 --template=template0`.',
    )
    await database.sql.unsafe(`drop database ${name} with (force)`)
  })

  it('is told from one that is too old', () => {
    const facts = { version: 140_012, shown: '14.12', encoding: 'UTF8' }
    expect(() => requireServer(facts, 'DATABASE_URL')).toThrow(
      'DATABASE_URL points to PostgreSQL 14.12, but Ingot requires 15 or newer: upgrade it',
    )
    expect(() => requireServer({ ...facts, version: 150_000 }, 'DATABASE_URL')).not.toThrow()
  })

  it('is told from one that a newer version of Ingot has been at', async () => {
    await migrate(database.sql)
    await database.sql`insert into ingot.migrations (number, name) values (900, '0900-future')`
    await expect(migrate(database.sql)).rejects.toThrow(
      /^The database was migrated to step 900 \(0900-future\) by a newer version of Ingot, but this version knows only \d+: run the newer version/,
    )
    await database.sql`delete from ingot.migrations where number = 900`
  })

  it('is told from one that only reads', async () => {
    const name = database.url.match(/t_\w+/)?.[0] ?? ''
    const other = await testDatabase({ empty: true })
    const otherName = other.url.match(/t_\w+/)?.[0] ?? ''
    await database.sql.unsafe(`alter database ${otherName} set default_transaction_read_only = on`)
    const store = openStore({
      url: other.url,
      replicaUrl: null,
      pool: 2,
      logger: { info: () => undefined, warn: () => undefined },
    })
    await expect(store).rejects.toThrow(/is a read-only copy: set DATABASE_URL to the primary/)
    await other.close()
    expect(name).not.toBe(otherName)
  })
})

describe('a copy that only reads', () => {
  it('does not hold up a start while it is away, and is used when it is there', async () => {
    const database = await testDatabase()
    const told: string[] = []
    const say = (_fields: object, message: string) => void told.push(message)
    const logger = { info: say, warn: say }
    const away = await openStore({ url: database.url, replicaUrl: 'postgres://u@127.0.0.1:1/db', pool: 2, logger })
    expect(told).toEqual([
      'Nothing listens at the address of the database at 127.0.0.1:1/db: start the database, or correct DATABASE_REPLICA_URL. Until the replica is available, the primary answers instead.',
    ])
    expect(failureOf(await away.replica?.sql.unsafe('select 1').catch((error: unknown) => error))?.kind).toBe('away')
    await away.close()
    const there = await openStore({ url: database.url, replicaUrl: database.url, pool: 2, logger })
    expect(await there.replica?.sql.unsafe('select 1 as n')).toEqual([{ n: 1 }])
    await there.close()
    await expect(openStore({ url: database.url, replicaUrl: 'nonsense', pool: 2, logger })).rejects.toThrow(
      'DATABASE_REPLICA_URL is not the URL of a PostgreSQL database',
    )
    await database.close()
  })
})

describe('a password', () => {
  let place: ClusterLocation
  const home = mkdtempSync(join(tmpdir(), 'ingot-password-'))
  beforeAll(async () => {
    await chmod(home, 0o755)
    place = await testCluster(home)
    await createCluster(place)
    const url = await startCluster(place)
    const admin = createClient(readDatabaseUrl(url, 'DATABASE_URL'), options)
    await admin.unsafe(`create role locked login password 'right'`)
    // Each start of the server rewrites the access rules, so the test changes them while the server runs.
    const rules = join(place.folder, 'pg_hba.conf')
    writeFileSync(rules, `local all locked scram-sha-256\n${readFileSync(rules, 'utf8')}`)
    const loaded = async () => (await admin`select pg_conf_load_time()::text as at`)[0]?.at
    const before = await loaded()
    await admin`select pg_reload_conf()`
    while ((await loaded()) === before) await sleep(20)
    await admin.end()
  })
  afterAll(async () => {
    await stopCluster(place, 'immediate')
    rmSync(home, { recursive: true, force: true })
  })

  it('that is wrong is said to be, and a right one lets in', async () => {
    const url = (password: string) => `postgres://locked:${password}@/postgres?host=${encodeURIComponent(place.folder)}`
    await expect(connect(url('wrong'), 'DATABASE_URL', options)).rejects.toThrow(
      /^The database at .* refuses the password of the user 'locked': correct DATABASE_URL\.$/,
    )
    const sql = await connect(url('right'), 'DATABASE_URL', options)
    expect(await sql`select current_user::text as user`).toEqual([{ user: 'locked' }])
    await sql.end()
  })
})

describe('a transaction', () => {
  let database: TestDatabase
  beforeAll(async () => {
    database = await testDatabase()
  })
  afterAll(() => database.close())

  it('is one of few kinds, and nothing else is said at its beginning', async () => {
    const failed = database.sql.begin('read only; drop schema ingot cascade', async (sql) => sql`select 1`)
    await expect(failed).rejects.toThrow(TypeError)
    expect(await database.sql.begin('read only', async (sql) => sql`show transaction_read_only`)).toEqual([
      { transaction_read_only: 'on' },
    ])
  })
})

describe('a broken connection', () => {
  let database: TestDatabase
  let watcher: Sql
  const unseen: unknown[] = []
  const see = (error: unknown) => void unseen.push(error)
  beforeAll(async () => {
    database = await testDatabase()
    watcher = createClient(readDatabaseUrl(database.url, 'DATABASE_URL'), { pool: 2, name: 'watcher' })
    process.on('uncaughtException', see)
    process.on('unhandledRejection', see)
  })
  afterAll(async () => {
    process.off('uncaughtException', see)
    process.off('unhandledRejection', see)
    await watcher.end()
    await database.close()
    expect(unseen).toEqual([])
  })

  const breakOff = (pid: unknown) => watcher`select pg_terminate_backend(${Number(pid)})`
  const pidIn = async (sql: Pick<Sql, 'unsafe'>) => (await sql.unsafe('select pg_backend_pid() as pid'))[0]?.['pid']

  it('fails the statement on it, and no other', async () => {
    const sleeping = database.sql`select pg_backend_pid() as pid, pg_sleep(20)`.catch((error: unknown) => error)
    const others = Promise.all([1, 2, 3].map((n) => database.sql`select ${n}::int as n, pg_sleep(0.5)`))
    let pid: unknown
    while (pid === undefined) {
      await sleep(200)
      const [row] =
        await watcher`select pid from pg_stat_activity where query like '%pg_sleep(20)%' and pid <> pg_backend_pid()`
      pid = row?.['pid']
    }
    await breakOff(pid)
    expect(failureOf(await sleeping)?.kind).toBe('away')
    expect((await others).map(([one]) => one?.['n'])).toEqual([1, 2, 3])
    expect(await database.sql`select 1 as n`).toEqual([{ n: 1 }])
  })

  it('undoes a transaction that is between two statements, which takes no further one', async () => {
    const reached: string[] = []
    const failed = await database.sql
      .begin(async (sql) => {
        await sql`insert into ingot.constants (name, value) values ('half', 'x')`
        await breakOff(await pidIn(sql))
        await sleep(100)
        reached.push('before')
        await sql`insert into ingot.constants (name, value) values ('rest', 'x')`
        reached.push('after')
      })
      .catch((error: unknown) => error)
    expect(failureOf(failed)?.kind).toBe('away')
    expect(reached).toEqual(['before'])
    expect(await database.sql`select from ingot.constants`).toHaveLength(0)
  })

  it('undoes a transaction in the middle of a statement, and lets the others go on', async () => {
    let pid: unknown
    const broken = database.sql
      .begin(async (sql) => {
        pid = await pidIn(sql)
        await sql`select pg_sleep(20)`
      })
      .catch((error: unknown) => error)
    const whole = database.sql.begin(async (sql) => {
      await sql`insert into ingot.constants (name, value) values ('whole', 'x')`
      await sql`select pg_sleep(0.4)`
      return 'done'
    })
    while (pid === undefined) await sleep(10)
    await sleep(200)
    await breakOff(pid)
    expect(failureOf(await broken)?.kind).toBe('away')
    expect(await whole).toBe('done')
    expect(await database.sql`select name from ingot.constants`).toEqual([{ name: 'whole' }])
    await database.sql`delete from ingot.constants`
  })

  it('leaves no statement without an answer, at whatever moment it breaks', async () => {
    const one = createClient(readDatabaseUrl(database.url, 'DATABASE_URL'), { pool: 2, name: 'busy' })
    for (let round = 0; round < 60; round++) {
      const failed = one
        .begin(async (sql) => {
          const pid = await pidIn(sql)
          setTimeout(() => void breakOff(pid).then(() => undefined), round % 20)
          for (;;) {
            void sql.unsafe('savepoint a').catch(() => undefined)
            await sql.unsafe('select $1::int', [1], { prepare: true })
            await sql.unsafe('release savepoint a')
          }
        })
        .catch((error: unknown) => error)
      const kind = Promise.race([failed.then((error) => failureOf(error)?.kind), sleep(5_000, 'no answer')])
      expect([round, await kind]).toEqual([round, 'away'])
    }
    expect(await one.begin(async (sql) => sql`select 1 as n`)).toEqual([{ n: 1 }])
    await one.end()
  })

  it('does not come into transactions: one whose statement failed is undone even where that was caught', async () => {
    const failed = await database.sql
      .begin(async (sql) => {
        await sql`insert into ingot.constants (name, value) values ('a', 'x')`
        await sql`select 1 / 0`.catch(() => undefined)
      })
      .catch((error: unknown) => error)
    expect(String(failed)).toContain('was rolled back')
    expect(await database.sql`select from ingot.constants`).toHaveLength(0)
  })

  it('does not come into savepoints: what failed in one is undone alone', async () => {
    await database.sql.begin(async (sql) => {
      await sql`insert into ingot.constants (name, value) values ('kept', 'x')`
      await sql
        .savepoint(async (inner) => {
          await inner`insert into ingot.constants (name, value) values ('undone', 'x')`
          await inner`select 1 / 0`
        })
        .catch(() => undefined)
    })
    expect(await database.sql`select name from ingot.constants`).toEqual([{ name: 'kept' }])
    await database.sql`delete from ingot.constants`
  })

  it('does not come in where more transactions run than there are connections', async () => {
    const results = await Promise.all(
      Array.from({ length: 40 }, (_, n) =>
        database.sql.begin(async (sql) => {
          const before = await pidIn(sql)
          await sleep(5)
          return (await pidIn(sql)) === before ? n : -1
        }),
      ),
    )
    expect(results).toEqual(Array.from({ length: 40 }, (_, n) => n))
  })

  it('leaves no statement behind a slow one while connections are free', async () => {
    const sql = createClient(readDatabaseUrl(database.url, 'DATABASE_URL'), { pool: 5, name: 'tests' })
    await Promise.all([1, 2, 3].map(() => sql`select pg_sleep(0.05)`))
    const slow = [sql`select pg_sleep(1.5)`.then(() => 0), sql`select pg_sleep(1.5)`.then(() => 0)]
    const begun = performance.now()
    await Promise.all(Array.from({ length: 20 }, () => sql`select 1`))
    expect(performance.now() - begun).toBeLessThan(1_000)
    await Promise.all(slow)
    await sql.end()
  })
})

describe('a server that is started again', () => {
  const home = mkdtempSync(join(tmpdir(), 'ingot-restart-'))
  let place: ClusterLocation
  beforeAll(async () => {
    await chmod(home, 0o755)
    place = await testCluster(home)
    await createCluster(place)
  })
  afterAll(async () => {
    await stopCluster(place, 'immediate')
    rmSync(home, { recursive: true, force: true })
  })

  it('is found again by clients that were connected', async () => {
    const url = await startCluster(place)
    const sql = await connect(url, 'DATABASE_URL', options)
    await stopCluster(place, 'immediate')
    const failed = await sql`select 1`.catch((error: unknown) => error)
    expect(['away', 'starting']).toContain(failureOf(failed)?.kind)
    const failedToo = await sql.begin(async (inner) => inner`select 1`).catch((error: unknown) => error)
    expect(['away', 'starting']).toContain(failureOf(failedToo)?.kind)
    await startCluster(place)
    await expect.poll(() => sql`select 1 as n`).toEqual([{ n: 1 }])
    expect(await sql.begin(async (inner) => [...(await inner`select 2 as n`)])).toEqual([{ n: 2 }])
    await sql.end()
  })

  it('is waited for while it starts', async () => {
    await stopCluster(place)
    const connecting = connect(
      `postgres://app@/postgres?host=${encodeURIComponent(place.folder)}`,
      'DATABASE_URL',
      options,
    )
    await sleep(500)
    await startCluster(place)
    const sql = await connecting
    await sql.end()
  })
})

describe('an error', () => {
  it.each([
    [{ code: '53100' }, 'The disk of the database is full: free some space.'],
    [{ code: '57P03' }, 'The database is starting up and does not answer yet.'],
    [{ code: 'SELF_SIGNED_CERT_IN_CHAIN' }, /^The certificate of the database cannot be trusted/],
  ])('%o is a sentence', (fields, sentence) => {
    const error = startError(Object.assign(new Error('x'), fields), null, 'DATABASE_URL')
    expect(error).toHaveProperty('message', expect.stringMatching(sentence))
  })

  it("that is nobody's fault but ours stays as it is", () => {
    const error = new TypeError('x')
    expect(startError(error, null, 'DATABASE_URL')).toBe(error)
  })
})
