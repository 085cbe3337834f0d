/** Tests the studio's pages for rows: lists, filters, pages, changes, conflicts, relations, uploads, history, and attacks. */
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { type TestDatabase, testDatabase } from '../../../support/database.ts'
import { type Product, product } from '../../../support/product.ts'
import { type StudioClient, studioClient } from './client.ts'

const EVIL = '<script>alert(1)</script>"\'><img src=x onerror=alert(2)>'
const RAW = /<script>alert|<img src=x/

const SITE = {
  'app/schema/author.yml': 'name: author\nproperties:\n  - name: name\n',
  'app/schema/book.yml': `name: book
properties:
  - name: title
  - name: about
    type: text
  - name: price
    type: integer
  - name: published
    type: date
  - name: sold
    type: boolean
  - name: tags
    type: array
  - name: author_id
    belongs_to: author
  - name: weight
    type: decimal
  - name: cover
    type: upload
  - name: genre
    belongs_to: genre
`,
  'app/schema/genre.yml': 'name: genre\nproperties:\n  - name: slug\n  - name: title\n',
  'app/forms/book.liquid': `---
name: book
resource: book
fields:
  properties:
    title:
      validation:
        presence: true
    price:
      validation:
        numericality:
          greater_than: 0
---
{% form %}{% endform %}
`,
  'app/views/pages/index.liquid': 'home',
}

let ingot: Product
let database: TestDatabase
let url = ''
let studio: StudioClient

beforeAll(async () => {
  ingot = product()
  database = await testDatabase()
  const server = await ingot.serve(['dev', ingot.folder(SITE)], { env: { DATABASE_URL: database.url } })
  url = server.url
  studio = studioClient(url)
  await vi.waitFor(async () => expect((await studio.get('/data')).status).toBe(200), { timeout: 60_000 })
})

afterAll(async () => {
  await ingot?.clean()
  await database?.close()
})

async function shown(path: string, status = 200): Promise<string> {
  const reply = await studio.get(path)
  expect(reply.status, path).toBe(status)
  expect(reply.text, path).not.toContain('Liquid error')
  expect(reply.text, path).not.toMatch(RAW)
  return reply.text
}

/** Creates a row. Returns its id. */
async function create(table: string, properties: Readonly<Record<string, string>>): Promise<string> {
  const fields = Object.fromEntries(Object.entries(properties).map(([name, value]) => [`p[${name}]`, value]))
  const reply = await studio.post('/data/create', { table, ...fields })
  expect([reply.status, reply.text.match(/flash wrong[\s\S]{0,200}/)?.[0]]).toEqual([302, undefined])
  return /id=(\d+)/.exec(reply.location ?? '')?.[1] ?? ''
}

/** Returns the value by which an edit recognizes that a row has changed since. */
async function seenOf(table: string, id: string): Promise<string> {
  return /name="seen" value="([^"]*)"/.exec(await shown(`/data/row?table=${table}&id=${id}`))?.[1] ?? ''
}

async function propertiesOf(id: string): Promise<Record<string, unknown>> {
  const [row] = await database.sql<{ properties: Record<string, unknown> }[]>`
    select properties from ingot.records where id = ${id}`
  return row?.properties ?? {}
}

