/** Tests `ingot dev` with its real compiler: saved changes are served, errors are reported, and no process is left at the end. */
import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { stripVTControlCharacters } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { testDatabase } from '../support/database.ts'
import { commonVariables, type Product, product, type Server, write } from '../support/product.ts'

const HOME = 'app/views/pages/index.liquid'

let ingot: Product
let site: string
let server: Server

beforeAll(async () => {
  ingot = product()
  site = ingot.folder()
  expect(await ingot.run(['init', site])).toMatchObject({ code: 0 })
  server = await ingot.serve(['dev', site])
  await until('/', (text) => text.includes('Tomato soup'))
})

afterAll(() => ingot?.clean())

async function get(path: string): Promise<{ readonly status: number; readonly text: string }> {
  const reply = await fetch(server.url + path, { headers: { connection: 'close' } })
  return { status: reply.status, text: await reply.text() }
}

/** Requests a page until the response is as wanted. Returns the milliseconds that it took. */
async function until(path: string, wanted: (text: string, status: number) => boolean): Promise<number> {
  const started = performance.now()
  let last = ''
  while (performance.now() - started < 60_000) {
    // If a file is saved while it is sent, the response breaks off, because its length was announced before. The next response is complete.
    const { status, text } = await get(path).catch(() => ({ status: 0, text: '' }))
    if (wanted(text, status)) return performance.now() - started
    last = `${status} ${text}`
    await sleep(15)
  }
  throw new Error(
    `${path} never answered as wanted; its last answer was:\n${last}\nand the server said:\n${server.output()}`,
  )
}

test('beside it, other commands work with its site, and a folder without a site is not served', async () => {
  const { code, out } = await ingot.run(['openapi', site], { ownProcess: true })
  expect({ code, document: JSON.parse(out) }).toMatchObject({ code: 0, document: { openapi: '3.1.0' } })
  const empty = ingot.folder()
  expect(await ingot.run(['dev', empty])).toMatchObject({
    code: 2,
    err: `There is no site in '${empty}': write a small one with \`ingot init ${empty}\`, or give the folder of a site.\n`,
  })
  expect(readdirSync(empty)).toEqual([])
})

function edit(path: string, from: string, to: string): void {
  const text = readFileSync(join(site, path), 'utf8')
  expect(text).toContain(from)
  write(site, { [path]: text.replace(from, to) })
}

test('a changed template is served at once', async () => {
  const times: number[] = []
  for (let i = 0; i < 9; i++) {
    write(site, { 'app/views/partials/dishes/card.liquid': `<li>version ${i} of {{ dish.name }}</li>\n` })
    times.push(await until('/', (text) => text.includes(`version ${i} of Tomato soup`)))
  }
  times.sort((a, b) => a - b)
  console.log(
    `a saved template was served after ${times[4]?.toFixed(0)} ms (median), ${times.at(-1)?.toFixed(0)} ms (at most)`,
  )
})

test('a file that is saved without a change leaves the site as it is', async () => {
  edit(HOME, '<h1>', '<h1>Now: ')
  await until('/', (text) => text.includes('<h1>Now: '))
  // The watcher would combine two saves at the same time.
  await sleep(200)
  edit(HOME, '<h1>Now: ', '<h1>Now: ')
  await sleep(400)
  expect((await get('/')).text).toContain('<h1>Now: ')
  // A site that is broken and then restored is the same as before.
  edit(HOME, '<h1>Now: ', '<h1>{{ }}{% nothing %}')
  await until('/', () => server.output().includes('nothing'))
  edit(HOME, '<h1>{{ }}{% nothing %}', '<h1>Now: ')
  await sleep(400)
  expect((await get('/')).text).toContain('<h1>Now: ')
})

