/** The reference is complete, its examples print the documented output, and its pages are consistent. */
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { request as httpRequest } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { main } from '../../../../compiler/cli.ts'
import * as codes from '../../../../compiler/pipeline/diagnostics.ts'
import type { Entry } from '../../../../compiler/tools/docs/entry.ts'
import { documentedObjects } from '../../../../compiler/tools/docs/objects.ts'
import { allEntries, referenceFiles } from '../../../../compiler/tools/docs/reference.ts'
import { referenceServer } from '../../../../compiler/tools/docs/serve.ts'
import { documentedTags } from '../../../../compiler/tools/docs/tags.ts'
import { isReplaceable, writeReference } from '../../../../compiler/tools/docs/write.ts'
import type { Example } from '../../../../compiler/core/model/reference.ts'
import { filterTable } from '../../../../compiler/language/types/filters.ts'
import * as tags from '../../../../compiler/language/tags/index.ts'
import type { Tag } from '../../../../compiler/language/tags/tag.ts'
import { bodyText } from '../../../support/built-site.ts'
import { type TestDatabase, testDatabase } from '../../../support/database.ts'
import { servedFiles } from '../../../support/served-files.ts'

/** Constants for the challenge of a form. */
const CONSTANTS = { RECAPTCHA_V2_SITE_KEY: 'site', RECAPTCHA_V2_SECRET_KEY: 'secret' }

/** The database of examples without tables. */
let database: TestDatabase

/**
 * Compiles, bundles and serves an example as a site, and returns the response. Examples with tables or queries have a separate database.
 */
async function answerOf({ template, files = {}, url = '/' }: Example) {
  const pages = { 'app/views/pages/index.liquid': template, 'app/views/pages/sign-in.liquid': 'Sign in' }
  const isPlain = Object.keys(files).every((path) => path.endsWith('.liquid')) && !/graph|query/.test(template)
  const site = await servedFiles(
    { ...pages, ...files },
    { constants: CONSTANTS, ...(isPlain && { sharedDatabase: database }) },
  )
  try {
    const reply = await site.get(url)
    expect(site.loggedProblems).toEqual([])
    return reply
  } finally {
    await site.close()
  }
}

const lines = (text: string) =>
  text
    .split('\n')
    .map((line) => line.trimEnd())
    .filter((line) => line !== '')
    .join('\n')
    .trim()

/** Returns whether a text matches the wanted one, in which `…` matches any text. */
function fits(text: string, wanted: string): boolean {
  const literal = wanted.split('…').map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'))
  return new RegExp(`^${literal.join('[^]*')}$`).test(text)
}

async function expectExample(example: Example): Promise<void> {
  const reply = await answerOf(example)
  const text = lines(bodyText(reply))
  if (example.status === undefined || example.status < 300 || example.status > 399) {
    const wanted = lines(example.prints)
    expect(fits(text, wanted) ? wanted : text).toBe(wanted)
  }
  expect(reply.status).toBe(example.status ?? 200)
  expect(reply.headers).toMatchObject(example.headers ?? {})
}

describe('the examples', () => {
  beforeAll(async () => {
    database = await testDatabase()
    return () => database.close()
  })

  for (const { name, docs } of documentedTags()) {
    it.each(docs.examples.map((example) => [example.template.replaceAll('\n', '⏎'), example] as const))(
      `of the tag ${name}: %s`,
      (_, example) => expectExample(example),
    )
  }
  for (const { name, examples } of documentedObjects()) {
    it.each(examples.map((example) => [example.template.replaceAll('\n', '⏎'), example] as const))(
      `of the object ${name}: %s`,
      (_, example) => expectExample(example),
    )
  }
})