describe('a row', () => {
  let author = ''
  let book = ''

  test('is created with values of its types, and empty fields take the defaults', async () => {
    author = await create('author', { name: EVIL })
    book = await create('book', {
      ...{ title: 'Vases', about: '', price: '12', published: '2026-03-01', sold: 'true' },
      ...{ tags: 'old\r\nblue', author_id: author },
    })
    expect(await propertiesOf(book)).toMatchObject({
      ...{ title: 'Vases', price: 12, published: '2026-03-01', sold: true, tags: ['old', 'blue'], author_id: author },
    })
  })

  test('shows what it refers to and what refers to it, and no markup of its values', async () => {
    expect(await shown(`/data/row?table=book&id=${book}`)).toContain(`/_ingot/data/row?table=author&amp;id=${author}`)
    expect(await shown(`/data/row?table=author&id=${author}`)).toContain(`/_ingot/data/row?table=book&amp;id=${book}`)
    expect(await shown('/data/rows?table=author')).toContain('&lt;script&gt;')
  })

  test('is edited, and the second of two people sees that the first was faster', async () => {
    const seen = await seenOf('book', book)
    const first = await studio.post('/data/update', {
      table: 'book',
      id: book,
      seen,
      'p[title]': 'Bowls',
      'p[price]': '',
    })
    expect(first.status).toBe(302)
    expect(await propertiesOf(book)).toMatchObject({ title: 'Bowls', price: null, tags: ['old', 'blue'] })
    const second = await studio.post('/data/update', { table: 'book', id: book, seen, 'p[title]': 'Plates' })
    expect(second.status).toBe(422)
    expect(second.text).toContain('Someone else has changed this row')
    expect(second.text).toContain('value="Plates"')
    expect(await propertiesOf(book)).toMatchObject({ title: 'Bowls' })
  })

  test('shows both versions after a conflict, and writes the chosen ones', async () => {
    const seen = await seenOf('book', book)
    const opened = { table: 'book', id: book, 'was[title]': 'Bowls', 'was[about]': '', 'was[price]': '' }
    const mine = { 'p[title]': 'Mine', 'p[about]': 'Also mine', 'p[price]': '' }
    const theirs = { ...opened, seen, 'p[title]': 'Theirs', 'p[about]': '', 'p[price]': '7' }
    expect((await studio.post('/data/update', theirs)).status).toBe(302)
    const refused = await studio.post('/data/update', { ...opened, seen, ...mine })
    expect(refused.status).toBe(422)
    expect(refused.text).toMatch(/<del>Bowls<\/del>[\s\S]*<ins>Theirs<\/ins>[\s\S]*<ins>Mine<\/ins>/)
    expect(refused.text).toContain('name="pick[title]"')
    // Only one side changed these, so that there is nothing to choose.
    expect(refused.text).not.toMatch(/name="pick\[(?:about|price)\]"/)
    expect(refused.text).toMatch(/name="p\[price\]"[^>]*value="7"/)
    const [, now = ''] = /name="seen" value="([^"]*)"/.exec(refused.text) ?? []
    const shownNow = { ...opened, seen: now, 'was[title]': 'Theirs', 'was[price]': '7', ...mine, 'p[price]': '7' }
    expect((await studio.post('/data/update', { ...shownNow, 'pick[title]': 'theirs' })).status).toBe(302)
    expect(await propertiesOf(book)).toMatchObject({ title: 'Theirs', about: 'Also mine', price: 7 })
  })

  test('keeps its time and gets no entry in the log when nothing was changed', async () => {
    const seen = await seenOf('book', book)
    const changes = await database.sql`select from ingot.changes where row_id = ${book}`
    const page = await shown(`/data/row?table=book&id=${book}`)
    const fields = [...page.matchAll(/name="((?:p|was)\[\w+\])"[^>]*?value="([^"]*)"/g)]
    const same = Object.fromEntries(fields.map(([, name = '', value = '']) => [name, value]))
    const saved = await studio.post('/data/update', {
      ...same,
      ...{ table: 'book', id: book, seen, user_id: '', 'p[tags]': 'old\r\nblue', 'p[about]': 'Also mine' },
    })
    expect([saved.status, saved.location]).toEqual([302, expect.stringContaining('done=same')])
    expect(await seenOf('book', book)).toBe(seen)
    expect(await database.sql`select from ingot.changes where row_id = ${book}`).toHaveLength(changes.length)
  })

  test('keeps all digits of numbers, the items of lists, and null apart from an empty text', async () => {
    const id = await create('book', { price: '9007199254740993', weight: '0.1000000000000000055', about: 'x' })
    const page = await shown(`/data/row?table=book&id=${id}`)
    expect(page).toMatch(/id="p-price"[^>]*value="9007199254740993"/)
    expect(page).toMatch(/id="p-weight"[^>]*value="0.1000000000000000055"/)
    expect(page).toMatch(/id="p-title"[^>]*value="" placeholder="null"/)
    const seen = (): Promise<string> => seenOf('book', id)
    const save = async (fields: Readonly<Record<string, string>>): Promise<number> =>
      (await studio.post('/data/update', { table: 'book', id, seen: await seen(), ...fields })).status
    expect(await save({ 'p[tags]': '["a\\nb", " c ", "[d"]', 'p[about]': '', 'p[price]': '9007199254740993' })).toBe(
      302,
    )
    expect(await propertiesOf(id)).toMatchObject({ about: '', tags: ['a\nb', ' c ', '[d'] })
    const list = /id="p-tags"[^>]*>\n([^<]*)</.exec(await shown(`/data/row?table=book&id=${id}`))?.[1] ?? ''
    expect(JSON.parse(list.replaceAll('&quot;', '"'))).toEqual(['a\nb', ' c ', '[d'])
    expect(await save({ 'null[about]': '1', 'p[about]': '' })).toBe(302)
    expect(await propertiesOf(id)).toMatchObject({ about: null })
    const [stored] = await database.sql`select properties ->> 'price' as price from ingot.records where id = ${id}`
    expect(stored).toEqual({ price: '9007199254740993' })
    await database.sql`delete from ingot.records where id = ${id}`
  })

  test('refers only to rows and users that are present, unless the person confirms it', async () => {
    const gone = await create('author', { name: 'Gone' })
    await studio.post('/data/delete', { table: 'author', id: gone })
    const row = { table: 'book', 'p[title]': 'Dangling' }
    for (const [id, reason] of [
      ['9999', 'There is no author with the id “9999”'],
      ['x', 'There is no author with the id “x”'],
      [gone, 'The author “Gone” was deleted'],
    ] as const) {
      const refused = await studio.post('/data/create', { ...row, 'p[author_id]': id })
      expect([refused.status, refused.text]).toEqual([422, expect.stringContaining(reason)])
      expect(refused.text).toMatch(
        /id="p-author_id" aria-invalid="true" aria-describedby="e-p-author_id h-p-author_id"/,
      )
      expect(refused.text).toContain('name="anyway"')
    }
    const owned = await studio.post('/data/create', { ...row, user_id: '9999' })
    expect([owned.status, owned.text]).toEqual([422, expect.stringContaining('There is no user with the id “9999”')])
    expect(owned.text).not.toContain('name="anyway"')
    expect((await studio.post('/data/create', { ...row, user_id: '9999', anyway: '1' })).status).toBe(422)
    const confirmed = await studio.post('/data/create', { ...row, 'p[author_id]': '9999', anyway: '1' })
    expect(confirmed.status).toBe(302)
    const id = /id=(\d+)/.exec(confirmed.location ?? '')?.[1] ?? ''
    expect(await propertiesOf(id)).toMatchObject({ author_id: '9999' })
    // A dangling value that was stored before does not stop other changes.
    const seen = await seenOf('book', id)
    const fields = { table: 'book', id, seen, 'p[title]': 'Still dangling', 'p[author_id]': '9999' }
    expect((await studio.post('/data/update', fields)).status).toBe(302)
  })

  test('finds rows and users to refer to, by the column that other rows have stored', async () => {
    await create('genre', { slug: 'pottery', title: 'Pottery & clay' })
    const found = await shown('/data/lookup?to=author&key=id&q=script')
    expect(found).toContain(`data-value="${author}"`)
    expect(await shown(`/data/lookup?to=author&key=id&q=${author}`)).toContain(`data-value="${author}"`)
    const before = await shown('/data/new?table=book')
    expect(before).toContain('data-lookup="/_ingot/data/lookup?to=genre&amp;key=id"')
    const [{ id: stored = '' } = {}] = await database.sql<{ id: string }[]>`
      insert into ingot.records (table_id, properties) select id, '{"title": "Clay", "genre": "pottery"}' from ingot.tables where name = 'book' returning id`
    expect(await shown('/data/new?table=book')).toContain('data-lookup="/_ingot/data/lookup?to=genre&amp;key=slug"')
    expect(await shown('/data/lookup?to=genre&key=slug&q=clay')).toContain('data-value="pottery"')
    const [kiln] = await database.sql<{ id: string }[]>`insert into ingot.records (table_id, properties)
      select id, json_build_object('slug', case n when 1 then 'x' else 'kiln-' || n end, 'title', case n when 1 then 'The kiln' else 'Other' end)
      from ingot.tables, generate_series(1, 12) n where name = 'genre' order by n returning id`
    const ranked = await shown('/data/lookup?to=genre&key=id&q=kiln')
    expect(ranked.match(/role="option"/g)).toHaveLength(10)
    expect(/data-value="(\d+)"/.exec(ranked)?.[1]).toBe(kiln?.id)
    await database.sql`delete from ingot.records where properties ->> 'title' in ('The kiln', 'Other')`
    expect(await shown(`/data/row?table=book&id=${stored}`)).toContain('>Pottery &amp; clay</a>')
    const genre =
      await database.sql`select r.id from ingot.records r join ingot.tables t on t.id = r.table_id where t.name = 'genre'`
    expect(await shown(`/data/row?table=genre&id=${genre[0]?.['id']}`)).toContain('book with this genre')
    for (const query of ['to=nowhere&key=id&q=a', 'to=author&key=nowhere&q=', 'to=user&q=%25', 'q=a', 'to[]=author'])
      await shown(`/data/lookup?${query}`)
    await database.sql`delete from ingot.records where id = ${stored}`
  })

  test('has its fields and its columns in the order of the file', async () => {
    const order = ['title', 'about', 'price', 'published', 'sold', 'tags', 'author_id', 'weight', 'cover', 'genre']
    const page = await shown(`/data/row?table=book&id=${book}`)
    expect([...page.matchAll(/<label for="p-(\w+)"/g)].map(([, name]) => name)).toEqual(order)
    const list = await shown('/data/rows?table=book')
    const headings = [...list.matchAll(/<th scope="col"[^>]*>(?:<a [^>]*>)?(\w+)/g)].map(([, name]) => name)
    expect(headings).toEqual(['id', ...order, 'Owner', 'created_at', 'updated_at'])
    const some = await shown(
      '/data/rows?table=book&columns[]=price&columns[]=updated_at&columns[]=%3Ci%3E&q=e&sort=price',
    )
    const chosen = [...some.matchAll(/<th scope="col"[^>]*>(?:<a [^>]*>)?(\w+)/g)].map(([, name]) => name)
    expect(chosen).toEqual(['id', 'price', 'updated_at'])
    expect(some).toContain('Columns: 2 of 13')
    expect(some).toMatch(/<a href="[^"]*&amp;q=e[^"]*&amp;columns\[\]=price&amp;columns\[\]=updated_at">price/)
    const checked = [...some.matchAll(/name="columns\[\]" value="(\w+)" checked/g)].map(([, name]) => name)
    expect(checked).toEqual(chosen.slice(1))
    const [found] = await database.sql<
      { count: number }[]
    >`select count(*)::int from ingot.records r join ingot.tables t
      on t.id = r.table_id where t.name = 'book' and r.deleted_at is null`
    expect(await shown('/data/count?table=book')).toMatch(new RegExp(`^\\s*${found?.count} rows?\\s*$`))
    expect((await shown('/data/count?table=nowhere')).trim()).toBe('')
    const [header = ''] = (await shown('/data/export.csv?table=book')).split('\n')
    expect(header.split(',').filter((name) => order.includes(name))).toEqual(order)
  })

  test('of ten people at once is changed by exactly one', async () => {
    const seen = await seenOf('book', book)
    const replies = await Promise.all(
      Array.from({ length: 10 }, (_, i) =>
        studio.post('/data/update', { table: 'book', id: book, seen, 'p[title]': `Try ${i}` }),
      ),
    )
    expect(replies.filter(({ status }) => status === 302)).toHaveLength(1)
  })

  test('is refused with the reason, and what was typed stays', async () => {
    const seen = await seenOf('book', book)
    const wrong = await studio.post('/data/update', {
      table: 'book',
      id: book,
      seen,
      'p[price]': 'many',
      'p[title]': EVIL,
    })
    expect([wrong.status, wrong.text]).toEqual([422, expect.stringContaining('many')])
    expect(wrong.text).toMatch(/id="p-price" aria-invalid="true" aria-describedby="e-p-price"/)
    expect(wrong.text).toMatch(/id="e-p-price">Property <code>price<\/code> is an integer and cannot hold/)
    expect(wrong.text).not.toMatch(RAW)
    const byForm = { table: 'book', id: book, seen, form: 'book', 'p[price]': '-5' }
    const refused = await studio.post('/data/update', byForm)
    expect([refused.status, refused.text]).toEqual([422, expect.stringContaining('greater than 0')])
    expect(refused.text).toMatch(/id="e-p-price">[^<]*greater than 0/)
    expect((await propertiesOf(book))['price']).toBe(7)
    expect((await studio.post('/data/update', { ...byForm, 'p[price]': '5', 'p[title]': 'Jugs' })).status).toBe(302)
    expect((await propertiesOf(book))['price']).toBe(5)
  })

  test('changes only in columns of its table', async () => {
    const seen = await seenOf('book', book)
    const fields = {
      table: 'book',
      id: book,
      seen,
      'p[title]': 'Cups',
      'p[owned]': 'x',
      user_id: '',
      deleted_at: '2020-01-01',
    }
    expect((await studio.post('/data/update', fields)).status).toBe(302)
    expect(Object.keys(await propertiesOf(book))).not.toContain('owned')
    const other = await studio.post('/data/update', { table: 'author', id: book, seen, 'p[name]': 'x' })
    expect(other.status).toBe(404)
  })

  test('gets a file, which the store has received before', async () => {
    const signed = await studio.post('/data/sign', { table: 'book', name: 'cover' }, { accept: 'application/json' })
    const { url: store, fields } = JSON.parse(signed.text)
    const body = new FormData()
    for (const [name, value] of Object.entries(fields)) body.append(name, String(value))
    body.append('file', new Blob(['a cover']), 'cover.txt')
    const stored = await fetch(new URL(store, url), { method: 'POST', body })
    const [, address = ''] = /<Location>(.*)<\/Location>/.exec(await stored.text()) ?? []
    const seen = await seenOf('book', book)
    const saved = await studio.post('/data/update', { table: 'book', id: book, seen, 'p[cover]': address })
    expect(saved.status).toBe(302)
    const page = await shown(`/data/row?table=book&id=${book}`)
    expect(page).toContain('Choose a file to replace cover.txt')
    const link = /href="([^"]*\/uploads\/[^"]*)"/.exec(page)?.[1]?.replaceAll('&amp;', '&') ?? ''
    expect(await (await fetch(new URL(link, url))).text()).toBe('a cover')
  })

  test('is deleted and restored, and its history says who did what', async () => {
    expect((await studio.post('/data/delete', { table: 'book', id: book })).status).toBe(302)
    expect(await shown('/data/rows?table=book')).not.toContain(`&amp;id=${book}"`)
    expect(await shown('/data/rows?table=book&deleted=1')).toContain(`id=${book}`)
    expect((await studio.post('/data/restore', { table: 'book', id: book })).status).toBe(302)
    const page = await shown(`/data/row?table=book&id=${book}`)
    for (const action of ['update', 'delete', 'restore'])
      expect(page).toMatch(new RegExp(`<span class="tag[^"]*">${action}</span>`))
    expect(page).toContain(`/changes?kind=records&amp;row=${book}`)
    const changes = await database.sql<{ action: string; actor: string; after: { properties: object } }[]>`
      select action, actor, after from ingot.changes where row_id = ${book} order by id`
    expect(changes.map(({ action }) => action)).toEqual(['create', ...Array(7).fill('update'), 'delete', 'restore'])
    expect(new Set(changes.map(({ actor }) => actor))).toEqual(new Set(['development']))
    expect(changes[1]?.after.properties).toMatchObject({ title: 'Bowls' })
  })

  test('gets the values from before a change again', async () => {
    const [change] = await database.sql<{ id: string }[]>`
      select id from ingot.changes where row_id = ${book} and action = 'update' order by id limit 1`
    const undone = await shown(`/data/row?table=book&id=${book}&undo=${change?.id}`)
    expect(undone).toContain('Nothing is restored until you save it.')
    expect(undone).toMatch(/id="p-title"[^>]*value="Vases"/)
    expect(undone).toMatch(/id="p-price"[^>]*value="12"/)
    // A file comes back with the rest.
    const files = async (): Promise<readonly { id: string }[]> =>
      database.sql`select id from ingot.changes
        where row_id = ${book} and before->'properties'->'cover' is distinct from after->'properties'->'cover' and action = 'update' order by id`
    const [added] = await files()
    const without = await shown(`/data/row?table=book&id=${book}&undo=${added?.id}`)
    expect(without).toMatch(/value="\(remove\)" checked/)
    const undo = async (cover: string): Promise<string> => {
      const seen = await seenOf('book', book)
      const { status, text } = await studio.post('/data/update', { table: 'book', id: book, seen, 'p[cover]': cover })
      return `${status} ${text}`
    }
    expect(await undo('(remove)')).toMatch(/^302/)
    const removed = (await files()).at(-1)?.id
    const earlier = await shown(`/data/row?table=book&id=${book}&undo=${removed}`)
    expect(earlier).toContain(`name="p[cover]" value="(change ${removed})"`)
    expect(earlier).toContain('Saving restores the earlier file cover.txt.')
    expect(await undo(`(change ${removed})`)).toMatch(/^302/)
    expect(await propertiesOf(book)).toMatchObject({ cover: { file_name: 'cover.txt' } })
    // What another column or row had is not read, and a lost file is named.
    expect(await undo(`(change ${added?.id})`)).toMatch(
      /^422.*The earlier file of <code>cover<\/code> no longer exists/s,
    )
    await undo('(remove)')
    await database.sql`delete from ingot.files`
    expect(await undo(`(change ${removed})`)).toMatch(/^422.*The earlier file of <code>cover<\/code> no longer exists/s)
    // Changes of other rows are not read.
    for (const [table, id, undo] of [
      ['author', author, change?.id],
      ['book', book, '1'],
      ['book', book, 'x'],
    ] as const)
      expect(await shown(`/data/row?table=${table}&id=${id}&undo=${undo}`)).not.toContain('Nothing is restored')
    const today = new Date().toISOString().slice(0, 10)
    const since = (from: string): Promise<string> =>
      shown(`/changes?kind=records&row=${book}&since=${from}&until=${from}`)
    expect(await since(today)).toContain(`undo=${change?.id}"`)
    expect(await since('2020-02-29')).toContain('No change matches.')
    expect(await since('2020-02-31')).toContain(`undo=${change?.id}"`)
  })
})

