/** A cached part of a page never shows one visitor the token or the messages of another. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type TestDatabase, testDatabase } from '../../../support/database.ts'
import { type Served, serve } from '../graphql/served.ts'
import { SITE, Visitor } from './visitor.ts'

let database: TestDatabase
let served: Served
const visitor = (): Visitor => new Visitor(served.url)
const TOKEN = /[\w-]{85,86}/g

beforeAll(async () => {
  database = await testDatabase()
  served = await serve(SITE, database.sql)
})

afterAll(async () => {
  await served?.close()
  await database?.close()
})

/** Returns whether a printed token is valid for the visitor. */
async function works(someone: Visitor, token: string | undefined): Promise<boolean> {
  return (await someone.bare('/act', { authenticity_token: token ?? '' })).seen.valid
}

test('all tokens of an answer are one, and of the next answer another', async () => {
  const someone = visitor()
  const [a, b] = JSON.parse((await someone.get('/tokens')).text) as string[]
  const [c] = JSON.parse((await someone.get('/tokens')).text) as string[]
  expect(a).toBe(b)
  expect(c).not.toBe(a)
  expect(await works(someone, a)).toBe(true)
  expect(await works(someone, c)).toBe(true)
})

test('a cached fragment has the token of whoever sees it, also inside another one, and for many at once', async () => {
  for (const path of ['/cached', '/cached?held=yes']) {
    const visitors = Array.from({ length: 6 }, visitor)
    const texts = await Promise.all(visitors.map(async (someone) => (await someone.get(path)).text))
    texts.push((await visitors[0]?.get(path))?.text ?? '')
    visitors.push(visitors[0] ?? visitor())
    // The cached part was rendered once.
    expect(new Set(texts.map((text) => text.replaceAll(TOKEN, ''))).size).toBe(1)
    const tokens = texts.map((text) => text.match(TOKEN)?.[0])
    expect(new Set(tokens).size).toBe(tokens.length)
    for (const [index, someone] of visitors.entries()) expect(await works(someone, tokens[index])).toBe(true)
  }
})

test('a fragment with a token that was changed is not kept', async () => {
  const texts = await Promise.all(
    [visitor(), visitor()].map(async (someone) => (await someone.get('/cached?cut=1')).text),
  )
  const [a, b] = texts.map((text) => text.match(TOKEN)?.[0])
  expect(a).toHaveLength(85)
  expect(b).toHaveLength(85)
  expect(a).not.toBe(b)
})

test('the dynamic cache keeps no page with a token, or with messages', async () => {
  const [one, other] = [visitor(), visitor()]
  const first = (await one.get('/dynamic?form=1')).text.slice(0, 86)
  const second = (await other.get('/dynamic?form=1')).text.slice(0, 86)
  expect(second).not.toBe(first)
  expect(await works(one, first)).toBe(true)
  expect(await works(other, second)).toBe(true)
  await one.get('/members')
  expect((await one.get('/dynamic')).text).toContain('Sign in first')
  expect((await other.get('/dynamic')).text).toContain('"flash":{}')
})

test('the static cache keeps no page with a token, and its hits know no visitors', async () => {
  const one = visitor()
  const first = (await one.get('/static?form=1')).text
  const second = (await visitor().get('/static?form=1')).text
  expect(first.slice(0, 86)).not.toBe(second.slice(0, 86))
  const { text } = await one.get('/static')
  expect((await visitor().get('/static')).text).toBe(text)
  const [stolen] = await database.sql`select count(*) from ingot.sessions`
  expect((await new Visitor(served.url, { _pos_session: 's.nonsense' }).get('/static')).cookies).toEqual([])
  expect((await database.sql`select count(*) from ingot.sessions`)[0]).toEqual(stolen)
})

test('the static cache is not filled in the language of one session', async () => {
  const someone = visitor()
  await someone.get('/seen?language=pl')
  const theirs = (await someone.get('/static?a=1')).text
  expect((await visitor().get('/static?a=1')).text).not.toBe(theirs)
})

test.each(['/static?who=1', '/dynamic?who=1'])(
  '%s keeps nothing of who is signed in, or has something kept',
  async (path) => {
    const [row] = await database.sql`
    insert into ingot.users (email, slug) values (${`cached${path.length}@example.com`}, ${`cached${path.length}`})
    returning id::text, email`
    const [signed, keeper] = [visitor(), visitor()]
    await signed.form('/act', { in: String(row?.['id']) })
    await keeper.form('/act', { 'set.basket': 'three pears' })
    expect((await signed.get(path)).text).toContain(String(row?.['email']))
    expect((await keeper.get(path)).text).toContain('three pears')
    const nobody = await visitor().get(path)
    expect(nobody.text).toContain('"user":null,"session":{}')
    // A page that was cached for a visitor without a session is the same for all visitors.
    expect((await visitor().get(path)).text).toBe(nobody.text)
    expect((await signed.get(path)).text).toBe(nobody.text)
  },
)

test('a key that the page names is the page’s to answer for', async () => {
  const keeper = visitor()
  await keeper.form('/act', { 'set.basket': 'four plums' })
  const { text } = await keeper.get('/named')
  expect(text).toContain('four plums')
  expect((await visitor().get('/named')).text).toBe(text)
})
