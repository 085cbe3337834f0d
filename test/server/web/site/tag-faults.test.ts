/** Tags that fail: the response is correct, and the log has the location of the tag. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { App } from '../../../../server/web/app.ts'
import { bodyText } from '../../../support/built-site.ts'
import { type Entry, type LoggedSite, loggedSite } from '../../../support/server/logged-site.ts'
import { request } from '../../../support/server/site.ts'

const FORM = `---
name: edit
resource: note
fields:
  properties:
    title:
      validation: { presence: true }
---
{% form %}<i>{{ form.properties.title }}</i>{% endform %}`

const FILES = {
  'app/schema/note.yml': 'name: note\nproperties:\n  - name: title\n    type: string\n',
  'app/schema/other.yml': 'name: other\nproperties:\n  - name: title\n    type: string\n',
  'app/forms/edit.liquid': FORM,
  'app/views/pages/edit.liquid':
    "---\nslug: edit/:id\n---\nhere\n{% render 'shown', id: context.params.id, by: context.params.by %}",
  'app/views/partials/shown.liquid': "\n{% include_form 'edit', id: id %}",
  'app/views/pages/tried.liquid':
    "---\nslug: tried/:id\n---\n{% try %}{% include_form 'edit', id: context.params.id %}{% catch e %}no: {{ e }}{% endtry %}",
  'app/views/pages/404.liquid': '---\nslug: 404\nlayout: ""\n---\nnothing here',
  'app/views/pages/headers.liquid':
    "---\nlayout: ''\n---\n{% response_headers '{\"X-Kept\": \"yes\"}' %}first\n{% render 'headers', value: context.params.value, name: context.params.name %}",
  'app/views/partials/headers.liquid':
    '\n\n{% assign asked = {} %}{% assign asked["X-Fine"] = "fine" %}{% assign asked[name] = value %}\n{% response_headers asked %}after',
  'app/views/pages/sent.liquid': "---\nlayout: ''\n---\n\n{% redirect_to context.params.to %}went on",
  'app/views/pages/status.liquid': "---\nlayout: ''\n---\n{% response_status context.params.code %}went on",
  'app/views/pages/number.json.liquid':
    '---\nmethod: post\nlayout: ""\n---\n{{ context.params.x }} {{ context.params.x | plus: 1 }} {{ context.params.list | json }} {{ context.params.x == 2 }}',
}

let site: LoggedSite
let app: App
let printing: App

beforeAll(async () => {
  site = await loggedSite(FILES)
  app = site.raising
  printing = site.printing
})
afterAll(() => site?.close())
beforeEach(() => site.clearLog())

const get = (url: string, from = app) => from.handler(request(url))

async function logged(): Promise<Entry> {
  return (await site.waitForEntries(1))[0] as Entry
}

async function nothingLogged(): Promise<void> {
  await new Promise((done) => setTimeout(done, 300))
  expect(await site.sql`select message from ingot.logs`).toEqual([])
}

async function record(table: string): Promise<string> {
  const [row] = await site.sql`
    insert into ingot.records (table_id, properties)
    select id, '{"title": "Oak"}' from ingot.tables where name = ${table} returning id::text as id`
  return String(row?.['id'])
}

describe('a form of a resource that is not there', () => {
  test('is there for the one that is', async () => {
    expect(await bodyText(await get(`/edit/${await record('note')}`))).toContain('<i>Oak</i>')
  })

  test('ends the page as a missing page, and says where', async () => {
    const other = await record('other')
    for (const id of ['987654321', other, 'abc', '-1', '9'.repeat(40)]) {
      await site.clearLog()
      const reply = await get(`/edit/${id}`)
      expect([id, reply.status, await bodyText(reply)]).toEqual([id, 404, 'nothing here'])
      const { message, data } = await logged()
      expect(message).toBe(
        `Liquid error (app/views/partials/shown.liquid:2): can't find note with id=${id.slice(0, 40)}`,
      )
      expect(data).toMatchObject({ type: 'LiquidNotFoundError', page: 'edit/:id' })
    }
  })

  test('is missing too where its page is to be shown again', async () => {
    const send = async (slug: string) => {
      const body = `form_name=edit&page_slug=${slug}&form[properties_attributes][title]=`
      const headers = { 'content-type': 'application/x-www-form-urlencoded' }
      return app.handler(request('/api/customizations', { method: 'POST', body: Buffer.from(body), headers }))
    }
    const reply = await send(`edit/${await record('note')}`)
    expect([reply.status, await bodyText(reply)]).toEqual([200, expect.stringContaining('<i>Oak</i>')])
    expect((await send('edit/987654321')).status).toBe(404)
    expect((await logged()).message).toContain('(app/views/partials/shown.liquid:2)')
  })

  test('is caught, and printed, as any other error', async () => {
    const tried = await get('/tried/987654321')
    expect(tried.status).toBe(200)
    expect(await bodyText(tried)).toContain('no: ')
    await nothingLogged()
    const printed = await get('/edit/987654321', printing)
    expect(printed.status).toBe(200)
    expect(await bodyText(printed)).toMatch(/^here\s+Liquid error \(app\/views\/partials\/shown.liquid:2\): can/)
    await logged()
  })
})

describe('headers that cannot be sent', () => {
  test.each([
    ['X-A', 'a%0d%0aset-cookie: b=c'],
    ['X-A', 'łódź'],
    ['x a', 'b'],
    ['', 'b'],
  ])('are an error of their tag: %j with %j', async (name, value) => {
    const url = `/headers?name=${encodeURIComponent(name)}&value=${value.includes('%') ? value : encodeURIComponent(value)}`
    const said = `Liquid error (app/views/partials/headers.liquid:4): response_headers: '${name}' is not a valid header`
    expect((await get(url)).status).toBe(500)
    expect((await logged()).message).toBe(said)
    await site.clearLog()
    // Tags that print nothing do not print their errors either.
    const printed = await get(url, printing)
    expect([printed.status, await bodyText(printed)]).toEqual([200, expect.stringMatching(/^first\s+after$/)])
    expect((await logged()).message).toBe(said)
    // The headers of the failing tag are missing; all others are sent.
    expect(printed.headers).toMatchObject({ 'x-kept': 'yes' })
    expect(printed.headers).not.toHaveProperty('x-fine')
  })

  test('those that can are', async () => {
    const reply = await get('/headers?name=X-A&value=%20b%20')
    expect(reply.headers).toMatchObject({ 'x-kept': 'yes', 'x-fine': 'fine', 'x-a': 'b' })
    expect((await get('/headers?name=__proto__&value=b')).headers).toMatchObject({ 'x-fine': 'fine' })
  })
})

describe('redirect_to', () => {
  test.each(['', '?to=', '?to=%20%0a'])('to nothing is an error of the tag: %j', async (query) => {
    const reply = await get(`/sent${query}`)
    expect(reply.status).toBe(500)
    expect(reply.headers).not.toHaveProperty('location')
    const said = 'Liquid error (app/views/pages/sent.liquid:5): redirect_to tag - the target is blank'
    expect((await logged()).message).toBe(said)
    await site.clearLog()
    const printed = await get(`/sent${query}`, printing)
    expect([printed.status, printed.headers['location']]).toEqual([200, undefined])
    expect(await bodyText(printed)).toContain('went on')
    expect((await logged()).message).toBe(said)
  })

  test('to something goes there', async () => {
    const reply = await get('/sent?to=%20/there')
    expect([reply.status, reply.headers['location']]).toEqual([302, '/there'])
  })
})

describe('response_status', () => {
  test.each(['199', '101', '600', '-404', 'x'])('with what is no status is an error of the tag: %j', async (code) => {
    const why =
      code === 'x' ? 'invalid integer' : `response_status tag - status must be between 200 and 599, not ${code}`
    const said = `Liquid error (app/views/pages/status.liquid:4): ${why}`
    expect((await get(`/status?code=${code}`)).status).toBe(500)
    expect((await logged()).message).toBe(said)
    await site.clearLog()
    const printed = await get(`/status?code=${code}`, printing)
    expect([printed.status, await bodyText(printed)]).toEqual([200, 'went on'])
    expect((await logged()).message).toBe(said)
  })

  test('sets it, and the page goes on', async () => {
    const reply = await get('/status?code=418')
    expect([reply.status, await bodyText(reply)]).toEqual([418, 'went on'])
    await nothingLogged()
  })
})

test('numbers of a JSON body are what they were sent as, whatever stands beside them', async () => {
  const send = async (body: string) =>
    bodyText(
      await app.handler(
        request('/number.json', {
          method: 'POST',
          body: Buffer.from(body),
          headers: { 'content-type': 'application/json' },
        }),
      ),
    )
  expect(await send('{"x": 2.0, "list": [3.0, 3, 1e2, 90071992547409931]}')).toBe(
    '2.0 3.0 [3.0,3,100.0,90071992547409931] true',
  )
  expect(await send('{"x": 2, "list": 2.50}')).toBe('2 3 2.5 true')
  expect(await send('{"x": 2.0, "list": [3.0, {"__proto__": 1, "a": 4.0}]}')).toBe('2.0 3.0 [3.0,{"a":4.0}] true')
})
