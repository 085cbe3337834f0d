/** Translations that are set while a site runs: in the memory of several processes with one database, and in the results of `t`. */
import { setTimeout as sleep } from 'node:timers/promises'
import pino from 'pino'
import type { Sql } from 'postgres'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { l } from '../../../../runtime/page/filters/translation/l.ts'
import { t } from '../../../../runtime/page/filters/translation/t.ts'
import { Render } from '../../../../runtime/page/render.ts'
import type { CompiledSite } from '../../../../runtime/page/site.ts'
import { str } from '../../../../runtime/page/values/text.ts'
import { openTranslations, type Translations } from '../../../../server/web/graphql/values/translations.ts'
import { createClient } from '../../../../server/data/store/connection.ts'
import { type TestDatabase, testDatabase } from '../../../support/database.ts'
import { app, site as compiled } from '../../../support/server/site.ts'
import { type Door, openDoor } from './door.ts'

let database: TestDatabase
let door: Door
let far: Sql
let near: Translations
let other: Translations
let logged: string[]

const TEXTS = {
  en: { hello: 'Hello', menu: { home: 'Home', all: ['a', 'b'] }, date: { formats: { short: '%Y' } } },
  de: { menu: { home: 'Start' } },
}
const freshSite = (): CompiledSite => compiled([], { translations: structuredClone(TEXTS) })

beforeAll(async () => {
  database = await testDatabase()
})
afterAll(() => database.close())
beforeEach(async () => {
  await database.sql`truncate ingot.translations`
  logged = []
  door = await openDoor(database.url)
  far = createClient(door.address, { pool: 2, name: 'far' })
  const logger = pino({ level: 'debug' }, { write: (line: string) => void logged.push(line) })
  near = await openTranslations(database.sql, logger)
  other = await openTranslations(far, logger)
})
afterEach(async () => {
  await near.close()
  await other.close()
  await far.end({ timeout: 1 })
  await door.close()
})

async function set(key: string, value: unknown, locale = 'en'): Promise<void> {
  await database.sql`
    insert into ingot.translations (locale, key, value) values (${locale}, ${key}, ${JSON.stringify(value)}::text::jsonb)
    on conflict (locale, key) do update set value = excluded.value, updated_at = clock_timestamp()`
}

function said(
  site: CompiledSite,
  key: string,
  options: Record<string, unknown> | null = null,
  language = 'en',
): string {
  const r = new Render(site, app(site).host().services, { context: { language } })
  return str(t(r, key, options as never))
}

async function eventually(check: () => void): Promise<void> {
  for (let left = 100; ; left--) {
    try {
      return check()
    } catch (error) {
      if (left === 0) throw error
      await sleep(30)
    }
  }
}

describe('translations that are set', () => {
  it('win over those of the site in every process, and go again', async () => {
    const [here, there] = [freshSite(), freshSite()]
    near.applyTo(here)
    other.applyTo(there)
    expect(said(there, 'menu.home')).toBe('Home')
    await set('menu.home', 'Front page')
    await set('new.deep.key', 'fresh %{name}')
    for (const site of [here, there]) {
      await eventually(() => expect(said(site, 'menu.home')).toBe('Front page'))
      await eventually(() => expect(said(site, 'new.deep.key', { name: '<b>' })).toBe('fresh &lt;b&gt;'))
      expect(said(site, 'hello')).toBe('Hello')
      expect(said(site, 'menu.home', null, 'de')).toBe('Start')
    }
    expect(near.revision()).not.toBe('')
    await eventually(() => expect(near.revision()).toBe(other.revision()))
    expect(TEXTS.en.menu.home).toBe('Home')
    await database.sql`delete from ingot.translations`
    for (const site of [here, there]) await eventually(() => expect(said(site, 'menu.home')).toBe('Home'))
    expect(near.revision()).toBe('')
  })

  it('hide with null, and fall back to English then; later ones win over earlier ones above and below', async () => {
    const site = freshSite()
    near.applyTo(site)
    await set('menu.home', null, 'de')
    await set('menu', 'all in one')
    await near.reload()
    expect(said(site, 'menu.home', null, 'de')).toBe('translation missing: de.menu.home')
    expect(said(site, 'menu')).toBe('all in one')
    await set('menu.home', 'back')
    await near.reload()
    expect(said(site, 'menu.home')).toBe('back')
    expect(said(site, 'menu.home', null, 'de')).toBe('back')
  })

  it('are those of a module, of a language that the site has not, of plurals and of dates, too', async () => {
    const site = freshSite()
    near.applyTo(site)
    await set('modules/shop/cart.title', 'Basket')
    await set('hello', 'Cześć', 'pl')
    await set('apples.one', 'one apple')
    await set('apples.other', '%{count} apples')
    await set('time.formats.short', '%d.%m.')
    await near.reload()
    expect(said(site, 'modules/shop/cart.title')).toBe('Basket')
    expect(said(site, 'hello', null, 'pl')).toBe('Cześć')
    expect(said(site, 'apples', { count: 3 })).toBe('3 apples')
    const r = new Render(site, app(site).host().services, { context: { language: 'en' } })
    expect(str(l(r, '2020-02-03', 'short' as never))).toBe('03.02.')
  })

  it('with the names of prototypes stay names', async () => {
    const site = freshSite()
    near.applyTo(site)
    await set('__proto__.polluted', 'x')
    await set('constructor.prototype.polluted', 'x', '__proto__')
    await near.reload()
    expect(said(site, '__proto__.polluted')).toBe('x')
    expect(({} as Record<string, unknown>)['polluted']).toBeUndefined()
  })

  it('are laid over the next site, and read again after the connection was lost', async () => {
    const site = freshSite()
    await set('hello', 'one')
    await other.reload()
    other.applyTo(site)
    expect(said(site, 'hello')).toBe('one')
    await door.shut()
    await set('hello', 'two')
    await door.open()
    for (let left = 100; said(site, 'hello') !== 'two' && left > 0; left--) await sleep(100)
    expect(said(site, 'hello')).toBe('two')
  })
})
