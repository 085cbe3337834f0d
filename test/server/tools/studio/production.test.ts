/** The studio in production: only at the path that the site names, and only for visitors whom its policy admits, whatever they send. */
import { writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type TestDatabase, testDatabase } from '../../../support/database.ts'
import { type Product, product, type Server } from '../../../support/product.ts'
import { Visitor } from './visitor.ts'

const EVIL = '<script>alert(1)</script>'
const FILES = {
  'app/config.yml': 'studio:\n  path: /internal\n  policy: desk\n',
  'app/authorization_policies/desk.liquid': `---
redirect_to: "{% unless context.current_user %}/login{% endunless %}"
flash_alert: Sign in first
---
{% if context.current_user.email == 'desk@example.com' %}true{% endif %}`,
  'app/views/pages/index.liquid': 'home',
  'app/views/pages/login.liquid': 'login {{ context.flash.alert }} {{ context.params.return_to }}',
  'app/views/pages/signed.liquid': '{% sign_in user_id: context.params.id %}in',
  'app/views/pages/token.liquid': '<input name="authenticity_token" value="{{ context.authenticity_token }}">',
  'app/schema/item.yml': `name: item
properties:
  - name: title
  - name: price
    type: decimal
  - name: tags
    type: array
`,
  'app/schema/other.yml': 'name: other\nproperties:\n  - name: title\n',
}

let ingot: Product
let database: TestDatabase
let server: Server
const ids = { desk: '', guest: '' }

beforeAll(async () => {
  ingot = product()
  database = await testDatabase()
  const folder = ingot.folder(FILES)
  const built = await ingot.run(['build', folder])
  if (built.code !== 0) throw new Error(built.err)
  server = await ingot.serve(['serve', folder], {
    env: { DATABASE_URL: database.url, INGOT_SECRET: 'x'.repeat(40), INGOT_UPLOAD_LIMIT: '3000000' },
  })
  for (const name of ['desk', 'guest'] as const) {
    const [row] = await database.sql<{ id: string }[]>`
      insert into ingot.users (email, slug, encrypted_password, properties) values (${`${name}@example.com`}, ${name}, '$argon2id$secret', '{}') returning id::text`
    ids[name] = row?.id ?? ''
  }
})
afterAll(async () => {
  await ingot?.clean()
  await database?.close()
})

async function signedIn(name: keyof typeof ids): Promise<Visitor> {
  const visitor = new Visitor(server.url)
  expect((await visitor.ask(`/signed?id=${ids[name]}`)).text).toBe('in')
  return visitor
}

const PATHS = [
  '/internal',
  '/internal/',
  '/internal/data',
  '/internal/data/rows?table=item',
  '/internal/data/export.csv?table=item',
  '/internal/data/export.json?users=1',
  '/internal/data/import?table=item',
  '/internal/assets/studio.css',
  '/internal/assets/studio.js',
  '/internal/nothing',
  '/internal/..',
  '/internal/../internal/data',
  '/internal//data',
  '/internal/%2e%2e/data',
  '/internal/data%2frows',
  '/internal/api/graph',
  '/internal/_ingot/up',
]

