/** The recipes of the cookbook: their files compile without diagnostics, and each does what its page says, over HTTP. */
import { createHmac } from 'node:crypto'
import { XMLParser } from 'fast-xml-parser'
import { beforeAll, describe, expect, it } from 'vitest'
import { compile } from '../../../../compiler/compile.ts'
import { COOKBOOK } from '../../../../compiler/tools/docs/cookbook/index.ts'
import { GUIDES } from '../../../../compiler/tools/docs/guides/index.ts'
import { sourceFiles } from '../../../support/case-file.ts'
import { documentedRuns, documentedSite, filesShownTwice } from '../../../support/documented-site.ts'
import { type Cookbook, items, nextOf, type Sent, serveCookbook, statuses, type User } from './cookbook-server.ts'

it('the recipes and the guides show each file in one way', () => {
  expect(filesShownTwice([...GUIDES, ...COOKBOOK])).toEqual([])
  expect(COOKBOOK.length).toBeGreaterThanOrEqual(20)
})

it('the compiler reports nothing for the recipes and the guides', () => {
  const site = sourceFiles(documentedSite([...GUIDES, ...COOKBOOK]), 'platform')
  const testRuns = documentedRuns(GUIDES)
  const options = { dialect: 'platform', syntax: 'lax', keepGoing: false, openEntries: false, testRuns } as const
  const { diagnostics } = compile(site, options)
  expect(diagnostics.map(({ code, message, hint }) => `${code}: ${message} ${hint ?? ''}`)).toEqual([])
})

const TWENTY = Array.from({ length: 20 }, (_, at) => at)

