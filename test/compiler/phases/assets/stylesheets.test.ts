/** URLs in stylesheets: how they are found, reported if the target is missing, and written with stamps in a build. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type PreparedAssets, prepareAssets } from '../../../../compiler/phases/assets/prepare.ts'
import { stronglyConnectedComponents } from '../../../../compiler/core/source/graph.ts'
import { discover } from '../../../../compiler/core/source/discover.ts'
import { assetsNamedIn, urlsOf } from '../../../../compiler/core/source/stylesheet.ts'
import { write } from '../../../support/product.ts'
import { problems } from '../../../support/compiler/check.ts'
import { measureCost } from '../../../support/cost.ts'

describe('the URLs of a stylesheet', () => {
  it.each<[string, string, readonly string[]]>([
    ['plain, in quotes, with spaces', `a{b:url(1.png) url("2.png") url( '3.png' )}`, ['1.png', '2.png', '3.png']],
    ['in any case', 'a{b:URL(1.png)}', ['1.png']],
    ['with query and fragment', 'a{src:url(f.eot?v=1#iefix)}', ['f.eot?v=1#iefix']],
    ['with escapes', String.raw`a{b:url(a\ b\28 1\29.png) url("\31 .png")}`, ['a b(1).png', '1.png']],
    ['with signs of the other quote', `a{b:url("it's.png")}`, ["it's.png"]],
    [
      'of imports',
      `@import "1.css";@import url(2.css) screen;@import /* x */ '3.css' layer(a);`,
      ['1.css', '2.css', '3.css'],
    ],
    [
      'of sets of pictures',
      `a{b:image-set("1.png" type("image/png") 1x, url(2.png) 2x);c:-webkit-image-set("3.png" 1x);d:"no.png"}`,
      ['1.png', '2.png', '3.png'],
    ],
    ['not in comments', '/* url(1.png) */a{b:url(2.png)}/* url(3.png)', ['2.png']],
    ['not in texts', `a::after{content:"url(1.png)";b:url(2.png)}`, ['2.png']],
    ['not of namespaces', `@namespace svg url(1.png);@namespace "2.png";a{b:url(3.png)}`, ['3.png']],
    ['not of other functions', 'a{b:my-url(1.png) url(2.png)}', ['2.png']],
    ['behind a text that is not closed', `a{content:"open\n;b:url(1.png)}`, ['1.png']],
    ['behind one that cannot be read', 'a{b:url(a b.png);c:url(1.png)}', ['1.png']],
    ['behind the end', 'a{b:url(', []],
    ['with modifiers', `a{b:url("1.png" crossorigin("x.png"));c:url(2.png)}`, ['1.png', '2.png']],
    ['of data', `a{b:url(data:image/svg+xml;base64,AA==)}`, ['data:image/svg+xml;base64,AA==']],
  ])('%s', (_name, css, expected) => {
    const found = urlsOf(css)
    expect(found.map(({ url }) => url)).toEqual(expected)
    for (const { start, end, url } of found) if (!url.includes(' ')) expect(css.slice(start, end)).toMatch(/\S/)
  })

  it('are found in time, whatever the text', () => {
    const hostile = ['url(', '"', '\\', '/*', '@import ', 'image-set(', "url('", '\\28', 'url(\\28'].map((part) =>
      part.repeat(40_000),
    )
    const cost = measureCost()
    for (const text of hostile) urlsOf(text)
    expect(cost()).toBeLessThan(20_000)
  })

  it('lead to assets from where the stylesheet stands, and elsewhere', () => {
    const css = `@import "../base.css";a{b:url(i.png) url(/assets/x/y.png) url(/pages/z.png) url(//h/a.png) url(http://h/b.png)
      url(../../out.png) url(#svg) url(data:,x) url(%20.png) url(/assets/) url(a.css) url("")}`
    expect(assetsNamedIn(css, 'css/a.css').map(({ name }) => name)).toEqual([
      'base.css',
      'css/i.png',
      'x/y.png',
      'css/ .png',
    ])
  })
})

