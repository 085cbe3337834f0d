/** The reference for those who come from liquidjs: every name that it has, and examples that both engines print as it says. */
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { Liquid } from 'liquidjs'
import { describe, expect, it } from 'vitest'
import { filterElsewhere, tagElsewhere } from '../compiler/diagnostics/elsewhere.ts'
import {
  type Difference,
  LIQUIDJS_FILTERS,
  LIQUIDJS_OPTIONS,
  LIQUIDJS_TAGS,
  LIQUIDJS_VALUES,
} from '../compiler/docs/liquidjs-names.ts'
import { filterStatus, liquidjsEntries, tagStatus } from '../compiler/docs/liquidjs.ts'
import { createEngine } from '../compiler/engine.ts'

const peer = new Liquid()

/** What is printed, or `Error: …`. */
function outcome(render: () => unknown): unknown {
  try {
    return render()
  } catch (error) {
    return `Error: ${(error as Error).message.split('\n')[0]}`
  }
}

function printed({ template, data = {}, files = {}, options }: Omit<Difference, 'says' | 'liquidjs' | 'ingot'>) {
  return {
    liquidjs: outcome(() =>
      // A map of no files would leave it to the disk.
      new Liquid({
        ...(Object.keys(files).length === 0 ? {} : { templates: files }),
        ...options?.liquidjs,
      }).parseAndRenderSync(template, structuredClone(data)),
    ),
    ingot: outcome(() =>
      createEngine({
        dialect: 'liquid',
        files,
        ...options?.ingot,
      }).parseAndRenderSync(template, structuredClone(data)),
    ),
  }
}

/** The keys of an interface in the declarations of liquidjs. */
function keysOf(text: string, name: string): readonly string[] {
  const body = new RegExp(`^export interface ${name} (?:extends \\w+ )?\\{\\r?\\n(.*?)^\\}`, 'ms').exec(text)?.[1] ?? ''
  return [...body.matchAll(/^ {4}(\w+)\??:/gm)].map(([, key = '']) => key)
}

const sorted = (names: Iterable<string>) => [...new Set(names)].toSorted()

describe('the names', () => {
  it('of filters and tags are those that liquidjs registers', () => {
    expect(sorted(Object.keys(LIQUIDJS_FILTERS))).toEqual(sorted(Object.keys(peer.filters)))
    expect(sorted(Object.keys(LIQUIDJS_TAGS))).toEqual(sorted(Object.keys(peer.tags)))
  })

  it('of options are those that liquidjs declares', () => {
    const folder = createRequire(import.meta.url).resolve('liquidjs/package.json')
    const text = readFileSync(new URL('dist/liquid-options.d.ts', `file://${folder}`), 'utf8')
    const declared = [...keysOf(text, 'LiquidOptions'), ...keysOf(text, 'RenderOptions')]
    expect(declared.length).toBeGreaterThan(40)
    expect(sorted(Object.keys(LIQUIDJS_OPTIONS))).toEqual(sorted(declared))
  })

  it.each(Object.entries(LIQUIDJS_OPTIONS))('of our options exist, for %s', (_, { ours, says, differences }) => {
    if (ours !== null) expect(() => createEngine({ [ours]: undefined })).not.toThrow()
    if (says === '' && differences.length === 0) expect(ours).toBe(_)
    for (const [, name = ''] of says.matchAll(/`(\w+): /g))
      expect(() => createEngine({ [name]: undefined }), name).not.toThrow()
  })
})

describe('a difference', () => {
  const all = [
    ...Object.entries(LIQUIDJS_FILTERS).flatMap(([name, each]) => each.map((one) => [name, one] as const)),
    ...Object.entries(LIQUIDJS_TAGS).flatMap(([name, each]) => each.map((one) => [name, one] as const)),
    ...Object.entries(LIQUIDJS_VALUES),
    ...Object.entries(LIQUIDJS_OPTIONS).flatMap(([name, { differences }]) =>
      differences.map((one) => [name, one] as const),
    ),
  ]

  it.each(all)('of %s is as it is said', (_, difference) => {
    const { liquidjs, ingot } = difference
    expect(printed(difference)).toEqual({ liquidjs, ingot })
    expect(ingot).not.toBe(liquidjs)
  })
})

describe('a name that is not there', () => {
  it.each([
    ...Object.keys(LIQUIDJS_FILTERS).map(
      (name) => ['filter', name, filterStatus(name), filterElsewhere(name)] as const,
    ),
    ...Object.keys(LIQUIDJS_TAGS).map((name) => ['tag', name, tagStatus(name), tagElsewhere(name)] as const),
  ])('has a hint, and no difference: the %s %s', (kind, name, status, hint) => {
    if (status !== 'not there') return
    expect(hint?.instead.liquid).toMatch(/\w/)
    expect((kind === 'filter' ? LIQUIDJS_FILTERS : LIQUIDJS_TAGS)[name]).toEqual([])
  })
})

describe('the pages', () => {
  const entries = liquidjsEntries()

  it('tell how to look at a folder of templates', () => {
    expect(JSON.stringify(entries[0])).toContain('ingot check --dialect liquid views --data data.json --needs')
  })

  it('have a row for each name, and lead to it from the search', () => {
    for (const [name, table] of [
      ['Filters', LIQUIDJS_FILTERS],
      ['Tags', LIQUIDJS_TAGS],
      ['Options', LIQUIDJS_OPTIONS],
    ] as const) {
      const entry = entries.find((each) => each.name.endsWith(name.toLowerCase()))
      const rows = (entry?.blocks ?? []).flatMap((block) => (block.kind === 'rows' ? block.rows : []))
      expect(rows.map((row) => row.name)).toEqual(expect.arrayContaining(Object.keys(table)))
      expect(entry?.also.map((each) => each.name)).toEqual(Object.keys(table))
      for (const row of rows) expect(row.says === '' ? row.type : row.name, row.name).toMatch(/\S/)
    }
  })
})
