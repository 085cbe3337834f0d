/** The embedded database. */
import { execFile, execFileSync } from 'node:child_process'
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { connect as openConnection } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, afterEach, describe, expect, it } from 'vitest'
import { connect } from '../../../../server/data/store/connection.ts'
import { failureOf } from '../../../../server/data/store/failure.ts'
import { accountFor, requireReach } from '../../../../server/data/store/postgres/account.ts'
import { findBinaries, createMissingLinks } from '../../../../server/data/store/postgres/binaries.ts'
import {
  type ClusterLocation,
  isRunning,
  serverPid,
  stopCluster,
} from '../../../../server/data/store/postgres/cluster.ts'
import { type Embedded, openEmbedded } from '../../../../server/data/store/postgres/embedded.ts'

const made: string[] = []
const open: Embedded[] = []

function openHome(): string {
  const home = mkdtempSync(join(tmpdir(), 'ingot-embedded-'))
  execFileSync('chmod', ['755', home])
  return home
}

function dataFolder(name = 'data'): string {
  const home = openHome()
  made.push(home)
  return join(home, name)
}

/** A data folder that tests share; the first of them creates the database, which takes longer than most tests. */
const common = join(openHome(), 'data')

async function place(data: string): Promise<ClusterLocation> {
  const folder = join(data, 'postgres')
  return { folder, binaries: await findBinaries(null), account: accountFor(folder), settings: {}, durable: true }
}

interface Told {
  readonly level: string
  readonly message: string
}

async function start(data: string, told: Told[] = []): Promise<Embedded> {
  const say = (level: string) => (_fields: object, message: string) => void told.push({ level, message })
  const embedded = await openEmbedded(data, { info: say('info'), warn: say('warn'), error: say('error') })
  open.push(embedded)
  return embedded
}

/** Returns the server's response to a user who connects without a password: `admitted`, or its error. */
function greeting(socket: string, user: { readonly uid: number; readonly gid: number } | null): Promise<string> {
  const program = `
    const words = Buffer.from('user\\0app\\0database\\0postgres\\0\\0')
    const head = Buffer.alloc(8)
    head.writeInt32BE(8 + words.length, 0)
    head.writeInt32BE(196608, 4)
    const socket = require('node:net').connect(process.argv[1])
    socket.on('connect', () => socket.write(Buffer.concat([head, words])))
    socket.on('error', (error) => console.log(error.code))
    socket.once('data', (data) => {
      console.log(data[0] === 0x52 && data.readInt32BE(5) === 0 ? 'admitted' : data.toString('latin1'))
      socket.destroy()
    })`
  return new Promise((done, fail) => {
    const options = { cwd: '/', ...(user ?? {}) }
    execFile(process.execPath, ['-e', program, socket], options, (error, out) =>
      error ? fail(error) : done(out.trim()),
    )
  })
}

async function ask<T>(url: string, sql: string): Promise<T[]> {
  const client = await connect(url, 'DATABASE_URL', { pool: 2, name: 'ingot test' })
  const rows = await client.unsafe(sql)
  await client.end()
  return [...rows] as T[]
}

afterEach(async () => {
  await Promise.all(open.splice(0).map((one) => one.close()))
  for (const home of made.splice(0)) await discard(home)
})
afterAll(() => discard(dirname(common)))

async function discard(home: string): Promise<void> {
  for (const name of readdirSync(home)) {
    const at = await place(join(home, name))
    if (existsSync(at.folder)) await stopCluster(at, 'immediate')
  }
  rmSync(home, { recursive: true, force: true })
}