describe('the list', () => {
  const titles = async (query: string): Promise<readonly string[]> => {
    const page = await shown(`/data/rows?table=book${query}`)
    return [...page.matchAll(/<span class="cell">(Book \d+|null)<\/span>/g)].map(([, title = '']) => title)
  }

  beforeAll(async () => {
    const [table] = await database.sql<{ id: number }[]>`select id from ingot.tables where name = 'book'`
    await database.sql`delete from ingot.records where table_id = ${table?.id ?? 0}`
    // Every third row has no price, and prices repeat, so that a page ends among equal values.
    await database.sql`insert into ingot.records (table_id, properties)
      select ${table?.id ?? 0}, jsonb_build_object('title', 'Book ' || i, 'price', case when i % 3 = 0 then null else i % 5 end, 'tags', jsonb_build_array('t' || i % 2))
      from generate_series(1, 130) i`
  })

  test.each([
    '',
    '&sort=id',
    '&sort=price',
    '&sort=price&direction=DESC',
    '&sort=title',
    '&sort=created_at&direction=DESC',
  ])('shows each row once over its pages, sorted by %s', async (order) => {
    const seen: string[] = []
    let path: string | null = `/data/rows?table=book${order}`
    let pages = 0
    while (path !== null) {
      const page: string = await shown(path)
      seen.push(...[...page.matchAll(/<span class="cell">(Book \d+)<\/span>/g)].map(([, title = '']) => title))
      const next: string | undefined = /rel="next" href="\/_ingot([^"]*)"/.exec(page)?.[1]
      path = next === undefined ? null : next.replaceAll('&amp;', '&')
      pages++
    }
    expect(pages).toBe(3)
    expect(new Set(seen).size).toBe(130)
    expect(seen).toHaveLength(130)
  })

  test('finds by text and by conditions, several at once', async () => {
    expect(await titles('&q=BOOK+77')).toEqual(['Book 77'])
    const cheap = await titles('&where[0][p]=price&where[0][o]=below&where[0][v]=1')
    expect(cheap).toHaveLength(18)
    const both = await titles(
      '&where[0][p]=price&where[0][o]=is&where[0][v]=2&where[1][p]=tags&where[1][o]=has+item&where[1][v]=t1&q=Book+1',
    )
    expect(both).toEqual(['Book 127', 'Book 107', 'Book 17'])
    expect(await titles('&where[0][p]=price&where[0][o]=is+empty&q=Book+12')).toEqual([
      'Book 129',
      'Book 126',
      'Book 123',
      'Book 120',
      'Book 12',
    ])
    expect(await titles('&where[0][p]=title&where[0][o]=starts+with&where[0][v]=Book+99')).toEqual(['Book 99'])
  })

  test('survives nonsense in its address', async () => {
    await shown('/data/rows?table=book&sort=nonsense&direction=up&where=x&where[a][p]=zz&after_id=abc&after=1', 200)
    await shown('/data/rows?table=nowhere', 404)
    await shown('/data/row?table=book&id=999999999', 404)
    await shown('/data/row?table=book&id=abc', 404)
    await shown(`/data/rows?table=${encodeURIComponent(EVIL)}`, 404)
    await shown(`/data/rows?table=book&q=${encodeURIComponent(EVIL)}`)
  })
})

