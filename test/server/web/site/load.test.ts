/** Loading a build: error messages, linking, and the mapping from emitted lines to templates. */
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { GenMapping, addMapping, toEncodedMap } from '@jridgewell/gen-mapping'
import { describe, expect, test } from 'vitest'
import { LiquidFault } from '../../../../runtime/page/fault.ts'
import { parseFrames, locate } from '../../../../runtime/page/locate.ts'
import { ABI } from '../../../../runtime/page/site.ts'
import { createHotSite } from '../../../../server/operate/cluster/hot-site.ts'
import { findBuilt, loadEntry, loadSite } from '../../../../server/web/site/load.ts'
import { folder, site } from '../../../support/server/site.ts'

const manifest = (abi: number): string => JSON.stringify({ abi, builtBy: '0.0.9', createdAt: '2026-01-01T00:00:00Z' })
const runtime = { LiquidFault }

/** Returns a link module as `ingot build` writes it, with the given pages. */
function linked(pages: string): string {
  const empty = JSON.stringify({ ...site([]), pages: undefined })
  return `export default function link({ LiquidFault }) {\n  return { ...${empty}, pages: [${pages}] }\n}\n`
}

describe('finding', () => {
  test.each([
    ['no folder', '/nowhere/at/all', "There is no folder '/nowhere/at/all'"],
    ['nothing built', folder({ 'app/views/pages/index.liquid': '' }), 'ingot build'],
    ['half of it', folder({ '.ingot/manifest.json': manifest(ABI) }), 'Nothing is built'],
    ['a broken manifest', folder({ '.ingot/manifest.json': '{', '.ingot/site.mjs': '' }), 'damaged'],
    [
      'another format',
      folder({ '.ingot/manifest.json': manifest(99), '.ingot/site.mjs': '' }),
      'built by Ingot 0.0.9 in format 99',
    ],
  ])('%s is refused in one sentence', (_what, dir, sentence) => {
    expect(() => findBuilt(dir)).toThrow(sentence)
    try {
      findBuilt(dir)
    } catch (error) {
      expect((error as Error).message).not.toContain('\n')
    }
  })

  test('--out names the folder', () => {
    const out = folder({ 'manifest.json': manifest(ABI), 'site.mjs': '' })
    const root = folder({})
    expect(findBuilt(root, out)).toEqual({ root, folder: out })
  })
})

describe('loading', () => {
  test('a bundle that does not run is refused in one sentence', async () => {
    const broken = folder({ '.ingot/site.mjs': 'export default 1' })
    await expect(loadSite({ root: broken, folder: join(broken, '.ingot') }, runtime)).rejects.toThrow('does not load')
    const throws = folder({ '.ingot/site.mjs': 'throw new Error("first\\nsecond")' })
    await expect(loadSite({ root: throws, folder: join(throws, '.ingot') }, runtime)).rejects.toThrow('(first)')
    const other = folder({ '.ingot/site.mjs': `export default () => ({ abi: ${ABI + 1} })` })
    await expect(loadSite({ root: other, folder: join(other, '.ingot') }, runtime)).rejects.toThrow(`format ${ABI + 1}`)
  })

  test('a fault is traced to its template by the map beside the bundle, and shown with its text', async () => {
    const page = `{ slug: 'a', render: outer }`
    const code = `${linked(page)}${['function outer() {', '  return inner()', '}', 'function inner() {', '  throw new (globalThis.Fault)("x")', '}'].join('\n')}\n`
    const lines = code.split('\n')
    const map = new GenMapping({ file: 'site.mjs' })
    const at = (text: string, source: string, line: number): void => {
      const generated = lines.findIndex((one) => one.includes(text))
      addMapping(map, {
        generated: { line: generated + 1, column: 0 },
        original: { line, column: 0 },
        source,
      })
    }
    at('return inner()', '../app/views/pages/a.liquid', 7)
    at('throw new', '../modules/m/public/views/partials/p.liquid', 3)
    const root = folder({
      '.ingot/site.mjs': code,
      '.ingot/site.mjs.map': JSON.stringify(toEncodedMap(map)),
      '.ingot/sources.json': JSON.stringify({ 'app/views/pages/a.liquid': 'from the build' }),
      'app/views/pages/a.liquid': 'from the folder',
      'modules/m/public/views/partials/p.liquid': 'only in the folder',
      'app/../secret': 'no',
    })
    Object.assign(globalThis, { Fault: LiquidFault })
    const loaded = await loadSite({ root, folder: join(root, '.ingot') }, runtime)
    let fault: LiquidFault | null = null
    try {
      loaded.site.pages[0]!.render({} as never, {})
    } catch (error) {
      fault = error as LiquidFault
    }
    locate(fault!, loaded.locator)
    expect([fault!.file, fault!.line]).toEqual(['modules/m/public/views/partials/p.liquid', 3])
    expect(fault!.frames).toEqual([
      { file: 'modules/m/public/views/partials/p.liquid', line: 3 },
      { file: 'app/views/pages/a.liquid', line: 7 },
    ])
    expect(loaded.source('app/views/pages/a.liquid')).toBe('from the build')
    // The folder of the site now differs from the build, so its file is not used.
    expect(loaded.source('modules/m/public/views/partials/p.liquid')).toBeNull()
    expect(loaded.source('app/../secret')).toBeNull()
    expect(loaded.source('/etc/passwd')).toBeNull()
  })

  test('a module in a folder of its own carries its map at its end, relative to itself', async () => {
    const map = new GenMapping()
    const original = { line: 5, column: 0 }
    addMapping(map, { generated: { line: 1, column: 0 }, original, source: '../../../../app/views/pages/b.liquid' })
    const encoded = Buffer.from(JSON.stringify(toEncodedMap(map))).toString('base64')
    const root = folder({
      '.ingot/dev/pages/views/b-1.mjs': `export const render = () => { throw new Error('x') }\n//# sourceMappingURL=data:application/json;base64,${encoded}\n`,
      '.ingot/dev/site.mjs': `import { render } from './pages/views/b-1.mjs?v=3'\n${linked('{ render }')}`,
    })
    const loaded = await loadEntry(`${pathToFileURL(join(root, '.ingot/dev/site.mjs')).href}?v=1`, root, runtime, true)
    const fault = new LiquidFault('internal error')
    try {
      loaded.site.pages[0]!.render({} as never, {})
    } catch (error) {
      fault.cause = error
    }
    locate(fault, loaded.locator)
    expect([fault.file, fault.line]).toEqual(['app/views/pages/b.liquid', 5])
  })

  test('a cause that leads to no template leaves the way that the fault itself came', () => {
    const fault = new LiquidFault('the transaction was undone')
    fault.stack = '    at f (/e.mjs:1:1)'
    fault.cause = Object.assign(new Error('read ECONNRESET'), { stack: '    at TCP.onStreamRead (node:net:1:1)' })
    const find = (file: string) => (file === '/e.mjs' ? { file: 'app/a.liquid', line: 2 } : null)
    locate(fault, { find, name: () => null })
    expect([fault.file, fault.line]).toEqual(['app/a.liquid', 2])
  })

  test('frames that name templates are taken as they are, others are left out', () => {
    const root = '/site'
    const places = {
      find: () => null,
      name: (file: string) => (file.startsWith(`${root}/`) ? file.slice(root.length + 1) : null),
    }
    const stack = [
      'LiquidError: at (1:2)',
      '    at inner (/site/app/views/partials/p.liquid:3:4)',
      '    at inner (/site/app/views/partials/p.liquid:3:9)',
      '    at async Object.outer (/site/app/views/pages/a.liquid:7:1)',
      '    at async /site/app/views/layouts/l.liquid:1:1',
      '    at other (/elsewhere/x.liquid:1:1)',
      '    at node:internal/process/task_queues:95:5',
    ].join('\n')
    expect(parseFrames(stack, places)).toEqual([
      { file: 'app/views/partials/p.liquid', line: 3 },
      { file: 'app/views/pages/a.liquid', line: 7 },
      { file: 'app/views/layouts/l.liquid', line: 1 },
    ])
  })

  test('a fault that knows its place keeps it, with the way there around it', () => {
    const fault = new LiquidFault('x')
    fault.file = 'app/a.liquid'
    fault.line = 2
    fault.stack = '    at f (/e.mjs:1:1)\n    at g (/e.mjs:2:1)'
    const find = (_file: string, line: number) => ({ file: line === 1 ? 'app/a.liquid' : 'app/b.liquid', line: 2 })
    locate(fault, { find, name: () => null })
    expect(fault.frames).toEqual([
      { file: 'app/a.liquid', line: 2 },
      { file: 'app/b.liquid', line: 2 },
    ])
  })
})