describe('our own PostgreSQL', () => {
  it('is made, keeps what is written, and is stopped by the command that leaves it', async () => {
    const first = await start(common)
    await ask(first.url, 'create table kept (n int); insert into kept values (7)')
    await first.close()
    expect(await isRunning(await place(common))).toBe(false)
    const second = await start(common)
    expect(await ask(second.url, 'select n from kept')).toEqual([{ n: 7 }])
    expect(second.url).toBe(first.url)
  })

  it('sorts and folds letters alike on every machine', async () => {
    const { url } = await start(common)
    const [row] = await ask<{ folded: string; sorted: string }>(
      url,
      `select lower('ŻÓŁĆ') as folded, (select string_agg(x, '' order by x) from unnest(array['b', 'Z', 'ä', 'a']) x) as sorted`,
    )
    expect(row).toEqual({ folded: 'żółć', sorted: 'Zabä' })
  })

  it('is made once when four commands start at once, and stays until the last leaves', async () => {
    const data = dataFolder()
    const all = await Promise.all(Array.from({ length: 4 }, () => start(data)))
    expect(new Set(all.map(({ url }) => url)).size).toBe(1)
    expect(readdirSync(data).filter((name) => name !== '.gitignore')).toEqual(['postgres'])
    const last = all.pop() as Embedded
    await Promise.all(all.map((one) => one.close()))
    expect(await isRunning(await place(data))).toBe(true)
    await last.close()
    expect(await isRunning(await place(data))).toBe(false)
  })

  it('is started by four commands at once, also where its log is so long that it is put aside', async () => {
    const log = join(common, 'postgres/server.log')
    await (await start(common)).close()
    appendFileSync(log, 'long\n'.repeat(2_000_000))
    const all = await Promise.all(Array.from({ length: 4 }, () => start(common)))
    expect(statSync(`${log}.old`).size).toBeGreaterThan(10_000_000)
    await Promise.all(all.map((one) => one.close()))
  })

  it('is stopped when all leave at once', async () => {
    const first = await start(common)
    const all = [first, ...(await Promise.all(Array.from({ length: 3 }, () => start(common))))]
    await Promise.all(all.map((one) => one.close()))
    expect(await isRunning(await place(common))).toBe(false)
  })

  it('may be entered while another command is stopping it', async () => {
    for (let round = 0; round < 5; round++) {
      const first = await start(common)
      const leaving = first.close()
      const second = await start(common)
      await leaving
      await expect.poll(() => ask(second.url, 'select 1 as n')).toEqual([{ n: 1 }])
      await second.close()
    }
  })

  it('admits the users who run Ingot, and nobody else who runs as the user of the server', async () => {
    const first = await start(common)
    expect(await ask(first.url, 'select 1 as n')).toEqual([{ n: 1 }])
    const socket = `${new URL(first.url.replace('@/', '@localhost/')).searchParams.get('host')}/.s.PGSQL.5432`
    const { account } = await place(common)
    expect(await greeting(socket, null)).toBe('admitted')
    // Without root, there is no other user to test with.
    if (account !== null) expect(await greeting(socket, account)).toContain('Peer authentication failed')
    expect(statSync(socket).mode & 0o77).toBe(0)
  })

  it('is made in folders that are not there, through which its own user may pass and others see nothing', async () => {
    const home = openHome()
    made.push(home)
    const before = process.umask(0)
    try {
      const { url } = await start(join(home, 'more', 'below', 'data'))
      expect(await ask(url, 'select 1 as n')).toEqual([{ n: 1 }])
    } finally {
      process.umask(before)
    }
    for (const folder of ['more', 'more/below', 'more/below/data'])
      expect(statSync(join(home, folder)).mode & 0o66).toBe(0)
    await (open.pop() as Embedded).close()
    await stopCluster(await place(join(home, 'more/below/data')), 'immediate')
    rmSync(join(home, 'more'), { recursive: true })
  })

  it('takes over a folder that admitted everybody, while it runs and when it is started', async () => {
    const first = await start(common)
    await ask(first.url, 'create table before (n int); insert into before values (7)')
    const at = await place(common)
    const hba = join(at.folder, 'pg_hba.conf')
    const trusted = 'local all all trust\n'
    const socket = `${new URL(first.url.replace('@/', '@localhost/')).searchParams.get('host')}/.s.PGSQL.5432`
    const reload = (): boolean =>
      process.kill(Number(readFileSync(join(at.folder, 'postmaster.pid'), 'utf8').split('\n')[0]), 'SIGHUP')
    writeFileSync(hba, trusted)
    reload()
    if (at.account !== null) await expect.poll(() => greeting(socket, at.account), { timeout: 60_000 }).toBe('admitted')
    const second = await start(common)
    if (at.account !== null)
      await expect.poll(() => greeting(socket, at.account), { timeout: 60_000 }).toContain('Peer authentication failed')
    await Promise.all(open.splice(0).map((one) => one.close()))
    // A start that was killed between the two files admits no one else, and the next start writes both.
    writeFileSync(hba, trusted)
    writeFileSync(join(at.folder, 'pg_ident.conf'), '')
    const third = await start(common)
    expect(await ask(third.url, 'select n from before')).toEqual([{ n: 7 }])
    expect(readFileSync(hba, 'utf8')).not.toContain('trust')
    if (at.account !== null) expect(await greeting(socket, at.account)).toContain('Peer authentication failed')
    expect(second.url).toBe(third.url)
  })

  it('is started again when it dies', async () => {
    const told: Told[] = []
    const { url } = await start(common, told)
    await ask(url, 'create table written (n int); insert into written values (7)')
    process.kill((await serverPid(await place(common))) as number, 'SIGKILL')
    await expect.poll(() => told.map(({ message }) => message)).toContain('the database is back')
    expect(await ask(url, 'select n from written')).toEqual([{ n: 7 }])
  })

  it('is not spoiled by a making that was broken off', async () => {
    const data = dataFolder()
    const left = join(data, 'postgres.new-0123456789ab_2_100-broken')
    mkdirSync(join(left, 'cluster'), { recursive: true })
    writeFileSync(join(left, 'cluster', 'PG_VERSION'), '18\n')
    const long = new Date(Date.now() - 3_600_000)
    execFileSync('touch', ['-d', long.toISOString(), left])
    const { url } = await start(data)
    expect(await ask(url, 'select 1 as n')).toEqual([{ n: 1 }])
    expect(existsSync(left)).toBe(false)
  })

  it.each([
    ['a long path', 'x'.repeat(120)],
    ['spaces, quotes, signs of the shell and letters of other languages', `it's "$HOME" \`id\` %20,;& żółte-数据`],
  ])('works in a folder with %s', async (_what, name) => {
    const { url } = await start(dataFolder(name))
    expect(await ask(url, 'select 1 as n')).toEqual([{ n: 1 }])
  })

  it('cannot be reached by other users, and not over the network', async () => {
    const { url } = await start(common)
    expect(statSync(join(common, 'postgres')).mode & 0o77).toBe(0)
    expect(await ask(url, `select current_setting('listen_addresses') as addresses`)).toEqual([{ addresses: '' }])
  })

  it('ignores what is set for the client programs of PostgreSQL', async () => {
    const before = { ...process.env }
    Object.assign(process.env, {
      PGDATA: '/nowhere',
      PGPORT: '1',
      PGHOST: 'nowhere',
      PGUSER: 'nobody',
      PGOPTIONS: '-c x',
    })
    try {
      const { url } = await start(common)
      expect(await ask(url, 'select current_user::text as user')).toEqual([{ user: 'app' }])
    } finally {
      for (const name of Object.keys(process.env)) if (!(name in before)) delete process.env[name]
    }
  })
})