describe('files that are not there', () => {
  it('are warned of once for each stylesheet, at their place', () => {
    const found = problems({
      'app/views/pages/index.liquid': 'x',
      'app/assets/a.css': '@import "b.css";\na{b:url(gone.png?v=1#x)} c{d:url(gone.png)}',
      'app/assets/b.css': 'a{}',
      'modules/m/public/assets/m.css': 'a{b:url(/assets/a.css) url(n.css)}',
    })
    expect(found).toEqual(['missing-asset a.css 2:9', 'missing-asset m.css 1:28'])
  })
})

describe('in a build', () => {
  let root: string
  beforeEach(() => {
    root = mkdtempSync(join(tmpdir(), 'ingot-stylesheets-'))
  })
  afterEach(() => rmSync(root, { recursive: true, force: true }))

  async function prepared(files: Readonly<Record<string, string>>): Promise<PreparedAssets> {
    write(root, Object.fromEntries(Object.entries(files).map(([name, text]) => [`app/assets/${name}`, text])))
    return prepareAssets(root, await discover(root))
  }

  const textOf = ({ served, files }: PreparedAssets, name: string): string =>
    Buffer.from(files.get(served.get(name)?.digest ?? '') as Uint8Array).toString()

  const stampOf = ({ served }: PreparedAssets, name: string): string => served.get(name)?.stamp ?? 'none'

  it('URLs carry the stamps of what they name; query, fragment and form stay, and what is not there is left', async () => {
    const made = await prepared({
      'css/a.css': `@import "b.css";a{b:url(../i.png) url('/assets/i.png?v=1#x') url(../i.png?updated=12&w=2) url(../gone.png) url(#i)}`,
      'css/b.css': 'b{}',
      'i.png': 'picture',
    })
    const [b, i] = [stampOf(made, 'css/b.css'), stampOf(made, 'i.png')]
    expect(textOf(made, 'css/a.css')).toBe(
      `@import "b.css?updated=${b}";a{b:url(../i.png?updated=${i}) url('/assets/i.png?v=1&updated=${i}#x') url(../i.png?w=2&updated=${i}) url(../gone.png) url(#i)}`,
    )
  })

  it('the stamp of a stylesheet is another one when a file that it names is, at any distance', async () => {
    const files = { 'a.css': '@import "b.css"', 'b.css': 'a{b:url(i.png)}', 'c.css': 'c{}', 'i.png': 'one' }
    const before = await prepared(files)
    const after = await prepared({ ...files, 'i.png': 'two' })
    for (const name of ['a.css', 'b.css', 'i.png']) expect(stampOf(after, name)).not.toBe(stampOf(before, name))
    expect(stampOf(after, 'c.css')).toBe(stampOf(before, 'c.css'))
    expect(await prepared(files)).toEqual(before)
  })

  it('stylesheets that import each other have stamps too, and a change of one is a change of all', async () => {
    const files = { 'a.css': '@import "b.css";@import "a.css"', 'b.css': '@import "c.css"', 'c.css': '@import "a.css"' }
    const before = await prepared(files)
    expect(textOf(before, 'a.css')).toBe(`@import "b.css?updated=${stampOf(before, 'b.css')}";@import "a.css"`)
    expect(textOf(before, 'c.css')).toBe(`@import "a.css?updated=${stampOf(before, 'a.css')}"`)
    const after = await prepared({ ...files, 'b.css': '@import "c.css";b{}' })
    for (const name of Object.keys(files)) expect(stampOf(after, name)).not.toBe(stampOf(before, name))
  })

  it('a chain of any length is written', async () => {
    const names = Array.from({ length: 3000 }, (_, at) => at)
    expect(stronglyConnectedComponents(names, (at) => names.slice(at + 1, at + 2)).length).toBe(3000)
  })

  it('bytes that are no UTF-8, and texts that name nothing, stay as they are', async () => {
    write(root, {
      'app/assets/latin.css': Buffer.from('a{content:"\xe9";b:url(i.png)}', 'latin1'),
      'app/assets/bom.css': '\ufeffa{}',
      'app/assets/i.png': 'x',
    })
    const made = await prepareAssets(root, await discover(root))
    expect(textOf(made, 'bom.css')).toBe('\ufeffa{}')
    const latin = made.files.get(made.served.get('latin.css')?.digest ?? '') as Buffer
    expect(latin.toString('latin1')).toBe('a{content:"\xe9";b:url(i.png)}')
  })
})