describe('who may enter', () => {
  test.each(PATHS)('%s sends visitors to the sign-in, and back', async (path) => {
    const visitor = new Visitor(server.url)
    const { status, headers, text } = await visitor.ask(path)
    expect([status, text]).toEqual([302, ''])
    expect(headers['location']).toBe(`/login?return_to=${encodeURIComponent(path)}`)
    expect(headers['cache-control']).toBe('no-store')
    expect((await visitor.ask('/login')).text).toContain('login Sign in first')
  })

  test.each(PATHS)('%s is forbidden for another user', async (path) => {
    const { status, text, headers } = await (await signedIn('guest')).ask(path)
    expect(status).toBe(403)
    expect(text).not.toMatch(/Studio|item/)
    expect(headers['content-security-policy']).toBeUndefined()
  })

  test.each(['HEAD', 'OPTIONS', 'PUT', 'PATCH', 'DELETE', 'POST', 'TRACE', 'PROPFIND'])(
    '%s is no way around the policy',
    async (method) => {
      for (const visitor of [new Visitor(server.url), await signedIn('guest')]) {
        const { status } = await visitor.ask('/internal/data', { method, headers: { origin: server.url } })
        expect([302, 403, 404, 405]).toContain(status)
        expect(status).not.toBe(200)
      }
    },
  )

  test.each([
    '/Internal',
    '/INTERNAL/data',
    '/internal.',
    '/internal./data',
    '/%69nternal/data',
    '/internal%2fdata',
    '/internal;/data',
    '/internal%00/data',
    '/x/../internal/data',
    '/internals',
    '/_ingot',
    '/_ingot/data',
    '/_ingot/outbox',
    '/_ingot/graphql',
  ])('%s is not the studio, not even for those who may enter', async (path) => {
    const { status, text } = await (await signedIn('desk')).ask(path)
    expect([400, 404]).toContain(status)
    expect(text).not.toContain('Studio')
  })

  test('a second slash changes nothing', async () => {
    const answers = [new Visitor(server.url), await signedIn('guest'), await signedIn('desk')].map((each) =>
      each.ask('//internal'),
    )
    expect((await Promise.all(answers)).map(({ status }) => status)).toEqual([302, 403, 200])
  })

  test('who may enter sees the pages, without the tools of development', async () => {
    const visitor = await signedIn('desk')
    const page = await visitor.ask('/internal/data', { headers: { 'x-forwarded-prefix': `/evil"${EVIL}` } })
    expect(page.status).toBe(200)
    expect(page.text).toContain('href="/internal/data/rows?table=item"')
    expect(page.text).not.toMatch(/evil|GraphiQL|Outbox|data-open|Requests|Problems|Liquid/)
    expect(page.headers).toMatchObject({
      'cache-control': 'no-store',
      'x-frame-options': 'DENY',
      'x-robots-tag': 'noindex, nofollow',
      'content-security-policy': expect.stringMatching(/^default-src 'none'; script-src 'self'/),
    })
    expect((await visitor.ask('/internal')).status).toBe(200)
    const style = /href="(\/internal\/assets\/studio\.css[^"]*)"/.exec(page.text)?.[1] ?? ''
    const asset = await visitor.ask(style.replaceAll('&amp;', '&'))
    expect([asset.status, asset.headers['cache-control']]).toEqual([200, expect.stringMatching(/^private, /)])
    expect(
      (await visitor.ask('/internal/api/graph', { method: 'POST', headers: { origin: server.url } })).status,
    ).not.toBe(200)
  })

  test('the console of development runs nothing', async () => {
    const visitor = await signedIn('desk')
    expect((await visitor.ask('/internal/console')).status).toBe(404)
    expect((await visitor.ask('/internal/problems')).text).toContain('No compiler runs here')
    const authenticity_token = await visitor.token('/internal/constants')
    const sent = await visitor.post('/internal/console', { authenticity_token, content: '{{ 40 | plus: 2 }}' })
    expect([sent.status, sent.text]).toEqual([403, expect.not.stringContaining('42')])
  })

  test('it is over when the session is', async () => {
    const visitor = await signedIn('desk')
    expect((await visitor.ask('/internal/data')).status).toBe(200)
    await database.sql`delete from ingot.sessions`
    expect((await visitor.ask('/internal/data')).status).toBe(302)
    expect((await visitor.ask('/internal/data/export.csv?table=item')).status).toBe(302)
  })

  test('a header with credentials does not count', async () => {
    const headers = { authorization: 'Basic YTpi', origin: server.url }
    const visitor = await signedIn('desk')
    expect((await visitor.ask('/internal/data', { headers })).status).toBe(200)
    expect((await visitor.post('/internal/data/create', { table: 'item', 'p[title]': 'x' }, headers)).status).not.toBe(
      200,
    )
    expect(await database.sql`select 1 from ingot.records`).toHaveLength(0)
    expect((await new Visitor(server.url).ask('/internal/data', { headers })).status).toBe(302)
  })
})