describe('the recipe', () => {
  let site: Cookbook
  let ann: User
  let admin: User
  let users: readonly User[]

  beforeAll(async () => {
    site = await serveCookbook()
    ann = await site.user('ann@kitchen.example')
    admin = await site.user('desk@kitchen.example', 'admin')
    users = await Promise.all(TWENTY.map((at) => site.user(`guest${at}@kitchen.example`)))
    return () => site.close()
  })

  /** Returns the stored values of a property, in the order of the rows. */
  async function stored(table: string, property: string): Promise<readonly string[]> {
    const { rows } = await site.graph(
      `query ($table: String!, $name: String!) {
        rows: records(per_page: 1000, filter: { table: { value: $table } }, sort: [{ id: { order: ASC } }]) {
          results { value: property(name: $name) }
        }
      }`,
      { table, name: property },
    )
    return (rows as unknown as { results: { value: string }[] }).results.map(({ value }) => value) // The query selects them.
  }

  it('places: twenty visitors at once get five places', async () => {
    const id = await site.row('evening', { name: 'Pasta', free: 5 })
    expect((await site.ask('GET', `/evenings/${id}`)).text).toContain('5 places are free.')
    const sent = await Promise.all(users.map((user) => site.ask('POST', `/evenings/${id}/book`, { user })))
    expect(statuses(sent)).toEqual({ 200: 5, 409: 15 })
    expect(await stored('evening', 'free')).toEqual(['0'])
    const other = await site.row('evening', { name: 'Bread', free: 5 })
    const clicks = await Promise.all(TWENTY.map(() => site.ask('POST', `/evenings/${other}/book`, { user: ann })))
    expect(clicks.filter(({ text }) => text.includes('The place is yours.'))).toHaveLength(1)
    expect(await stored('evening', 'free')).toEqual(['0', '4'])
    expect((await site.ask('POST', '/evenings/999999/book', { user: ann })).status).toBe(404)
    expect((await site.ask('POST', `/evenings/${id}/book`)).status).toBe(302)
  })

  it('waiting list: returned places go to those who wait, in their order', async () => {
    const id = await site.row('evening', { name: 'Soup', free: 8 })
    const [guests, waiting] = [users.slice(0, 8), users.slice(8, 11)]
    const post = (user: User | undefined, what: string) => site.ask('POST', `/evenings/${id}/${what}`, { user })
    expect((await post(ann, 'wait')).status).toBe(409)
    await Promise.all(guests.map((user) => post(user, 'book')))
    for (const user of waiting) expect((await post(user, 'wait')).status).toBe(200)
    await Promise.all(TWENTY.map(() => post(waiting[0], 'wait')))
    // Each guest clicks twice.
    const left = guests.slice(0, 5)
    expect(statuses(await Promise.all([...left, ...left].map((user) => post(user, 'cancel'))))).toEqual({
      200: 5,
      404: 5,
    })
    expect(await stored('waiting', 'evening_id')).toEqual([])
    expect((await site.ask('GET', `/evenings/${id}`)).text).toContain('2 places are free.')
    for (const user of waiting) expect((await post(user, 'book')).text).toContain('You have a place already.')
    await expect
      .poll(async () => (await site.ask('GET', '/_ingot/outbox')).text.match(/A place for you/g)?.length)
      .toBe(3)
  })

  it('search: filters and order are in the address, and nonsense is harmless', async () => {
    const wines = TWENTY.map((at) => ({
      name: `Wine ${String(at).padStart(2, '0')}`,
      country: at % 2 ? 'France' : 'Spain',
      price: 10 + at,
    }))
    for (const wine of wines) await site.row('wine', wine)
    const found = await site.ask('GET', '/wines?q=wine&country=France&most=27&sort=dear')
    expect(items(found)).toEqual(
      [27, 25, 23, 21, 19, 17, 15, 13, 11].map((price) => `Wine ${price - 10 < 10 ? '0' : ''}${price - 10}, ${price}`),
    )
    expect(found.text).toContain('value="France"')
    const first = await site.ask('GET', '/wines?q=&country=&most=&sort=cheap')
    expect([items(first)[0], first.text.includes('20 wines')]).toEqual(['Wine 00, 10', true])
    const next = nextOf(first) ?? ''
    expect(new URL(next, site.url).searchParams.get('sort')).toBe('cheap')
    expect(items(await site.ask('GET', next))[0]).toBe('Wine 10, 20')
    for (const query of [
      'sort=password&most=x&page=-1&q[]=1',
      'page=99999999999',
      'country[a]=1',
      'q=%25',
      'most=1e99',
    ])
      expect((await site.ask('GET', `/wines?${query}`)).status, query).toBe(200)
    expect((await site.ask('GET', '/wines?q=%25')).text).toContain('0 wines')
    expect((await site.ask('GET', '/wines?sort=password&most=x&page=-1&q[]=1')).text).toContain('20 wines')
  })

  it('keyset: every post appears once while others are added', async () => {
    const titles = Array.from({ length: 25 }, (_, at) => `Post ${at}`)
    for (const title of titles) await site.row('post', { title })
    const seen: string[] = []
    let next: string | undefined = '/archive'
    while (next !== undefined) {
      const sent: Sent = await site.ask('GET', next)
      seen.push(...items(sent))
      next = nextOf(sent)
      await site.row('post', { title: 'Later' })
    }
    expect(seen).toEqual(titles.toReversed())
    expect(items(await site.ask('GET', '/archive?before=x'))[0]).toBe('Later')
  })

  it('full-text: words are found in both texts, with their beginnings, and with a mistake', async () => {
    const post = (title: string, body: string) =>
      site.submit('/api/customizations', 'post', { form: 'post', user: admin, properties: { title, body } })
    expect((await post('Sugar', 'with a plum')).status).toBe(201)
    expect((await post('Plum cake', 'flour and sugar, sugar, sugar')).status).toBe(201)
    expect((await post('Plums', 'nothing else')).status).toBe(201)
    const find = async (words: string) =>
      items(await site.ask('GET', `/find?words=${encodeURIComponent(words)}`)).map((item) =>
        item.replace(/<[^>]+>/g, ''),
      )
    expect((await find('plu sug')).toSorted()).toEqual(['Plum cake', 'Sugar'])
    expect((await find('plum'))[2]).toBe('Sugar')
    expect(await find('plim')).toContain('Plum cake')
    expect(await find('zebra%')).toEqual([])
    const [link = ''] = items(await site.ask('GET', '/find?words=flour'))
    expect((await site.ask('GET', /href="([^"]+)/.exec(link)?.[1] ?? '')).status).toBe(200)
  })

  it('CSV export: administrators get a file without formulas', async () => {
    await site.row('wine', { name: '=HYPERLINK("http://evil")', country: 'a "b", c', price: 9 })
    const sent = await site.ask('GET', '/export/wines.csv', { user: admin })
    expect(sent.headers.get('content-type')).toBe('text/csv; charset=utf-8')
    expect(sent.headers.get('content-disposition')).toBe('attachment; filename=wines.csv')
    const lines = sent.text.split('\n')
    expect(lines[0]).toBe('"id","name","country","price"')
    expect(lines.at(-1)).toMatch(/^\d+,"'=HYPERLINK\(""http:\/\/evil""\)","a ""b"", c",9$/)
    for (const user of [ann, undefined]) expect((await site.ask('GET', '/export/wines.csv', { user })).status).toBe(404)
  })

  it('CSV import: all rows or none, and wrong lines are named', async () => {
    const send = (csv: string, user = admin) => site.ask('POST', '/wines/import', { user, fields: { csv } })
    const before = (await stored('wine', 'name')).length
    const wrong = await send('name,country,price\nRiesling,Germany,8\nMalbec,Argentina,\n,France,7\n<b>,x,1\n')
    expect(wrong.status).toBe(422)
    expect(items(wrong)).toEqual(['Line 3 has no price.', 'Line 4 has no name.'])
    expect(wrong.text).toContain('&lt;b&gt;')
    expect(items(await send(''))).toEqual(['There are no rows.'])
    expect(items(await send('a,"b'))).toContain('This is not CSV.')
    expect((await stored('wine', 'name')).length).toBe(before)
    expect((await send('name,country,price\nRiesling,Germany,8\n"Two, words",France,12')).text).toContain(
      '2 wines are new.',
    )
    expect((await stored('wine', 'name')).slice(before)).toEqual(['Riesling', 'Two, words'])
    expect((await send('name,country,price\nX,Y,1', ann)).status).toBe(404)
  })

  it('nested forms: a party and its dishes are stored together', async () => {
    const send = (...fields: [string, string][]) => site.ask('POST', '/parties', { user: ann, fields })
    const dish = (name: string, amount: string): [string, string][] => [
      ['dishes[][name]', name],
      ['dishes[][amount]', amount],
    ]
    expect((await send(['host', 'Ann'], ...dish('Soup', '3'), ...dish('', ''), ...dish('Cake', '2'))).text).toContain(
      'We will cook for Ann.',
    )
    expect(await stored('party_dish', 'name')).toEqual(['Soup', 'Cake'])
    const wrong = await send(['host', 'Bea'], ...dish('Soup', 'many'), ...dish('<i>', '0'))
    expect([wrong.status, wrong.text.includes('value="Bea"')]).toEqual([422, true])
    expect(wrong.text).toContain('How many of &lt;i&gt;?')
    for (const fields of [
      [['dishes', 'x']],
      [
        ['dishes[a]', 'x'],
        ['host[]', 'y'],
      ],
    ] as [string, string][][])
      expect((await send(...fields)).status).toBe(422)
    expect(await stored('party', 'host')).toEqual(['Ann'])
    const { rows } = await site.graph(
      '{ rows: records(per_page: 1, filter: { table: { value: "party_dish" } }) { results { party: related_record(table: "party", join_on_property: "party_id") { host: property(name: "host") } } } }',
    )
    expect(rows).toEqual({ results: [{ party: { host: 'Ann' } }] })
  })

  it('steps: the answers are kept in the session, and no step is skipped', async () => {
    let cookie = ''
    const visit = async (method: string, path: string, fields?: Record<string, string>) => {
      const page = fields === undefined ? '' : (await site.ask('GET', '/reserve', { headers: { cookie } })).text
      const token = /name="authenticity_token" value="([^"]+)"/.exec(page)?.[1] ?? ''
      const sent = await site.ask(method, path, {
        headers: { cookie },
        ...(fields !== undefined && { fields: { authenticity_token: token, ...fields } }),
      })
      const set = sent.headers.getSetCookie().find((each) => each.startsWith('_pos_session='))
      if (set !== undefined) cookie = set.split(';')[0] ?? ''
      return sent
    }
    expect((await visit('GET', '/reserve')).text).toContain('name="guests"')
    const early = await visit('POST', '/reserve', { confirm: 'yes' })
    expect([early.status, early.headers.get('location')]).toEqual([302, '/reserve'])
    await visit('POST', '/reserve', { guests: '40' })
    expect((await visit('GET', '/reserve')).text).toContain('name="guests" value="40"')
    await visit('POST', '/reserve', { guests: '4' })
    expect((await visit('GET', '/reserve')).text).toContain('name="name"')
    await visit('POST', '/reserve', { name: 'Ann <b>' })
    expect((await visit('GET', '/reserve')).text).toContain('A table for 4, Ann &lt;b&gt;?')
    expect((await visit('GET', '/reserve?again=guests')).text).toContain('value="4"')
    expect(await stored('reservation', 'name')).toEqual([])
    expect((await visit('POST', '/reserve', { confirm: 'yes' })).headers.get('location')).toBe('/reserve/done')
    expect(await stored('reservation', 'name')).toEqual(['Ann <b>'])
    expect((await visit('GET', '/reserve')).text).toContain('name="guests" value=""')
  })

  it('comments: HTML and Liquid are text, and only authors remove', async () => {
    const post = await site.row('post', { title: 'Bread' })
    const words = '<script>alert(1)</script> {{ context.constants }} {% log 1 %} "\' &amp;'
    const comment = (text: string, user: User | undefined) =>
      site.submit('/api/customizations', 'comment', {
        form: 'comment',
        user,
        properties: { post_id: post, words: text },
      })
    expect((await comment(words, ann)).status).toBe(201)
    expect((await comment('', ann)).status).toBe(422)
    expect((await comment('hi', undefined)).status).not.toBe(201)
    const shown = await site.ask('GET', `/posts/${post}/comments`, { user: ann })
    expect(shown.text).toContain(
      '&lt;script&gt;alert(1)&lt;/script&gt; {{ context.constants }} {% log 1 %} &quot;&#39; &amp;amp;',
    )
    expect(shown.text).toContain('Remove')
    const guest = users[0]
    expect((await site.ask('GET', `/posts/${post}/comments`, { user: guest })).text).not.toContain('Remove')
    const [id] = /(?<=\/api\/customizations\/)\d+/.exec(shown.text) ?? []
    const remove = (user: User | undefined) =>
      site.submit(`/api/customizations/${id}`, 'comment', { form: 'comments/remove', user })
    expect((await remove(guest)).status).toBe(404)
    expect((await remove(ann)).status).toBe(204)
    expect(await stored('comment', 'words')).toEqual([])
  })

  it('honeypot: a form with a website is refused', async () => {
    const send = (website: string) => {
      const properties = { email: 'a@b.example', words: 'Hello', website }
      return site.submit('/api/customizations', 'message', { form: 'message', user: ann, properties })
    }
    expect((await send('http://spam.example')).status).toBe(422)
    expect(await stored('message', 'words')).toEqual([])
    expect((await send('')).status).toBe(201)
    expect((await site.ask('GET', '/message')).text).toMatch(/<div hidden[^]*properties_attributes\]\[website\]/)
  })

  it('rate limit: no more than five pass, also of twenty at once', async () => {
    await site.graph('mutation { constant_set(name: "LIMITS_KEY", value: "k") { name } }')
    for (const _ of TWENTY.slice(0, 3)) expect((await site.ask('POST', '/vote')).status).toBe(200)
    const sent = await Promise.all(TWENTY.map(() => site.ask('POST', '/vote')))
    const { 200: passed = 0, 429: refused = 0 } = statuses(sent)
    expect(passed).toBeLessThanOrEqual(2)
    expect(passed + refused).toBe(20)
    expect((await site.ask('POST', '/vote')).status).toBe(429)
    expect(sent.find(({ status }) => status === 429)?.headers.get('retry-after')).toBe('3600')
    expect((await stored('hit', 'key')).every((key) => /^[0-9a-f]{64}$/.test(key))).toBe(true)
  })

  it('slugs: the number finds the post, and the title is corrected', async () => {
    const id = await site.row('post', { title: 'Crème brûlée & more' })
    const right = `/posts/${id}-creme-brulee-more`
    for (const path of [`/posts/${id}`, `/posts/${id}-old-title`]) {
      const sent = await site.ask('GET', path)
      expect([sent.status, sent.headers.get('location')]).toEqual([301, right])
    }
    expect((await site.ask('GET', right)).text).toContain('Crème brûlée &amp; more')
    for (const path of ['/posts/nothing', '/posts/0', '/posts/999999-x'])
      expect((await site.ask('GET', path)).status).toBe(404)
  })

  it('redirects: old addresses lead on, within this site only', async () => {
    await site.row('moved', { old: '/shop/cakes', new: '/wines' })
    await site.row('moved', { old: '/shop/evil', new: '//evil.example' })
    const sent = await site.ask('GET', '/shop/Cakes')
    expect([sent.status, sent.headers.get('location')]).toEqual([301, '/wines'])
    for (const path of ['/shop/bread', '/shop/evil', '/shop/a/b'])
      expect((await site.ask('GET', path)).status).toBe(404)
  })

  it('languages: the address decides, and visitors are sent to theirs', async () => {
    const german = await site.ask('GET', '/de/visit', { headers: { 'accept-language': 'en' } })
    expect(german.text).toContain('<html lang="de">')
    expect(german.text).toContain('So finden Sie uns')
    expect(german.text).toContain('hreflang="en" lang="en" href="/en/visit"')
    expect((await site.ask('GET', '/xx/visit')).status).toBe(404)
    const sent = await site.ask('GET', '/visit', { headers: { 'accept-language': 'de' } })
    expect(sent.headers.get('location')).toBe('/de/visit')
  })

  it('RSS: readers see titles as they are', async () => {
    await site.row('post', { title: 'Salt & <b>pepper</b> ]]>', body: '"quoted"' })
    const sent = await site.ask('GET', '/news.rss')
    expect(sent.headers.get('content-type')).toBe('application/rss+xml; charset=utf-8')
    const feed = new XMLParser().parse(sent.text, true) as { rss: { channel: { item: Record<string, string>[] } } }
    const [item] = feed.rss.channel.item
    expect(item?.['title']).toBe('Salt & <b>pepper</b> ]]>')
    expect(item?.['pubDate']).toMatch(/^\w{3}, \d\d \w{3} \d{4} \d\d:\d\d:\d\d \+0000$/)
    expect(feed.rss.channel.item).toHaveLength(20)
  })

  it('calendar file: calendars read any text as it is', async () => {
    const long = `${'Grüße, 🍷; '.repeat(12)}${'wine '.repeat(40)}`
    const names = ['Salt, pepper; oil\\vinegar\r\nand\nbread\u0007', `${long}end`, 'Short']
    for (const name of names) await site.row('tasting', { name, starts_at: '2026-07-01T18:00:00+02:00' })
    const sent = await site.ask('GET', '/tastings.ics')
    expect(sent.headers.get('content-type')).toBe('text/calendar; charset=utf-8')
    const lines = sent.text.split('\r\n')
    expect(lines.pop()).toBe('')
    expect(lines.filter((line) => Buffer.byteLength(line) > 75 || /[\x00-\x1f]/.test(line))).toEqual([])
    const whole = sent.text.replaceAll('\r\n ', '').split('\r\n')
    expect(whole.filter((line) => line.startsWith('SUMMARY:'))).toEqual([
      'SUMMARY:Short',
      `SUMMARY:${long.replaceAll(/[,;]/g, '\\$&')}end`,
      'SUMMARY:Salt\\, pepper\\; oil\\\\vinegar\\nand\\nbread',
    ])
    expect(lines).toContain('SUMMARY:Short')
    expect(whole.filter((line) => line.startsWith('DTSTART:'))[0]).toBe('DTSTART:20260701T160000Z')
    expect(new Set(whole.filter((line) => line.startsWith('UID:'))).size).toBe(3)
  })

  it('sitemap: every address is answered', async () => {
    expect((await site.ask('GET', '/robots.txt')).text).toMatch(/^Sitemap: https:\/\/\S+\/sitemap\.xml$/m)
    const sent = await site.ask('GET', '/sitemap.xml')
    const map = new XMLParser().parse(sent.text, true) as { urlset: { url: { loc: string }[] } }
    expect(map.urlset.url.length).toBeGreaterThan(30)
    const replies = await Promise.all(map.urlset.url.map(({ loc }) => site.ask('GET', new URL(loc).pathname)))
    expect(statuses(replies)).toEqual({ 200: map.urlset.url.length })
  })

  it('user tokens: a program is its user until the token is revoked', async () => {
    const made = await site.ask('POST', '/tokens', { user: ann, fields: { name: 'till' } })
    const token = /<code>(ingot_user_[^<]+)<\/code>/.exec(made.text)?.[1] ?? ''
    const me = () => site.ask('GET', '/api/me.json', { headers: { authorization: `Bearer ${token}` } })
    expect(JSON.parse((await me()).text)).toEqual({ email: ann.email })
    const list = await site.ask('GET', '/tokens', { user: ann })
    expect(list.text).not.toContain(token)
    const [path = ''] = /\/tokens\/\d+\/revoke/.exec(list.text) ?? []
    expect((await site.ask('POST', path, { user: users[0] })).status).toBe(404)
    expect((await me()).status).toBe(200)
    expect((await site.ask('POST', path, { user: ann })).status).toBe(302)
    expect((await me()).status).toBe(401)
    expect((await site.ask('GET', '/tokens', { user: ann })).text).not.toContain('till')
  })

  it('webhooks: genuine events count once', async () => {
    const now = () => String(Math.floor(Date.now() / 1000))
    const send = (body: string, { time = now(), secret = 'shared', signed = body } = {}) => {
      const signature = createHmac('sha256', secret).update(`${time}.${signed}`).digest('hex')
      return site.ask('POST', '/webhooks/till', {
        body,
        headers: { 'content-type': 'application/json', 'x-time': time, 'x-signature': signature },
      })
    }
    const event = (id: string) => JSON.stringify({ id, kind: 'paid', words: 'ü "x"' })
    // Without a secret nothing is accepted, not even with an empty one.
    expect((await send(event('e0'), { secret: '' })).status).toBe(401)
    await site.graph('mutation { constant_set(name: "TILL_SECRET", value: "shared") { name } }')
    const genuine = await send(event('e1'))
    expect([genuine.status, genuine.text.trim()]).toEqual([200, '{"ok":true}'])
    expect((await send(event('e1'))).status).toBe(200)
    const old = String(Math.floor(Date.now() / 1000) - 400)
    for (const wrong of [{ secret: 'other' }, { signed: event('e9') }, { time: old }, { time: 'x' }])
      expect((await send(event('e2'), wrong)).status).toBe(401)
    expect(
      (await site.ask('POST', '/webhooks/till', { body: event('e2'), headers: { 'content-type': 'application/json' } }))
        .status,
    ).toBe(401)
    expect(statuses(await Promise.all(TWENTY.map(() => send(event('e3')))))).toEqual({ 200: 20 })
    expect(await stored('event', 'number')).toEqual(['e1', 'e3'])
  })

  it('calls: a failed call is made again with the same key', async () => {
    const made = await site.ask('POST', '/deliveries', { user: ann, fields: { dish: 'Tea "x"' } })
    const path = made.headers.get('location') ?? ''
    const state = async () => JSON.parse((await site.ask('GET', path, { user: ann })).text) as Record<string, unknown>
    await expect.poll(async () => (await state())['attempts']).toBe(1)
    expect((await state())['state']).toBe('waiting')
    await expect.poll(async () => (await state())['state']).toBe('sent')
    const { id } = await state()
    expect(site.received.map(({ key }) => key)).toEqual([`order-${id}`, `order-${id}`])
    expect(JSON.parse(site.received[1]?.body ?? '')).toEqual({ id, dish: 'Tea "x"' })
    expect(await stored('delivery', 'status')).toEqual(['200'])
  })

  it('scheduled: one next run waits, however often the job runs', async () => {
    const waiting = async () => {
      const { jobs } = await site.graph(
        '{ jobs: admin_background_jobs(per_page: 100) { results { source_name run_at } } }',
      )
      const all = (jobs as unknown as { results: { source_name: string; run_at: string }[] }).results // The query selects them.
      return all
        .filter(({ source_name }) => source_name === 'nightly')
        .map(({ run_at }) => new Date(run_at))
        .map((at) => `${at.getUTCHours()}:${at.getUTCMinutes()}`)
    }
    expect(await waiting()).toEqual(['3:0'])
    const yesterday = new Date(Date.now() - 2 * 86_400_000).toISOString()
    await site.graph(
      `mutation ($at: JSONDate!) {
        record_create(record: { table: "hit", created_at: $at, properties: [{ name: "key", value: "old" }] }) { id }
      }`,
      { at: yesterday },
    )
    for (const runs of ['1', '2']) {
      await site.ask('POST', '/nightly')
      await expect.poll(() => stored('schedule', 'runs')).toEqual([runs])
    }
    expect(await stored('hit', 'key')).not.toContain('old')
    // The first run has queued the next one, as the migration had; whichever comes second will end at once.
    expect(await waiting()).toEqual(['3:0', '3:0'])
  })

  it('soft delete: a removed wine is in the bin, and comes back', async () => {
    const id = await site.row('wine', { name: 'Chianti', country: 'Italy', price: 14 })
    const isListed = async () => (await site.ask('GET', '/wines?country=Italy')).text.includes('Chianti')
    const isInBin = async () => (await site.ask('GET', '/bin', { user: admin })).text.includes('Chianti')
    expect((await site.ask('POST', `/wines/${id}/remove`, { user: ann })).status).toBe(404)
    expect([await isListed(), await isInBin()]).toEqual([true, false])
    await site.ask('POST', `/wines/${id}/remove`, { user: admin })
    expect([await isListed(), await isInBin()]).toEqual([false, true])
    await site.ask('POST', `/wines/${id}/restore`, { user: admin })
    expect([await isListed(), await isInBin()]).toEqual([true, false])
  })

  it('audit log: changes at once leave a chain without a gap', async () => {
    const id = await site.row('wine', { name: 'Port', country: 'Portugal', price: 1 })
    const set = (price: string, user: User) => site.ask('POST', `/wines/${id}/price`, { user, fields: { price } })
    expect((await set('5', ann)).status).toBe(404)
    expect((await set('-5', admin)).status).toBe(422)
    expect((await site.ask('POST', '/wines/999999/price', { user: admin, fields: { price: '5' } })).status).toBe(422)
    await Promise.all(TWENTY.slice(0, 10).map((at) => set(String(20 + at), admin)))
    const [before, after] = [await stored('change', 'before'), await stored('change', 'after')]
    expect(before).toEqual(['{"price":1}', ...after.slice(0, -1)])
    expect(after.toSorted()).toEqual(TWENTY.slice(0, 10).map((at) => `{"price":${20 + at}}`))
    expect((await site.ask('GET', '/changes', { user: admin })).text).toContain(`${admin.email}: wine ${id}`)
  })

  it('feature flags: the share grows, and nobody loses the new part', async () => {
    const shown = async (seen: readonly User[]) => {
      const sent = await Promise.all(seen.map((user) => site.ask('GET', '/table', { user })))
      return sent.flatMap(({ text }, at) => (text.includes('new table') ? [at] : []))
    }
    expect(await shown(users)).toEqual([])
    const flag = await site.row('flag', { name: 'new_table', percent: 0 })
    const set = (percent: number) =>
      site.graph(
        'mutation ($id: ID!, $percent: Int!) { record_update(id: $id, record: { properties: [{ name: "percent", value_int: $percent }] }) { id } }',
        { id: flag, percent },
      )
    const beta = await site.user('beta@kitchen.example', 'beta')
    expect(await shown([...users, beta])).toEqual([20])
    await set(50)
    const half = await shown(users)
    expect(half.length).toBeGreaterThan(2)
    expect(half.length).toBeLessThan(18)
    await set(80)
    const most = await shown(users)
    expect(half.filter((at) => !most.includes(at))).toEqual([])
    expect(most.length).toBeGreaterThan(half.length)
    await set(100)
    expect(await shown(users)).toHaveLength(20)
  })

  it('files: other programs get the whole address of a photo', async () => {
    const form = new FormData()
    form.set('form_name', 'dish')
    form.set('parent_resource_id', 'dish')
    form.set('form[model_schema_name]', 'dish')
    form.set('form[properties_attributes][name]', 'Plums')
    const pixel = Buffer.from('R0lGODlhAQABAIAAAP///wAAACwAAAAAAQABAAACAkQBADs=', 'base64')
    form.set('form[properties_attributes][photo]', new Blob([pixel], { type: 'image/gif' }), 'plums.gif')
    expect((await site.ask('POST', '/api/customizations', { user: admin, body: form })).status).toBeLessThan(400)
    const dishes = JSON.parse((await site.ask('GET', '/api/photos.json')).text) as { photo: { url: string } | null }[]
    const url = dishes.flatMap(({ photo }) => photo?.url ?? [])[0] ?? ''
    expect(url).toMatch(new RegExp(`^${site.url}/uploads/`))
    expect((await fetch(url)).headers.get('content-type')).toBe('image/gif')
  })

  it('downloads: members get the file for a minute, others never', async () => {
    const form = new FormData()
    form.set('form_name', 'handout')
    form.set('parent_resource_id', 'handout')
    form.set('form[model_schema_name]', 'handout')
    form.set('form[properties_attributes][title]', 'Knives')
    form.set('form[properties_attributes][file]', new Blob(['the secret recipe'], { type: 'text/plain' }), 'knives.txt')
    expect((await site.ask('POST', '/api/customizations', { user: admin, body: form })).status).toBeLessThan(400)
    const [item = ''] = items(await site.ask('GET', '/handouts'))
    const path = /href="([^"]+)"/.exec(item)?.[1] ?? ''
    for (const user of [undefined, ann]) expect((await site.ask('GET', path, { user })).status).toBe(403)
    const member = await site.user('member@kitchen.example', 'member')
    const sent = await site.ask('GET', path, { user: member })
    const address = sent.headers.get('location') ?? ''
    expect(sent.status).toBe(302)
    expect((await site.ask('GET', address)).text).toBe('the secret recipe')
    const url = new URL(address, site.url)
    for (const changed of [url.pathname, address.replace('expires=', 'expires=9'), address.replace('ure=', 'ure=0')])
      expect((await site.ask('GET', changed)).status, changed).toBeGreaterThanOrEqual(400)
  })
})