test('a remark is made once, and again when it comes back', async () => {
  const remarks = (): number => server.output().split('include-could-be-render').length - 1
  const partials = { 'app/views/partials/icon.liquid': '{{ name }}' }
  const page = async (tag: string, name: string): Promise<void> => {
    write(site, { ...partials, 'app/views/pages/icons.liquid': `{% ${tag} 'icon', name: '${name}' %}` })
    await until('/icons', (text) => text.includes(name))
  }
  await page('include', 'one')
  await expect.poll(remarks).toBe(1)
  await page('include', 'two')
  await page('render', 'three')
  expect(remarks()).toBe(1)
  // A page is served before its `info` diagnostics are known. An edit that follows immediately may come before the server knows that one
  // was removed.
  for (let again = 0; remarks() < 2 && again < 20; again++) {
    await page('render', `render ${again}`)
    await sleep(500)
    await page('include', `include ${again}`)
    for (let waited = 0; remarks() < 2 && waited < 20; waited++) await sleep(100)
  }
  expect(remarks()).toBe(2)
})

test('files come and go', async () => {
  write(site, {
    'app/views/pages/menu.liquid': "<h1>Menu</h1>{% render 'note' %}",
    'app/views/partials/note.liquid': 'a note',
  })
  await until('/menu', (text, status) => status === 200 && text.includes('a note'))
  edit('app/views/pages/menu.liquid', '<h1>Menu', '---\nslug: card\n---\n<h1>Card')
  await until('/card', (text, status) => status === 200 && text.includes('Card'))
  await until('/menu', (_text, status) => status === 404)
  rmSync(join(site, 'app/views/pages/menu.liquid'))
  await until('/card', (_text, status) => status === 404)
  write(site, { 'app/assets/new.txt': 'new' })
  await until('/assets/new.txt', (text) => text === 'new')
})

test('what is broken fails where it is reached, with its message, and all else is served', async () => {
  const stop = new AbortController()
  const reply = await fetch(`${server.url}/_ingot/reload`, { signal: stop.signal })
  let news = ''
  const reading = (async () => {
    for await (const part of reply.body!.pipeThrough(new TextDecoderStream())) news += part
  })().catch(() => undefined)
  const hears = async (words: string): Promise<void> => {
    for (let i = 0; i < 1000 && !news.includes(words); i++) await sleep(10)
    expect(news).toContain(words)
  }
  edit(HOME, '</ul>', '</ul>{% if %}')
  await hears('event: update')
  await until(
    '/',
    (text, status) => status === 500 && text.includes('The markup of the tag `if` is not valid') && text.includes(HOME),
  )
  // The compiler's errors, with the place of each.
  expect((await get('/')).text).toMatch(
    /What the compiler says<\/h2><div class="problem"><p><strong>The markup of the tag <code>if<\/code> .*?<\/strong><\/p><p class="place">app\/views\/pages\/index\.liquid:\d+:\d+ /,
  )
  expect(await get('/dishes/1')).toMatchObject({ status: 200, text: expect.stringContaining('Tomato soup') })
  expect(server.output()).toContain(HOME)
  news = ''
  // A file that cannot be read stops a build. The last build is served, and open pages show the error.
  symlinkSync('..', join(site, 'app/views/up'))
  await hears('event: errors')
  await hears('it is a symbolic link to a folder that contains it')
  expect((await get('/dishes/1')).text).toContain('Tomato soup')
  rmSync(join(site, 'app/views/up'))
  news = ''
  edit(HOME, '</ul>{% if %}', '</ul><p>mended</p>')
  await hears('event: update')
  await until('/', (text) => text.includes('<p>mended</p>'))
  stop.abort()
  await reading
})

test('a file of another encoding fails where it is needed, until it is mended', async () => {
  const latin = Uint8Array.from([0x63, 0x61, 0x66, 0xe9])
  const broken = (text: string, status: number) => status === 500 && text.includes('it is not UTF-8 text')
  write(site, { 'app/views/pages/cafe.liquid': "{% render 'cafe' %}", 'app/views/partials/cafe.liquid': '' })
  await until('/cafe', (_text, status) => status === 200)
  write(site, { 'app/views/partials/cafe.liquid': latin })
  await until('/cafe', broken)
  expect((await get('/dishes/1')).text).toContain('Tomato soup')
  write(site, { 'app/views/partials/cafe.liquid': 'café' })
  await until('/cafe', (text, status) => status === 200 && text.includes('café'))
  write(site, { 'app/views/pages/cafe.liquid': latin })
  await until('/cafe', broken)
  write(site, { 'app/views/pages/cafe.liquid': '' })
  await until('/cafe', (_text, status) => status === 200)
})