describe('changes', () => {
  test('need the session and the token of the studio, and a page of this origin', async () => {
    const visitor = await signedIn('desk')
    const token = await visitor.token('/internal/data/new?table=item')
    const fields = {
      table: 'item',
      'p[title]': 'Plane',
      'p[price]': '4.50',
      'p[nothing]': 'x',
      authenticity_token: token,
    }
    const guest = await signedIn('guest')
    const guestToken = await guest.token('/token')
    const refused = [
      await visitor.post('/internal/data/create', fields, { origin: 'https://evil.example' }),
      await visitor.post('/internal/data/create', fields, { 'sec-fetch-site': 'cross-site' }),
      await visitor.post('/internal/data/create', fields, { 'sec-fetch-site': 'same-site' }),
      await guest.post('/internal/data/create', { ...fields, authenticity_token: guestToken }),
      await new Visitor(server.url).post('/internal/data/create', fields),
      await visitor.post('/internal/data/create', { ...fields, authenticity_token: guestToken }),
    ]
    expect(refused.map(({ status }) => status)).toEqual([403, 403, 403, 403, 302, 302])
    expect(await database.sql`select 1 from ingot.records`).toHaveLength(0)
    const again = await signedIn('desk')
    const { status, headers } = await again.post('/internal/data/create', {
      ...fields,
      authenticity_token: await again.token('/internal/data/new?table=item'),
    })
    expect([status, headers['location']]).toEqual([
      302,
      expect.stringMatching(/^\/internal\/data\/row\?table=item&id=\d+/),
    ])
    expect(await database.sql`select actor, actor_id::text, action, kind from ingot.changes`).toEqual([
      { actor: 'desk@example.com', actor_id: ids.desk, action: 'create', kind: 'records' },
    ])
    expect(await database.sql`select properties from ingot.records`).toEqual([
      { properties: { title: 'Plane', price: 4.5, tags: [] } },
    ])
  })
})