describe('in development', () => {
  const entry = (root: string): string => pathToFileURL(join(root, '.ingot/dev/site.mjs')).href
  const swapping = `
const slots = { a: await import('./a.mjs') }
export default function link() {
  const page = (name) => ({ slug: name, render: () => slots[name].text })
  return { abi: ${ABI}, pages: [page('a')] }
}
export function swap(module, namespace) { slots[module] = namespace }
`
  const printed = (loaded: { site: { pages: readonly { render: unknown }[] } }): unknown =>
    (loaded.site.pages[0]!.render as () => unknown)()

  test('a changed module is swapped in place, anything else loads the entry anew', async () => {
    const root = folder({
      '.ingot/dev/site.mjs': swapping,
      '.ingot/dev/a.mjs': 'export const text = "one"',
      '.ingot/dev/a2.mjs': 'export const text = "two"',
    })
    const hot = createHotSite(root, runtime)
    const first = await hot.update(entry(root), [])
    expect(printed(first)).toBe('one')
    const changed = [{ module: 'a', url: pathToFileURL(join(root, '.ingot/dev/a2.mjs')).href }]
    const second = await hot.update(entry(root), changed)
    expect(printed(second)).toBe('two')
    expect(second.site).toBe(first.site)
    const third = await hot.update(entry(root), [])
    expect(third.site).not.toBe(first.site)
    expect(printed(third)).toBe('one')
    // A process that starts late gets the entry and all newer modules.
    expect(printed(await createHotSite(root, runtime).update(entry(root), changed))).toBe('two')
  })

  test('the same address is imported again', async () => {
    const { writeFileSync } = await import('node:fs')
    const root = folder({ '.ingot/dev/site.mjs': linked("{ slug: 'one' }") })
    const hot = createHotSite(root, runtime)
    expect((await hot.update(entry(root), [])).site.pages[0]?.slug).toBe('one')
    writeFileSync(join(root, '.ingot/dev/site.mjs'), linked("{ slug: 'two' }"))
    expect((await hot.update(entry(root), [{ module: 'a', url: 'x' }])).site.pages[0]?.slug).toBe('two')
  })

  test('an entry that does not load is refused', async () => {
    const root = folder({ '.ingot/dev/site.mjs': 'syntax error' })
    await expect(loadEntry(entry(root), root, runtime, true)).rejects.toThrow('does not load')
  })
})
