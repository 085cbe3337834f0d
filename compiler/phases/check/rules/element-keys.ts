/** Filters whose arguments name keys of what they are given: whether it has such keys, as far as its shape is known. */
import { listAsObject } from '../../../core/diagnostics/codes/queries/list-as-object.ts'
import { unknownField } from '../../../core/diagnostics/codes/queries/unknown-field.ts'
import { unknownProperty } from '../../../core/diagnostics/codes/values/unknown-property.ts'
import type { Severity } from '../../../core/diagnostics/diagnostic.ts'
import type { Expression, FilterCall } from '../../../core/model/ast.ts'
import type { MissingKey, Type } from '../../../core/model/type.ts'
import type { Span } from '../../../core/source/span.ts'
import { element, listElement, property } from '../../../language/types/lookup.ts'
import { elementOf, members } from '../../../language/types/relate.ts'
import type { Walk } from './walk.ts'

/** Which arguments are keys: the first positional one, all of them, those of the condition, or the steps of a path. */
type KeyArguments = 'first' | 'all' | 'conditions' | 'path'

const KEY_ARGUMENTS: Readonly<Record<string, KeyArguments>> = {
  map: 'first',
  where: 'first',
  find: 'first',
  find_index: 'first',
  has: 'first',
  sum: 'first',
  sort: 'first',
  sort_natural: 'first',
  uniq: 'first',
  array_uniq: 'first',
  array_sort_by: 'first',
  array_group_by: 'first',
  array_map: 'all',
  array_detect: 'conditions',
  array_select: 'conditions',
  array_reject: 'conditions',
  array_find_index: 'conditions',
  hash_dig: 'path',
  hash_fetch: 'path',
}

/** `filter` is the canonical name; `named` are the types of the named arguments. */
export function checkKeys(walk: Walk, filter: string, call: FilterCall, input: Type): void {
  const keys = Object.hasOwn(KEY_ARGUMENTS, filter) ? KEY_ARGUMENTS[filter] : undefined
  if (keys === undefined) return
  if (keys === 'path') return checkPath(walk, call, input)
  const lists = members(input).filter((member) => member.kind !== 'nil')
  if (lists.length === 0 || lists.some((member) => member.kind !== 'list')) return
  const of = elementOf(input)
  const check = (key: string, span: Span): void => {
    const { missing } = property(of, key, false)
    if (missing !== null) reportMissing(walk, span, `element of ${inputText(walk, call)}`, key, missing)
  }
  if (keys === 'conditions') {
    for (const { name } of call.named) check(name.name, name.span)
    return
  }
  for (const each of keys === 'first' ? call.positional.slice(0, 1) : call.positional) {
    const key = keyOf(each)
    if (key !== null) check(key, each.span)
  }
}

function checkPath(walk: Walk, call: FilterCall, input: Type): void {
  let type = input
  let holder = inputText(walk, call)
  for (const each of call.positional) {
    const key = keyOf(each)
    if (key === null) {
      // A number is a place in a list; what else it may be is not known.
      type = element(type)
      continue
    }
    const lookup = property(type, key, false)
    const list = listElement(type)
    if (lookup.missing !== null) return reportMissing(walk, each.span, holder, key, lookup.missing)
    if (list !== null) return walk.report(listAsObject(each.span, holder, key, list))
    type = lookup.type
    holder = key
  }
}

function keyOf(value: Expression): string | null {
  return value.kind === 'literal' && value.value.type === 'string' ? value.value.value : null
}

/** What stands before the filter, in the words of the message. */
function inputText(walk: Walk, call: FilterCall): string {
  const text = walk.source({ ...call.span, start: Math.max(0, walk.flow.span.start), end: call.span.start })
  const value = /([\w.[\]'"]+)\s*\|\s*$/.exec(text.slice(-80))?.[1]
  return value ?? 'what is piped in'
}

/**
 * Reports a key that a known shape lacks, in words that fit what made the shape: a query, a table, a form or a hash.
 * @param guarded a test or a default asks whether the key is there, which is right for a hash and useless for a query's result
 * @param severity in place of the usual one for hashes
 */
export function reportMissing(
  walk: Walk,
  span: Span,
  holder: string,
  key: string,
  { known, origin }: MissingKey,
  guarded = false,
  severity: Severity | null = null,
): void {
  if (origin?.of !== undefined) {
    const diagnostic = unknownField(span, holder, key, known, origin.of, origin)
    // What a table does not declare may be stored nevertheless.
    walk.report(guarded || origin.of === 'table' ? { ...diagnostic, severity: 'warning' } : diagnostic)
  } else if (!guarded) {
    const diagnostic = unknownProperty(span, holder, key, known, origin)
    walk.report(severity === null ? diagnostic : { ...diagnostic, severity })
  }
}
