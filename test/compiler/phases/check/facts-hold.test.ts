/**
 * Compares facts with what templates print: every value that a generated site prints has the type that the checker infers.
 *
 * `INGOT_FACTS` is the number of sites in each mode (25).
 */
import { describe, expect, it } from 'vitest'
import { createEngine } from '../../../../compiler/tools/engine.ts'
import type { Node } from '../../../../compiler/core/tree/ast.ts'
import type { TemplateFacts } from '../../../../compiler/core/model/facts.ts'
import type { Type } from '../../../../compiler/core/model/type.ts'
import { checkFiles } from '../../../support/compiler/check.ts'

const SITES = Number(process.env['INGOT_FACTS'] ?? 25)
const PAGE = 'app/views/pages/index.liquid'

/** Returns a random number generator. The numbers are the same in every run. */
function randomFrom(seed: number): (below: number) => number {
  let state = seed * 2654435761 + 1
  return (below) => {
    state = (Math.imul(state ^ (state >>> 15), 2246822507) + 0x9e3779b9) | 0
    return ((state ^ (state >>> 13)) >>> 0) % below
  }
}

const NAMES = ['a', 'b', 'h', 'l']

/** Writes templates whose variables change their types in many ways. Every output is marked with a unique number. */
class Writer {
  readonly #below: (below: number) => number
  readonly #fails: boolean
  #outputs = 0

  /** `fails`: the written code may fail, which ends a render that does not print faults. */
  constructor(seed: number, fails: boolean) {
    this.#below = randomFrom(seed)
    this.#fails = fails
  }

  #one<Value>(all: readonly Value[]): Value {
    return all[this.#below(all.length)] as Value
  }

  #name(): string {
    return this.#one(NAMES)
  }

  #value(): string {
    const name = this.#name()
    return this.#one([
      () => String(this.#below(9)),
      () => '1.5',
      () => `'${this.#one(['x', '<b>', ''])}'`,
      () => 'true',
      () => 'nil',
      () => `{ "k": ${this.#below(9)}, "s": 'x' }`,
      () => `[${this.#below(9)}, ${this.#below(9)}]`,
      () => `[{ "k": 1 }, { "k": 2 }]`,
      () => `{ "k": ${name} }`,
      () => `[${name}]`,
      () => name,
      () => `${name}.k`,
      () => `${name}[0]`,
      () => `${name}.k.k`,
      () => `${name} | plus: ${this.#below(9)}`,
      () => `${name} | append: 'y'`,
      () => `${name} | default: ${this.#below(9)}`,
      () => `${name} | first`,
      () => `${name} | reverse`,
      () => `${name} | deep_clone`,
      () => `${name} | size`,
      () => `'{"k": 1}' | parse_json`,
      ...(this.#fails
        ? [
            () => `${name} | map: 'k'`,
            () => `${name} | array_add: ${this.#name()}`,
            () => `${name} | hash_merge: k: ${this.#below(9)}`,
            () => `${name} | hash_add_key: 'k', ${this.#name()}`,
          ]
        : []),
    ])()
  }

  /** Returns code that makes a later write into the variable succeed. Another variable may refer to the same value. */
  #own(name: string, value: string): string {
    if (this.#fails) return ''
    const other = this.#name()
    return `{% assign ${name} = ${value} %}${this.#one(['', other === name ? '' : `{% assign ${other} = ${name} %}`])}`
  }

  #output(): string {
    return `[${++this.#outputs}:{{ ${this.#name()}${this.#one(['', '', '.k', '[0]', '.size', '.first'])} | json }}]`
  }

  #condition(): string {
    return this.#one([
      `turn == ${this.#below(3)}`,
      this.#name(),
      `${this.#name()} == nil`,
      `${this.#name()}.k != blank`,
    ])
  }

  #body(depth: number, calls: boolean, inLoop: boolean): string {
    const count = 1 + this.#below(5)
    return Array.from({ length: count }, () => this.#statement(depth, calls, inLoop)).join('')
  }

  #statement(depth: number, calls: boolean, inLoop: boolean): string {
    const name = this.#name()
    const inner = (loop = inLoop) => this.#body(depth - 1, calls, loop)
    const simple = [
      () => this.#output(),
      () => this.#output(),
      () => `{% assign ${name} = ${this.#value()} %}`,
      () => `{% assign ${name} = ${this.#value()} %}`,
      () => `${this.#own(name, '{ "k": 1 }')}{% assign ${name}.k = ${this.#value()} %}`,
      () => `${this.#own(name, '[1]')}{% assign ${name} << ${this.#value()} %}`,
      () => `${this.#own(name, '{ "k": 1 }')}{% hash_assign ${name}['k'] = ${this.#value()} %}`,
      ...(inLoop ? [() => `{% if ${this.#condition()} %}{% ${this.#one(['break', 'continue'])} %}{% endif %}`] : []),
      ...(calls
        ? [
            () => `{% render 'shown', a: ${name}, h: ${this.#name()}, turn: turn %}`,
            () => `{% function ${name} = 'made', ${this.#name()}: ${this.#name()}, turn: turn %}`,
            () => "{% include 'shared' %}",
          ]
        : []),
    ]
    if (depth === 0) return this.#one(simple)()
    return this.#one([
      ...simple,
      () => `{% if ${this.#condition()} %}${inner()}{% else %}${inner()}{% endif %}`,
      () => `{% if ${this.#condition()} %}${inner()}{% endif %}`,
      () => `{% for turn in (0..2) %}${inner(true)}{% endfor %}`,
      () => `{% for ${name} in ${this.#name()} %}${inner(true)}{% endfor %}`,
      () => `{% capture ${name} %}${inner()}{% endcapture %}`,
      () => `{% try %}${inner()}{% catch %}${inner()}{% endtry %}`,
    ])()
  }

  site(): Readonly<Record<string, string>> {
    return {
      [PAGE]: `{% assign turn = 0 %}${this.#body(3, true, false)}${this.#body(2, true, false)}${NAMES.map(() => this.#output()).join('')}`,
      'app/views/partials/shown.liquid': this.#body(2, false, false),
      'app/views/partials/made.liquid': `${this.#body(2, false, false)}{% if ${this.#condition()} %}{% return ${this.#value()} %}{% endif %}${this.#body(1, false, false)}{% return ${this.#value()} %}`,
      'app/views/partials/shared.liquid': this.#body(2, false, false),
    }
  }
}

