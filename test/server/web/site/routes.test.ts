/** The routing table: the page for a URL, and its parameters. */
import { describe, expect, test } from 'vitest'
import type { Format, PageEntry } from '../../../../runtime/page/site.ts'
import { wantedFormats } from '../../../../server/web/http/formats.ts'
import { createRoutes, type RouteAnswer, type RouteOptions, type Routes } from '../../../../server/web/http/routes.ts'
import { page } from '../../../support/server/site.ts'
import { measureCost } from '../../../support/cost.ts'

const LAX: RouteOptions = { htmlFormatExactMatch: false, redirectTrailingSlash: false }

interface Asked {
  readonly method?: string
  readonly host?: string
  readonly wanted?: readonly Format[]
  readonly options?: RouteOptions
}

function find(pages: readonly PageEntry[], path: string, asked: Asked = {}): RouteAnswer {
  const { method = 'GET', host = 'site.test', wanted: wantedFormats = ['html'], options = LAX } = asked
  return createRoutes(pages, options).find({ method, path, host, wantedFormats })
}

/** Returns `slug.format` of the found page, or else a description of the result. */
function told(answer: RouteAnswer): string {
  if (answer.kind === 'page') return `${answer.page.slug} ${answer.page.format}${answer.source ? ' source' : ''}`
  if (answer.kind === 'redirect') return `to ${answer.path}`
  if (answer.kind === 'allow') return answer.methods.join(' ')
  return answer.kind
}

function params(answer: RouteAnswer): Readonly<Record<string, string | null>> {
  if (answer.kind !== 'page') throw new Error(`no page: ${answer.kind}`)
  const { slug, slug2, slug3, slugs, format, ...own } = answer.params
  return own
}

describe('patterns', () => {
  const cases: [slug: string, path: string, params: Record<string, string | null> | null][] = [
    ['/', '/', {}],
    ['/', '/x', null],
    ['about', '/about', {}],
    ['about', '/about/', {}],
    ['about', '/About', null],
    ['about', '/about/us', null],
    ['a b', '/a%20b', {}],
    ['items/:id', '/items/5', { id: '5' }],
    ['items/:id', '/items', null],
    ['items/:id', '/items/5/edit', null],
    ['items/:id', '/items/%C5%82%C3%B3d%C5%BA', { id: 'łódź' }],
    ['items/:id', '/items/a%2Fb', { id: 'a/b' }],
    ['items/:id', '/items/1.5', { id: '1.5' }],
    ['items/:id', '/items/john.doe', { id: 'john.doe' }],
    ['items/:id/edit', '/items/5/edit', { id: '5' }],
    ['items(/:id)', '/items', { id: null }],
    ['items(/:id)', '/items/5', { id: '5' }],
    ['items(/:id)(/:tab)', '/items/5', { id: '5', tab: null }],
    ['items(/:id)(/:tab)', '/items/5/map', { id: '5', tab: 'map' }],
    ['items(/:id)(/:tab)', '/items/5/map/x', null],
    ['items(/page/:n)', '/items/page/2', { n: '2' }],
    ['items(/page/:n)', '/items/other/2', null],
    ['items(/page/:n)', '/items/page', null],
    ['items(/:id)/edit', '/items/5/edit', { id: '5' }],
    // The group consumes `edit`, without backtracking.
    ['items(/:id)/edit', '/items/edit', null],
    ['files/*path', '/files/a/b/c', { path: 'a/b/c' }],
    ['files/*path', '/files', null],
    ['files(/*path)', '/files', { path: null }],
    ['files(/*path)', '/files/a/b', { path: 'a/b' }],
    ['(:lang)', '/', { lang: null }],
    ['(:lang)', '/pl', { lang: 'pl' }],
    ['*all', '/a/b', { all: 'a/b' }],
    ['*all', '/', null],
  ]
  test.each(cases)('%s and %s', (slug, path, expected) => {
    const answer = find([page(slug)], path)
    if (expected === null) expect(told(answer)).toBe('none')
    else expect(params(answer)).toEqual(expected)
  })

  test('slug, slug2, slug3, slugs and format are always there', () => {
    const answer = find([page('*all')], '/app/admin/content/nyc/x')
    expect(answer.kind === 'page' && answer.params).toEqual({
      all: 'app/admin/content/nyc/x',
      slug: 'app',
      slug2: 'admin',
      slug3: 'content',
      slugs: 'nyc/x',
      format: 'html',
    })
  })

  test('missing path segments are null', () => {
    const answer = find([page('/')], '/')
    expect(answer.kind === 'page' && answer.params).toEqual({
      slug: null,
      slug2: null,
      slug3: null,
      slugs: null,
      format: 'html',
    })
  })

  test('a path that is not valid percent-encoding is told apart', () => {
    expect(told(find([page('*all')], '/%zz'))).toBe('malformed')
  })

  test('a page index answers at its folder and at its own path', () => {
    const pages = [page('blog', { name: 'blog/index' }), page('m', { name: 'modules/x/m/index', module: 'x' })]
    expect(told(find(pages, '/blog'))).toBe('blog html')
    expect(told(find(pages, '/blog/index'))).toBe('blog html')
    expect(told(find(pages, '/m/index'))).toBe('m html')
  })
})