describe('what stands against our own PostgreSQL', () => {
  it('is said: a file where the folder should be', async () => {
    const data = dataFolder()
    writeFileSync(data, '')
    await expect(start(data)).rejects.toThrow(`A part of INGOT_DATA is a file, not a folder: '${data}'.`)
    rmSync(data)
  })

  it.runIf(process.platform === 'linux')('is said: a folder where nothing can be made', async () => {
    await expect(start('/proc/nothing/below')).rejects.toThrow(
      `'/proc/nothing/below' of the database cannot be written by this user`,
    )
  })

  it('is said: a cluster of another version', async () => {
    await (await start(common)).close()
    const file = join(common, 'postgres', 'PG_VERSION')
    const version = readFileSync(file, 'utf8')
    writeFileSync(file, '14\n')
    await expect(start(common)).rejects.toThrow(
      /was created by PostgreSQL 14, but this is PostgreSQL 18: move its data with pg_dump/,
    )
    writeFileSync(file, version)
  })

  it.runIf(process.getuid?.() === 0)('is said: a folder that the account of the database may not enter', async () => {
    const data = dataFolder('closed/data')
    mkdirSync(join(data, '..'), { mode: 0o700 })
    await expect(start(data)).rejects.toThrow(
      /PostgreSQL does not run as root and runs as user \d+ instead, which may not enter '.*closed': set INGOT_DATA/,
    )
  })

  it('is said: a program of the installation that is missing, which is not the database being away', async () => {
    const bin = dataFolder('bin')
    mkdirSync(bin)
    for (const name of ['initdb', 'postgres']) writeFileSync(join(bin, name), '')
    await expect(findBinaries(bin)).rejects.toThrow(`The file '${join(bin, 'pg_ctl')}' of PostgreSQL is missing`)
    const missing = await readFile(join(bin, 'pg_ctl')).catch((error: unknown) => error)
    expect(failureOf(missing)).toBeNull()
    const [away] = await once(openConnection({ path: join(bin, 'socket') }), 'error').catch((error: unknown) => [error])
    expect(failureOf(away)?.kind).toBe('away')
  })

  it('is found on the way to a file', () => {
    const home = mkdtempSync(join(tmpdir(), 'ingot-reach-'))
    made.push(home)
    const nobody = { uid: 4_000_000, gid: 4_000_000 }
    mkdirSync(join(home, 'a/b'), { recursive: true })
    expect(() => requireReach(join(home, 'a/b/file'), nobody, 'mend it')).toThrow(`may not enter '${home}': mend it.`)
    execFileSync('chmod', ['711', home])
    expect(() => requireReach(join(home, 'a/b/file'), nobody, 'mend it')).not.toThrow()
    expect(() => requireReach(join(home, 'a/b/file'), null, 'mend it')).not.toThrow()
  })
})

describe('the libraries of the package', () => {
  it('get the links that an installation without scripts leaves out', () => {
    const home = mkdtempSync(join(tmpdir(), 'ingot-native-'))
    made.push(home)
    const native = join(home, 'native')
    mkdirSync(join(native, 'lib'), { recursive: true })
    writeFileSync(join(native, 'lib/libx.so.1.2'), 'library')
    const links = ['libx.so', 'libx.so.1'].map((name) => ({
      source: 'native/lib/libx.so.1.2',
      target: `native/lib/${name}`,
    }))
    writeFileSync(join(native, 'pg-symlinks.json'), JSON.stringify(links))
    expect(createMissingLinks(native)).toBe(native)
    expect(readlinkSync(join(native, 'lib/libx.so.1'))).toBe('libx.so.1.2')
    expect(readFileSync(join(native, 'lib/libx.so'), 'utf8')).toBe('library')
    expect(createMissingLinks(native)).toBe(native)
  })
})
