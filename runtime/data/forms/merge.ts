/** Merges two sets of values of a form. */
import type { NestedGroup } from '../../page/site.ts'
import { entries, isHash, setKey } from '../../page/values/hash.ts'
import { isNestedKind, type Values } from './model.ts'
import { isSentFile } from './sent-file.ts'

/** Merges two sets of values. The values of `overridingValues` take precedence, field by field and within objects. */
export function mergeValues(baseValues: Values, overridingValues: Values): Values {
  const nested: Partial<Record<NestedGroup['kind'], Record<string, Values>>> = {}
  for (const { nested: kinds } of [baseValues, overridingValues]) {
    // Kinds of nested resources keep the order in which they were sent.
    for (const kind of Object.keys(kinds).filter(isNestedKind)) {
      const nestedByName = kinds[kind]
      if (nestedByName === undefined) continue
      const mergedByName = (nested[kind] ??= {})
      for (const [name, inner] of Object.entries(nestedByName)) {
        const existingValues = Object.hasOwn(mergedByName, name) ? mergedByName[name] : undefined
        setKey(mergedByName, name, existingValues === undefined ? inner : mergeValues(existingValues, inner))
      }
    }
  }
  return {
    attributes: mergeDeep(baseValues.attributes, overridingValues.attributes),
    properties: mergeDeep(baseValues.properties, overridingValues.properties),
    nested,
  }
}

type Hash = Readonly<Record<string, unknown>>

function mergeDeep(base: Hash, overriding: Hash): Hash {
  const result: Record<string, unknown> = {}
  for (const [key, value] of entries(base)) setKey(result, key, value)
  for (const [key, value] of entries(overriding)) {
    const existingValue = Object.hasOwn(result, key) ? result[key] : undefined
    setKey(
      result,
      key,
      isHash(existingValue) && isHash(value) && !isSentFile(existingValue) && !isSentFile(value)
        ? mergeDeep(existingValue, value)
        : value,
    )
  }
  return result
}
