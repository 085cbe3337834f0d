/** Tests `ingot dev` as a program, with a replacement for the compiler. */
import { appendFileSync, writeFileSync } from 'node:fs'
import { request } from 'node:http'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Program, type Programs, programs } from '../../../support/server/program.ts'
import { receiver } from '../../operate/observe/receiver.ts'
import { folder, page, site } from '../../../support/server/site.ts'

let ingot: Programs

beforeAll(async () => {
  ingot = await programs()
})

afterAll(() => ingot.clean())

// The replacement for the compiler. It prints every line that is appended to a file in the site's folder, and ends on request.
const COMPILER = `
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
const [command, dir] = process.argv.slice(2)
if (command !== 'watch') process.exit(1)
process.stdin.on('end', () => process.exit(0)).resume()
let said = 0
setInterval(() => {
  const lines = readFileSync(join(dir, 'messages'), 'utf8').split('\\n').slice(0, -1)
  for (const line of lines.slice(said)) line === 'end' ? process.exit(2) : console.log(line)
  said = lines.length
}, 20)
`

function entryOf(text: string, more = ''): string {
  return `export default () => ({ ...${JSON.stringify(site([]))}, pages: [
    { ...${JSON.stringify(page('/'))}, render: () => '<body>${text}</body>' },
    { ...${JSON.stringify(page('hang'))}, render: () => { for (;;); } }${more}] })\n`
}

interface Dev {
  readonly program: Program
  readonly url: string
  build(text: string): void
  say(message: object | string): void
  home(): Promise<string>
}

async function start(variables: Record<string, string> = {}): Promise<Dev> {
  const dir = folder({ messages: '', 'compiler.mjs': COMPILER, 'app/config.yml': '' })
  const program = await ingot.dev(dir, join(dir, 'compiler.mjs'), variables)
  const url = `http://127.0.0.1:${await program.port()}`
  const say = (message: object | string): void =>
    appendFileSync(join(dir, 'messages'), `${typeof message === 'string' ? message : JSON.stringify(message)}\n`)
  return {
    program,
    url,
    say,
    build(text) {
      writeFileSync(join(dir, 'site.mjs'), entryOf(text))
      say({ type: 'built', entry: pathToFileURL(join(dir, 'site.mjs')).href, changed: [], ms: 12 })
    },
    home: async () => (await fetch(url, { headers: { connection: 'close' } })).text(),
  }
}

/** Connects to the live-reload stream and records its events. */
async function listenTo(url: string): Promise<{ events: string[]; close(): void }> {
  const stop = new AbortController()
  const reply = await fetch(`${url}/_ingot/reload`, { signal: stop.signal })
  const events: string[] = []
  const read = async (): Promise<void> => {
    for await (const part of reply.body!.pipeThrough(new TextDecoderStream()))
      events.push(...part.split('\n\n').filter(Boolean))
  }
  read().catch(() => undefined)
  return { events, close: () => stop.abort() }
}

async function until(check: () => boolean | Promise<boolean>): Promise<void> {
  for (let i = 0; i < 4_500; i++) {
    if (await check()) return
    await sleep(20)
  }
  throw new Error('it did not happen')
}

test('pages follow the builds, reports stand over them, and a hanging page does not end the session', async () => {
  const dev = await start({ CI: '1' })
  expect(await dev.home()).toContain('The site is being built')
  await dev.program.waitForOutput(/GET \/ 503 .*the site is being built/)
  // Scripts that wait for the site request this path instead of a page.
  const ready = async (): Promise<number> => (await fetch(`${dev.url}/_ingot/ready`)).status
  expect(await ready()).toBe(503)
  const waiting = await listenTo(dev.url)
  await until(() => waiting.events.length > 0)

  dev.say({ type: 'errors', text: '\u001b[31mno `titel`\u001b[0m <here>' })
  // A waiting page shows the report, and no longer says that the site is being built.
  await until(() => waiting.events.some((event) => event.startsWith('event: update\n')))
  waiting.close()
  await until(async () => (await dev.home()).includes('no `titel` &#60;here&#62;'))
  expect(dev.program.output()).toContain('no `titel`')
  await dev.program.waitForOutput(/GET \/ 500 .*the site does not run yet/)

  dev.build('one')
  await until(async () => (await dev.home()).includes('<body>one'))
  expect(await ready()).toBe(200)
  expect(await dev.home()).toMatch(/^<body>one<script src="\/_ingot\/live\.js\?v=[\da-f]+"[^<>]*><\/script><\/body>$/)
  await dev.program.waitForOutput('in 12 ms')

  const news = await listenTo(dev.url)
  await until(() => news.events.length > 0)
  // A page that was sent before a build and connects after it receives another state than its own, and therefore reloads.
  const state = (text: string): string => /[\da-f-]{36}\.\d+/.exec(text)![0]
  expect(news.events[0]).toBe(`event: hello\ndata: ${state(await dev.home())}`)
  const before = state(await dev.home())
  dev.build('two')
  const updates = (): string[] => news.events.filter((event) => event.startsWith('event: update\n'))
  await until(() => updates().length === 1)
  // What was saved is unknown, so pages are rendered again.
  expect(updates()[0]).toContain('"page":true')
  expect(await dev.home()).toContain('two')
  const after = await listenTo(dev.url)
  await until(() => after.events.length > 0)
  expect(after.events[0]).toBe(`event: hello\ndata: ${state(await dev.home())}`)
  expect(after.events[0]).not.toContain(before)
  after.close()

  // The diagnostics that follow after a build. Pages need them only if they change the reason of a failure.
  dev.say({ type: 'checked', text: 'told behind the build', errors: {} })
  await dev.program.waitForOutput('told behind the build')
  // The output is not a terminal, so it contains no colors.
  expect(dev.program.output()).not.toContain('\u001b')
  expect(updates()).toHaveLength(1)
  dev.say({ type: 'checked', text: '', errors: { 'app/views/pages/a.liquid': 'a.liquid:1:1 error' } })
  await until(() => updates().length === 2)
  // Only the errors are new.
  expect(updates()[1]).toContain('"page":false,"assets":[]')
  expect(await dev.home()).toContain('two')

  dev.say({ type: 'errors', text: 'line 1\nline 2' })
  const isReport = (event: string): boolean => event.startsWith('event: errors\n') && event.includes('line 1\\nline 2')
  await until(() => news.events.some(isReport))
  expect(await dev.home()).toContain('two')
  const late = await listenTo(dev.url)
  await until(() => late.events.some(isReport))
  late.close()
  news.close()

  dev.say('not JSON at all')
  await dev.program.waitForOutput('not JSON at all')

  dev.program.child.kill('SIGINT')
  expect(await dev.program.exitCode).toBe(0)
  expect(dev.program.output()).toContain('stopping; press Ctrl-C again to end at once')
  expect(dev.program.output()).toMatch(/ stopped the server and the compiler\n$/)
})

