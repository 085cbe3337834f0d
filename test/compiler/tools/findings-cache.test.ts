/** The cache of findings: the next process uses it only if the site is unchanged. */
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { bundle, isReplaceable } from '../../../compiler/phases/bundle/bundle.ts'
import { packBuild } from '../../../compiler/phases/bundle/pack.ts'
import { compile, diagnose } from '../../../compiler/compile.ts'
import type { Diagnostic } from '../../../compiler/core/diagnostics/diagnostic.ts'
import { FindingsCache } from '../../../compiler/tools/cache/findings-cache.ts'
import { Workspace } from '../../../compiler/tools/service/workspace.ts'
import { discover } from '../../../compiler/core/source/discover.ts'
import { filesFromTexts } from '../../../compiler/core/source/from-texts.ts'

/** The key of the user. */
const SECRET = Buffer.alloc(32, 1)

const PAGE = 'app/views/pages/index.liquid'
const OPTIONS = { dialect: 'platform', syntax: 'lax', openEntries: false, keepGoing: false } as const
const FILES = filesFromTexts(
  {
    [PAGE]: `{{ 'a' | upcas }}{% render 'row', nmae: 1 %}`,
    'app/views/partials/row.liquid': '{{ name }}',
    'app/translations/en.yml': 'en:\n  a: b\n',
  },
  false,
)

let root: string
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'ingot-findings-'))
})
afterEach(() => rmSync(root, { recursive: true, force: true }))

const cache = () => join(root, '.ingot/cache')
const kept = () => readdirSync(cache()).filter((name) => name.startsWith('findings-'))

describe('kept findings', () => {
  const found = diagnose(FILES, OPTIONS)

  it('are those that were written, with their places and changes', () => {
    expect(found.length).toBeGreaterThan(1)
    new FindingsCache(root, 'one', SECRET).write(FILES, OPTIONS, found)
    expect(new FindingsCache(root, 'one', SECRET).read(FILES, OPTIONS)).toEqual(found)
    expect(readFileSync(join(cache(), '.gitignore'), 'utf8')).toBe('*\n')
  })

  it('are none of other texts, names, options and compilers', () => {
    new FindingsCache(root, 'one', SECRET).write(FILES, OPTIONS, found)
    const [page, ...others] = FILES
    const read = (files = FILES, options: Parameters<FindingsCache['read']>[1] = OPTIONS, compiler = 'one') =>
      new FindingsCache(root, compiler, SECRET).read(files, options)
    expect(read()).not.toBeNull()
    expect(read([{ ...page!, text: `${page!.text} ` }, ...others])).toBeNull()
    expect(read([{ ...page!, path: `${page!.path}x` }, ...others])).toBeNull()
    expect(read(others)).toBeNull()
    expect(read(FILES, { ...OPTIONS, ignored: [{ path: 'x', message: 'y', suggestion: null }] })).toBeNull()
    const requirement = { range: '1.0.0', file: 'app/pos-modules.json', span: { start: 0, end: 0 } }
    expect(read(FILES, { ...OPTIONS, requiredModules: new Map([['core', requirement as never]]) })).toBeNull()
    expect(read(FILES, OPTIONS, 'two')).toBeNull()
  })

  it('a file that ends with what the next begins with is another site', () => {
    const [a, b] = [FILES[0]!, FILES[1]!]
    const keeps = new FindingsCache(root, 'one', SECRET)
    keeps.write(
      [
        { ...a, text: 'xy' },
        { ...b, text: 'z' },
      ],
      OPTIONS,
      found,
    )
    expect(
      keeps.read(
        [
          { ...a, text: 'x' },
          { ...b, text: 'yz' },
        ],
        OPTIONS,
      ),
    ).toBeNull()
  })

  it('are looked for again where their file was cut off, or holds something else', () => {
    const keeps = new FindingsCache(root, 'one', SECRET)
    keeps.write(FILES, OPTIONS, found)
    const path = join(cache(), kept()[0]!)
    const whole = readFileSync(path, 'utf8')
    const changed = whole.replace('warning', 'info')
    expect(changed).not.toBe(whole)
    for (const text of [
      whole.slice(0, whole.length / 2),
      '',
      '[]',
      '\n[]',
      changed,
      whole.slice(whole.indexOf('\n')),
    ]) {
      writeFileSync(path, text)
      expect(keeps.read(FILES, OPTIONS), text.slice(0, 40)).toBeNull()
    }
    keeps.write(FILES, OPTIONS, found)
    expect(keeps.read(FILES, OPTIONS)).toEqual(found)
    // Somebody else's.
    expect(new FindingsCache(root, 'one', Buffer.alloc(32, 2)).read(FILES, OPTIONS)).toBeNull()
  })

  it('of a folder that cannot be written are found each time', () => {
    writeFileSync(join(root, '.ingot'), 'no folder')
    const keeps = new FindingsCache(root, 'one', SECRET)
    keeps.write(FILES, OPTIONS, found)
    expect(keeps.read(FILES, OPTIONS)).toBeNull()
  })

  it('are the newest few', () => {
    const keeps = new FindingsCache(root, 'one', SECRET)
    const textOf = (n: number) => FILES.map((file) => ({ ...file, text: `${file.text}${n}` }))
    for (let n = 0; n < 12; n++) {
      keeps.write(textOf(n), OPTIONS, found)
      // Equal times would make the order undefined.
      for (const name of kept()) utimesSync(join(cache(), name), new Date(), (readdirSync(cache()).length + n) * 1_000)
    }
    expect(kept().length).toBeLessThanOrEqual(8)
    expect(keeps.read(textOf(11), OPTIONS)).toEqual(found)
  })

  it('stay when the site is built', async () => {
    new FindingsCache(root, 'one', SECRET).write(FILES, OPTIONS, found)
    const out = join(root, '.ingot')
    expect(await isReplaceable(out)).toBe(true)
    const { modules, operations } = compile(filesFromTexts({ [PAGE]: 'a' }, false), OPTIONS)
    await bundle({
      modules,
      files: FILES,
      operations,
      assets: { served: new Map(), files: new Map() },
      manifests: new Map(),
      out,
    })
    expect(readdirSync(out)).toContain('site.mjs')
    // A server refuses an archive with a file that its manifest does not list.
    await packBuild(out, join(root, 'site.tgz'))
    const archive = gunzipSync(readFileSync(join(root, 'site.tgz'))).toString('latin1')
    expect(archive).toContain('site.mjs')
    expect(archive).not.toContain('cache/')
    expect(new FindingsCache(root, 'one', SECRET).read(FILES, OPTIONS)).toEqual(found)
  })

  it('those of templates that are no site are found each time', () => {
    const keeps = new FindingsCache(root, 'one', SECRET)
    keeps.write(FILES, { ...OPTIONS, dialect: 'liquid' }, found)
    expect(readdirSync(root)).toEqual([])
  })

  it('nothing is kept where the compiler runs from its sources', () => {
    const keeps = new FindingsCache(root)
    keeps.write(FILES, OPTIONS, found)
    expect(readdirSync(root)).toEqual([])
  })
})

