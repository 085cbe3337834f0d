/** Compiles and renders every example of `fixtures/filters.json`, in a format without escaping. */
import { describe, expect, it } from 'vitest'
import { createEngine, type Engine } from '../../../../compiler/tools/engine.ts'
import { filterTable } from '../../../../compiler/language/types/filters.ts'
import {
  type Entry,
  type Example,
  readEntries,
  filesOf,
  nowOf,
  servicesOf,
  unknownState,
  variablesOf,
} from '../../../support/filter-fixtures.ts'

const entries = readEntries()

const known = filterTable('platform')

/** Adds the location of the tag to an error, because the examples omit it. */
const withLocation = (result: string, file: string): string =>
  result.replace('Liquid error:', `Liquid error (${file}:1):`)

/** The examples that need no state of the host. They share an engine, because a new one takes longer than an example. */
const plain = entries
  .flatMap(({ examples }) => examples)
  .filter(({ data }) => Object.keys(data).every((key) => key === '$keys' || !key.startsWith('$')))

const OPTIONS = { format: 'txt', errors: 'inline' } as const

const sharedEngine = once(() => {
  const files = Object.fromEntries(plain.map(({ template }, at) => [`example ${at}`, template]))
  return createEngine({ files, ...OPTIONS, services: servicesOf({}) })
})

/** Returns an engine, and the name of the example's template in it. */
function engineOf(example: Example): { readonly engine: Engine; readonly main: string } {
  const at = plain.indexOf(example)
  if (at !== -1) return { engine: sharedEngine(), main: `example ${at}` }
  const now = nowOf(example.data)
  const engine = createEngine({
    files: filesOf(example),
    ...OPTIONS,
    services: servicesOf(example.data),
    ...(now === null ? {} : { now }),
  })
  return { engine, main: 'main' }
}

/** Returns a function that makes a value when it is first called. */
function once<Value extends object>(make: () => Value): () => Value {
  let made: Value | undefined
  return () => (made ??= make())
}

describe('the documented filters', () => {
  it('are all there, and none is there that is not documented', () => {
    expect(entries.length).toBe(215)
    expect(entries.map(({ name }) => name).filter((name) => !known.has(name))).toEqual([])
    const documented = new Set(entries.map(({ name }) => name))
    expect([...known.keys()].filter((name) => !documented.has(name))).toEqual([])
  })

  for (const { name, examples } of entries) {
    it(`${name} has an example`, () => expect(examples.length).toBeGreaterThan(0))
    for (const example of examples) {
      it(`${name} (${example.source}): ${example.template.replaceAll('\n', '⏎')}`, async () => {
        const { data, result } = example
        expect(unknownState(data)).toEqual([])
        const { engine, main } = engineOf(example)
        // The other templates of the shared engine are other examples.
        const own = engine.diagnostics.filter(({ file }) => main === 'main' || file === main)
        expect(own.filter(({ severity }) => severity === 'error')).toEqual([])
        // Data of a request exists everywhere, even if it is empty.
        const context = { params: {} }
        expect(await engine.render(main, { ...variablesOf(data), context })).toBe(withLocation(result, main))
      })
    }
  }
})

describe('the names of filters', () => {
  const diagnosed = once(() => {
    const files = Object.fromEntries(entries.map(({ name }) => [name, `{{ x | ${name} }}`]))
    return createEngine({ files }).diagnostics
  })

  for (const { name, aliasOf, replacement } of entries) {
    it(`${name} is ${aliasOf === undefined || aliasOf === null ? 'its own' : `one of ${aliasOf}`}`, () => {
      // In base Liquid, `h` is a separate function with the same effect as `escape`, so neither is deprecated.
      expect(known.get(name)?.aliasOf ?? null).toBe(aliasOf ?? null)
    })

    it(`${name} ${replacement == null ? 'is current' : `warns and names ${replacement}`}`, () => {
      const told = diagnosed().filter(({ file, code }) => file === name && code === 'deprecated-filter')
      expect(told.map(({ severity }) => severity)).toEqual(replacement == null ? [] : ['warning'])
      if (replacement != null) expect(`${told[0]?.message} ${told[0]?.hint}`).toContain(`\`${replacement}\``)
    })
  }
})

describe('the number of arguments', () => {
  const templateOf = (name: string, count: number) =>
    `{{ x | ${name}${count > 1 ? `: ${Array.from({ length: count - 1 }, () => 'y').join(', ')}` : ''} }}`
  /** The numbers of arguments that are tested: the limits, and those just outside of them. */
  const countsOf = ({ min, max }: Entry['arity']): readonly number[] => [
    min,
    ...(min > 1 ? [min - 1] : []),
    ...(max === null ? [] : [max, max + 1]),
  ]
  const engineOfAll = once(() => {
    const templates = entries.flatMap(({ name, arity }) => countsOf(arity).map((count) => templateOf(name, count)))
    return createEngine({ files: Object.fromEntries(templates.map((each) => [each, each])), ...OPTIONS })
  })

  for (const { name, arity } of entries) {
    if (!known.has(name)) continue
    const error = (template: string) => {
      const engine = engineOfAll()
      const found = engine.diagnostics.find(({ file, code }) => file === template && code === 'filter-arity')
      if (found !== undefined) return 'wrong number of arguments'
      return engine.render(template).then((output) => /wrong number of arguments/.exec(output)?.[0] ?? null)
    }
    it(`of ${name} is ${arity.min} to ${arity.max ?? 'any'}`, async () => {
      for (const count of countsOf(arity)) {
        const isRight = count >= arity.min && count <= (arity.max ?? count)
        const template = templateOf(name, count)
        expect((await error(template)) === null, template).toBe(isRight)
      }
    })
  }
})