test('its address is printed once it answers, with the places of everything else, and without colors in a pipe', async () => {
  const dev = await start()
  expect(await dev.home()).toContain('The site is being built')
  expect(dev.program.output()).not.toContain(dev.url)
  dev.build('one')
  await dev.program.waitForOutput('Ctrl-C')
  const output = dev.program.output()
  expect(output).toMatch(
    new RegExp(
      `^  Open      ${dev.url}\n  Studio    ${dev.url}/_ingot .*\n  GraphiQL  ${dev.url}/_ingot/graphql .*\n  Outbox    ${dev.url}/_ingot/outbox .*\n  Console   npx ingot console /.*\n  Docs      npx ingot docs\n  Stop      Ctrl-C$`,
      'm',
    ),
  )
  expect(output).not.toContain('\u001b')
  dev.program.child.kill('SIGTERM')
  expect(await dev.program.exitCode).toBe(0)
})

test('a page that hangs costs its process, and the next one serves the newest build', async () => {
  const dev = await start()
  dev.build('one')
  await until(async () => (await dev.home()).includes('one'))
  dev.build('two')
  await until(async () => (await dev.home()).includes('two'))
  await expect(fetch(`${dev.url}/hang`)).rejects.toThrow()
  await until(async () => (await dev.home().catch(() => '')).includes('two'))
})

test('a compiler that ends ends the command', async () => {
  const dev = await start()
  dev.say('end')
  expect(await dev.program.exitCode).toBe(2)
  expect(dev.program.output()).toContain('The compiler ended (code 2)')
})

test('what is traced is sent when it stops', async () => {
  const got = await receiver()
  const { program, build, home } = await start({
    OTEL_EXPORTER_OTLP_ENDPOINT: got.url,
    OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json',
    OTEL_BSP_SCHEDULE_DELAY: '600000',
  })
  build('traced')
  await expect.poll(home).toContain('traced')
  program.child.kill('SIGTERM')
  expect(await program.exitCode).toBe(0)
  expect(got.spans.map(({ name }) => name)).toContain('page /')
  await got.close()
})

test('a name that others control reaches nothing of a site in development, until INGOT_HOSTS lists it', async () => {
  const one = await start({ INGOT_HOSTS: 'phone.example' })
  one.build('home')
  await until(async () => (await one.home()).includes('home'))
  const { port } = new URL(one.url)
  const get = (path: string, host: string, method = 'GET'): Promise<{ status: number; text: string }> =>
    new Promise((done, fail) => {
      const asked = request({ host: '127.0.0.1', port, path, method, headers: { host }, agent: false }, (response) => {
        const { statusCode: status = 0 } = response
        const part = (data: unknown): void => {
          done({ status, text: String(data) })
          asked.destroy()
        }
        response.once('data', part).once('end', () => part(''))
      })
      asked.once('error', fail).end()
    })
  for (const path of ['/', '/_ingot/reload', '/_ingot/graphql', '/_ingot/outbox', '/assets/a.css', '/api/graph'])
    for (const host of ['evil.example', `evil.example:${port}`, '127.0.0.1.nip.io'])
      expect(await get(path, host), `${path} ${host}`).toMatchObject({
        status: 400,
        text: expect.stringContaining(`INGOT_HOSTS=${host.replace(/:.*/, '')}`),
      })
  expect(await get('/', 'evil.example', 'POST')).toMatchObject({ status: 400 })
  for (const host of [`localhost:${port}`, '192.168.178.20', `phone.example:${port}`]) {
    expect((await get('/', host)).text, host).toContain('home')
    expect((await get('/_ingot/reload', host)).text, host).toContain('event: hello')
  }
  // These pages are only for the same machine, even if others may see the site.
  for (const path of ['/_ingot/graphql', '/_ingot/outbox'])
    for (const host of ['192.168.178.20', 'phone.example']) expect((await get(path, host)).status).toBe(403)
  expect((await get('/_ingot/outbox', 'localhost')).status).toBe(200)
})
