/** Checks writes into a part of a value, and infers the type of the value after the write. */
import { invalidWriteTarget } from '../rules/values/invalid-write-target.ts'
import { sharedValue } from '../rules/values/shared-value.ts'
import { type Accessor, type Expression, unfiltered, type WriteTarget } from '../../../core/tree/ast.ts'
import { NIL, type Type, UNKNOWN } from '../../../core/model/type.ts'
import { element, property } from '../../../language/types/lookup.ts'
import { type ChangedKeys, keysOfElement, NO_KEYS } from '../../../language/types/changed-keys.ts'
import {
  asPart,
  type Category,
  categories,
  describe,
  isMutable,
  join,
  joinAll,
  members,
  onlyCategory,
} from '../../../language/types/relate.ts'
import { exactKeys, typeOf } from './expression.ts'
import { readName } from './names.ts'
import type { Span } from '../../../core/source/span.ts'
import type { Walk } from '../walk/walk.ts'

const CONTAINERS: ReadonlySet<Category> = new Set(['hash', 'list'])

/** Checks and applies a write. `isPush`: the value is appended to an array. `isNew`: no other variable refers to the written value. */
export function writeInto(walk: Walk, target: WriteTarget, value: Type, isPush: boolean, isNew: boolean): void {
  const { name, path } = target
  const root = readName(walk, name.name, name.span, 'value')
  const indexes = path.map((accessor) =>
    accessor.kind === 'index' ? typeOf(walk, accessor.value, 'value', false) : null,
  )
  const containerDepth = isPush ? path.length : path.length - 1
  let container = root
  for (let at = 0; at < containerDepth; at++) {
    const accessor = path[at]
    if (accessor === undefined || !checkContainer(walk, target, at, container, indexes[at] ?? null)) return
    container = partOf(container, accessor)
  }
  const isAllowed = isPush
    ? checkList(walk, target, container)
    : checkContainer(walk, target, containerDepth, container, indexes[containerDepth] ?? null)
  if (!isAllowed) return
  checkAlias(walk, target, isPush)
  const steps = stepsOf(walk, path, indexes)
  walk.change(name, typeAfterWrite(root, steps, value, isPush), {
    keys: collectChangedKeys(steps, indexes.at(-1) ?? null, value, isPush),
    intoPart: containerDepth > 0,
  })
  // From here on, the container shares a part with another variable.
  if (isMutable(value) && !isNew) walk.flow.shareParts(name.name)
}

/** Returns whether the text after a place reads a variable that it does not set again. */
function isReadAfter(walk: Walk, name: string, { end }: Span): boolean {
  const textAfter = walk.siteTemplate.unit.file.text.slice(end)
  return new RegExp(`\\b${name}\\b`).test(textAfter) && !new RegExp(`\\b${name}\\s*(?:=(?!=)|<<)`).test(textAfter)
}

/** Returns whether the text after a place reads a part of a variable. */
export function isPartReadAfter(walk: Walk, name: string, key: string, { end }: Span): boolean {
  if (!/^\w+$/.test(key)) return false
  const part = new RegExp(`\\b${name}(?:\\.${key}\\b|\\[["']${key}["']\\])`)
  return part.test(walk.siteTemplate.unit.file.text.slice(end))
}

/** Reports a write into a value that another variable shares, if the template later reads the written part through that variable. */
function checkAlias(walk: Walk, { name, path, span }: WriteTarget, isPush: boolean): void {
  const other = walk.platform ? walk.reads.aliasOf(name.name) : undefined
  const [first] = path
  if (other === undefined || !walk.isOwn(other.name)) return
  const key = first === undefined ? null : keyOf(first)
  const isRead =
    first === undefined
      ? isPush && isReadAfter(walk, other.name, span)
      : key !== null && isPartReadAfter(walk, other.name, key, span)
  if (isRead) walk.report(sharedValue(span, name.name, other.name, other.span))
}

/** Returns the variable if an expression is only the value of a variable; null for any other expression. */
export function variableOf(expression: Expression): string | null {
  const bareExpression = unfiltered(expression)
  return bareExpression.kind === 'lookup' && bareExpression.path.length === 0
    ? (bareExpression.name?.name ?? null)
    : null
}

/** A step of a path into a value: the possible texts of a key; null for an index or an unknown key. */
type Step = readonly string[] | null