describe('imports', () => {
  interface Sent {
    readonly name: string
    readonly text: string | Uint8Array
  }

  /** Sends a file, and returns the answer with the text of its page without tags. */
  async function send(file: Sent, fields: Record<string, string> = {}, visitor?: Visitor) {
    const who = visitor ?? (await signedIn('desk'))
    const authenticity_token = await who.token('/internal/data/import?table=item')
    const answer = await who.upload('/internal/data/import', { table: 'item', authenticity_token, ...fields }, file)
    const [, main = ''] = /<main[^>]*>(.*)<\/main>/s.exec(answer.text) ?? []
    return { ...answer, words: main.replace(/<[^>]*>/g, ' ').replace(/\s+/g, ' ') }
  }

  const rowCount = async (): Promise<number> => (await database.sql`select 1 from ingot.records`).length

  beforeAll(async () => {
    await database.sql`delete from ingot.records`
    await database.sql`delete from ingot.changes`
  })

  test('are checked first, which changes nothing', async () => {
    const text = 'external_id,title,price\na,Plane,4.50\nb,Saw,cheap\n'
    const { status, words } = await send({ name: 'items.csv', text })
    expect(status).toBe(200)
    expect(words).toContain('Rows in the file 2 Created 1 Changed 0 Unchanged 0 Refused 1')
    expect(words).toMatch(/Refused rows Line Column Reason 3 price [^.]*cheap/)
    const strict = await send({ name: 'items.csv', text }, { strict: '1' })
    expect([strict.status, await rowCount()]).toEqual([422, 0])
    expect(strict.words).toContain('Nothing would be imported, because some rows are refused.')
  })

  test('write all rows or none by choice, and record who did it', async () => {
    const file = { name: 'items.csv', text: 'external_id,title,price\na,Plane,4.50\nb,Saw,cheap\n' }
    const strict = await send(file, { strict: '1', act: 'import' })
    expect([strict.status, await rowCount()]).toEqual([422, 0])
    expect((await send(file, { act: 'import' })).words).toContain('Created 1 Changed 0 Unchanged 0 Refused 1')
    const again = {
      name: 'items.json',
      text: JSON.stringify({ tables: { item: [{ external_id: 'a', properties: { title: 'Planer', price: 4.5 } }] } }),
    }
    expect((await send(again, { act: 'import' })).words).toContain('Created 0 Changed 1 Unchanged 0 Refused 0')
    expect((await send(again, { act: 'import' })).words).toContain('Created 0 Changed 0 Unchanged 1 Refused 0')
    expect(await database.sql`select actor, actor_id::text, action, table_name from ingot.changes order by id`).toEqual(
      [
        { actor: 'desk@example.com', actor_id: ids.desk, action: 'create', table_name: 'item' },
        { actor: 'desk@example.com', actor_id: ids.desk, action: 'update', table_name: 'item' },
      ],
    )
  })

  test('take only rows and columns of the table', async () => {
    const before = await rowCount()
    const text = JSON.stringify({
      users: [{ email: 'new@example.com' }],
      tables: {
        other: [{ external_id: 'o', properties: { title: 'x' } }],
        item: [
          { external_id: 'p', properties: { title: 'x', admin: true } },
          { external_id: 'q', table_id: 1, properties: {} },
        ],
      },
      documents: { books: [{ id: '9', document: {} }] },
    })
    const { words } = await send({ name: 'all.json', text }, { act: 'import' })
    expect(words).toContain('Rows in the file 5 Created 0 Changed 0 Unchanged 0 Refused 5')
    expect(words).toContain('it belongs to the users, but the import is for &#39;item&#39;')
    expect(words).toContain('it belongs to the table &#39;other&#39;')
    expect(words).toContain('admin')
    expect(await rowCount()).toBe(before)
    expect(await database.sql`select 1 from ingot.users where email = 'new@example.com'`).toHaveLength(0)
  })

  test.each([
    ['no file', { name: '', text: '' }, {}, 'Choose a file.'],
    ['another ending', { name: 'x.exe', text: 'a' }, {}, 'must end with .csv or .json'],
    ['an empty file', { name: 'x.csv', text: '' }, {}, 'x.csv: the file is empty'],
    ['an open quote', { name: 'x.csv', text: 'title\n"a' }, {}, 'x.csv:2: a quoted cell is not closed'],
    [
      'other bytes than text',
      { name: 'x.csv', text: Uint8Array.from([0x74, 0x0a, 0xff, 0xfe, 0x0a]) },
      {},
      'is not UTF-8',
    ],
    ['JSON that ends early', { name: 'x.json', text: '{"tables": {"item": [{' }, {}, 'x.json:1'],
    ['JSON of another shape', { name: 'x.json', text: '[1]' }, {}, 'must be one JSON object'],
    ['a repeated column', { name: 'x.csv', text: 'title,title\na,b\n' }, {}, 'occurs twice'],
  ])('a file that cannot be read is reported: %s', async (_, file, fields, sentence) => {
    const { status, words } = await send(file, { act: 'import', ...fields })
    expect(status).toBe(422)
    expect(words).toContain(sentence)
    expect(words).not.toMatch(/incoming|\/tmp|\/dev/)
  })

  test('no table, a table of another name or a field instead of a file import nothing', async () => {
    const before = await rowCount()
    const file = { name: 'x.csv', text: 'title\na\n' }
    expect((await send(file, { act: 'import', table: 'users' })).status).toBe(404)
    const visitor = await signedIn('desk')
    const authenticity_token = await visitor.token('/internal/data/import?table=item')
    const fields = {
      table: 'item',
      act: 'import',
      authenticity_token,
      'file[path]': '/etc/passwd',
      'file[fileName]': 'x.csv',
    }
    expect((await visitor.post('/internal/data/import', fields)).text).toContain('Choose a file.')
    expect(await rowCount()).toBe(before)
  })

  test('what a file contains is text on the page', async () => {
    const answer = await send(
      { name: `${EVIL}.csv`, text: `title,price,${EVIL}\n${EVIL},"${EVIL}",x\n` },
      { act: 'import' },
    )
    expect(answer.text).not.toContain(EVIL)
    expect(answer.text).toContain('&lt;script&gt;alert(1)')
  })

  test('a file that is too large is refused', async () => {
    const { status } = await send({ name: 'x.csv', text: `title\n${'x'.repeat(3_100_000)}\n` }, { act: 'import' })
    expect(status).toBe(413)
    const long = await send({ name: 'x.csv', text: `title\n${'a\n'.repeat(20_000)}` })
    expect(long.words).toContain('Rows in the file 20000 Created 20000')
  })

  test('need the session, its token and a page of this origin', async () => {
    const before = await rowCount()
    const file = { name: 'x.csv', text: 'title\na\n' }
    const desk = await signedIn('desk')
    const guest = await signedIn('guest')
    const own = await desk.token('/internal/data/import?table=item')
    const foreign = await guest.token('/token')
    const fields = { table: 'item', act: 'import' }
    const path = '/internal/data/import'
    const answers = [
      await desk.upload(path, { ...fields, authenticity_token: own }, file, { origin: 'https://evil.example' }),
      await desk.upload(path, { ...fields, authenticity_token: own }, file, { 'sec-fetch-site': 'cross-site' }),
      await guest.upload(path, { ...fields, authenticity_token: foreign }, file),
      await new Visitor(server.url).upload(path, { ...fields, authenticity_token: own }, file),
      await desk.upload(path, { ...fields, authenticity_token: foreign }, file),
      await (await signedIn('desk')).upload(path, fields, file),
      await (await signedIn('desk')).upload(path, fields, file, { authorization: 'Basic YTpi' }),
    ]
    expect(answers.map(({ status }) => status)).toEqual([403, 403, 403, 302, 302, 302, 302])
    expect(await rowCount()).toBe(before)
  })
})

