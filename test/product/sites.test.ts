/** Compiles, bundles and loads the sites in fixtures, and requests all of their pages. */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse } from 'yaml'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Reply } from '../../server/web/http/message.ts'
import { type BuiltSite, builtSite, sites, bodyText } from '../support/built-site.ts'

const open: BuiltSite[] = []

afterAll(() => Promise.all(open.map((site) => site.close())))

async function served(name: string): Promise<BuiltSite> {
  const site = await builtSite(name)
  open.push(site)
  return site
}

describe('scopes', () => {
  const expected = join(sites, 'scopes/expected')
  const names = readdirSync(expected).map((file) => file.replace(/\.txt$/, ''))
  let site: BuiltSite
  beforeAll(async () => {
    site = await served('scopes')
  })

  test('every page has an expectation', () => {
    const pages = readdirSync(join(sites, 'scopes/app/views/pages')).map((file) => file.replace('.liquid', ''))
    expect(names).toEqual(pages)
    expect(names).toHaveLength(22)
  })

  test.each(names)('%s', async (name) => {
    const reply = await site.get(`/${name}`)
    expect(bodyText(reply).trim()).toBe(readFileSync(join(expected, `${name}.txt`), 'utf8').trim())
    expect(reply.status).toBe(200)
  })
})

interface Asked {
  readonly method?: string
  readonly url: string
  readonly accept?: string
  readonly form?: string
  readonly status?: number
  readonly type?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
}

describe('formats', () => {
  const all = JSON.parse(readFileSync(join(sites, 'formats/expected/requests.json'), 'utf8')) as Asked[]
  let site: BuiltSite
  beforeAll(async () => {
    site = await served('formats')
  })

  test('all requests are there', () => expect(all).toHaveLength(88))

  test.each(
    all.map(
      (asked) =>
        [[asked.method ?? 'GET', asked.url, asked.accept ?? asked.form ?? ''].join(' ').trim(), asked] as const,
    ),
  )('%s', async (_name, { method = 'GET', url, accept, form, status = 200, type, headers = {}, body }) => {
    const reply = await site.get(url, {
      method,
      headers: {
        ...(accept === undefined ? {} : { accept }),
        ...(form === undefined ? {} : { 'content-type': 'application/x-www-form-urlencoded' }),
      },
      body: form === undefined ? null : Buffer.from(form),
    })
    if (body !== undefined) expect(bodyText(reply).trim()).toBe(body)
    expect(reply).toMatchObject({ status, headers })
    if (type !== undefined) expect(reply.headers['content-type']).toBe(type)
  })
})

describe('blog', () => {
  let site: BuiltSite
  beforeAll(async () => {
    site = await served('blog')
  })

  test('has no problem at all', () => expect(site.compiled.diagnostics).toEqual([]))

  test('the list of posts', async () => {
    const page = bodyText(await site.get('/'))
    expect(page).toContain('<title>Garden notes</title>')
    expect(page).toContain('<h1>3 posts</h1>')
    expect(page.match(/<article>/g)).toHaveLength(3)
    expect(page).toMatch(
      /<h2><a href="\/posts\/keeping-seeds">Keeping seeds &amp; names<\/a><\/h2>\s*<p><time datetime="2026-09-20">20 September 2026<\/time> <a rel="tag" href="\/tags\/seeds">seeds<\/a>, <a rel="tag" href="\/tags\/beans">beans<\/a><\/p>/,
    )
  })

  test('a post, whose body is markdown', async () => {
    const page = bodyText(await site.get('/posts/first-frost'))
    expect(page).toContain('<title>First frost</title>')
    expect(page).toContain('came <strong>on a Tuesday</strong>,')
    expect(page).toMatch(/<ul>\s*<li>Pull the poles/)
    expect(page).toMatch(/<blockquote>\s*<p>A garden is never finished/)
    expect(bodyText(await site.get('/posts/keeping-seeds'))).toContain(
      '<a href="https://example.org/seeds" rel="nofollow">seed savers',
    )
  })

  test('a post that is not there', async () => {
    const reply = await site.get('/posts/nothing')
    expect(reply.status).toBe(404)
    expect(bodyText(reply)).toContain('No such post.')
  })

  test('the posts of a tag, and of one that has none', async () => {
    const page = bodyText(await site.get('/tags/beans'))
    expect(page).toContain('<h1>Tagged “beans”</h1>')
    expect(page.match(/<article>/g)).toHaveLength(2)
    expect(bodyText(await site.get('/tags/%3Cb%3E'))).toMatch(/<h1>Tagged “&lt;b&gt;”<\/h1>\s*<p>Nothing here\.<\/p>/)
  })

  test('a markdown page, and its source', async () => {
    const page = bodyText(await site.get('/about'))
    expect(page).toContain('<h1>About</h1>')
    expect(page).toContain('<em>200 square metres</em>')
    expect(page).toContain('Posts so far: First frost, Keeping seeds &amp; names, On compost.')
    const source = await site.get('/about.md')
    expect(source.headers['content-type']).toBe('text/markdown; charset=utf-8')
    expect(bodyText(source)).toContain('# About')
    expect(bodyText(source)).toContain('*200 square metres*')
  })

  test('the feed', async () => {
    const feed = await site.get('/feed.rss')
    expect(feed.headers['content-type']).toBe('application/rss+xml; charset=utf-8')
    expect(bodyText(feed)).toContain('<title>Keeping seeds &amp; names</title>')
    expect(bodyText(feed)).toContain('<pubDate>Sun, 20 Sep 2026 12:00:00 +0000</pubDate>')
    expect(bodyText(feed)).toContain('<link>http://localhost:3000/posts/on-compost</link>')
  })
})

