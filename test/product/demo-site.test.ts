/** Tests the demo site and its database: the number of statements per page, and the results of its filters. */
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import type { Reply } from '../../server/web/http/message.ts'
import { type BuiltSite, builtSite, bodyText } from '../support/built-site.ts'

let site: BuiltSite

beforeAll(async () => {
  site = await builtSite('marketplace')
})

afterEach(() => expect(site.loggedProblems.splice(0)).toEqual([]))

afterAll(() => site?.close())

/** Requests a page. Also returns the number of SQL statements that it needed. */
async function page(
  url: string,
): Promise<{ readonly status: number; readonly text: string; readonly statements: number }> {
  const before = site.statementCount()
  const reply = await site.get(url)
  return { status: reply.status, text: bodyText(reply), statements: site.statementCount() - before }
}

interface Found {
  readonly items: readonly {
    readonly id: string
    readonly title: string
    readonly category: string
    readonly workshop: string
    readonly price: { readonly cents: number }
    readonly rating: { readonly value: number }
    readonly stock: number
    readonly listed_on: string
  }[]
  readonly total: number
  readonly page: number
  readonly pages: number
  readonly sort: string
}

async function found(query: string): Promise<Found> {
  return JSON.parse((await page(`/api/listings.json?${query}`)).text) as Found
}

/** Returns the items of all pages of a list. */
async function all(query: string): Promise<Found['items']> {
  const first = await found(query)
  const rest = Array.from({ length: first.pages - 1 }, (_, at) => found(`${query}&page=${at + 2}`))
  return [first, ...(await Promise.all(rest))].flatMap(({ items }) => items)
}

describe('a search', () => {
  test('pages hold every listing once, newest first', async () => {
    const items = await all('')
    const { total, pages } = await found('')
    expect(total).toBeGreaterThanOrEqual(240)
    expect(pages).toBe(Math.ceil(total / 12))
    expect(new Set(items.map(({ id }) => id)).size).toBe(total)
    const days = items.map((each) => each.listed_on)
    expect(days).toEqual([...days].sort().reverse())
  })

  test.each([
    ['price', (a, b) => a.price.cents - b.price.cents],
    ['price-down', (a, b) => b.price.cents - a.price.cents],
    ['rating', (a, b) => b.rating.value - a.rating.value],
  ] as [string, (a: Found['items'][number], b: Found['items'][number]) => number][])('by %s', async (sort, compare) => {
    const items = await all(`sort=${sort}`)
    expect(items.length).toBeGreaterThanOrEqual(240)
    expect(items.map(({ id }) => id)).toEqual(
      [...items].sort((a, b) => compare(a, b) || Number(a.id) - Number(b.id)).map(({ id }) => id),
    )
  })

  test.each(['en', 'de'])('by name, in %s', async (language) => {
    const names = (await all(`sort=title&language=${language}`)).map(({ title }) => title.toLowerCase())
    const letters = names.map((name) => /^[a-z0-9]/.exec(name)?.[0]).filter((letter) => letter !== undefined)
    expect(letters.length).toBeGreaterThan(200)
    expect(letters).toEqual([...letters].sort())
  })

  test('conditions hold together, and blank ones are left out', async () => {
    const { items, total } = await found('category=ceramics&price_from=30&price_to=60&in_stock=1&q=&workshop=')
    expect(total).toBeGreaterThan(5)
    for (const { category, price, stock } of items) {
      expect(category).toBe('ceramics')
      expect(price.cents).toBeGreaterThanOrEqual(3000)
      expect(price.cents).toBeLessThanOrEqual(6000)
      expect(stock).toBeGreaterThan(0)
    }
    const more = await found('category=ceramics&price_from=30&price_to=60')
    expect(more.total).toBeGreaterThanOrEqual(total)
    const { items: own } = await found('workshop=kozhar')
    expect(new Set(own.map(({ workshop }) => workshop))).toEqual(new Set(['kozhar']))
  })

  test('words of both languages are found, all of them at once', async () => {
    const [oak, eiche, both, none] = await Promise.all(
      ['oak', 'Eiche', 'oak stool', 'oak porcelain'].map((q) => found(`q=${encodeURIComponent(q)}`)),
    )
    expect(oak?.total).toBeGreaterThan(3)
    expect(eiche?.total).toBeGreaterThan(3)
    expect(both?.total).toBeGreaterThan(0)
    expect(both?.total).toBeLessThan(oak?.total ?? 0)
    expect(none?.total).toBe(0)
  })

  test.each([
    ...[
      'q=%25',
      'q=_',
      "q=';drop table ingot.records;--",
      'q=%00',
      'q[]=a&q[]=b',
      'q[a]=b',
      `q=${'x'.repeat(5000)}`,
      'q=%F0%9F%AA%91',
    ],
    ...['page=0', 'page=-3', 'page=x', 'page=1e9', 'page=99999999999999999999', 'page[]=2', 'page=2.7'],
    ...[
      "category='",
      'category[]=wood',
      'category=%00',
      'workshop[]=a',
      "workshop='--",
      'sort=id',
      'sort[]=price',
      'sort=%00',
    ],
    ...[
      'price_from=abc',
      'price_from=-5',
      'price_from=1e400',
      'price_to=99999999999999999999',
      'price_from[]=1',
      'price_to[a]=1',
    ],
    ...['in_stock[]=1', 'in_stock=%00'],
  ])('`%s` is answered as a list', async (query) => {
    for (const path of ['/listings', '/categories/wood', '/api/listings.json']) {
      const { status } = await page(`${path}?${query}`)
      expect(status, path).toBe(200)
    }
  })

  test.each(['0', '-', '-1', 'x', '999', '1e3', '101%00', '99999999999999999999-mug', "101'--", '%F0%9F%AA%91'])(
    'a listing `%s` is not there, or is the one of that number',
    async (id) => {
      expect([301, 404]).toContain((await page(`/listings/${id}`)).status)
    },
  )
})

