/** Renders units of a compiled site by name, without a server. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { bundle } from '../../../compiler/phases/bundle/bundle.ts'
import { compile, type CompileOptions } from '../../../compiler/compile.ts'
import { discover, discoverTemplates } from '../../../compiler/core/source/discover.ts'
import * as runtime from '../../../runtime/index.ts'
import { createRenderer, LiquidFault } from '../../../runtime/index.ts'
import { write } from '../../support/product.ts'

let home: string
let platform: runtime.CompiledSite
let liquid: runtime.CompiledSite

/** Builds a site and loads it like a server. */
async function buildAndLoad(folder: string, options: Pick<CompileOptions, 'dialect' | 'openEntries' | 'raise'>) {
  const root = join(home, folder)
  const { files, problems } = await (options.dialect === 'platform' ? discover(root) : discoverTemplates(root))
  expect(problems).toEqual([])
  const { modules, operations } = compile(files, { ...options, syntax: 'lax', keepGoing: true })
  const out = join(home, `${folder}-built`)
  await bundle({ modules, files, operations, out })
  const { default: link } = await import(pathToFileURL(join(out, 'site.mjs')).href)
  return link(runtime) as runtime.CompiledSite
}

beforeAll(async () => {
  home = mkdtempSync(join(tmpdir(), 'ingot-renderer-'))
  write(home, {
    'site/app/views/layouts/application.liquid': '<main>{{ content_for_layout }}</main>',
    'site/app/views/pages/hello.liquid': 'Hello {{ context.params.name }}',
    'site/app/views/pages/fails.liquid': 'before {{ 1 | divided_by: context.params.zero }} after',
    'site/app/views/pages/long.liquid': '{% for i in (1..5000) %}{{ i }}{% endfor %}',
    'site/app/views/pages/waits.liquid': "{% cache 'key' %}kept{{ 'now' | date: '%Y' }}{% endcache %}",
    'site/app/views/pages/data.json.liquid': '{ "a": {{ context.params.name | json }} }',
    'views/hello.liquid': "Hello {% render 'cards/item', item: item %}",
    'views/cards/item.liquid': '{{ item.title | upcase }}',
    'views/fails.liquid': 'before {{ 1 | divided_by: 0 }} after',
    'views/notes.txt': 'no template',
  })
  platform = await buildAndLoad('site', { dialect: 'platform', openEntries: false })
  liquid = await buildAndLoad('views', { dialect: 'liquid', openEntries: true, raise: false })
})

afterAll(() => rmSync(home, { recursive: true, force: true }))

describe('a site', () => {
  it('renders a page by its path, in its layout and format', () => {
    const { renderSync } = createRenderer(platform)
    const data = { context: { params: { name: '<Ada>' } } }
    expect(renderSync('app/views/pages/hello.liquid', data)).toBe('<main>Hello &lt;Ada&gt;</main>')
    expect(renderSync('app/views/pages/data.json.liquid', data)).toBe('{ "a": "\\u003cAda\\u003e" }')
  })

  it('throws the faults of its templates', () => {
    const data = { context: { params: { zero: 0 } } }
    expect(() => createRenderer(platform).renderSync('app/views/pages/fails.liquid', data)).toThrow(LiquidFault)
  })

  it('waits where it has to', async () => {
    const renderer = createRenderer(platform, { now: new Date('2031-02-03T00:00:00Z') })
    const path = 'app/views/pages/waits.liquid'
    expect(() => renderer.renderSync(path)).toThrow('suspends: render it with `render`')
    expect(await renderer.render(path)).toBe('<main>kept2031</main>')
  })

  it('is bounded by limits', () => {
    const { renderSync } = createRenderer(platform, { limits: { steps: 2_000 } })
    expect(() => renderSync('app/views/pages/long.liquid')).toThrow(runtime.LimitFault)
  })
})

describe('templates of base Liquid', () => {
  it('are rendered by their paths, with and without the ending', () => {
    const { renderSync } = createRenderer(liquid)
    expect(renderSync('hello', { item: { title: 'tea' } })).toBe('Hello TEA')
    expect(renderSync('cards/item.liquid', { item: { title: 'tea' } })).toBe('TEA')
  })

  it('are written as UTF-8', () => {
    const buffer = new Uint8Array(64)
    const { renderInto } = createRenderer(liquid)
    const length = renderInto(buffer, 'cards/item', { item: { title: 'thé' } })
    expect(new TextDecoder().decode(buffer.subarray(0, length))).toBe('THÉ')
  })

  it('print their errors in place, as the reference does', () => {
    expect(createRenderer(liquid).renderSync('fails')).toBe('before Liquid error (line 1): divided by 0 after')
  })

  it('are all there is', async () => {
    for (const name of ['notes', 'notes.txt', 'constructor', '__proto__', '../views/hello'])
      await expect(createRenderer(liquid).render(name)).rejects.toThrow(`there is no unit \`${name}\` to render`)
  })
})
