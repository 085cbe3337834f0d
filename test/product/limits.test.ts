/** Tests pages that run, nest or print endlessly. Each page is stopped, and other requests are served in the meantime. */
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Product, product, type Server } from '../support/product.ts'

/** Liquid that assigns 32 MB of text. */
const LONG = "{% assign text = 'a' %}{% for i in (1..25) %}{% assign text = text | append: text %}{% endfor %}"

const FILES = {
  'app/config.yml': 'liquid_raise_mode: true\n',
  'app/translations/en.yml': 'en:\n  hello: Hello\n',
  'app/views/layouts/application.liquid': '<title>Site</title>{{ content_for_layout }}',
  'app/views/pages/index.liquid': "{% for i in (1..20) %}<p>{{ 'hello' | t }} {{ i }}</p>{% endfor %}",
  // A loop with many more iterations than a page may run.
  'app/views/pages/loop.liquid':
    '{% for i in (1..100000) %}{% for j in (1..100000) %}{% assign secret_name = j | times: 31 | modulo: 7 | append: i %}{% endfor %}{% endfor %}',
  'app/views/pages/range.liquid': '{% for i in (1..1000000000) %}{{ i }}{% endfor %}',
  'app/views/pages/nest.liquid': "{% render 'again' %}",
  'app/views/partials/again.liquid': "{% unless context.params.stop %}{% render 'again' %}{% endunless %}",
  'app/views/pages/call.liquid': "{% function n = 'down', n: 1 %}{{ n }}",
  'app/lib/down.liquid':
    "{% liquid\n  assign more = n | plus: 1\n  if n == 0\n    return 0\n  endif\n  function rest = 'down', n: more\n  return rest\n%}",
  'app/views/pages/grow.liquid':
    "{% assign text = 'abcdefghijklmnopqrstuvwxyz' %}{% for i in (1..40) %}{% assign text = text | append: text %}{% endfor %}{{ text | size }}",
  'app/views/pages/print.liquid':
    '{% capture line %}{% for i in (1..1000) %}0123456789{% endfor %}{% endcapture %}{% for i in (1..100000) %}{{ line }}{% endfor %}',
  'app/views/pages/list.liquid':
    "{% assign list = '1,2,3,4,5,6,7,8' | split: ',' %}{% for i in (1..40) %}{% assign list = list | concat: list %}{% endfor %}{{ list | size }}",
  // Few iterations with much text in each: the cost depends on the bytes.
  'app/views/pages/texts.liquid': `${LONG}{% for i in (1..14) %}<p>{{ text }}</p>{% endfor %}`,
  'app/views/pages/captures.liquid':
    '{% assign text = "0123456789abcdef" %}{% for i in (1..40) %}{% capture text %}{{ text }}{{ text }}{% endcapture %}{% endfor %}{{ text | size }}',
  'app/views/pages/upper.liquid': `${LONG}{% for i in (1..900) %}{% assign last = text | upcase %}{% endfor %}{{ last | size }}`,
  'app/views/pages/contains.liquid': `${LONG}{% for i in (1..9000) %}{% if text contains 'z' %}{{ i }}{% endif %}{% endfor %}`,
  'app/views/pages/keys.liquid':
    '{% assign list = "" | split: "," %}{% for i in (1..20000) %}{% assign list = list | array_add: "abc" %}{% endfor %}{% for i in (1..90000) %}{% assign last = list | map: "b" %}{% endfor %}{{ last | size }}',
  // The page reaches its limit after a wait in which other pages ran.
  'app/views/pages/waits.liquid': `${LONG}{% cache 'key', expire: 1 %}cached{% endcache %}{% for i in (1..900) %}{% assign last = text | upcase %}{% endfor %}{{ last | size }}`,
  'app/views/pages/fault.liquid': "{% render 'secret_partial', secret_name: 0 %}",
  'app/views/partials/secret_partial.liquid': '<p>{{ 1 | divided_by: secret_name }}</p>',
  'app/views/pages/data.json.liquid': "{% render 'secret_partial', secret_name: 0 %}",
}

const HEAVY = ['texts', 'captures', 'upper', 'contains', 'keys', 'waits'] as const
const STOPPED = ['loop', 'range', 'nest', 'call', 'grow', 'print', 'list', ...HEAVY] as const

let ingot: Product
let server: Server

beforeAll(async () => {
  ingot = product()
  const site = ingot.folder(FILES)
  // Endless code that ends under no condition would be a compile error. Here, the conditions only never come true.
  expect((await ingot.run(['build', site])).code).toBe(0)
  server = await ingot.serve(['serve', site], { env: { INGOT_WORKERS: '2' } })
})