describe('exports', () => {
  test('are files, which spreadsheets do not evaluate', async () => {
    const visitor = await signedIn('desk')
    const token = await visitor.token('/internal/data/import?table=item')
    const rows = ['=1+1', '+cmd', '-x', '@sum', '-5', 'a "b", c'].map((title, at) => ({
      external_id: `f${at}`,
      properties: { title },
    }))
    await visitor.upload(
      '/internal/data/import',
      { table: 'item', act: 'import', authenticity_token: token },
      {
        name: 'rows.json',
        text: JSON.stringify({ tables: { item: rows } }),
      },
    )
    const { status, headers, text } = await visitor.ask('/internal/data/export.csv?table=item')
    expect(status).toBe(200)
    expect(headers).toMatchObject({
      'content-type': 'text/csv; charset=utf-8',
      'content-disposition': 'attachment; filename="item.csv"',
      'x-content-type-options': 'nosniff',
      'cache-control': 'no-store',
    })
    expect(text).toMatch(/"'=1\+1".*\n.*"'\+cmd".*\n.*"'-x".*\n.*"'@sum".*\n.*,-5,.*\n.*"a ""b"", c"/)
    const json = await visitor.ask('/internal/data/export.json?table=item')
    expect(JSON.parse(json.text).tables.item).toHaveLength(7)
    const head = await visitor.ask('/internal/data/export.json?table=item', { method: 'HEAD' })
    expect([head.status, head.text]).toEqual([200, ''])
  })

  test('of users contain no hashes of passwords', async () => {
    const visitor = await signedIn('desk')
    for (const ending of ['csv', 'json']) {
      const { text } = await visitor.ask(`/internal/data/export.${ending}?users=1`)
      expect(text).toContain('guest@example.com')
      expect(text).not.toMatch(/argon2|encrypted_password/)
    }
  })

  test.each(['', '?table=nothing', '?table=', '?table=item&table=users', '?users=1&table=nothing', '?table[]=item'])(
    'of no table are refused: %s',
    async (query) => {
      expect((await (await signedIn('desk')).ask(`/internal/data/export.csv${query}`)).status).toBe(404)
    },
  )

  test('of many rows end with their reader', async () => {
    const [table] = await database.sql<{ id: number }[]>`select id from ingot.tables where name = 'other'`
    await database.sql`
      insert into ingot.records (table_id, properties)
      select ${table?.id ?? 0}, jsonb_build_object('title', repeat('x', 2000)) from generate_series(1, 20000)`
    const visitor = await signedIn('desk')
    const { cookie } = visitor
    const { hostname, port } = new URL(server.url)
    const slow = connect(Number(port), hostname)
    slow.write(
      `GET /internal/data/export.csv?table=other HTTP/1.1\r\nhost: ${hostname}:${port}\r\ncookie: ${cookie}\r\n\r\n`,
    )
    await new Promise((resolve) => slow.once('readable', resolve))
    const snapshots = async (): Promise<number> =>
      (
        await database.sql`select 1 from pg_stat_activity where datname = current_database() and query like '%ingot.records r where r.table_id%' and pid <> pg_backend_pid() and xact_start is not null`
      ).length
    // The reader reads nothing more, so the export waits for it.
    await expect.poll(snapshots).toBe(1)
    slow.destroy()
    await expect.poll(snapshots).toBe(0)
    const { text } = await visitor.ask('/internal/data/export.csv?table=other')
    expect(text.trimEnd().split('\n')).toHaveLength(20_001)
    expect(server.output()).not.toContain('could not be sent to its end')
  })
})

