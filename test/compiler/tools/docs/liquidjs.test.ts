/** The reference for users of liquidjs: it lists all names, and both engines print its examples as documented. */
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { Liquid } from 'liquidjs'
import { describe, expect, it } from 'vitest'
import { findForeignFilter, findForeignTag } from '../../../../compiler/core/diagnostics/foreign-names.ts'
import {
  type Difference,
  LIQUIDJS_FILTERS,
  LIQUIDJS_OPTIONS,
  LIQUIDJS_TAGS,
  LIQUIDJS_VALUES,
} from '../../../../compiler/tools/docs/liquidjs-names.ts'
import { filterStatus, liquidjsEntries, tagStatus } from '../../../../compiler/tools/docs/liquidjs.ts'
import { createEngine } from '../../../../compiler/tools/engine.ts'

const peer = new Liquid()

/** Returns the output, or `Error: …`. */
function outcome(render: () => unknown): unknown {
  try {
    return render()
  } catch (error) {
    return `Error: ${(error as Error).message.split('\n')[0]}`
  }
}

function printed({ template, data = {}, files = {}, options }: Omit<Difference, 'description' | 'liquidjs' | 'ingot'>) {
  return {
    liquidjs: outcome(() =>
      // With an empty map of templates, liquidjs would read from disk.
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

/** Returns the keys of an interface in liquidjs's declarations. */
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

  it.each(Object.entries(LIQUIDJS_OPTIONS))(
    'of our options exist, for %s',
    (_, { ingotName: ours, description, differences }) => {
      if (ours !== null) expect(() => createEngine({ [ours]: undefined })).not.toThrow()
      if (description === '' && differences.length === 0) expect(ours).toBe(_)
      for (const [, name = ''] of description.matchAll(/`(\w+): /g))
        expect(() => createEngine({ [name]: undefined }), name).not.toThrow()
    },
  )
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

/** Templates for each name that the reference lists as identical. */
const SAME: Readonly<Record<string, readonly string[]>> = {
  'filter newline_to_br': ['{{ lines | newline_to_br }}'],
  'filter strip_html': ['{{ html | strip_html }}'],
  'filter abs': ['{{ -7 | abs }} {{ -3.25 | abs }}'],
  'filter at_least': ['{{ 3 | at_least: 5 }} {{ 7.5 | at_least: 5 }}'],
  'filter at_most': ['{{ 3 | at_most: 5 }} {{ 7 | at_most: 5 }}'],
  'filter ceil': ['{{ 1.2 | ceil }} {{ -1.2 | ceil }}'],
  'filter floor': ['{{ 1.2 | floor }} {{ -1.2 | floor }}'],
  'filter round': ['{{ 1.5 | round }} {{ -2.5 | round }} {{ 3.14159 | round: 2 }} {{ 1234 | round: -2 }}'],
  'filter last': ['{{ list | last }}{{ none | last }}'],
  'filter sort_natural': [
    "{{ words | sort_natural | join: ' ' }}",
    "{{ dishes | sort_natural: 'name' | map: 'name' | join }}",
  ],
  'filter append': ["{{ word | append: '!' }}{{ 1 | append: 2 }}{{ nil | append: 'a' }}"],
  'filter prepend': ["{{ word | prepend: '!' }}{{ nil | prepend: 'a' }}"],
  'filter downcase': ['{{ word | downcase }}'],
  'filter upcase': ['{{ word | upcase }}'],
  'filter remove': ["{{ word | remove: 'e' }}"],
  'filter remove_first': ["{{ word | remove_first: 'e' }}"],
  'filter remove_last': ["{{ word | remove_last: 'e' }}"],
  'filter strip_newlines': ['{{ lines | strip_newlines }}'],
  'filter squish': ['{{ lines | squish }}'],
  'filter capitalize': ['{{ word | capitalize }}{{ "gREEN TEA" | capitalize }}'],
  'filter replace_first': ["{{ word | replace_first: 'e', 'E' }}"],
  'filter truncate': ["{{ word | truncate: 5 }}{{ word | truncate: 7, '' }}{{ word | truncate }}"],
  'filter base64_encode': ['{{ "grün" | base64_encode }}'],
  'filter default': ["{{ none | default: 'a' }}{{ '' | default: 'b' }}{{ false | default: 'c', allow_false: true }}"],
  'tag assign': ['{% assign a = list[1] | plus: 1 %}{{ a }}'],
  'tag capture': ['{% capture a %}<{{ word }}>{% endcapture %}{{ a }}'],
  'tag cycle': ["{% for i in list %}{% cycle 'a', 'b' %}{% cycle 'g': 1, 2 %}{% endfor %}"],
  'tag raw': ['{% raw %}{{ x }}{% y %}{% endraw %}'],
  'tag break': ['{% for i in list %}{% if i == 1 %}{% break %}{% endif %}{{ i }}{% endfor %}'],
  'tag continue': ['{% for i in list %}{% if i == 1 %}{% continue %}{% endif %}{{ i }}{% endfor %}'],
  'tag echo': ['{% echo word | upcase %}'],
  'tag liquid': ['{% liquid\n  assign a = 1\n  if a\n    echo word\n  endif\n%}'],
  'tag #': ['a{% # words %}b'],
}

const SHARED = {
  lines: ' a \r\n b\nc ',
  html: '<p class="x">a<!-- no --><script>b()</script> &amp; c</p>',
  list: [3, 1, 2],
  words: ['tea', 'Milk', 'apple'],
  dishes: [{ name: 'b' }, { name: 'A' }],
  word: 'green tea',
  none: null,
}

describe('what is the same', () => {
  const names = [
    ...Object.keys(LIQUIDJS_FILTERS).flatMap((name) => (filterStatus(name) === 'same' ? [`filter ${name}`] : [])),
    ...Object.keys(LIQUIDJS_TAGS).flatMap((name) => (tagStatus(name) === 'same' ? [`tag ${name}`] : [])),
  ]

  it('is all tried', () => expect(sorted(Object.keys(SAME))).toEqual(sorted(names)))

  it.each(names)('prints the same: %s', (name) => {
    for (const template of SAME[name] ?? []) {
      const { liquidjs, ingot } = printed({ template, data: SHARED })
      expect(ingot, template).toBe(liquidjs)
      expect(ingot).not.toMatch(/error/i)
    }
  })
})

describe('a name that is not there', () => {
  it.each([
    ...Object.keys(LIQUIDJS_FILTERS).map(
      (name) => ['filter', name, filterStatus(name), findForeignFilter(name)] as const,
    ),
    ...Object.keys(LIQUIDJS_TAGS).map((name) => ['tag', name, tagStatus(name), findForeignTag(name)] as const),
  ])('has a hint, and no difference: the %s %s', (kind, name, status, hint) => {
    if (status !== 'not there') return
    expect(hint?.replacement.liquid).toMatch(/\w/)
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
      for (const row of rows) expect(row.description === '' ? row.type : row.name, row.name).toMatch(/\S/)
    }
  })
})
