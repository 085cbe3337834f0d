/** Merges two sets of values of a form. */
import type { NestedGroup } from '../../page/site.ts'
import { entries, isHash, setKey } from '../../page/values/hash.ts'
import { isNestedKind, type Values } from './model.ts'
import { isSentFile } from './sent-file.ts'

/** The values of `over` take precedence, for each field and inside of objects. */
export function mergeValues(under: Values, over: Values): Values {
  const nested: Partial<Record<NestedGroup['kind'], Record<string, Values>>> = {}
  for (const { nested: kinds } of [under, over]) {
    // The kinds stay in the order in which they were sent.
    for (const kind of Object.keys(kinds).filter(isNestedKind)) {
      const named = kinds[kind]
      if (named === undefined) continue
      const into = (nested[kind] ??= {})
      for (const [name, inner] of Object.entries(named)) {
        const before = Object.hasOwn(into, name) ? into[name] : undefined
        setKey(into, name, before === undefined ? inner : mergeValues(before, inner))
      }
    }
  }
  return {
    attributes: mergeDeep(under.attributes, over.attributes),
    properties: mergeDeep(under.properties, over.properties),
    nested,
  }
}

type Hash = Readonly<Record<string, unknown>>

function mergeDeep(under: Hash, over: Hash): Hash {
  const result: Record<string, unknown> = {}
  for (const [key, value] of entries(under)) setKey(result, key, value)
  for (const [key, value] of entries(over)) {
    const before = Object.hasOwn(result, key) ? result[key] : undefined
    setKey(
      result,
      key,
      isHash(before) && isHash(value) && !isSentFile(before) && !isSentFile(value) ? mergeDeep(before, value) : value,
    )
  }
  return result
}