afterAll(() => ingot?.clean())

interface Answer {
  readonly status: number
  readonly text: string
  /** Milliseconds until the response was complete. */
  readonly ms: number
}

/** Sends a request on a new connection, like a new visitor. */
async function get(path: string): Promise<Answer> {
  const started = performance.now()
  const reply = await fetch(server.url + path, { headers: { connection: 'close' } })
  const text = await reply.text()
  return { status: reply.status, text, ms: performance.now() - started }
}

/** What pages in production must not tell. */
const INSIDE = /secret|liquid|divided|partial|\bapp\/|\/tmp|\.mjs|\.ts\b|\bat |node:|steps|Nesting|ingot/i

/** Returns the line of the log about an error of a page. */
function logLine(name: string): string | undefined {
  const lines = server.output().split('\n')
  return lines.find((each) => each.includes(`GET /${name}: `))
}

describe('a page without an end', () => {
  test.each(STOPPED)('%s is stopped, tells nothing of what is inside, and the server goes on', async (name) => {
    const { status, text, ms } = await get(`/${name}`)
    expect([500, 504]).toContain(status)
    expect(text).toMatch(/Something went wrong on this page|This page took too long/)
    expect(text).not.toMatch(INSIDE)
    // A page may take at most nine seconds.
    expect(ms).toBeLessThan(10_000)
    for (let i = 0; i < 4; i++) expect((await get('/')).status).toBe(200)
  })

  test.each(HEAVY)('the log says which limit %s has reached', async (name) => {
    // The page was visited by the test above.
    await expect.poll(() => logLine(name)).toMatch(/more than (?:10000000 steps|50000000 characters|9000 ms)/)
  })

  test('while one loops to its limit over and over, everybody else is served', async () => {
    let going = true
    let stopped = 0
    const looping = (async () => {
      while (going) {
        expect((await get('/loop')).status).toBe(500)
        stopped++
      }
    })()
    await sleep(50)
    const times: number[] = []
    for (let i = 0; i < 100 || stopped < 2; i++) {
      const { status, text, ms } = await get('/')
      expect(status).toBe(200)
      expect(text).toContain('Hello 20')
      times.push(ms)
    }
    going = false
    await looping
    times.sort((a, b) => a - b)
    const [median = 0, late = 0, most = 0] = [
      times[times.length >> 1],
      times[Math.floor(times.length * 0.95)],
      times.at(-1),
    ]
    console.log(
      `while a page looped to its limit ${stopped} times, ${times.length} others took ${median.toFixed(1)} ms (median), ${late.toFixed(1)} ms (95 of 100), ${most.toFixed(0)} ms (at most)`,
    )
    expect(most).toBeLessThan(5_000)
  })

  test('ten pages of much text at once reset no visitor', async () => {
    const heavy = Array.from({ length: 10 }, (_, index) => get(`/${HEAVY[index % HEAVY.length]}`))
    const others = Array.from({ length: 20 }, () => get('/'))
    for (const { status } of await Promise.all(others)) expect(status).toBe(200)
    for (const { status } of await Promise.all(heavy)) expect([500, 504]).toContain(status)
  })

  test('a visitor who keeps a connection is not parked behind the page for good', async () => {
    let going = true
    const looping = (async () => {
      while (going) await get('/loop')
    })()
    const times: number[] = []
    // The client keeps these connections open, so they may belong to the busy process.
    for (let i = 0; i < 100; i++) {
      const started = performance.now()
      expect((await fetch(server.url)).status).toBe(200)
      times.push(performance.now() - started)
    }
    going = false
    await looping
    expect(Math.max(...times)).toBeLessThan(5_000)
  })
})

describe('in production', () => {
  test.each(['/fault', '/data.json', '/nothing'])('%s tells nothing of what is inside', async (path) => {
    const { status, text } = await get(path)
    expect(status).toBe(path === '/nothing' ? 404 : 500)
    expect(text).not.toMatch(INSIDE)
  })

  test('the log tells it instead', async () => {
    await get('/fault')
    // Log lines are written once a second.
    await expect.poll(() => logLine('fault')).toBeDefined()
    const { level, msg, stack } = JSON.parse(logLine('fault') ?? '{}') as Record<string, unknown>
    expect({ level, msg }).toEqual({ level: 50, msg: 'GET /fault: divided by 0' })
    expect(stack).toContain('at app/views/partials/secret_partial.liquid:1\n    at app/views/pages/fault.liquid:1')
  })

  test('no process had to be replaced', () => {
    expect(server.output()).not.toMatch(/is replaced|ended \(/)
  })
})