describe('accounts', () => {
  test.each([
    ...['/account', '/account/listings', '/account/import', '/admin'],
    ...['/listings/new', '/listings/101/edit', '/listings/x%00/edit'],
  ])('%s asks a stranger to log in, and to come back', async (path) => {
    const { status, headers } = await site.get(path)
    expect(status).toBe(302)
    const target = new URL(headers['location'] ?? '', 'http://localhost:3000')
    expect([target.host, target.pathname, target.searchParams.get('return_to')]).toEqual([
      'localhost:3000',
      '/log-in',
      path,
    ])
  })

  test.each(['', 'return_to=//evil.example', 'return_to[]=a', 'return_to[a]=b', 'return_to=%00"><b>', 'language[]=de'])(
    'the pages to sign up and to log in take `%s`',
    async (query) => {
      for (const path of ['/log-in', '/sign-up']) {
        const { status, text } = await page(`${path}?${query}`)
        expect(status, path).toBe(200)
        expect(text).not.toContain('"><b>')
        expect(text.match(/<h1[\s>]/g), path).toHaveLength(1)
      }
    },
  )
})

test.each([
  ['en', 'This is not an e-mail address.'],
  ['de', 'Das ist keine E-Mail-Adresse.'],
])('a wrong address for a new password is named, in %s', async (language, message) => {
  const headers = { accept: 'text/html', 'content-type': 'application/x-www-form-urlencoded' }
  const body = new TextEncoder().encode('email=nobody')
  const reply = await site.get(`/password?language=${language}`, { method: 'POST', headers, body })
  expect([reply.status, bodyText(reply)]).toEqual([422, expect.stringContaining(message)])
})