describe('marketplace', () => {
  const origin = 'http://localhost:3000'
  let site: BuiltSite
  beforeAll(async () => {
    site = await served('marketplace')
  })

  test('has no problem at all', () => expect(site.compiled.diagnostics).toEqual([]))

  /** Maximum number of checked log-in pages, and of checked sign-up pages. */
  const ENTRANCES = 50

  /** Follows every link, picture, script and style of a page within its language. Returns the responses by address. */
  async function crawl(
    from: string,
    language: string,
  ): Promise<ReadonlyMap<string, { readonly reply: Reply; readonly linkedBy: string }>> {
    const found = new Map<string, { reply: Reply; linkedBy: string }>()
    const entrances = new Map<string, Set<string>>()
    const waiting = [{ url: from, linkedBy: '' }]
    for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
      if (found.has(next.url)) continue
      const reply = await site.get(next.url)
      found.set(next.url, { reply, linkedBy: next.linkedBy })
      if (!(reply.headers['content-type'] ?? '').startsWith('text/html')) continue
      for (const [, link = ''] of bodyText(reply).matchAll(/\s(?:href|src)="([^"]*)"/g)) add(link, next.url)
    }
    return found

    function add(link: string, linkedBy: string): void {
      const target = new URL(unescaped(link), new URL(linkedBy, origin))
      // Links to another language belong to the other crawl. A link without a language is followed, and reported if it is a mistake.
      if ((target.searchParams.get('language') ?? language) !== language) return
      if (target.origin !== origin) return
      const url = target.pathname + target.search
      // Every page links to these pages. Their addresses differ only in the page to return to.
      if (target.pathname === '/log-in' || target.pathname === '/sign-up') {
        const those = entrances.get(target.pathname) ?? new Set()
        entrances.set(target.pathname, those)
        if (!those.has(url) && those.size >= ENTRANCES) return
        those.add(url)
      }
      waiting.push({ url, linkedBy })
    }
  }

  test('translates the same keys into both languages', () => {
    const keys = Object.fromEntries(
      ['en', 'de'].map((language) => {
        const files = readdirSync(join(sites, 'marketplace'), { recursive: true, encoding: 'utf8' }).filter(
          (file) => !file.startsWith('.') && new RegExp(`/translations/${language}(?:/[^/]+)?\\.yml$`).test(file),
        )
        expect(files.length).toBeGreaterThan(1)
        return [
          language,
          files
            .flatMap((file) => keysOf(parse(readFileSync(join(sites, 'marketplace', file), 'utf8'))[language]))
            .sort(),
        ]
      }),
    )
    expect(keys['en']?.length).toBeGreaterThan(100)
    expect(keys['de']).toEqual(keys['en'])
  })

  test.each([
    ['en', '/'],
    ['de', '/?language=de'],
  ])('every link of the pages in %s leads to a page that is whole', async (language, home) => {
    const found = await crawl(home, language)
    const pages = [...found].filter(([, { reply }]) => (reply.headers['content-type'] ?? '').startsWith('text/html'))
    expect(pages.length).toBeGreaterThan(50)
    for (const [url, { reply, linkedBy }] of found) {
      const { body } = reply
      expect(reply.status, `${url}, linked by ${linkedBy}`).toBe(200)
      if (body !== null && typeof body === 'object' && 'kind' in body && body.kind === 'file')
        expect(existsSync(join(body.root, body.path)), url).toBe(true)
    }
    for (const [url, { reply }] of pages) {
      const page = bodyText(reply)
      expect(page, url).toContain(`<html lang="${language}">`)
      expect(page, url).not.toMatch(
        /translation missing|\{\{|\{%|%\{|Liquid error|\[object |undefined|&amp;(?:amp|lt|gt|quot|#\d+);/i,
      )
      expect(page.replace(/<(script|style)[\s\S]*?<\/\1>/g, ''), url).not.toMatch(/>\s*(?:[a-z_]+\.)+[a-z_]+\s*</)
      expect(page, url).toMatch(/<title>[^<]*\S[^<]* · Hobnail<\/title>/)
      expect(page.match(/<h1[\s>]/g), url).toHaveLength(1)
      const ids = [...page.matchAll(/\sid="([^"]+)"/g)].map((each) => each[1])
      expect(ids, url).toHaveLength(new Set(ids).size)
      for (const [, target] of page.matchAll(/\s(?:href="#|for="|aria-labelledby=")([^"]+)"/g))
        expect(ids, url).toContain(target)
    }
    const titles = new Map(pages.map(([url, { reply }]) => [url, /<title>([^<]*)/.exec(bodyText(reply))?.[1]]))
    expect(titles.get(home)).toBeTruthy()
    for (const slug of ['/listings', '/categories', '/workshops', '/about', '/how-it-works', '/shipping'])
      expect([...titles.keys()].map((url) => url.split('?')[0])).toContain(slug)
    expect(site.loggedProblems).toEqual([])
  })

  test('the languages say the same in other words', async () => {
    for (const path of ['/', '/listings', '/about', '/how-it-works', '/shipping', '/workshops', '/categories']) {
      const [en = '', de = ''] = await Promise.all(
        [path, `${path}?language=de`].map(async (url) => words(bodyText(await site.get(url)))),
      )
      const same = de.split('\n').filter((line) => en.split('\n').includes(line) && /\s\w+\s\w+\s/.test(line))
      expect(same, path).toEqual([])
    }
    const asked = bodyText(await site.get('/', { headers: { 'accept-language': 'de-AT,de;q=0.9,en;q=0.5' } }))
    expect(asked).toContain('<html lang="de">')
  })

  test('what is not there answers with the page for it, in both languages', async () => {
    for (const url of ['/nothing', '/listings/nothing', '/workshops/nothing', '/categories/nothing']) {
      for (const language of ['en', 'de']) {
        const reply = await site.get(`${url}?language=${language}`)
        expect(reply.status, url).toBe(404)
        expect(bodyText(reply), url).toContain(`<html lang="${language}">`)
      }
    }
  })

  test('machines are answered too', async () => {
    const list = JSON.parse(bodyText(await site.get('/api/listings.json'))) as Record<string, unknown>
    expect(Object.keys(list).length).toBeGreaterThan(0)
    const sitemap = bodyText(await site.get('/sitemap.xml'))
    for (const [, address = ''] of sitemap.matchAll(/<loc>([^<]+)<\/loc>/g)) {
      const { origin: from, pathname } = new URL(address)
      expect(from).toBe(origin)
      expect((await site.get(pathname)).status, address).toBe(200)
    }
    expect(bodyText(await site.get('/robots.txt'))).toContain(`Sitemap: ${origin}/sitemap.xml`)
    const moved = await site.get('/feed')
    expect(moved).toMatchObject({ status: 301, headers: { location: '/feed.rss' } })
    expect(bodyText(await site.get('/feed.rss')).match(/<item>/g)?.length).toBeGreaterThan(10)
  })

  test('what visitors send stays text', async () => {
    const evil = '"><script>alert(1)</script>\'{{ 1 }}'
    for (const name of ['q', 'category', 'sort', 'page', 'language']) {
      const page = bodyText(await site.get(`/listings?${name}=${encodeURIComponent(evil)}`))
      expect(page, name).not.toContain('<script>alert')
    }
    expect(bodyText(await site.get(`//evil.example/%22%3E%3Cscript%3Ealert(1)`))).not.toMatch(
      /href="\/\/|<script>alert/,
    )
    expect(site.loggedProblems).toEqual([])
  })
})

/** Returns the dotted keys of a YAML mapping: `a.b.c`. */
function keysOf(value: unknown, prefix = ''): string[] {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return [prefix]
  return Object.entries(value).flatMap(([key, inner]) => keysOf(inner, prefix === '' ? key : `${prefix}.${key}`))
}

/** Returns the text of a page, with one line per element. */
function words(page: string): string {
  const main = /<main[\s\S]*<\/main>/.exec(page)?.[0] ?? ''
  return main.replace(/<[^>]*>/g, '\n').replace(/[ \t]*\n\s*/g, '\n')
}

function unescaped(html: string): string {
  return html
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&amp;', '&')
}