describe('the entries', () => {
  let entries: readonly Entry[]
  const named = (section: Entry['section']) =>
    entries.filter((entry) => entry.section === section).map(({ name }) => name)

  beforeAll(async () => {
    entries = await allEntries()
  })

  it('are one for each documented filter, with an example', () => {
    const text = readFileSync(new URL('../../../../fixtures/filters.json', import.meta.url), 'utf8')
    const documented = (JSON.parse(text) as { name: string }[]).map(({ name }) => name)
    const known = documented.filter((name) => filterTable('platform').has(name))
    expect(known.length).toBeGreaterThan(180)
    for (const name of known) {
      const entry = entries.find((each) => each.section === 'filters' && each.name === name)
      expect(
        entry?.blocks.some(({ kind }) => kind === 'example'),
        name,
      ).toBe(true)
      expect(entry?.summary, name).not.toBe('')
    }
    expect(named('filters').toSorted()).toEqual([...filterTable('platform').keys()].toSorted())
  })

  it('are one for each tag that an author writes', () => {
    const registered = (Object.values(tags) as unknown as Tag[]).map(({ name }) => name)
    const written = registered.filter((name) => /^\w+$/.test(name))
    expect(named('tags').toSorted()).toEqual([...written, 'liquid', '#'].toSorted())
  })

  it('are one for each diagnostic, with the words that it says', () => {
    expect(named('diagnostics').toSorted()).toEqual(
      Object.values(codes)
        .map(({ code }) => code)
        .toSorted(),
    )
    const silent = entries.filter(
      ({ section, summary }) => section === 'diagnostics' && summary.startsWith('The check'),
    )
    // The remaining codes are about files on disk, missing browser features, checks in JavaScript, and the compiler's own output.
    expect(silent.map(({ name }) => name)).toEqual([
      'custom-check',
      'custom-check-failed',
      'emitter-bug',
      'ignored-file',
      'needs-server',
      'unreadable-file',
    ])
  })

  it('show the hint and the change of a diagnostic', () => {
    const page = (name: string) =>
      entries.find((each) => each.section === 'diagnostics' && each.name === name)?.blocks ?? []
    const titles = (name: string) => page(name).flatMap((each) => (each.kind === 'example' ? [each.title] : []))
    expect(titles('unknown-filter')).toEqual(['Wrong', 'The change, which `ingot check --fix` makes', 'Right'])
    expect(page('unknown-filter')).toContainEqual({ kind: 'words', text: 'Did you mean `upcase`?' })
    expect(titles('mixed-and-or')).toEqual(['Wrong', 'Right'])
  })

  it('have paths of their own', () => {
    const paths = entries.map(({ path }) => path.toLowerCase())
    expect(paths.filter((path, at) => paths.indexOf(path) !== at)).toEqual([])
    for (const path of paths)
      expect(path).toMatch(
        /^(?:tutorial|guides|cookbook|filters|tags|objects|settings|validations|diagnostics|production|tools|liquidjs)\/[a-z0-9_-]+\.html$/,
      )
  })

  it('say what every field of a loop means', () => {
    for (const { name, fields } of documentedObjects())
      if (name.endsWith('loop')) expect(fields.filter(({ description }) => description === '')).toEqual([])
  })
})

describe('the pages', () => {
  let files: ReadonlyMap<string, string>
  let folder: string

  beforeAll(async () => {
    files = await referenceFiles()
    folder = mkdtempSync(join(tmpdir(), 'ingot-docs-'))
  })
  afterAll(() => rmSync(folder, { recursive: true, force: true }))

  it('link only to what is there, and load nothing from elsewhere', () => {
    const broken: string[] = []
    for (const [path, text] of files) {
      if (!path.endsWith('.html')) continue
      for (const [, address = ''] of text.matchAll(/(?<=<[^>]*)\s(?:href|src|action)="([^"]*)"/g)) {
        if (address === 'data:,') continue
        const { pathname, hash, host } = new URL(address, `http://here/${path}`)
        const target = host === 'here' ? files.get(pathname.slice(1)) : undefined
        if (target === undefined || (hash !== '' && !target.includes(` id="${decodeURIComponent(hash.slice(1))}"`)))
          broken.push(`${path}: ${address}`)
      }
    }
    expect(broken).toEqual([])
    const loading =
      /<[^>]*\ssrc=|<link (?!rel="(?:icon" href="data:,|stylesheet" href="(?:\.\.\/)?reference\.css)")|@import|url\(/
    // The playground loads its own scripts, which are next to it.
    const found = [...files].filter(([path, text]) => !path.endsWith('.js') && loading.test(text)).map(([path]) => path)
    expect(found).toEqual(['playground.html'])
  })

  it('escape what examples hold', () => {
    const page = files.get('filters/escape.html') ?? ''
    expect(page).toContain('&lt;')
    for (const [path, text] of files) {
      if (!path.endsWith('.html')) continue
      const scripts = text.match(/<script\b/g)?.length ?? 0
      expect(scripts, path).toBe(path === 'index.html' ? 1 : path === 'playground.html' ? 2 : 0)
      expect(text.match(/<img\b|\son\w+=/g), path).toBeNull()
    }
  })

  it('are written into a free folder, and over an earlier reference', async () => {
    const dir = join(folder, 'out')
    expect(await isReplaceable(dir)).toBe(true)
    await writeReference(dir, files)
    expect(readdirSync(dir).toSorted()).toEqual([
      'cookbook',
      'diagnostics',
      'filters',
      'guides',
      'index.html',
      'liquidjs',
      'objects',
      'playground-engine.js',
      'playground.html',
      'playground.js',
      'production',
      'reference.css',
      'settings',
      'tags',
      'tools',
      'tutorial',
      'validations',
    ])
    writeFileSync(join(dir, 'filters', 'gone.html'), 'old')
    writeFileSync(join(dir, 'CNAME'), 'mine')
    expect(await isReplaceable(dir)).toBe(true)
    await writeReference(dir, files)
    expect(readdirSync(join(dir, 'filters'))).not.toContain('gone.html')
    expect(readFileSync(join(dir, 'CNAME'), 'utf8')).toBe('mine')
    const other = join(folder, 'other')
    await writeReference(other, new Map([['index.html', '<p>mine</p>']]))
    expect(await isReplaceable(other)).toBe(false)
    writeFileSync(join(folder, 'file'), 'text')
    await expect(isReplaceable(join(folder, 'file'))).rejects.toMatchObject({ code: 'ENOTDIR' })
  })

  it('are served, and nothing beside them', async () => {
    const server = referenceServer(files)
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const { port } = server.address() as AddressInfo
    // `fetch` would normalize the paths.
    const ask = (method: string, path: string, headers: Record<string, string> = {}) =>
      new Promise<{ status: number; headers: Record<string, unknown>; text: string }>((resolve, reject) => {
        httpRequest({ host: '127.0.0.1', port, method, path, headers }, (response) => {
          let text = ''
          response.setEncoding('utf8')
          response.on('data', (part: string) => (text += part))
          response.on('end', () => resolve({ status: response.statusCode ?? 0, headers: response.headers, text }))
        })
          .on('error', reject)
          .end()
      })
    try {
      const index = await ask('GET', '/?q=append')
      expect([index.status, index.text]).toEqual([200, files.get('index.html')])
      expect(index.headers['content-security-policy']).toContain("default-src 'none'")
      const page = await ask('GET', '/filters/append.html')
      expect(page.text).toBe(files.get('filters/append.html'))
      const again = await ask('GET', '/filters/append.html', { 'if-none-match': String(page.headers['etag']) })
      expect([again.status, again.text]).toEqual([304, ''])
      const head = await ask('HEAD', '/reference.css')
      expect([head.status, head.text, head.headers['content-type']]).toEqual([200, '', 'text/css; charset=utf-8'])
      for (const path of [
        '/nowhere',
        '/../package.json',
        '/%2e%2e/package.json',
        '/__proto__',
        '//index.html',
        '/\0'.replace('\0', '%00'),
      ])
        expect((await ask('GET', path)).status, path).toBe(404)
      expect((await ask('POST', '/')).status).toBe(405)
    } finally {
      server.close()
      server.closeAllConnections()
    }
  })
})