function stepsOf(walk: Walk, path: readonly Accessor[], indexes: readonly (Type | null)[]): readonly Step[] {
  return path.map((accessor, at) => {
    if (accessor.kind === 'key') return [accessor.name]
    return exactKeys(walk, accessor.value, indexes[at] ?? UNKNOWN)
  })
}

function partOf(type: Type, accessor: Accessor): Type {
  const key = keyOf(accessor)
  if (key === null) return element(type)
  const found = property(type, key, false)
  return found.missingKey === null ? found.type : { kind: 'nil' }
}

function keyOf(accessor: Accessor): string | null {
  if (accessor.kind === 'key') return accessor.name
  return accessor.value.kind === 'literal' && accessor.value.value.type === 'string' ? accessor.value.value.value : null
}

/** Returns the source text of the target up to the container of the accessor at `at`. */
function containerText(walk: Walk, target: WriteTarget, at: number): string {
  return walk.source({ ...target.span, end: target.path[at - 1]?.span.end ?? target.name.span.end })
}

/** Reports a write through the accessor at `at` that definitely fails. Returns whether the write can succeed. */
function checkContainer(walk: Walk, target: WriteTarget, at: number, container: Type, index: Type | null): boolean {
  const found = categories(container)
  if (found === null || found.size === 0) return true
  let isList = true
  for (const category of found) {
    if (category !== 'list') isList = false
    if (!CONTAINERS.has(category)) continue
    if (category === 'hash') return true
  }
  const accessor = target.path[at]
  if (isList) {
    // An array takes integers only.
    const hasTextKey =
      (accessor !== undefined && keyOf(accessor) !== null) ||
      (index !== null && members(index).every((each) => each.kind === 'string'))
    if (hasTextKey) reportInvalidTarget(walk, target, at, 'hash', container)
    return !hasTextKey
  }
  if (found.has('list')) return true
  reportInvalidTarget(walk, target, at, 'hash or an array', container)
  return false
}

/** Reports an append to a value that is definitely not an array. Returns whether the append can succeed. */
function checkList(walk: Walk, target: WriteTarget, container: Type): boolean {
  const found = categories(container)
  if (found === null || found.size === 0 || found.has('list')) return true
  reportInvalidTarget(walk, target, target.path.length, 'array', container)
  return false
}

function reportInvalidTarget(walk: Walk, target: WriteTarget, at: number, expected: string, container: Type): void {
  walk.findings.reportFault(
    invalidWriteTarget(target.span, containerText(walk, target, at), expected, describe(container)),
  )
}

/** Returns the keys that a write changes in values that other variables may also refer to. */
function collectChangedKeys(steps: readonly Step[], index: Type | null, value: Type, isPush: boolean): ChangedKeys {
  const last = steps.at(-1)
  if (isPush || last === undefined || (index !== null && onlyCategory(index) === 'number')) return keysOfElement(value)
  return last === null ? null : new Set(last)
}

/** Returns the type of a value after a write at a path. */
function typeAfterWrite(type: Type, path: readonly Step[], value: Type, isPush: boolean): Type {
  if (type.kind === 'union') {
    // Nil is left out, because a write into nil fails.
    const nonNilMembers = type.members.filter((member) => member.kind !== 'nil')
    return joinAll(nonNilMembers.map((member) => typeAfterWrite(member, path, value, isPush)))
  }
  const [step, ...rest] = path
  if (step === undefined)
    return isPush && type.kind === 'list' ? { kind: 'list', element: join(type.element, asPart(value)) } : UNKNOWN
  const inner = (part: Type): Type =>
    rest.length === 0 && !isPush ? asPart(value) : typeAfterWrite(part, rest, value, isPush)
  if (type.kind === 'list') return { kind: 'list', element: join(type.element, inner(type.element)) }
  if (type.kind !== 'record') return UNKNOWN
  // With an unknown key, any field may be the one that is written.
  if (step === null) return { ...type, fields: new Map([...type.fields].map(([key]) => [key, UNKNOWN])), open: true }
  const fields = new Map(type.fields)
  for (const key of step) {
    const before = fields.get(key)
    const after = inner(before ?? UNKNOWN)
    // With several possible keys, the field may keep its old type.
    fields.set(key, step.length === 1 ? after : join(before ?? NIL, after))
  }
  // The value was changed. The query is therefore not blamed for fields that it does not select.
  const { lacking: _forgotten, ...unchanged } = type
  return { ...unchanged, fields, possible: type.possible ?? NO_KEYS }
}
