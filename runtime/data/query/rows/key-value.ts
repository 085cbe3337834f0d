/** Describes the value that a condition or a change gives to a key. */
import type { Build, Leaf, Source } from '../model.ts'
import type { KeyValue, RowKey } from '../row-access.ts'

/**
 * Describes the value that a leaf gives to a key.
 * @param isAmong whether the leaf is a list, and each row has one of its elements
 */
export function keyValue(key: RowKey, leaf: Leaf, build: Build, isAmong = false): KeyValue {
  const { source } = leaf
  const isSingleValue =
    !isAmong ||
    (source.kind === 'list' && source.items.length === 1) ||
    (source.kind === 'constant' && Array.isArray(source.value) && source.value.length === 1)
  return {
    key,
    value: isSingleValue ? onlyElement(source) : source,
    isList: !isSingleValue,
    optional: build.isOptional(leaf),
  }
}

/** Returns the source of the only element of a list. */
function onlyElement(source: Source): Source {
  if (source.kind === 'list') return source.items[0] ?? source
  if (source.kind === 'constant' && Array.isArray(source.value)) return { kind: 'constant', value: source.value[0] }
  return source
}