describe('precedence', () => {
  test('static beats parameter beats splat, whatever the order', () => {
    const pages = [
      page('*all'),
      page(':name'),
      page('items/:id'),
      page('items/new'),
      page('items(/:id)'),
      page('about'),
    ]
    expect(told(find(pages, '/items/new'))).toBe('items/new html')
    expect(told(find(pages, '/items/5'))).toBe('items/:id html')
    expect(told(find(pages, '/items'))).toBe('items(/:id) html')
    expect(told(find(pages, '/about'))).toBe('about html')
    // `:name` and `*all` have the same weight, so the earlier one is found.
    expect(told(find(pages, '/other'))).toBe('*all html')
    expect(told(find(pages, '/a/b/c'))).toBe('*all html')
  })

  test('ties go to the earlier page', () => {
    const [first, second] = [page('a', { name: 'first' }), page('a', { name: 'second' })]
    const answer = find([first, second], '/a')
    expect(answer.kind === 'page' && answer.page.name).toBe('first')
  })

  test('a page of a subdomain answers there only, and first', () => {
    const pages = [page('a', { name: 'everywhere' }), page('a', { name: 'shop', subdomain: 'shop' })]
    const name = (host: string): string => {
      const answer = find(pages, '/a', { host })
      return answer.kind === 'page' ? answer.page.name : answer.kind
    }
    expect(name('site.test')).toBe('everywhere')
    expect(name('shop.site.test:3000')).toBe('shop')
    expect(name('shopping.site.test')).toBe('everywhere')
    expect(told(find([pages[1]!], '/a'))).toBe('none')
  })
})