test('two saves of a stylesheet within one second: the page shows the second', async () => {
  const style = 'app/assets/two.css'
  const second = 1_700_000_000
  const save = (text: string): void => {
    write(site, { [style]: text })
    // Both versions have the same time and size, so only the bytes differ.
    utimesSync(join(site, style), second, second)
  }
  save('a { order: 1 }')
  write(site, { 'app/views/pages/two.liquid': "{{ 'two.css' | asset_url }}" })
  const urlIn = (text: string): string => /\/assets\/two\.css\?updated=\w+/.exec(text)?.[0] ?? ''
  await until('/two', (text) => urlIn(text) !== '')
  const first = urlIn((await get('/two')).text)
  save('a { order: 2 }')
  save('a { order: 3 }')
  let url = first
  const digest = createHash('sha256').update('a { order: 3 }').digest('hex')
  await until('/two', (text) => (url = urlIn(text)).endsWith(`?updated=${digest.slice(0, 16)}`))
  const reply = await fetch(server.url + url, { headers: { connection: 'close' } })
  expect([await reply.text(), reply.headers.get('cache-control')]).toEqual(['a { order: 3 }', 'no-cache'])
  // Equal bytes have the same address again.
  save('a { order: 1 }')
  await until('/two', (text) => urlIn(text) === first)
  expect((await get(first)).text).toBe('a { order: 1 }')
})

test('template values: an edit of their manifest or of an asset with values is served anew', async () => {
  const style = 'modules/shelf/public/assets/shelf.css'
  write(site, {
    'modules/shelf/pos-module.json': JSON.stringify({ name: 'Shelf', machine_name: 'shelf', version: '1.0.0' }),
    [style]: '/* <%= name =%> <%= version =%> */',
    'modules/shelf/public/assets/plain.css': '/* plain */',
    'modules/shelf/public/views/pages/shelf.liquid':
      "<%= version =%> {{ context.modules.shelf.version }} {{ 'modules/shelf/shelf.css' | asset_url }}",
    'template-values.json': JSON.stringify({ town: 'Lund' }),
    'app/assets/town.svg': '<svg><title><%= town =%></title></svg>',
  })
  await until('/shelf', (text, status) => status === 200 && text.includes('1.0.0 1.0.0'))
  await until('/assets/modules/shelf/shelf.css', (text) => text === '/* Shelf 1.0.0 */')
  await until('/assets/town.svg', (text) => text.includes('<title>Lund</title>'))
  const address = async (): Promise<string> => /\S*shelf\.css\S*/.exec((await get('/shelf')).text)?.[0] ?? ''
  const before = await address()
  // The stamp in addresses has a resolution of one second.
  await sleep(1_100)
  edit('modules/shelf/pos-module.json', '1.0.0', '1.1.0')
  await until('/shelf', (text) => text.includes('1.1.0 1.1.0'))
  await until('/assets/modules/shelf/shelf.css', (text) => text === '/* Shelf 1.1.0 */')
  expect(await address()).not.toBe(before)
  edit('template-values.json', 'Lund', 'Malmö')
  await until('/assets/town.svg', (text) => text.includes('<title>Malmö</title>'))
  edit(style, '*/', 'in <%= version =%> */')
  await until('/assets/modules/shelf/shelf.css', (text) => text === '/* Shelf 1.1.0 in 1.1.0 */')
  // A file that no longer has template values is served as written, and vice versa.
  edit(style, ' in <%= version =%>', '')
  write(site, { 'modules/shelf/template-values.json': JSON.stringify({ name: 'Board' }) })
  await until('/assets/modules/shelf/shelf.css', (text) => text === '/* Board 1.1.0 */')
  rmSync(join(site, 'modules/shelf/template-values.json'))
  await until('/assets/modules/shelf/shelf.css', (text) => text === '/* Shelf 1.1.0 */')
  rmSync(join(site, 'template-values.json'))
  await until('/assets/town.svg', (text) => text.includes('<title><%= town =%></title>'))
  expect(await get('/assets/modules/shelf/plain.css')).toEqual({ status: 200, text: '/* plain */' })
})

