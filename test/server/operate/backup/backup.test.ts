/** Tests backups of a database under load, and damaged backups. */
import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Sql } from 'postgres'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { makeBackup } from '../../../../server/operate/backup/backup.ts'
import { restoreBackup, type RestoreOptions, verifyBackup } from '../../../../server/operate/backup/restore.ts'
import { connect } from '../../../../server/data/store/connection.ts'
import { type Embedded, openEmbedded } from '../../../../server/data/store/postgres/embedded.ts'

const silent = { info: () => undefined, warn: () => undefined, error: () => undefined }
const home = mkdtempSync(join(tmpdir(), 'ingot-backup-'))
const data = join(home, 'data')
const archive = join(home, 'archive')
/** The access rules of the database, in a data folder. */
const HBA = 'postgres/pg_hba.conf'
let embedded: Embedded
let sql: Sql

beforeAll(async () => {
  execFileSync('chmod', ['755', home])
  embedded = await openEmbedded(data, silent, archive)
  sql = await connect(embedded.url, 'DATABASE_URL', { pool: 20, name: 'ingot test' })
  await sql`create table written (writer int, number int, at timestamptz default clock_timestamp(), pad text)`
  mkdirSync(join(data, 'files/uploads/a'), { recursive: true })
  writeFileSync(join(data, 'files/uploads/a/photo.png'), 'first')
  writeFileSync(join(data, 'secret'), 'of this installation')
})

afterAll(async () => {
  await sql.end()
  await embedded.close()
  rmSync(home, { recursive: true, force: true })
})

/**
 * Writes rows from several connections until `stop` is called. The connections have consecutive numbers from `first`. `numbers` contains
 * the last acknowledged row of each.
 */
function startWriting(writers: number, first = 0): { readonly numbers: number[]; stop(): Promise<void> } {
  let isOver = false
  const numbers = Array.from({ length: writers }, () => 0)
  const write = async (writer: number): Promise<void> => {
    while (!isOver) {
      const number = (numbers[writer] ?? 0) + 1
      await sql`insert into written (writer, number, pad) values (${first + writer}, ${number}, repeat(md5(${number}::text), 20))`
      numbers[writer] = number
      // Without a pause, most of the time would be spent on copying the rows that are written during the backup.
      await sleep(5)
    }
  }
  const all = numbers.map((_, writer) => write(writer))
  return {
    numbers,
    async stop() {
      isOver = true
      await Promise.all(all)
    },
  }
}

async function restored<T>(
  options: Pick<RestoreOptions, 'backup'> & Partial<RestoreOptions>,
  look: (sql: Sql, folder: string) => Promise<T>,
): Promise<T> {
  const folder = mkdtempSync(join(home, 'restored-'))
  execFileSync('chmod', ['711', folder])
  await restoreBackup({ archive: null, until: null, files: null, dataFolder: folder, ...options })
  const other = await openEmbedded(folder, silent)
  const client = await connect(other.url, 'DATABASE_URL', { pool: 2, name: 'ingot test' })
  try {
    return await look(client, folder)
  } finally {
    await client.end()
    await other.close()
  }
}

/** Returns the highest number of each writer, and checks that no lower number is missing. */
async function numbersOf(client: Sql): Promise<readonly number[]> {
  const rows = await client<{ writer: number; most: number; count: number }[]>`
    select writer, max(number)::int as most, count(*)::int as count from written group by writer order by writer`
  expect(rows.filter(({ most, count }) => most !== count)).toEqual([])
  return rows.map(({ most }) => most)
}

/** A way to damage a backup, and the expected message. */
interface Tear {
  readonly how: string
  /** The damaged file of the backup. */
  readonly file: string
  /** Returns the damaged content. Null if the file is missing. */
  readonly tear: (text: string) => string | null
  readonly told: string
}

const LIST = 'backup.json'

const TEARS: readonly Tear[] = [
  {
    how: 'a file is missing',
    file: 'postgres/PG_VERSION',
    tear: () => null,
    told: 'PG_VERSION is missing',
  },
  {
    how: 'a file ends early',
    file: 'postgres/global/pg_control',
    tear: () => 'x',
    told: 'pg_control has changed',
  },
  {
    how: 'a byte more is there',
    file: 'data/secret',
    tear: (text) => `${text} `,
    told: 'secret has changed',
  },
  {
    how: 'its list is missing',
    file: LIST,
    tear: () => null,
    told: 'is not a finished backup',
  },
  {
    how: 'its list ends early',
    file: LIST,
    tear: (text) => text.slice(0, 500),
    told: 'was not written by `ingot backup`',
  },
  {
    how: 'its list leads outside',
    file: LIST,
    tear: (text) => text.replace('data/secret', 'data/../../secret'),
    told: 'was not written by `ingot backup`',
  },
]