describe('the command', () => {
  let folder: string
  let out: string
  let err: string

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'ingot-docs-'))
    out = ''
    err = ''
    vi.spyOn(process.stdout, 'write').mockImplementation((text) => {
      out += String(text)
      return true
    })
    vi.spyOn(process.stderr, 'write').mockImplementation((text) => {
      err += String(text)
      return true
    })
  })
  afterEach(() => {
    vi.restoreAllMocks()
    rmSync(folder, { recursive: true, force: true })
  })

  it('writes a folder, and no other over what is there', async () => {
    const dir = join(folder, 'reference')
    expect(await main(['docs', '--out', dir])).toBe(0)
    expect(out).toMatch(/^Wrote \d{3,4} files into .*: open .*\/index\.html\.\n$/)
    expect(readdirSync(join(dir, 'filters')).length).toBeGreaterThan(180)
    writeFileSync(join(folder, 'mine.txt'), 'mine')
    expect(await main(['docs', '--out', folder])).toBe(2)
    expect(err).toContain('holds other files')
    expect(readdirSync(folder).toSorted()).toEqual(['mine.txt', 'reference'])
  })

  it('serves until a signal, and says where a port is taken', async () => {
    vi.stubEnv('PORT', '0')
    const served = main(['docs', '--host', '127.0.0.1'])
    await vi.waitFor(() => expect(out).toContain('http://'), 10_000)
    const url = /http:\/\/\S+/.exec(out)?.[0] ?? ''
    expect(await (await fetch(`${url}/tags/cycle.html`)).text()).toContain('<h1>cycle</h1>')
    expect(await main(['docs', '--host', '127.0.0.1', '--port', new URL(url).port])).toBe(2)
    expect(err).toMatch(/^Port \d+ is already in use: choose another one with --port\.\n$/)
    process.emit('SIGTERM')
    expect(await served).toBe(0)
    await expect(fetch(url)).rejects.toThrow()
    vi.stubEnv('PORT', 'http')
    expect(await main(['docs'])).toBe(2)
    expect(err).toContain('The variable PORT needs a number from 0 to 65535.')
    vi.unstubAllEnvs()
  })

  it.each([
    [['--port', 'x'], 'needs a number'],
    [['--port', '70000'], 'needs a number'],
    [['--nonsense'], "Unknown option '--nonsense': see `ingot help docs`."],
    [['folder'], 'folder'],
  ])('refuses %j', async (args, said) => {
    expect(await main(['docs', ...args])).toBe(2)
    expect(err).toContain(said)
    expect(err.trim().split('\n')).toHaveLength(1)
  })
})