describe('nothing is changed', () => {
  const row = { table: 'author', 'p[name]': 'intruder' }

  test.each([
    ['by another site', { 'sec-fetch-site': 'cross-site' }],
    ['by another address of the same site', { 'sec-fetch-site': 'same-site' }],
    ['by an old browser from another site', { 'sec-fetch-site': '', origin: 'http://evil.example' }],
    ['under another name of this machine', { host: 'evil.example' }],
    ['through a proxy', { 'x-forwarded-for': '10.0.0.1' }],
  ])('%s', async (_title, headers) => {
    const refused = 'host' in headers ? 400 : 403
    expect((await studio.post('/data/create', row, headers)).status).toBe(refused)
    expect((await studio.get('/data', headers)).status).toBe('sec-fetch-site' in headers ? 200 : refused)
  })

  test('without the token of a page, by GET, or with the methods of forms', async () => {
    const without = await studioClient(url, false).post('/data/create', row)
    expect(without.status).toBe(422)
    expect(without.text).toContain('Changes need a form of the studio')
    // Other pages answer these.
    await studio.get('/data/create?table=author&p[name]=intruder')
    await studio.post('/data/rows', { ...row, _method: 'delete' })
    for (const path of ['/api/graph', '/api/users', '/uploads/x', '/../data/create'])
      expect((await studio.post(path, row)).status, path).toBeGreaterThanOrEqual(400)
    const [count] =
      await database.sql`select count(*)::int as n from ingot.records where properties ->> 'name' = 'intruder'`
    expect(count).toEqual({ n: 0 })
  })
})
