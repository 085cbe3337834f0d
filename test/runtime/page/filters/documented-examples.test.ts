/** Compiles and renders every example of `fixtures/filters.json`, in a format without escaping. */
import { describe, expect, it } from 'vitest'
import { createEngine } from '../../../../compiler/tools/engine.ts'
import { filterTable } from '../../../../compiler/language/types/filters.ts'
import { readEntries, filesOf, nowOf, servicesOf, unknownState, variablesOf } from '../../../support/filter-fixtures.ts'

const entries = readEntries()

const known = filterTable('platform')

/** Adds the location of the tag to an error, because the examples omit it. */
const withLocation = (result: string): string => result.replace('Liquid error:', 'Liquid error (main:1):')

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
        const now = nowOf(data)
        const engine = createEngine({
          files: filesOf(example),
          format: 'txt',
          errors: 'inline',
          services: servicesOf(data),
          ...(now === null ? {} : { now }),
        })
        expect(engine.diagnostics.filter((each) => each.severity === 'error')).toEqual([])
        // Data of a request exists everywhere, even if it is empty.
        const context = { params: {} }
        expect(await engine.render('main', { ...variablesOf(data), context })).toBe(withLocation(result))
      })
    }
  }
})

describe('the names of filters', () => {
  for (const { name, aliasOf, replacement } of entries) {
    it(`${name} is ${aliasOf === undefined || aliasOf === null ? 'its own' : `one of ${aliasOf}`}`, () => {
      // In base Liquid, `h` is a separate function with the same effect as `escape`, so neither is deprecated.
      expect(known.get(name)?.aliasOf ?? null).toBe(aliasOf ?? null)
    })

    it(`${name} ${replacement == null ? 'is current' : `warns and names ${replacement}`}`, () => {
      const { diagnostics } = createEngine({ files: { main: `{{ x | ${name} }}` } })
      const told = diagnostics.filter(({ code }) => code === 'deprecated-filter')
      expect(told.map(({ severity }) => severity)).toEqual(replacement == null ? [] : ['warning'])
      if (replacement != null) expect(`${told[0]?.message} ${told[0]?.hint}`).toContain(`\`${replacement}\``)
    })
  }
})

describe('the number of arguments', () => {
  for (const { name, arity } of entries) {
    const signature = known.get(name)
    if (signature === undefined) continue
    const given = (count: number) =>
      `{{ x | ${name}${count > 1 ? `: ${Array.from({ length: count - 1 }, () => 'y').join(', ')}` : ''} }}`
    const error = (template: string) => {
      const engine = createEngine({ files: { main: template }, errors: 'inline', format: 'txt' })
      const found = engine.diagnostics.find((each) => each.code === 'filter-arity')
      if (found !== undefined) return 'wrong number of arguments'
      return engine.render('main').then((output) => /wrong number of arguments/.exec(output)?.[0] ?? null)
    }
    it(`of ${name} is ${arity.min} to ${arity.max ?? 'any'}`, async () => {
      expect(await error(given(arity.min)), given(arity.min)).toBeNull()
      if (arity.min > 1) expect(await error(given(arity.min - 1)), given(arity.min - 1)).not.toBeNull()
      if (arity.max === null) return
      expect(await error(given(arity.max)), given(arity.max)).toBeNull()
      expect(await error(given(arity.max + 1)), given(arity.max + 1)).not.toBeNull()
    })
  }
})