test('a module that is worked on in the root tells its version, from the manifest there', async () => {
  const module = ingot.folder({
    'pos-module.json': JSON.stringify({ name: 'The kitchen', machine_name: 'kitchen', version: '0.3.0' }),
    'public/views/pages/kitchen.liquid': `---
layout: ''
---
{{ context.modules.kitchen.name }} {{ context.modules.kitchen.version }} <%= version =%>|{{ context.modules.shelf.version }}`,
    'modules/shelf/pos-module.json': JSON.stringify({ name: 'Shelf', machine_name: 'shelf', version: '1.0.0' }),
    'modules/shelf/public/lib/one.liquid': '{% return 1 %}',
  })
  const database = await testDatabase()
  const second = await ingot.serve(['dev', module], { env: { DATABASE_URL: database.url } })
  const text = async (): Promise<string> => (await fetch(`${second.url}/kitchen`)).text()
  await expect.poll(text).toContain('The kitchen 0.3.0 0.3.0|1.0.0')
  write(module, {
    'pos-module.json': JSON.stringify({ name: 'The kitchen', machine_name: 'kitchen', version: '0.4.0' }),
  })
  await expect.poll(text).toContain('The kitchen 0.4.0 0.4.0|1.0.0')
  // A build between two steps of a save sees a folder without a valid module, and therefore no page in it.
  for (const ms of [10, 20, 30, 40]) {
    const manifest = openSync(join(module, 'pos-module.json'), 'w')
    await sleep(ms)
    writeSync(manifest, JSON.stringify({ name: 'The kitchen', machine_name: 'kitchen', version: `0.5.${ms}` }))
    closeSync(manifest)
    await expect.poll(text).toContain(`The kitchen 0.5.${ms} 0.5.${ms}|1.0.0`)
  }
  expect(await second.stop()).toBe(0)
  await database.close()
})

test('a save in two steps, or of two files, is not served half', async () => {
  const list = 'app/graphql/dishes/list.graphql'
  const query = readFileSync(join(site, list), 'utf8')
  const home = readFileSync(join(site, HOME), 'utf8')
  const statuses = new Set<number>()
  let isOver = false
  const asked = (async () => {
    while (!isOver) statuses.add((await get('/').catch(() => ({ status: 0 }))).status)
  })()
  /**
   * Saves in two steps with a pause, with other content each time, until the pause was short enough. Returns the statuses of the responses
   * during that time.
   */
  const answers = async (
    first: (time: number) => void,
    then: (time: number) => void,
    seen: (time: number) => string,
  ): Promise<number[]> => {
    for (let time = 0; ; time++) {
      statuses.clear()
      const from = performance.now()
      first(time)
      await sleep(8)
      then(time)
      const took = performance.now() - from
      await until('/', (text) => text.includes(seen(time)))
      // Changes that are found later cause another build.
      await sleep(200)
      if (took < 25) return [...statuses].filter((status) => status !== 0)
    }
  }
  try {
    for (const bread of ['rye', 'wheat', 'spelt']) {
      // Some editors empty a file before they write it.
      const emptied = await answers(
        () => write(site, { [list]: '' }),
        () => write(site, { [list]: query }),
        () => 'Tomato soup',
      )
      const called = await answers(
        (time) => write(site, { [HOME]: home.replace('<h1>', `{% render '${bread}_${time}' %}<h1>`) }),
        (time) => write(site, { [`app/views/partials/${bread}_${time}.liquid`]: `<p>${bread} ${time}</p>` }),
        (time) => `<p>${bread} ${time}</p>`,
      )
      expect([emptied, called]).toEqual([[200], [200]])
    }
  } finally {
    isOver = true
    await asked
  }
  write(site, { [HOME]: home })
  await until('/', (text) => !text.includes('<p>spelt '))
})

test('a build for `ingot serve` beside it does not disturb it', async () => {
  // The folders of both builds are excluded from git.
  expect(readFileSync(join(site, '.ingot/.gitignore'), 'utf8')).toBe('*\n')
  expect(await ingot.run(['build', site])).toMatchObject({ code: 0 })
  expect(existsSync(join(site, '.ingot/manifest.json'))).toBe(true)
  expect(readFileSync(join(site, '.ingot/.gitignore'), 'utf8')).toBe('*\n')
  // The place of a fault is read from a source map on disk.
  edit(HOME, '<p>mended</p>', '<p>{{ 1 | divided_by: context.params.by }}</p>')
  await until('/', (text, status) => status === 500 && text.includes(`${HOME}:10`))
  edit(HOME, '<p>{{ 1 | divided_by: context.params.by }}</p>', '')
  await until('/', (_text, status) => status === 200)
})