/** Collects the types of the marked outputs. */
function told(nodes: readonly Node[], facts: TemplateFacts, into: Map<string, Type>): void {
  for (const [at, node] of nodes.entries()) {
    if (node.kind === 'tag') for (const each of [node, ...node.branches]) told(each.body, facts, into)
    const before = nodes[at - 1]
    const mark = before?.kind === 'text' ? /\[(\d+):$/.exec(before.text)?.[1] : undefined
    const type = node.kind === 'output' && node.value !== null ? facts.types.get(node.value.input) : undefined
    if (mark !== undefined && type !== undefined) into.set(mark, type)
  }
}

function holds(type: Type, value: unknown): boolean {
  switch (type.kind) {
    case 'unknown':
      return true
    case 'nil':
      return value === null
    case 'boolean':
      return typeof value === 'boolean'
    case 'integer':
      return Number.isInteger(value)
    case 'float':
    case 'number':
      return typeof value === 'number'
    case 'string':
      return typeof value === 'string' && (type.literal === undefined || value === type.literal)
    case 'list':
      return Array.isArray(value) && value.every((each) => holds(type.element, each))
    case 'hash':
      return isObject(value) && Object.values(value).every((each) => holds(type.element, each))
    case 'record':
      return (
        isObject(value) &&
        [...type.fields].every(([key, of]) => (key in value ? holds(of, value[key]) : holds(of, null))) &&
        (type.open || Object.keys(value).every((key) => type.fields.has(key)))
      )
    case 'union':
      return type.members.some((each) => holds(each, value))
    default:
      return false
  }
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

describe('types of made-up sites', () => {
  it.each(['raise', 'inline'] as const)('hold for what they print, faults %s', (errors) => {
    let compared = 0
    let known = 0
    for (let seed = 1; seed <= SITES; seed++) {
      const files = new Writer(seed, errors === 'inline').site()
      const { site, facts } = checkFiles(files, { raise: errors === 'raise' })
      const types = new Map<string, Type>()
      for (const unit of site.units) {
        const of = facts.templates.get(unit.file.path)
        if (unit.template !== null && of !== undefined) told(unit.template.nodes, of, types)
      }
      let text: string
      try {
        text = createEngine({ files, errors }).renderSync(PAGE)
      } catch {
        // A site whose render fails prints nothing.
        continue
      }
      for (const [, mark = '', json = ''] of text.matchAll(
        /\[(\d+):([^[\]]*(?:\[[^[\]]*(?:\[[^[\]]*\][^[\]]*)*\][^[\]]*)*)\]/g,
      )) {
        const value = parsed(json)
        const type = types.get(mark)
        if (type === undefined || value === undefined) continue
        compared++
        if (type.kind !== 'unknown') known++
        expect(
          holds(type, value),
          `site ${seed}, output ${mark}: ${json} is no ${JSON.stringify(type)}\n${JSON.stringify(files, null, 1)}`,
        ).toBe(true)
      }
    }
    // Some sites fail before they print anything, and many types are unknown. This checks that enough are compared.
    expect(compared).toBeGreaterThan(SITES)
    expect(known).toBeGreaterThan(SITES / 4)
  })
})

/** Parses JSON. Returns undefined for any other text. */
function parsed(json: string): unknown {
  try {
    return JSON.parse(json)
  } catch {
    return undefined
  }
}
