/** Markdown pages: their URLs, and the meaning of `.md` in URLs and file names. */
import pino from 'pino'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type App, createApp } from '../../../../server/web/app.ts'
import { bodyText } from '../../../support/built-site.ts'
import { type LiquidSite, liquidSite } from '../../../support/server/liquid-site.ts'
import { request } from '../../../support/server/site.ts'

const FILES = {
  'app/config.yml': 'slug_exact_match: true\n',
  'app/views/layouts/application.liquid': '[{{ content_for_layout }}]',
  'app/views/pages/guide.liquid': '---\nconverter: markdown\n---\n# {{ context.page.slug }}',
  'app/views/pages/notes.md.liquid': 'notes at {{ context.page.slug }}',
  'app/views/pages/both.md.liquid': '---\nslug: both\nconverter: markdown\n---\n*both*',
  'app/views/pages/feed.xml.liquid': '<feed/>',
}

let site: LiquidSite
let app: App

beforeAll(async () => {
  site = await liquidSite(FILES)
  const logger = pino({ level: 'silent' })
  app = createApp(site.loaded, { environment: 'production', version: '0.1.0', constants: () => ({}), logger })
})
afterAll(() => site.close())

test.each([
  ['/guide', 200, 'text/html', '[<h1>guide</h1>\n]'],
  ['/guide.html', 200, 'text/html', '[<h1>guide</h1>\n]'],
  ['/guide.md', 200, 'text/markdown', '# guide'],
  // An extension that is not a page format belongs to the name: the page is HTML with a layout.
  ['/notes.md', 200, 'text/html', '[notes at notes.md]'],
  ['/notes', 404, 'text/html', null],
  ['/both', 200, 'text/html', '[<p><em>both</em></p>\n]'],
  ['/both.md', 200, 'text/markdown', '*both*'],
  ['/feed.xml', 200, 'application/xml', '<feed/>'],
])('%s', async (url, status, type, text) => {
  const reply = await app.handler(request(url))
  expect([reply.status, reply.headers['content-type']]).toEqual([status, `${type}; charset=utf-8`])
  if (text !== null) expect(bodyText(reply)).toBe(text)
})
