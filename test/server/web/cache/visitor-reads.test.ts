/** Pages that are cached for all visitors: a page is not cached if it has read what one visitor sent. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type TestDatabase, testDatabase } from '../../../support/database.ts'
import { type LiquidSite, liquidSite } from '../../../support/server/liquid-site.ts'
import { type ServedForms, serveForms } from '../rest/support.ts'

const READS: Readonly<Record<string, string>> = {
  header: '{{ context.headers.HTTP_X_FORWARDED_HOST }}',
  absent: '{% if context.headers.HTTP_X_ABSENT %}x{% endif %}',
  computed: "{% assign name = 'HTTP_X_OTHER' %}{{ context.headers[name] }}",
  all: '{{ context.headers | json }}',
  loop: '{% for h in context.headers %}{{ h[0] }}{% endfor %}',
  whole: '{{ context | json }}',
  agent: '{{ context.useragent }}',
  device: '{{ context.device.device_type }}',
  script: '{% if context.is_xhr %}x{% endif %}',
  cookie: '{{ context.cookies.theme }}',
  cookies: '{% assign all = context.cookies %}{% if all.theme %}x{% endif %}',
  address: '{{ context.visitor.ip }}',
  partial: "{% render 'reader', context: context %}",
  included: "{% include 'reader' %}",
  variable: '{% assign c = context %}{{ c.headers.HTTP_REFERER }}',
}
const SHARED: Readonly<Record<string, string>> = {
  none: 'plain',
  host: '{{ context.headers.HTTP_HOST }}{{ context.headers.SERVER_NAME }}{{ context.location.host }}',
  path: '{{ context.headers.PATH_INFO }}{{ context.params.a }}{{ context.location.search.a }}',
}

const pagesOf = (name: string, body: string): Readonly<Record<string, string>> => ({
  [`app/views/pages/s_${name}.liquid`]: `---\nstatic_cache:\n  expire: 600\n---\n${body}${TICK}`,
  [`app/views/pages/d_${name}.liquid`]: `---\ndynamic_cache:\n  expire: 600\n---\n${body}${TICK}`,
})
/** Prints a different text in each render. */
const TICK = '|{{ 20 | random_string }}'

let database: TestDatabase
let built: LiquidSite
let served: ServedForms

beforeAll(async () => {
  database = await testDatabase()
  const pages = Object.entries({ ...READS, ...SHARED }).map(([name, body]) => pagesOf(name, body))
  built = await liquidSite({
    ...Object.assign({}, ...pages),
    'app/views/partials/reader.liquid': '{{ context.headers.HTTP_X_FORWARDED_HOST }}',
  })
  served = await serveForms(built.loaded.site, database, { loaded: built.loaded })
})
afterAll(async () => {
  await served?.close()
  built?.close()
  await database?.close()
})

/** Returns the response to an attacker, then the response to the next visitor. */
async function twice(path: string): Promise<readonly [string, string]> {
  const poison = {
    'x-forwarded-host': 'evil.test',
    'x-other': 'evil.test',
    'user-agent': 'evil.test (iPhone; Mobile)',
    referer: 'https://evil.test/',
    cookie: 'theme=evil.test',
    'x-requested-with': 'XMLHttpRequest',
  }
  const first = await served.browser().get(path, poison)
  const second = await served.browser().get(path)
  return [first.text, second.text]
}

describe.each(['s', 'd'])('a page of the cache %s', (kind) => {
  test.each(Object.keys(READS))('that reads %s is not kept for the next visitor', async (name) => {
    const [, second] = await twice(`/${kind}_${name}`)
    expect(second).not.toContain('evil.test')
  })

  test.each(Object.keys(SHARED))('that reads %s alone is kept', async (name) => {
    const [first, second] = await twice(`/${kind}_${name}`)
    expect(second).toBe(first)
  })

  test.each(['script', 'absent', 'cookies', 'device'])('that decides by %s neither', async (name) => {
    const [first, second] = await twice(`/${kind}_${name}`)
    if (name === 'script' || name === 'cookies') expect(first).toMatch(/^x/)
    expect(second).not.toMatch(/^x/)
  })
})