describe('releases', () => {
  test('are activated and rolled back by who may enter, which is recorded', async () => {
    const own = await testDatabase()
    const folder = ingot.folder({ ...FILES, 'app/views/pages/index.liquid': 'one' })
    const env = { DATABASE_URL: own.url, INGOT_SECRET: 'x'.repeat(40) }
    const done = async (...words: string[]): Promise<string> => {
      const { code, out, err } = await ingot.run(words, { env })
      if (code !== 0) throw new Error(err)
      return out.trim()
    }
    await done('build', folder)
    const first = await done('release', 'push', folder, folder)
    await done('release', 'activate', first, folder)
    writeFileSync(join(folder, 'app/views/pages/index.liquid'), 'two')
    await done('build', folder)
    const second = await done('release', 'push', folder, folder)
    const { url } = await ingot.serve(['serve', folder], { env })
    const [user] = await own.sql<{ id: string }[]>`
      insert into ingot.users (email, slug, encrypted_password, properties) values ('desk@example.com', 'desk', 'x', '{}') returning id::text`
    const visitor = new Visitor(url)
    await visitor.ask(`/signed?id=${user?.id}`)
    const home = async (): Promise<string> => (await visitor.ask('/')).text
    const list = async (): Promise<string> => (await visitor.ask('/internal/releases')).text
    const row = (id: string, state: string) => new RegExp(`<code>${id.slice(0, 12)}</code>[^/]*</th>\\s*<td>${state}`)
    expect(await home()).toBe('one')
    expect(await list()).toMatch(row(first, '<span class="tag good">active'))
    const authenticity_token = await visitor.token('/internal/releases')
    const activate = (fields: Record<string, string>) => visitor.post('/internal/releases/activate', fields)
    const guest = new Visitor(url)
    expect((await guest.post('/internal/releases/activate', { id: second, authenticity_token })).status).not.toBe(200)
    expect((await activate({ id: second })).status).not.toBe(200)
    expect((await activate({ authenticity_token, id: '--force' })).status).toBe(422)
    expect((await activate({ authenticity_token, id: 'f'.repeat(64) })).text).toMatch(/role="alert">.*no release/s)
    expect(await home()).toBe('one')
    expect((await activate({ authenticity_token, id: second })).text).toMatch(
      /The release is active.*1 server serves it/s,
    )
    await expect.poll(home).toBe('two')
    expect(await list()).toMatch(row(first, '<span class="tag">active before'))
    expect((await activate({ authenticity_token, id: '' })).status).toBe(200)
    await expect.poll(home).toBe('one')
    const change = (before: string, after: string) => ({
      ...{ actor: 'desk@example.com', actor_id: user?.id, kind: 'releases', row_id: after.slice(0, 12) },
      ...{ before: { active: before.slice(0, 12) }, after: { active: after.slice(0, 12) } },
    })
    expect(
      await own.sql`select actor, actor_id::text, kind, row_id, before, after from ingot.changes order by id`,
    ).toEqual([change(first, second), change(second, first)])
    await own.close()
  })
})
