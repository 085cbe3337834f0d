/** Tests what a client can read of a deployed site: its log, modules and migrations. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { readLogsLine } from '../../../../server/commands/logs.ts'
import { createClient } from '../../../../server/tools/remote/client.ts'
import { runRemoteLogs } from '../../../../server/tools/remote/logs.ts'
import { type Deployed, deployed } from './deployed.ts'

const SITE = {
  'app/views/pages/index.liquid': '{% log "seen", type: "visit" %}home',
  'app/migrations/20260101000000_done.liquid': `{% graphql _ = 'set', name: 'ONE' %}`,
  'app/graphql/set.graphql': 'mutation set($name: String!) { constant_set(name: $name, value: "1") { name } }',
  'modules/shop/public/views/partials/a.liquid': 'a',
  'modules/shop/pos-module.json': '{"name": "Shop", "machine_name": "shop", "version": "1.0.0"}',
  'modules/shop/public/migrations/20260102000000_falls.liquid': `{% if context.constants.MAY %}{% else %}{% graphql _ = 'set', name: 'HALF' %}{% assign x = context.constants.TEXT | default: '{' | parse_json %}{{ x }}{% endif %}`,
}

let site: Deployed

beforeAll(async () => {
  site = await deployed('site-state', SITE)
})
afterAll(() => site?.close())

const sql = () => site.stage.ingot.database.sql
async function say(type: string, message: string, data: object = {}, ago = '0'): Promise<void> {
  await sql()`
    insert into ingot.logs (type, message, data, created_at)
    values (${type}, ${message}, ${JSON.stringify(data)}::text::jsonb, now() - ${ago}::text::interval)`
}
interface Entry {
  readonly id: number
  readonly created_at: string
  readonly error_type: string
  readonly message: string
  readonly data: Record<string, unknown>
}
async function entries(last: number | string): Promise<readonly Entry[]> {
  const { status, json } = await site.ask('GET', `app_builder/logs?last_id=${last}`)
  expect(status).toBe(200)
  return json['logs'] as readonly Entry[]
}

describe('the log', () => {
  beforeEach(async () => {
    await sql()`truncate ingot.logs restart identity`
  })

  it('has what templates log, with where they did', async () => {
    expect(await (await fetch(`${site.url}/?secret=1`)).text()).toBe('home')
    await expect.poll(() => entries(0)).toHaveLength(1)
    const [entry] = await entries(0)
    expect(entry).toMatchObject({ id: 1, error_type: 'visit', message: 'seen' })
    expect(entry?.data).toMatchObject({ url: `${site.url.slice('http://'.length)}/`, page: '/' })
    expect(entry?.created_at).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
  })

  it('is told after the last id that was seen, ascending', async () => {
    for (const text of ['one', 'two', 'three']) await say('info', text)
    expect((await entries(0)).map(({ id, message }) => [id, message])).toEqual([
      [1, 'one'],
      [2, 'two'],
      [3, 'three'],
    ])
    expect((await entries(2)).map(({ message }) => message)).toEqual(['three'])
    expect(await entries(3)).toEqual([])
    expect((await site.ask('GET', 'app_builder/logs')).json['logs']).toHaveLength(3)
    expect(await entries('null')).toHaveLength(3)
    expect((await site.ask('GET', 'app_builder/logs?last_id=x')).status).toBe(422)
    expect((await site.ask('GET', `app_builder/logs?last_id=${'9'.repeat(40)}`)).status).toBe(422)
  })

  it('is told up to where an entry with a lower id may still appear', async () => {
    await say('info', 'one')
    // Another process has reserved the second id, but has not written its entry yet.
    await sql()`select nextval(pg_get_serial_sequence('ingot.logs', 'id'))`
    await say('info', 'three')
    expect((await entries(0)).map(({ message }) => message)).toEqual(['one'])
    expect(await entries(1)).toEqual([])
    await sql()`insert into ingot.logs (id, type, message, data) overriding system value values (2, 'info', 'two', '{}')`
    expect((await entries(1)).map(({ message }) => message)).toEqual(['two', 'three'])
    // An entry that never arrives delays the others only for a short time.
    await sql()`delete from ingot.logs where id = 2`
    await sql()`update ingot.logs set created_at = now() - interval '1 minute'`
    expect((await entries(1)).map(({ message }) => message)).toEqual(['three'])
  })

  it('tells the latest to who has seen none, and the rest page by page', async () => {
    await sql()`insert into ingot.logs (type, message, data, created_at)
      select 'info', n::text, '{}', now() - interval '1 minute' from generate_series(1, 2500) n`
    expect((await entries(0)).map(({ id }) => id).at(-1)).toBe(2500)
    const seen: number[] = []
    for (let last = 1; ; last = seen.at(-1) ?? 0) {
      const ids = (await entries(last)).map(({ id }) => id)
      if (ids.length === 0) break
      seen.push(...ids)
    }
    expect(seen).toEqual(Array.from({ length: 2499 }, (_, n) => n + 2))
  })

  it('is followed by `ingot logs URL`', async () => {
    await say('info', 'before', {}, '1 minute')
    const over = new AbortController()
    const texts = { out: '', said: '' }
    const server = { url: site.url, token: await site.token('deploy'), email: null }
    const done = runRemoteLogs(
      readLogsLine([site.url, '--follow', '--json', '--type', 'info'], new Date()),
      createClient(server, '0.1.0'),
      { out: (text) => void (texts.out += text), print: (text) => void (texts.said += text), signal: over.signal },
    )
    await expect.poll(() => texts.out).toContain('"before"')
    await say('other', 'hidden')
    await say('info', 'while it follows')
    await expect.poll(() => texts.out).toContain('"while it follows"')
    over.abort()
    expect(await done).toBe(0)
    expect(
      texts.out
        .split('\n')
        .filter(Boolean)
        .map((line) => (JSON.parse(line) as Entry).message),
    ).toEqual(['before', 'while it follows'])
  })

  it('refuses a token that is not known, in one sentence', async () => {
    const texts = { out: '', said: '' }
    const output = {
      out: (text: string) => void (texts.out += text),
      print: (text: string) => void (texts.said += text),
      signal: new AbortController().signal,
    }
    const client = createClient({ url: site.url, token: 'wrong', email: null }, '0.1.0')
    expect(await runRemoteLogs(readLogsLine([site.url], new Date()), client, output)).toBe(1)
    expect(texts).toEqual({ out: '', said: expect.stringMatching(/^http.* does not accept the token: .*\n$/) })
  })
})

it('the modules of the site are told by their names', async () => {
  expect(await site.ask('GET', 'app_builder/installed_modules')).toEqual({ status: 200, json: { data: ['shop'] } })
})

describe('migrations', () => {
  it('are listed with their states', async () => {
    const { json } = await site.ask('GET', 'app_builder/migrations')
    expect(json['migrations']).toEqual([
      { id: '20260101000000', name: '20260101000000_done', state: 'done', error_messages: null },
      {
        id: '20260102000000',
        name: 'modules/shop/20260102000000_falls',
        state: 'error',
        error_messages: expect.stringContaining('modules/shop/public/migrations/20260102000000_falls.liquid:1'),
      },
    ])
  })

  it('begin with a name that has the time, and a text', async () => {
    const { status, json } = await site.ask('POST', 'app_builder/migrations', { form: { name: 'clean_up' } })
    expect(status).toBe(200)
    expect(json).toEqual({ name: expect.stringMatching(/^20\d{12}_clean_up$/), body: expect.any(String) })
    for (const name of ['', '../x', 'a b'])
      expect((await site.ask('POST', 'app_builder/migrations', { form: { name } })).status).toBe(422)
    expect((await site.ask('POST', 'app_builder/migrations', { form: {} })).status).toBe(422)
  })

  it('run by hand once they can, and once only', async () => {
    const run = (timestamp: string) => site.ask('POST', 'app_builder/migrations/run', { form: { timestamp } })
    expect(await run('20260101000000')).toMatchObject({
      status: 422,
      json: { error: expect.stringContaining('is already done') },
    })
    expect(await run('20250101000000')).toMatchObject({
      status: 422,
      json: { error: expect.stringContaining('no migration') },
    })
    expect(await run('20260102000000')).toMatchObject({
      status: 422,
      json: { error: expect.stringContaining('failed, and its changes were rolled back') },
    })
    expect(await sql()`select name from ingot.constants where name = 'HALF'`).toHaveLength(0)
    const query = 'mutation { constant_set(name: "MAY", value: "1") { name } }'
    expect((await site.ask('POST', 'graph', { json: { query } })).json).toEqual({
      data: { constant_set: { name: 'MAY' } },
    })
    expect(await run('20260102000000')).toEqual({ status: 200, json: { name: 'modules/shop/20260102000000_falls' } })
    const { json } = await site.ask('GET', 'app_builder/migrations')
    expect(json['migrations']).toMatchObject([{ state: 'done' }, { state: 'done', error_messages: null }])
    expect((await run('20260102000000')).status).toBe(422)
  })
})

it('a token has to be for what is asked', async () => {
  const [reads, executes] = [await site.token('read'), await site.token('exec')]
  expect((await site.ask('POST', 'app_builder/migrations', { token: reads, form: { name: 'x' } })).status).toBe(403)
  expect((await site.ask('GET', 'app_builder/migrations', { token: executes })).status).toBe(403)
  expect((await site.ask('GET', 'app_builder/logs', { token: 'wrong' })).status).toBe(401)
})