describe('an account at work', () => {
  /** The cookies and the CSRF token of a desk worker who also sells things. */
  let session: { readonly cookie: string; readonly token: string }

  beforeAll(async () => {
    const first = await site.get('/log-in')
    const form = bodyText(first)
    const cookies = cookiesOf(first)
    const answer = await post('/api/sessions', cookies, [
      ['authenticity_token', tokenIn(form)],
      ['form_name', 'sessions/log_in'],
      ['form[email]', 'desk@hobnail.example'],
      ['form[password]', 'hobnail'],
    ])
    expect([answer.status, answer.headers['location']]).toEqual([302, '/account'])
    const cookie = cookiesOf(answer)
    session = { cookie, token: tokenIn(bodyText(await site.get('/account', { headers: { cookie } }))) }
  })

  function cookiesOf({ cookies = [] }: Reply): string {
    return cookies.map((line) => line.split(';')[0]).join('; ')
  }

  function tokenIn(text: string): string {
    return /name="authenticity_token" value="([^"]+)"/.exec(text)?.[1] ?? ''
  }

  function post(url: string, cookie: string, fields: readonly (readonly [string, string])[]): Promise<Reply> {
    const headers = { cookie, accept: 'text/html', 'content-type': 'application/x-www-form-urlencoded' }
    const body = new TextEncoder().encode(new URLSearchParams(Object.fromEntries(fields)).toString())
    return site.get(url, { method: 'POST', headers, body })
  }

  /** Requests a page with this session. Also returns the number of SQL statements that it needed. */
  async function own(
    url: string,
  ): Promise<{ readonly status: number; readonly text: string; readonly statements: number }> {
    const before = site.statementCount()
    const reply = await site.get(url, { headers: { cookie: session.cookie } })
    return { status: reply.status, text: bodyText(reply), statements: site.statementCount() - before }
  }

  async function listings(): Promise<number> {
    return (await found('')).total
  }

  async function imported(csv: string): Promise<{ readonly reply: Reply; readonly statements: number }> {
    const before = site.statementCount()
    const reply = await post('/account/import', session.cookie, [
      ['authenticity_token', session.token],
      ['csv', csv],
    ])
    return { reply, statements: site.statementCount() - before }
  }

  test("an import takes as many statements for 200 rows as for one, and all are its seller's", async () => {
    const before = await listings()
    const head = 'title_en,summary_en,price,stock,shelf,tags'
    const csv = (name: string, rows: number): string =>
      [
        head,
        ...Array.from({ length: rows }, (_, at) => `${name} ${at},A thing,"${at + 1},05",1,mugs-and-cups,gift`),
      ].join('\n')
    const one = await imported(csv('Single', 1))
    expect([one.reply.status, one.reply.headers['location']]).toEqual([302, '/account/listings?imported=1'])
    const many = await imported(csv('Zzyzx', 200))
    expect([many.reply.status, many.reply.headers['location']]).toEqual([302, '/account/listings?imported=200'])
    expect(many.statements).toBe(one.statements)
    expect(await listings()).toBe(before + 201)
    const { text, statements } = await own('/account/listings')
    expect(statements).toBeLessThanOrEqual(2)
    expect(text.match(/<li class="own-listing">/g)).toHaveLength(24)
    const { items } = await found('q=zzyzx&sort=price-down')
    expect(items[0]?.price).toMatchObject({ cents: 20_005 })
  })

  test('what no text can hold is left out of it', async () => {
    const { reply } = await imported(
      'title_en,summary_en,price,stock,shelf\nQ\u0000uuxly,A \u0001thing \ud800,1,1,mugs-and-cups',
    )
    expect(reply.status).toBe(302)
    expect((await found('q=quuxly')).total).toBe(1)
  })

  test('an import that is undone leaves nothing, not even its mail', async () => {
    const { sql } = site.database ?? never()
    const jobs = async (): Promise<number> => (await sql`select 1 from ingot.jobs`).length
    const [before, waiting] = [await listings(), await jobs()]
    const { reply } = await imported(
      'title_en,summary_en,price,stock,shelf\nFresh,A thing,1,1,mugs-and-cups\nSingle 0,A thing,1,1,mugs-and-cups',
    )
    expect(reply.status).toBe(200)
    expect(bodyText(reply)).toContain('“single-0” is on your shelf already')
    expect([await listings(), await jobs()]).toEqual([before, waiting])
  })

  test.each([
    ['nothing', '', 'There is no row'],
    ['only names', 'title_en', 'There is no row'],
    ['an open quotation mark', 'title_en\n"', 'This is no CSV'],
    ['a column twice', 'title_en,title_en\na,b', 'Line 2:'],
    ['names of prototypes', '__proto__,constructor\na,b', 'These columns do not belong here: __proto__, constructor.'],
    ['markup', '<b>,title_en\na,b', 'These columns do not belong here: &lt;b&gt;.'],
    ['many rows', `title_en\n${'x\n'.repeat(201)}`, '200 rows at a time'],
    ['a long cell', `title_en\n"${'x'.repeat(200_000)}"`, 'This text is too long'],
    ['no numbers', "title_en,price,stock,shelf\nAbc,1e9,1.5,'--", 'There is no such shelf.'],
    ['negative numbers', 'title_en,price,stock,shelf\nAbc,-1,-1,mugs-and-cups', 'The price must be a number'],
    ['a price of nothing', 'title_en,price,stock,shelf\nAbc,0,1,mugs-and-cups', 'The price must be a number'],
  ])('%s: nothing is left of it, and the answer is a sentence', async (_, csv, sentence) => {
    const before = await listings()
    const { reply } = await imported(csv)
    expect(reply.status).toBe(200)
    expect(bodyText(reply)).toContain(sentence)
    expect(await listings()).toBe(before)
  })

  test.each(['', '?jobs=2&mails=2', '?jobs=99999&mails=-1', '?jobs[]=1&mails[a]=b', '?jobs=x%00'])(
    'the desk takes `%s`, with as many statements whatever waits',
    async (query) => {
      const { status, text, statements } = await own(`/admin${query}`)
      expect(status).toBe(200)
      expect(text).toContain("<h1>The shop's desk</h1>")
      expect(statements).toBeLessThanOrEqual(2)
    },
  )

  test("an import without the token of the form is nobody's", async () => {
    const before = await listings()
    const { status, headers } = await post('/account/import', session.cookie, [
      ['csv', 'title_en,summary_en,price,stock,shelf\nForged,A thing,1,1,mugs-and-cups'],
    ])
    expect([status, new URL(headers['location'] ?? '', 'http://localhost:3000').pathname]).toEqual([302, '/log-in'])
    expect(await listings()).toBe(before)
  })
})

