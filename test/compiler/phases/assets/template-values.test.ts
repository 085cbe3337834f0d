/** Template values: the text after substitution, the manifests that define values, and positions in the author's text. */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { prepareAssets } from '../../../../compiler/phases/assets/prepare.ts'
import { bundle } from '../../../../compiler/phases/bundle/bundle.ts'
import { compile } from '../../../../compiler/compile.ts'
import { createEngine } from '../../../../compiler/tools/engine.ts'
import { Memory } from '../../../../compiler/core/model/memo.ts'
import { discover } from '../../../../compiler/core/source/discover.ts'
import { readManifests } from '../../../../compiler/core/source/manifests.ts'
import { fillTemplateValues, writtenSpan } from '../../../../compiler/core/source/template-values.ts'
import * as runtime from '../../../../runtime/index.ts'
import { answerAsset } from '../../../../server/web/site/assets.ts'
import { findBuilt, loadSite } from '../../../../server/web/site/load.ts'
import { measureCost } from '../../../support/cost.ts'

const VALUES = new Map<string, unknown>(
  Object.entries({ name: 'A & B', path: '/x', n: 0, no: false, nil: null, list: [1, 2], deep: { a: { b: 'c' } } }),
)
const text = (written: string) => fillTemplateValues(written, VALUES, 1_000)?.text ?? null

describe('a value', () => {
  it.each([
    ['<%= name =%>', 'A &amp; B'],
    ['<%= &name =%>', 'A & B'],
    ['<%=&  name=%>', 'A & B'],
    ['a<%=path=%>b<%=\n&path\n=%>c', 'a&#x2F;xb/xc'],
    ['<%= deep.a.b =%>', 'c'],
    ['<%= &deep =%>', '{"a":{"b":"c"}}'],
    ['<%= list =%>', '[1,2]'],
    ['<%= n =%> <%= no =%>', '0 false'],
    ['[<%= none =%><%= nil =%><%= deep.z =%><%= name.length =%><%= deep.constructor =%>]', '[]'],
    ['<%= x <%= n =%>', '<%= x 0'],
  ])('%j becomes %j', (written, expected) => expect(text(written)).toBe(expected))

  it.each(['<% name %>', '<%= name %>', '<%= name', '<%= #name =%>', '<%= name | upcase =%>', '<%= =%>', '{{ name }}'])(
    '%j is text',
    (written) => expect(text(written)).toBeNull(),
  )

  it('that makes a text too long is refused before it is built', () => {
    const long = new Map([['x', 'y'.repeat(100)]])
    expect(fillTemplateValues('<%= x =%>'.repeat(10), long, 1_000)?.text.length).toBe(1_000)
    expect(() => fillTemplateValues('<%= x =%>'.repeat(11), long, 1_000)).toThrow(RangeError)
    expect(() => fillTemplateValues(`<%= x =%>${'z'.repeat(901)}`, long, 1_000)).toThrow(RangeError)
  })

  it('is looked for in a time that grows with the text', () => {
    const cost = measureCost()
    expect(fillTemplateValues(`${'<%= '.repeat(200_000)}=%>`, VALUES, 2_000_000)).toBeNull()
    expect(cost()).toBeLessThan(2_000)
  })

  it('is, as a place, all of its markup', () => {
    const { text, writtenText } = fillTemplateValues('ab<%= none =%><%= &name =%>cd', VALUES, 100)!
    expect(text).toBe('abA & Bcd')
    const shown = (start: number, end: number) => {
      const at = writtenSpan(writtenText, { file: 'f', start, end })
      return writtenText.text.slice(at.start, at.end)
    }
    expect(shown(0, 2)).toBe('ab')
    expect(shown(7, 9)).toBe('cd')
    expect(shown(3, 4)).toBe('<%= &name =%>')
    expect(shown(1, 4)).toBe('b<%= none =%><%= &name =%>')
    expect(shown(6, 8)).toBe('<%= &name =%>c')
    expect(shown(2, 2)).toBe('<%= none =%>')
    expect(shown(9, 9)).toBe('')
  })
})

describe('manifests', () => {
  const of = (texts: Record<string, string>) => readManifests(new Map(Object.entries(texts)))

  it('give the scalars of a module, and over them all of its template values', () => {
    const { valuesFor } = of({
      'modules/a/pos-module.json': '{ "machine_name": "a", "version": "1", "dependencies": { "b": "1" } }',
      'modules/a/template-values.json': '{ "version": "2", "deep": { "x": 1 } }',
      'modules/b/pos-module.json': '{ "name": "B" }',
    })
    expect(Object.fromEntries(valuesFor('modules/a/public/lib/x.liquid') ?? [])).toEqual({
      machine_name: 'a',
      version: '2',
      deep: { x: 1 },
    })
    expect(Object.fromEntries(valuesFor('modules/b/private/assets/x.css') ?? [])).toEqual({ name: 'B' })
    for (const path of ['modules/c/public/lib/x.liquid', 'app/lib/x.liquid', 'modules/a/public/assets/x.png'])
      expect(valuesFor(path)).toBeNull()
  })

  it('of the root are those of the module that they name, and its template values those of the application', () => {
    const { valuesFor } = of({
      'pos-module.json': '{ "machine_name": "a", "version": "1" }',
      'template-values.json': '{ "home": "/" }',
      'modules/a/template-values.json': '{ "version": "3" }',
    })
    expect(Object.fromEntries(valuesFor('modules/a/public/lib/x.liquid') ?? [])).toEqual({
      machine_name: 'a',
      version: '3',
    })
    expect(Object.fromEntries(valuesFor('app/lib/x.liquid') ?? [])).toEqual({ home: '/' })
    expect(valuesFor('modules/b/public/lib/x.liquid')).toBeNull()
  })

  it('that are no JSON object give nothing and are told', () => {
    const { problems, rootModule, valuesFor } = of({
      'pos-module.json': '{ "machine_name": 7, "__proto__": { "x": 1 } }',
      'modules/a/pos-module.json': '[1]',
      'modules/a/template-values.json': '{',
    })
    expect(problems.map(({ path }) => path)).toEqual(['modules/a/pos-module.json', 'modules/a/template-values.json'])
    expect(rootModule).toBeNull()
    expect(valuesFor('modules/a/public/lib/x.liquid')).toBeNull()
  })
})

