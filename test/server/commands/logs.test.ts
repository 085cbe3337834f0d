/** Tests `ingot logs`: the entries that it prints, and following new ones. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { logsCommand, readLogsLine, runLogsLine } from '../../../server/commands/logs.ts'
import { openDesktop } from '../../../server/web/logs/desktop-notifications.ts'
import { LOG_CHANNEL } from '../../../server/web/logs/model.ts'
import { readSettings } from '../../../server/core/settings.ts'
import { StartError } from '../../../server/core/start-error.ts'
import { createClient } from '../../../server/data/store/connection.ts'
import { readDatabaseUrl } from '../../../server/data/store/database-url.ts'
import { type TestDatabase, testDatabase } from '../../support/database.ts'
import { type Programs, programs } from '../../support/server/program.ts'

let database: TestDatabase
const NOW = new Date('2026-02-28T12:00:00Z')

beforeAll(async () => {
  database = await testDatabase()
})
afterAll(() => database?.close())
beforeEach(async () => {
  await database.sql`truncate ingot.logs restart identity`
})

async function say(type: string, message: string, data: object = {}, ago = '0'): Promise<void> {
  await database.sql`
    insert into ingot.logs (type, message, data, created_at)
    values (${type}, ${message}, ${JSON.stringify(data)}::text::jsonb, now() - ${ago}::text::interval)`
  await database.sql`select pg_notify(${LOG_CHANNEL}, '')`
}

/** Runs a command line to its end. */
async function run(...words: string[]): Promise<{ out: string; said: string }> {
  const texts = { out: '', said: '' }
  await runLogsLine(readLogsLine(words, new Date()), database.sql, {
    out: (text) => void (texts.out += text),
    print: (text) => void (texts.said += text),
    signal: new AbortController().signal,
  })
  return texts
}

/** Follows the log in the background. */
function following(...words: string[]) {
  const over = new AbortController()
  const sql = createClient(readDatabaseUrl(database.url, 'DATABASE_URL'), { pool: 2, name: 'follower' })
  const texts = { out: '', said: '' }
  const raised: string[] = []
  const desktop = { raise: (message: string) => void raised.push(message), close: async () => undefined }
  const done = runLogsLine(readLogsLine(['--follow', ...words], new Date()), sql, {
    out: (text) => void (texts.out += text),
    print: (text) => void (texts.said += text),
    signal: over.signal,
    desktop,
  })
  return {
    texts,
    raised,
    messages: () =>
      texts.out.split('\n').flatMap((line) => (line === '' ? [] : [(JSON.parse(line) as { message: string }).message])),
    async stop() {
      over.abort()
      await done
      await sql.end({ timeout: 1 })
    },
  }
}

describe('the line', () => {
  test('says what is wrong with it', () => {
    const wrong = (...words: string[]): string => {
      try {
        readLogsLine(words, NOW)
        return ''
      } catch (error) {
        expect(error).toBeInstanceOf(StartError)
        return (error as Error).message
      }
    }
    expect(wrong('--typ', 'x')).toContain("no option '--typ'")
    expect(wrong('--type')).toContain('--type needs a value')
    expect(wrong('--json=yes')).toContain('--json takes no value')
    expect(wrong('a', 'b')).toContain('takes one folder')
    expect(wrong('--grep', '(')).toContain('--grep is invalid')
    expect(wrong('--grep', '(?=x)')).toContain('--grep is invalid')
    for (const since of ['yesterday', '5', '5y', '-5m', '2026-13-45'])
      expect(wrong(`--since=${since}`)).toContain('--since cannot be')
    for (const limit of ['x', '-1', '1.5', '100001']) expect(wrong(`--limit=${limit}`)).toContain('--limit cannot be')
    expect(wrong('--notify')).toContain('--notify needs --follow')
  })

  test.each([
    ['30s', '2026-02-28T11:59:30.000Z'],
    ['2h', '2026-02-28T10:00:00.000Z'],
    ['3d', '2026-02-25T12:00:00.000Z'],
    ['2026-02-01T08:00Z', '2026-02-01T08:00:00.000Z'],
  ])('--since %s is %s', (text, date) => {
    expect(readLogsLine([`--since=${text}`], NOW).filter.since?.toISOString()).toBe(date)
  })
})