test('a build that cannot be written is told, and the next one is made', async () => {
  const folder = join(site, '.ingot/dev')
  renameSync(folder, `${folder}-away`)
  writeFileSync(folder, 'no folder')
  edit(HOME, '</ul>', '</ul><p>not written</p>')
  // The next save follows immediately. Of two saves in a short time, the system reports only the first.
  const soon = { timeout: 60_000, interval: 1 }
  await expect.poll(() => server.output(), soon).toMatch(/(?:ENOTDIR|EEXIST): .*\.ingot\/dev/)
  rmSync(folder)
  renameSync(`${folder}-away`, folder)
  edit(HOME, '<p>not written</p>', '<p>written</p>')
  await until('/', (text) => text.includes('<p>written</p>'))
  edit(HOME, '<p>written</p>', '')
})

test('a site that has errors from the start is served, and the terminal tells of errors first', async () => {
  const broken = ingot.folder()
  await ingot.run(['init', broken])
  const links = Array.from(
    { length: 7 },
    (_, i) => [`app/views/pages/a${i}.liquid`, '<a href="/nowhere">x</a>'] as const,
  )
  write(broken, { ...Object.fromEntries(links), 'app/views/pages/z.liquid': '{% if %}a{% endif %}' })
  const second = await ingot.serve(['dev', broken])
  const ask = async (path: string): Promise<readonly [number, string]> => {
    const reply = await fetch(second.url + path)
    return [reply.status, await reply.text()]
  }
  await expect.poll(async () => (await ask('/a0'))[0]).toBe(200)
  expect(await ask('/z')).toEqual([500, expect.stringContaining('The markup of the tag `if` is not valid')])
  await expect.poll(() => second.output()).toContain('missing-page')
  const said = stripVTControlCharacters(second.output())
  expect(said.indexOf('z.liquid:1:1  error')).toBeGreaterThan(0)
  expect(said.indexOf('z.liquid:1:1  error')).toBeLessThan(said.indexOf('a0.liquid:1:1  warning'))
  expect(said.match(/missing-page$/gm)).toHaveLength(1)
  expect(said.replace(/\s+/g, ' ')).toMatch(
    /6 more of missing-page: app\/views\/pages\/a1\.liquid:1:1, .*a6\.liquid:1:1/,
  )
  expect(await second.stop()).toBe(0)
})

test('it ends with npx, which does not forward the signal', async () => {
  const folder = ingot.folder()
  await ingot.run(['init', folder])
  mkdirSync(join(folder, 'node_modules/.bin'), { recursive: true })
  symlinkSync(ingot.bin, join(folder, 'node_modules/.bin/ingot'))
  const npx = spawn('npm', ['exec', '--offline', 'ingot', 'dev', '.'], {
    cwd: folder,
    env: { ...commonVariables(), DATABASE_URL: (await testDatabase()).url, npm_config_cache: join(folder, 'npm') },
  })
  let said = ''
  const ended = new Promise<void>((done) => npx.stdout.on('data', (data) => (said += String(data))).once('end', done))
  npx.stderr.on('data', (data) => (said += String(data)))
  await expect.poll(() => said, { timeout: 60_000 }).toContain('Ctrl-C')
  npx.kill('SIGTERM')
  // The server has the same output, so the output ends with it.
  await ended
  expect(said).toContain('stopping, because npx has ended')
  expect(said).toMatch(/stopped the server, the compiler and the jobs\n$/)
})

test('a signal ends it, and its compiler with it', async () => {
  expect(await server.stop()).toBe(0)
  await expect(get('/')).rejects.toThrow()
  // No process rebuilds the site any more.
  const before = readFileSync(join(site, '.ingot/site.mjs'), 'utf8')
  edit(HOME, '</ul>', '</ul>late')
  await sleep(300)
  expect(readFileSync(join(site, '.ingot/site.mjs'), 'utf8')).toBe(before)
})