describe('a backup', () => {
  const backup = join(home, 'backup')

  it('of a database that is written to holds all that was committed before it ended, and its files', async () => {
    const writing = startWriting(8)
    await sql`select pg_sleep(0.3)`
    const before = [...writing.numbers]
    await makeBackup({ databaseUrl: embedded.url, dataFolder: data, target: backup, version: '0' })
    const after = [...writing.numbers]
    await writing.stop()
    expect(Math.min(...before)).toBeGreaterThan(0)
    await restored({ backup }, async (client, folder) => {
      const found = await numbersOf(client)
      expect(found.map((number, writer) => number >= (before[writer] ?? 0))).toEqual(found.map(() => true))
      // A row may be committed a moment before its acknowledgement is counted.
      expect(found.map((number, writer) => number <= (after[writer] ?? 0) + 1)).toEqual(found.map(() => true))
      expect(readFileSync(join(folder, 'files/uploads/a/photo.png'), 'utf8')).toBe('first')
      expect(readFileSync(join(folder, 'secret'), 'utf8')).toBe('of this installation')
      expect(readFileSync(join(folder, HBA), 'utf8')).toBe(readFileSync(join(data, HBA), 'utf8'))
      await client`insert into written (writer, number) values (0, ${(found[0] ?? 0) + 1})`
    })
  })

  it('of a database that admitted everybody is restored to one that does not', async () => {
    const now = readFileSync(join(data, HBA), 'utf8')
    await sql`insert into written (writer, number) values (-1, 1)`
    // These are the access rules that an earlier version wrote.
    writeFileSync(join(data, HBA), 'local all all trust\n')
    const trusting = join(home, 'backups', 'trusting')
    await makeBackup({ databaseUrl: embedded.url, dataFolder: data, target: trusting, version: '1.0.0' })
    writeFileSync(join(data, HBA), now)
    await restored({ backup: trusting }, async (client, folder) => {
      expect(await client`select number from written where writer = -1`).toHaveLength(1)
      expect(readFileSync(join(folder, HBA), 'utf8')).toBe(now)
    })
    await sql`delete from written where writer = -1`
  })

  it('leaves no slot behind that would keep the write-ahead log', async () => {
    expect(await sql`select slot_name from pg_replication_slots`).toEqual([])
  })

  it('is not written over, nor into a folder that holds something', async () => {
    const again = { databaseUrl: embedded.url, dataFolder: data, target: backup, version: '0' }
    await expect(makeBackup(again)).rejects.toThrow('is not empty')
    await expect(restoreBackup({ backup, dataFolder: data, archive: null, until: null, files: null })).rejects.toThrow(
      'is not empty',
    )
  })

  it.for(TEARS)('is refused when $how, and leaves nothing behind', async ({ file, tear, told }) => {
    const damaged = join(backup, file)
    const whole = readFileSync(damaged)
    const torn = tear(whole.toString('latin1'))
    if (torn === null) rmSync(damaged)
    else writeFileSync(damaged, torn, 'latin1')
    const dataFolder = join(home, 'never')
    await expect(restoreBackup({ backup, dataFolder, archive: null, until: null, files: null })).rejects.toThrow(told)
    expect(existsSync(dataFolder)).toBe(false)
    expect(readdirSync(home).filter((name) => name.startsWith('.'))).toEqual([])
    writeFileSync(damaged, whole, { mode: 0o600 })
  })

  it('that was damaged is accepted again when its files are as they were', async () => {
    expect((await verifyBackup(backup)).files.length).toBeGreaterThan(0)
  })

  it('that is broken off leaves nothing at its place', async () => {
    const target = join(home, 'broken')
    const making = makeBackup({ databaseUrl: embedded.url, dataFolder: data, target, version: '0' })
    const ended = (async () => {
      for (;;) {
        const rows = await sql`
          select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'ingot backup'`
        if (rows.count > 0) return
      }
    })()
    await expect(making).rejects.toThrow()
    await ended
    expect(existsSync(target)).toBe(false)
    expect(readdirSync(home).filter((name) => name.startsWith('.'))).toEqual([])
  })
})

describe('the archive of the write-ahead log', () => {
  const backup = join(home, 'earlier')

  it('brings the database back as it was at a time, and as it was at the end', async () => {
    await makeBackup({ databaseUrl: embedded.url, dataFolder: data, target: backup, version: '0' })
    await sql`create table kept (name text)`
    const writing = startWriting(4, 100)
    await sql`insert into kept values ('before')`
    await sql`select pg_sleep(0.2)`
    const [moment] = await sql<{ at: Date }[]>`select clock_timestamp() as at`
    await sql`select pg_sleep(0.2)`
    await sql`delete from kept`
    await sql`insert into kept values ('after')`
    await writing.stop()
    await archived()
    const until = moment?.at ?? new Date(0)
    expect(await restored({ backup, archive, until }, namesOf)).toEqual(['before'])
    await restored({ backup, archive }, async (client) => {
      expect(await namesOf(client)).toEqual(['after'])
      expect(await numbersOf(client)).toEqual(await numbersOf(sql))
    })
  }, 300_000)

  it('is refused with a gap, a torn segment, or a time that it does not hold', async () => {
    const copy = join(home, 'gap')
    execFileSync('cp', ['-r', archive, copy])
    const { firstSegment, finishedAt } = await verifyBackup(backup)
    const later = readdirSync(copy)
      .filter((name) => /^[0-9A-F]{24}$/.test(name) && name >= firstSegment)
      .toSorted()
    expect(later.length).toBeGreaterThan(1)
    const options = { backup, dataFolder: join(home, 'never'), archive: copy, until: null, files: null }
    writeFileSync(join(copy, later.at(-1) ?? ''), 'short')
    await expect(restoreBackup(options)).rejects.toThrow('is incomplete: it has 5 bytes')
    rmSync(join(copy, later[0] ?? ''))
    await expect(restoreBackup(options)).rejects.toThrow(`${later[0]} is missing`)
    const early = new Date(Date.parse(finishedAt) - 1000)
    await expect(restoreBackup({ ...options, until: early })).rejects.toThrow('use an earlier backup')
    const late = new Date(Date.now() + 3_600_000)
    await expect(restoreBackup({ ...options, archive, until: late })).rejects.toThrow('has no commit after')
  })
})

async function namesOf(client: Sql): Promise<readonly unknown[]> {
  return (await client<{ name: string }[]>`select name from kept`).map(({ name }) => name)
}

/** Waits until everything that was written so far is in the archive. */
async function archived(): Promise<void> {
  const [row] = await sql<{ name: string }[]>`select pg_walfile_name(pg_switch_wal()) as name`
  while (!existsSync(join(archive, row?.name ?? ''))) await sql`select pg_sleep(0.05)`
}