describe('a listing', () => {
  test('shows its workshop, what buyers say, questions with their answers, and others of its shelf', async () => {
    const { text, statements } = await page('/listings/101-tide-mug')
    expect(statements).toBeLessThanOrEqual(2)
    expect(text).toContain('<h1>Tide mug</h1>')
    expect(text).toContain('Maren Petersen · Husum, Germany')
    expect(text).toContain('I bought one, then three more.')
    expect(text).toMatch(/Hanna R\., <time datetime="2026-10-11">/)
    expect(text.match(/<article class="card">/g)).toHaveLength(4)
    const german = (await page('/listings/101-tide-mug?language=de')).text
    expect(german).toContain('<h1>Becher Tide</h1>')
    expect(german).not.toContain('A wide stoneware mug')
  })

  test('a question stands with its replies, and the workshop is marked', async () => {
    const [row] = await (site.database?.sql ?? never())<{ listing: string }[]>`
      select properties->>'listing_id' as listing from ingot.records
      where table_id = ${site.ids.get('comment') ?? 0} and properties ? 'reply_to' order by id limit 1`
    const moved = await site.get(`/listings/${row?.listing}`)
    const { text } = await page(moved.headers['location'] ?? '')
    expect(text).toMatch(/<li class="question">[\s\S]*?<ol class="replies">[\s\S]*?badge[^>]*>Workshop</)
  })
})

describe('statements of a page', () => {
  const paths = [
    '/',
    '/listings',
    '/listings?category=wood&sort=price',
    '/categories/ceramics',
    '/categories',
    '/workshops',
    '/workshops/kozhar',
    '/listings/101-tide-mug',
    '/feed.rss',
  ]

  /** Returns the number of statements of each page after the footer is cached, which lasts for ten minutes. */
  async function counts(): Promise<Record<string, number>> {
    for (const path of paths) await page(path)
    const taken: Record<string, number> = {}
    for (const path of paths) {
      const { status, statements } = await page(path)
      expect(status, path).toBe(200)
      taken[path] = statements
    }
    return taken
  }

  test('are as many with 10 listings as with 10,000', async () => {
    const { sql } = site.database ?? never()
    const table = site.ids.get('listing') ?? 0
    await sql`update ingot.records set deleted_at = now() where table_id = ${table} and id not in
      (select id from ingot.records where table_id = ${table} order by id = 101 desc, id limit 10)`
    expect((await found('')).total).toBe(10)
    const few = await counts()
    await sql`insert into ingot.records (table_id, properties) select table_id, properties || jsonb_build_object('price_cents', 1000 + n)
      from (select table_id, properties from ingot.records where table_id = ${table} and deleted_at is null limit 10) as row
      cross join generate_series(1, 999) as n`
    expect((await found('')).total).toBe(10_000)
    const many = await counts()
    expect(many).toEqual(few)
    expect(many['/']).toBe(1)
    expect(many['/listings']).toBe(2)
    expect(Math.max(...Object.values(many))).toBeLessThanOrEqual(3)
  })
})

function never(): never {
  throw new Error('The demo site has a database.')
}