describe('formats', () => {
  const pages = [
    page('items'),
    page('items', { format: 'json' }),
    page('feed', { format: 'rss' }),
    page('robots.txt', { format: 'txt' }),
    page('app.html', { format: 'html' }),
    page('docs', { markdown: true }),
    page('a/:id', { format: 'json' }),
  ]
  const cases: [path: string, wantedFormats: readonly Format[], answer: string][] = [
    ['/items', ['html'], 'items html'],
    ['/items.json', ['html'], 'items json'],
    ['/items.JSON', ['html'], 'items json'],
    ['/items.html', ['html'], 'items html'],
    ['/items.xml', ['html'], 'items html'],
    ['/items.php', ['html'], 'items html'],
    ['/items', ['json'], 'items json'],
    ['/items', ['csv'], 'items html'],
    ['/feed', ['html'], 'none'],
    ['/feed.rss', ['html'], 'feed rss'],
    ['/feed', ['rss'], 'feed rss'],
    ['/feed.json', ['html'], 'none'],
    ['/robots.txt', ['html'], 'robots.txt txt'],
    ['/robots', ['txt'], 'none'],
    ['/app.html', ['html'], 'app.html html'],
    ['/app', ['html'], 'none'],
    ['/docs.md', ['html'], 'docs html source'],
    ['/docs', ['html'], 'docs html'],
    ['/items.md', ['html'], 'items html'],
    ['/a/5.json', ['html'], 'a/:id json'],
    ['/a/5', ['html'], 'none'],
    ['/.html', ['html'], 'none'],
  ]
  test.each(cases)('%s wanting %j', (path, wanted, answer) => {
    expect(told(find(pages, path, { wanted }))).toBe(answer)
  })

  test('the extension is cut off the parameter and becomes the format', () => {
    const answer = find(pages, '/a/5.json')
    expect(answer.kind === 'page' && [answer.params.id, answer.params.format, answer.params.slug2]).toEqual([
      '5',
      'json',
      '5',
    ])
  })

  test('with exact matching html pages answer at their bare path only', () => {
    const options = { htmlFormatExactMatch: true, redirectTrailingSlash: false }
    const exact = (path: string): string => told(find(pages, path, { options }))
    expect(exact('/items')).toBe('items html')
    expect(exact('/items.html')).toBe('to /items')
    expect(exact('/items.json')).toBe('items json')
    expect(exact('/items.xml')).toBe('none')
    expect(exact('/items.php')).toBe('none')
    expect(exact('/docs.md')).toBe('docs html source')
    expect(exact('/app.html')).toBe('app.html html')
  })

  const headers: [type: string, accept: string, wantedFormats: readonly Format[]][] = [
    ['', '', ['html']],
    ['', 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8', ['html']],
    ['', 'application/json', ['json']],
    ['', 'application/json, text/plain, */*', ['json']],
    ['', 'text/html;q=0.5, application/json', ['json']],
    ['', '*/*', ['html']],
    ['', 'text/plain', ['text', 'txt']],
    ['', 'image/png', ['html']],
    ['', 'application/json;q=0, text/csv', ['csv']],
    ['application/json; charset=utf-8', '*/*', ['json']],
    ['application/x-www-form-urlencoded', 'text/html', ['html']],
  ]
  test.each(headers)('Content-Type %j with Accept %j', (type, accept, wanted) => {
    expect(wantedFormats(type, accept)).toEqual(wanted)
  })

  test('a program, which has a token, reads JSON or a script before html where it names no format', () => {
    expect(wantedFormats('', '*/*', 'Token abc')).toEqual(['json', 'js'])
    expect(wantedFormats('', 'text/html', 'Token abc')).toEqual(['html'])
    expect(wantedFormats('', '*/*', 'Bearer abc')).toEqual(['html'])
    const both = [page('runs'), page('runs', { format: 'js' }), page('items')]
    const wanted = wantedFormats('', '*/*', 'Token abc')
    expect(told(find(both, '/runs', { wanted }))).toBe('runs js')
    expect(told(find(both, '/items', { wanted }))).toBe('items html')
  })
})

describe('methods', () => {
  const pages = [
    page('items'),
    page('items', { method: 'post', name: 'create' }),
    page('items/:id', { method: 'delete' }),
  ]

  test('a page answers its own method', () => {
    const answer = find(pages, '/items', { method: 'POST' })
    expect(answer.kind === 'page' && answer.page.name).toBe('create')
    expect(told(find(pages, '/items', { method: 'PUT' }))).toBe('none')
    expect(told(find(pages, '/items/5'))).toBe('none')
    expect(told(find(pages, '/items/5', { method: 'DELETE' }))).toBe('items/:id html')
  })

  test('HEAD is answered by the page of GET', () => {
    expect(told(find(pages, '/items', { method: 'HEAD' }))).toBe('items html')
  })

  test('OPTIONS names the methods of a known path', () => {
    expect(told(find(pages, '/items', { method: 'OPTIONS' }))).toBe('GET HEAD OPTIONS POST')
    expect(told(find(pages, '/items/5', { method: 'OPTIONS' }))).toBe('DELETE OPTIONS')
    expect(told(find(pages, '/none', { method: 'OPTIONS' }))).toBe('none')
    const own = page('items', { method: 'options' })
    expect(told(find([...pages, own], '/items', { method: 'OPTIONS' }))).toBe('items html')
  })
})

describe('trailing slash', () => {
  const options = { htmlFormatExactMatch: false, redirectTrailingSlash: true }
  test('is ignored, or redirected where the site asks for it', () => {
    expect(told(find([page('a/b')], '/a/b/'))).toBe('a/b html')
    expect(told(find([page('a/b')], '/a/b/', { options }))).toBe('to /a/b')
    expect(told(find([page('/')], '/', { options }))).toBe('/ html')
  })

  test('a redirect never leads to another host', () => {
    expect(told(find([page('*all')], '//evil.test/', { options }))).toBe('to /evil.test')
    expect(told(find([page('*all')], '/\\evil.test/', { options }))).toBe('to /%5Cevil.test')
    const exact = { htmlFormatExactMatch: true, redirectTrailingSlash: false }
    expect(told(find([page('*all')], '//evil.test/a.html', { options: exact }))).toBe('to /evil.test/a')
  })
})

describe('routing of sites without exact matching', () => {
  const any = (slug: string, more: Partial<PageEntry> = {}): PageEntry => page(slug, { surplus: null, ...more })
  const all = (answer: RouteAnswer): unknown => (answer.kind === 'page' ? answer.params : answer.kind)

  const reached: [slug: string, path: string, reached: boolean][] = [
    ['list/show', '/list/show', true],
    ['list/show', '/list/show/1', true],
    ['list/show', '/list/show/1/x/y/z/', true],
    ['list/show', '/list', false],
    ['list/show', '/list/shows/1', false],
    ['items/:id', '/items/5/edit', true],
    ['items(/:id)', '/items/5/edit', true],
    ['items(/page/:n)', '/items/other/2', true],
    ['files/*path', '/files/a/b', true],
    ['files/*path', '/files', false],
  ]
  test.each(reached)('%s and %s', (slug, path, expected) => {
    expect(told(find([any(slug)], path)) !== 'none').toBe(expected)
  })

  test('parts of a path are counted from its start, whatever matched', () => {
    const common = { format: 'html', slugs: null }
    expect(all(find([any('list/show')], '/list/show/1'))).toEqual({
      ...common,
      slug: 'list',
      slug2: 'show',
      slug3: '1',
    })
    expect(all(find([any('dashboard/posts/edit')], '/dashboard/posts/edit/7/x'))).toEqual({
      ...common,
      slug: 'dashboard',
      slug2: 'posts',
      slug3: 'edit',
      slugs: '7/x',
    })
  })

  test('a name in the slug goes before the counted part of that name', () => {
    expect(all(find([any('posts/:slug')], '/posts/a-1'))).toMatchObject({ slug: 'a-1', slug2: 'a-1', slug3: null })
    expect(all(find([page('posts/:slug2/:slugs')], '/posts/a/b'))).toMatchObject({
      slug: 'posts',
      slug2: 'a',
      slugs: 'b',
    })
  })

  test('fixed parts go before named ones, and both before what is left over', () => {
    const pages = [any('groups'), any('groups/:id'), any('groups/show')]
    expect(told(find(pages, '/groups/show/5'))).toBe('groups/show html')
    expect(told(find(pages, '/groups/5'))).toBe('groups/:id html')
    expect(told(find(pages, '/groups/5/members'))).toBe('groups/:id html')
    expect(told(find(pages, '/groups'))).toBe('groups html')
    // The sum of the fixed segments decides, not the beginning of the path.
    const crossed = [any(':area/reports/all'), any('shop')]
    expect(told(find(crossed, '/shop/reports/all'))).toBe(':area/reports/all html')
  })

  test('of routes that weigh the same, the one that leaves less over answers', () => {
    const pages = [any('items(/new)(/:id)'), any('items(/:id)(/:tab)')]
    expect(told(find(pages, '/items/5/map'))).toBe('items(/:id)(/:tab) html')
    expect(told(find([...pages].reverse(), '/items/new/5'))).toBe('items(/:id)(/:tab) html')
    expect(told(find(pages, '/items/new/5'))).toBe('items(/new)(/:id) html')
  })

  test('a page that takes no such long path is passed over', () => {
    const pages = [any('a'), page('a/b', { surplus: 1 })]
    expect(told(find(pages, '/a/b/c'))).toBe('a/b html')
    expect(told(find(pages, '/a/b/c/d'))).toBe('a html')
    expect(told(find([page('/', { surplus: 0 })], '/a'))).toBe('none')
  })

  test('a page of another method never answers, however well its slug fits', () => {
    const pages = [any('lists/save', { method: 'post' }), any('lists')]
    expect(told(find(pages, '/lists/save/1'))).toBe('lists html')
    expect(told(find(pages.slice(0, 1), '/lists/save/1'))).toBe('none')
    expect(told(find(pages, '/lists/save/1', { method: 'POST' }))).toBe('lists/save html')
    expect(told(find(pages, '/lists/save/1', { method: 'OPTIONS' }))).toBe('GET HEAD OPTIONS POST')
  })

  test('formats are told by the ending of the whole path', () => {
    const pages = [any('items', { format: 'json' }), any('items'), any('feed.xml', { format: 'xml' })]
    expect(told(find(pages, '/items/5.json'))).toBe('items json')
    expect(all(find(pages, '/items/5.json'))).toMatchObject({ slug2: '5', format: 'json' })
    expect(told(find(pages, '/items/5'))).toBe('items html')
    expect(told(find(pages, '/items/5', { wanted: ['json'] }))).toBe('items json')
    expect(told(find(pages, '/feed.xml'))).toBe('feed.xml xml')
    // The dot of the slug is not at the end here, so the extension asks for JSON.
    expect(told(find(pages, '/feed.xml/5.json'))).toBe('none')
    const dotted = [any('v1.0/api.x'), page(':a/:b/z.json', { format: 'json' })]
    expect(told(find(dotted, '/v1.0/api.x/z.json'))).toBe(':a/:b/z.json json')
  })

  test('a long path of a stranger costs no more than a short one', () => {
    const routes = createRoutes([any('a'), any(':x/:y/:z'), any('*all')], LAX)
    const path = '/a'.repeat(4000)
    const cost = measureCost()
    for (let i = 0; i < 100; i++) routes.find({ method: 'GET', path, host: 'h', wantedFormats: ['html'] })
    expect(cost()).toBeLessThan(1000)
  })
})

test('a page is found among two thousand of one first segment', () => {
  const pages = Array.from({ length: 2000 }, (_, i) => page(`api/things${i}/:id`))
  const routes = createRoutes([...pages, page('*all')], LAX)
  const asked = { method: 'GET', path: '/api/things1999/7', host: 'h', wantedFormats: ['html' as const] }
  expect(told(routes.find(asked))).toBe('api/things1999/:id html')
})

test('pages behind a named segment are found as fast as others', () => {
  const many = Array.from({ length: 1000 }, (_, i) => page(`:lang/area${i}/edit`, { surplus: null }))
  const few = createRoutes(many.slice(-1), LAX)
  const all = createRoutes(many, LAX)
  const asked = { method: 'GET', path: '/en/area999/edit/7', host: 'h', wantedFormats: ['html' as const] }
  expect(told(all.find(asked))).toBe(':lang/area999/edit html')
  const time = (routes: Routes): number => {
    const cost = measureCost()
    for (let i = 0; i < 20_000; i++) routes.find(asked)
    return cost()
  }
  time(few)
  time(all)
  expect(time(all)).toBeLessThan(10 * time(few) + 50)
})