describe('a site', () => {
  let root = ''
  const write = (path: string, content: string) => {
    mkdirSync(dirname(join(root, path)), { recursive: true })
    writeFileSync(join(root, path), content)
  }
  const options = { dialect: 'platform', syntax: 'lax', keepGoing: true, openEntries: false } as const
  beforeEach(() => {
    root = mkdtempSync(join(tmpdir(), 'values-'))
    write('modules/m/template-values.json', '{ "long": "a\\nb\\nc", "kind": "string", "css": "</x>", "one": "1" }')
  })
  afterEach(() => rmSync(root, { recursive: true, force: true }))

  it('has its places in the texts as they were written, in templates, settings, tables and queries', async () => {
    write(
      'modules/m/public/views/pages/a.liquid',
      '---\nslug: a\nnope: 1\n---\n<%= &long =%>{{ 1 | nope }}\n{{ 2 | nope }}',
    )
    write(
      'modules/m/public/views/pages/b.liquid',
      '---\nslug: <%= one =%>\nmetadata:\n  title: "<%= &long =%>"\nnope: 1\n---\n',
    )
    write(
      'modules/m/public/schema/t.yml',
      'name: <%= one =%>\nproperties:\n  - name: "<%= &long =%>"\n    typ: <%= kind =%>\n',
    )
    write('modules/m/public/graphql/q.graphql', '# <%= one =%> <%= unset =%>\nquery q { nope<%= one =%> }')
    const { files } = await discover(root)
    const { diagnostics } = compile(files, options)
    const written = new Map(files.map((file) => [file.path, file.writtenText?.text ?? file.text]))
    const told = diagnostics
      .filter(({ severity }) => severity !== 'info')
      .map(({ code, span: { file, start, end } }) => [code, file.slice(17), written.get(file)?.slice(start, end)])
    expect(told).toEqual(
      [
        ['unset-template-value', 'graphql/q.graphql', '<%= unset =%>'],
        ['graphql-invalid', 'graphql/q.graphql', 'nope<%= one =%>'],
        ['unknown-setting', 'schema/t.yml', 'typ'],
        ['unknown-setting', 'views/pages/a.liquid', 'nope'],
        ['unknown-filter', 'views/pages/a.liquid', 'nope'],
        ['unknown-filter', 'views/pages/a.liquid', 'nope'],
        ['unknown-setting', 'views/pages/b.liquid', 'nope'],
      ].map(([code, file, at]) => [code, file, at]),
    )
  })

  it('is compiled anew where only the markup of a value changed', async () => {
    write('modules/m/public/views/pages/a.liquid', '<%= one =%>{{ 1 | nope }}')
    const memo = new Memory()
    const place = async () => compile((await discover(root)).files, options, memo).diagnostics[0]?.span.start
    expect(await place()).toBe('<%= one =%>{{ 1 | '.length)
    write('modules/m/public/views/pages/a.liquid', '1{{ 1 | nope }}')
    expect(await place()).toBe('1{{ 1 | '.length)
  })

  it('serves the texts that its build has made of assets, and other assets as they are', async () => {
    write('modules/m/public/assets/a.css', 'a{content:"<%= &css =%>"}')
    write('modules/m/public/assets/b.css', 'b{}')
    write('modules/m/public/assets/c.svg', '<%= x')
    write('app/views/pages/index.liquid', 'x')
    const found = await discover(root)
    const assets = await prepareAssets(root, found)
    const { modules, operations } = compile(found.files, { ...options, assets: assets.served })
    await bundle({ modules, operations, files: found.files, assets, out: join(root, '.ingot') })
    const loaded = await loadSite(findBuilt(root), runtime)
    const served = async (name: string) => {
      const reply = await answerAsset(loaded, { method: 'GET', url: `/assets/modules/m/${name}` })
      const body = reply?.body as { root: string; path: string }
      return readFileSync(join(body.root, body.path), 'utf8')
    }
    expect(await served('a.css')).toBe('a{content:"</x>"}')
    expect(await served('b.css')).toBe('b{}')
    expect(await served('c.svg')).toBe('<%= x')
  })
})

it('a fault at run time is at the line of the template as it was written', async () => {
  const { render, diagnostics } = createEngine({
    files: {
      'modules/m/pos-module.json': '{ "name": "a\\nb\\nc" }',
      'modules/m/public/views/partials/p.liquid': '<%= &name =%>\n{{ x | divided_by: 0 }}',
      'app/views/pages/index.liquid': "{% render 'modules/m/p', x: context.params.x %}",
    },
    services: {},
  })
  expect(diagnostics.filter(({ severity }) => severity === 'error')).toEqual([])
  await expect(render('app/views/pages/index.liquid', { context: { params: { x: 1 } } })).rejects.toMatchObject({
    file: 'modules/m/public/views/partials/p.liquid',
    line: 2,
  })
})
