import { describe, expect, it } from 'vitest'
import { listedValues } from '../../../../compiler/language/settings/accepted-values.ts'
import { CHALLENGES } from '../../../../runtime/page/tag-keywords.ts'
import { KINDS } from '../../../../compiler/language/settings/index.ts'

describe('the values that a schema lists', () => {
  it.each([
    ['page', 'method', ['get', 'post', 'put', 'patch', 'delete', 'options']],
    ['page', 'searchable', ['true', 'false']],
    ['form', 'spam_protection', Object.keys(CHALLENGES)],
    ['page', 'layout', []],
    ['page', 'dynamic_cache', []],
  ] as const)('of the setting of a %s: %s', (kind, key, values) => {
    const { keys } = KINDS[kind].kind
    const schema = Object.entries(keys).find(([name]) => name === key)?.[1].schema
    expect(schema === undefined ? null : listedValues(schema)).toEqual(values)
  })
})
