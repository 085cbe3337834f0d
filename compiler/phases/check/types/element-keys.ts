/** Checks filters whose arguments are keys of their input: reports keys that the input lacks, if its shape is known. */
import { listAsObject } from '../../../core/diagnostics/codes/queries/list-as-object.ts'
import { checkUnknownField } from '../rules/queries/unknown-field.ts'
import { checkUnknownProperty } from '../rules/values/unknown-property.ts'
import { type FilterCall, stringOf } from '../../../core/tree/ast.ts'
import type { MissingKey, Type } from '../../../core/model/type.ts'
import type { Span } from '../../../core/source/span.ts'
import { element, listElement, property } from '../../../language/types/lookup.ts'
import { elementOf, members } from '../../../language/types/relate.ts'
import type { Walk } from '../walk/walk.ts'

/**
 * Which arguments are keys: the first positional one, all positional arguments, the names of the named arguments, or the steps of a path.
 */
type KeyArguments = 'first' | 'all' | 'conditions' | 'path'

const KEY_ARGUMENTS: ReadonlyMap<string, KeyArguments> = new Map([
  ...onEach('first', 'map where find find_index has sum sort sort_natural uniq'),
  ...onEach('first', 'array_uniq array_sort_by array_group_by'),
  ...onEach('all', 'array_map'),
  ...onEach('conditions', 'array_detect array_select array_reject array_find_index'),
  ...onEach('path', 'hash_dig hash_fetch'),
])

function onEach(keys: KeyArguments, filters: string): readonly (readonly [string, KeyArguments])[] {
  return filters.split(' ').map((filter) => [filter, keys])
}

/**
 * Reports keys in the arguments of a filter that its input lacks.
 * @param filter the canonical name
 */
export function checkKeys(walk: Walk, filter: string, call: FilterCall, input: Type): void {
  const keys = KEY_ARGUMENTS.get(filter)
  if (keys === undefined) return
  if (keys === 'path') return checkPath(walk, call, input)
  const inputMembers = members(input).filter((member) => member.kind !== 'nil')
  if (inputMembers.length === 0 || inputMembers.some((member) => member.kind !== 'list')) return
  const elementType = elementOf(input)
  const checkKey = (key: string, span: Span): void => {
    const { missingKey } = property(elementType, key, false)
    if (missingKey !== null) checkMissingKey(walk, span, `element of ${inputText(walk, call)}`, key, missingKey)
  }
  if (keys === 'conditions') {
    for (const { name } of call.named) checkKey(name.name, name.span)
    return
  }
  for (const each of keys === 'first' ? call.positional.slice(0, 1) : call.positional) {
    const key = stringOf(each)
    if (key !== null) checkKey(key, each.span)
  }
}

function checkPath(walk: Walk, call: FilterCall, input: Type): void {
  let type = input
  let holder = inputText(walk, call)
  for (const argument of call.positional) {
    const key = stringOf(argument)
    if (key === null) {
      // A number is the index of an element. The meaning of other values is unknown.
      type = element(type)
      continue
    }
    const lookup = property(type, key, false)
    const listElementType = listElement(type)
    if (lookup.missingKey !== null) return checkMissingKey(walk, argument.span, holder, key, lookup.missingKey)
    if (listElementType !== null) return walk.report(listAsObject(argument.span, holder, key, listElementType))
    type = lookup.type
    holder = key
  }
}

/** Returns the source text of the input of a filter, or a description of it. */
function inputText(walk: Walk, call: FilterCall): string {
  const text = walk.source({ ...call.span, start: Math.max(0, walk.flow.span.start), end: call.span.start })
  const value = /([\w.[\]'"]+)\s*\|\s*$/.exec(text.slice(-80))?.[1]
  return value ?? 'the input of the filter'
}

/** Reports a key that is missing in a known shape. */
export function checkMissingKey(walk: Walk, span: Span, owner: string, key: string, missingKey: MissingKey): void {
  if (!checkUnknownField(walk, span, owner, key, missingKey)) checkUnknownProperty(walk, span, owner, key, missingKey)
}