test('the last entries, the oldest first, through filters', async () => {
  for (let count = 1; count <= 5; count++)
    await say(
      count % 2 === 0 ? 'error' : 'info',
      `entry ${count}`,
      { user: { id: '7', email: `u${count}@example.com` } },
      `${6 - count} hours`,
    )
  const messages = async (...words: string[]): Promise<unknown[]> =>
    (await run('--json', ...words)).out
      .trim()
      .split('\n')
      .map((line) => (JSON.parse(line) as { message: unknown }).message)
  expect(await messages()).toEqual(['entry 1', 'entry 2', 'entry 3', 'entry 4', 'entry 5'])
  expect(await messages('--limit', '2')).toEqual(['entry 4', 'entry 5'])
  expect(await messages('--type', 'error')).toEqual(['entry 2', 'entry 4'])
  expect(await messages('--since', '150m')).toEqual(['entry 4', 'entry 5'])
  expect(await messages('--grep', 'y [23]$')).toEqual(['entry 2', 'entry 3'])
  expect(await messages('--grep', 'u5@')).toEqual(['entry 5'])
  expect(await messages('--grep', 'entry', '--limit', '1', '--type', 'info')).toEqual(['entry 5'])
  expect(await run('--type', 'none')).toEqual({ out: '', said: 'No entries match.\n' })
})

test('a pattern is looked for in all pages, in linear time', { timeout: 20_000 }, async () => {
  await database.sql`insert into ingot.logs (type, message) select 'info', repeat('a', 2000) || i from generate_series(1, 3000) as i`
  const begun = performance.now()
  const { out } = await run('--json', '--grep', '(a*)*b|a1$')
  expect(out.trim().split('\n')).toHaveLength(1)
  expect(performance.now() - begun).toBeLessThan(15_000)
})