describe('an editor', () => {
  it('does not look at a site again because something was kept in its folder', async () => {
    let settled = 0
    mkdirSync(join(root, PAGE, '..'), { recursive: true })
    writeFileSync(join(root, PAGE), 'a')
    const workspace = new Workspace(root, { diagnosed: () => undefined, settled: () => settled++ })
    await workspace.settled()
    workspace.noteDiskChange('.ingot/cache/findings-0.txt')
    await workspace.settled()
    expect(settled).toBe(1)
    workspace.noteDiskChange(PAGE)
    await workspace.settled()
    expect(settled).toBe(2)
    workspace.stop()
  })

  it('is told all of a file at once that an earlier process has seen, and the rest of the site when it was looked at', async () => {
    for (const { path, text } of FILES) {
      mkdirSync(join(root, path, '..'), { recursive: true })
      writeFileSync(join(root, path), text)
    }
    const site = await discover(root)
    const options = { dialect: 'platform', syntax: 'lax', openEntries: false } as const
    const asked = { ...options, ignored: site.ignored, requiredModules: site.siteRoot.manifests.requiredModules }
    const findings = new FindingsCache(root, 'one', SECRET)
    findings.write(site.files, asked, diagnose(site.files, asked))
    const opened = async (text: string) => {
      const told: (readonly [path: string, codes: readonly string[]])[] = []
      const codesOf = (found: readonly Diagnostic[]) => found.map(({ code }) => code)
      const workspace = new Workspace(
        root,
        { diagnosed: (path, found) => told.push([path, codesOf(found)]), settled: () => told.push(['settled', []]) },
        1,
        findings,
      )
      workspace.edit(PAGE, text)
      await workspace.settled()
      workspace.stop()
      return told
    }
    const text = FILES.find(({ path }) => path === PAGE)!.text
    const own = diagnose(site.files, asked).filter(({ span }) => span.file === PAGE)
    expect(own.some(({ severity }) => severity !== 'error')).toBe(true)
    const first = (await opened(text))[0]
    expect(first).toEqual([PAGE, own.map(({ code }) => code)])
    // For a different text, only certain errors are known before the analysis.
    expect((await opened(`${text}{{ 1 | nothing_like_it }}`))[0]?.[1]).not.toContain('missing-argument')
  })
})
