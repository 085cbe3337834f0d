/** The descriptions of the variables match their schemas. */
import { expect, test } from 'vitest'
import { ENVIRONMENT, type VariableGroups } from '../../../runtime/data/environment.mjs'
import { readSettings } from '../../../server/core/settings.ts'

const groups: VariableGroups = ENVIRONMENT
const variables = Object.values(groups).flatMap((group) => Object.entries(group))
const read = (given: Readonly<Record<string, string>>) => readSettings(given, 'production')

const numbers = variables.flatMap(([name, { takes }]) => {
  const [, least, most] = /^a number (?:of \w+ )?from (\d+) to (\d+)$/.exec(takes) ?? []
  return least === undefined || most === undefined ? [] : [{ name, takes, least: Number(least), most: Number(most) }]
})

test('numbers have the bounds that are told', () => {
  expect(numbers.length).toBeGreaterThan(20)
  for (const { name, takes, least, most } of numbers) {
    for (const value of [least, most]) expect(() => read({ [name]: String(value) })).not.toThrow()
    for (const value of [least - 1, most + 1, 'many'])
      expect(() => read({ [name]: String(value) }), name).toThrow(
        `The variable ${name} cannot be '${value}': give ${takes}.`,
      )
  }
})

test('what holds without a variable is what is told', () => {
  const given = variables.flatMap(([name, { otherwise = '' }]) => {
    const [, value] = /^([\w/-]+)(?:$|,)/.exec(otherwise) ?? []
    return value === undefined || value === 'any' ? [] : [{ name, value }]
  })
  expect(given.length).toBeGreaterThan(25)
  const without = read({})
  for (const { name, value } of given) expect(read({ [name]: value }), name).toEqual(without)
})

test('the value of a secret stands in no message', () => {
  const secret = 'a \u0007'
  const refused = variables.flatMap(([name, words]) => {
    if (words.secret !== true) return []
    try {
      read({ [name]: secret })
      return []
    } catch (error) {
      return [String(error)]
    }
  })
  expect(refused.length).toBeGreaterThan(4)
  expect(refused.filter((text) => text.includes(secret))).toEqual([])
})