test('what others have written does not steer the terminal', async () => {
  await say('er\x1b[31mror\n', 'first\x1b]0;title\x07\r\nsecond\u202e', {
    url: 'a.example/\x1b[2J',
    page: 'x',
    user: { id: '7', email: 'a@b\x9b.c' },
    partial: 'app/p.liquid',
    line: 4,
  })
  const { out } = await run()
  expect(out).not.toMatch(/[\x00-\x09\x0b-\x1a\x1c-\x1f\x7f-\x9f\u202e]/)
  const bare = out.replace(/\x1b\[\d+m/g, '')
  expect(bare).not.toContain('\x1b')
  expect(bare).toContain('first\\x1b]0;title\\x07\n    second\\u202e\n')
  expect(bare).toContain('    app/p.liquid:4  a.example/\\x1b[2J  page x  user 7 a@b\\x9b.c\n')
})

test('an error is shown with its place and its stack', async () => {
  const stack = [
    { path: 'app/lib/a.liquid', line: 2 },
    { path: 'app/views/pages/b.liquid', line: 9 },
    'broken',
    { path: 5 },
  ]
  await say('error', 'broken', {
    schema_version: 1,
    stack,
    partial: 'app/lib/a.liquid',
    line: 2,
    page: '',
    context: { url: 'x.example/', job: '12' },
  })
  const bare = (await run()).out.replace(/\x1b\[\d+m/g, '')
  expect(bare.split('\n').slice(1)).toEqual([
    '    app/lib/a.liquid:2  x.example/  page /  job 12',
    '    at app/views/pages/b.liquid:9',
    '',
  ])
})

test('what is logged while it follows is shown at once, through the filters', async () => {
  for (let count = 0; count < 15; count++) await say('info', `old ${count}`)
  const follower = following('--json', '--grep', 'old|new', '--notify')
  await expect.poll(() => follower.messages()).toHaveLength(10)
  const begun = performance.now()
  await say('info', 'new 1')
  await expect.poll(() => follower.messages().at(-1), { interval: 10 }).toBe('new 1')
  expect(performance.now() - begun).toBeLessThan(1_000)
  await say('info', 'other')
  await say('error', 'new 2')
  await expect.poll(() => follower.messages().slice(10)).toEqual(['new 1', 'new 2'])
  expect(follower.raised).toEqual(['new 2'])
  await follower.stop()
})

test('an entry that is committed late, below others, is not lost; nothing is shown twice', async () => {
  const follower = following('--json')
  await say('info', 'first')
  await expect.poll(() => follower.messages()).toEqual(['first'])
  const slow = await database.sql.reserve()
  await slow`begin`
  await slow`insert into ingot.logs (type, message) values ('info', 'late')`
  await say('info', 'early')
  await expect.poll(() => follower.messages()).toEqual(['first', 'early'])
  await slow`select pg_notify(${LOG_CHANNEL}, '')`
  await slow`commit`
  slow.release()
  await expect.poll(() => follower.messages()).toEqual(['first', 'early', 'late'])
  await sleep(2_500)
  expect(follower.messages()).toEqual(['first', 'early', 'late'])
  await follower.stop()
})

test('one that follows many writers at once shows every entry once', async () => {
  const follower = following('--json', '--limit', '0')
  await sleep(200)
  await Promise.all(
    Array.from({ length: 8 }, async (_, writer) => {
      for (let count = 0; count < 25; count++)
        await database.sql.begin(async (sql) => {
          await sql`insert into ingot.logs (type, message) values ('info', ${`${writer} ${count}`})`
          await sql`select pg_sleep(random() * 0.01), pg_notify(${LOG_CHANNEL}, '')`
        })
    }),
  )
  await expect.poll(() => follower.messages().length).toBe(200)
  expect(new Set(follower.messages()).size).toBe(200)
  await follower.stop()
})

test('it goes on after the database was away, with what was logged meanwhile', { timeout: 30_000 }, async () => {
  const follower = following('--json')
  await say('info', 'before')
  await expect.poll(() => follower.messages()).toEqual(['before'])
  for (let turn = 0; turn < 3; turn++) {
    await database.sql`select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'follower'`
    await say('info', `meanwhile ${turn}`)
    await sleep(100)
  }
  await expect.poll(() => follower.messages()).toEqual(['before', 'meanwhile 0', 'meanwhile 1', 'meanwhile 2'])
  await say('info', 'after')
  await expect.poll(() => follower.messages().at(-1)).toBe('after')
  await follower.stop()
})

describe('the desktop', () => {
  test('shows the first error at once, and those of the next moments together', async () => {
    const shown: { title: string; message: string }[] = []
    const desktop = openDesktop(
      () => undefined,
      () => (options, done) => {
        shown.push(options)
        done(null)
      },
      100,
    )
    for (let count = 0; count < 50; count++) desktop.raise(`error ${count}`)
    expect(shown).toHaveLength(1)
    await sleep(150)
    expect(shown).toEqual([
      { title: 'Ingot: an error', message: 'error 0' },
      { title: 'Ingot: 49 more errors', message: 'error 49' },
    ])
    desktop.raise("--icon=x $(rm -rf /) `id` \"; <b>bold</b> \x1b[31m 'żółw'")
    expect(shown[2]?.message).toMatch(/^icon=x/)
    expect(shown[2]?.message).not.toMatch(/[$`"'<>\x1b\\|&]/)
    expect(shown[2]?.message).toContain('żółw')
    await desktop.close()
  })

  test('that offers none is said once, and is no reason to end', async () => {
    const said: string[] = []
    const desktop = openDesktop(
      (sentence) => void said.push(sentence),
      () => {
        throw new Error('no notify-send')
      },
      5,
    )
    for (let count = 0; count < 5; count++) {
      desktop.raise('error')
      await sleep(15)
    }
    await desktop.close()
    expect(said).toEqual(['Desktop notifications are not available (no notify-send). The log continues without them.'])
  })
})

test('the command finds the database of a folder', async () => {
  const settings = readSettings({ DATABASE_URL: database.url }, 'development')
  await expect(logsCommand(readLogsLine([join(tmpdir(), 'is-not-there')], NOW), settings)).rejects.toThrow(
    'There is no folder',
  )
  const folder = mkdtempSync(join(tmpdir(), 'ingot-logs-'))
  expect(await logsCommand(readLogsLine([folder, '--type', 'none'], NOW), settings)).toBe(0)
  rmSync(folder, { recursive: true })
})

describe('as a process', () => {
  let ground: Programs
  beforeAll(async () => {
    ground = await programs()
  })
  afterAll(() => ground?.clean())

  test('it prints, follows, says once that there is no desktop, and ends by a signal with 0', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'ingot-logs-'))
    await say('info', 'printed')
    const variables = { DATABASE_URL: database.url, PATH: '/nowhere', DISPLAY: '' }
    const once = ground.start(['logs', folder, '--json'], variables)
    expect(await once.exitCode).toBe(0)
    expect(once.output()).toContain('"message":"printed"')
    const running = ground.start(['logs', folder, '--follow', '--notify'], variables)
    await running.waitForOutput('printed')
    await say('error', 'seen while following')
    await running.waitForOutput('Desktop notifications are not available')
    await say('error', 'and another')
    await running.waitForOutput('and another')
    running.child.kill('SIGINT')
    expect(await running.exitCode).toBe(0)
    expect(running.output().match(/notifications are not available/g)).toHaveLength(1)
    rmSync(folder, { recursive: true })
  })

  test('a line that is wrong ends with 2 and a sentence', async () => {
    const wrong = await ground.run(['logs', '--grep', '('])
    expect(wrong.code).toBe(2)
    expect(wrong.said).toContain('The pattern of --grep is invalid')
  })
})
