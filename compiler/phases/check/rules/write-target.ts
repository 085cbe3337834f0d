/** Writes into a part of a value: whether they can succeed, and the type of the value behind them. */
import { invalidWriteTarget } from '../../../core/diagnostics/codes/values/invalid-write-target.ts'
import { sharedValue } from '../../../core/diagnostics/codes/values/shared-value.ts'
import { type Accessor, type Expression, unfiltered, type WriteTarget } from '../../../core/model/ast.ts'
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
import type { Span } from '../../../core/source/span.ts'
import type { Walk } from './walk.ts'

const CONTAINERS: ReadonlySet<Category> = new Set(['hash', 'list'])

/** `isNew`: nobody else holds the value. */
export function writeInto(walk: Walk, target: WriteTarget, value: Type, push: boolean, isNew: boolean): void {
  const { name, path } = target
  const root = walk.name(name.name, name.span, 'value')
  const indexes = path.map((accessor) =>
    accessor.kind === 'index' ? typeOf(walk, accessor.value, 'value', false) : null,
  )
  const steps = push ? path.length : path.length - 1
  let container = root
  for (let at = 0; at < steps; at++) {
    const accessor = path[at]
    if (accessor === undefined || !checkContainer(walk, target, at, container, indexes[at] ?? null)) return
    container = partOf(container, accessor)
  }
  const allowed = push
    ? checkList(walk, target, container)
    : checkContainer(walk, target, steps, container, indexes[steps] ?? null)
  if (!allowed) return
  checkAlias(walk, target, push)
  const stepped = stepsOf(walk, path, indexes)
  walk.change(name, written(root, stepped, value, push), {
    keys: keysWritten(stepped, indexes.at(-1) ?? null, value, push),
    intoPart: steps > 0,
  })
  // From here on the value holds one that another name holds, too.
  if (isMutable(value) && !isNew) walk.flow.shareParts(name.name)
}

/** Whether the text behind a place reads a variable that it does not set again. */
function isReadBehind(walk: Walk, name: string, { end }: Span): boolean {
  const behind = walk.piece.unit.file.text.slice(end)
  return new RegExp(`\\b${name}\\b`).test(behind) && !new RegExp(`\\b${name}\\s*(?:=(?!=)|<<)`).test(behind)
}

/** Whether the text behind a place reads a part of a variable. */
export function isPartReadBehind(walk: Walk, name: string, key: string, { end }: Span): boolean {
  if (!/^\w+$/.test(key)) return false
  const part = new RegExp(`\\b${name}(?:\\.${key}\\b|\\[["']${key}["']\\])`)
  return part.test(walk.piece.unit.file.text.slice(end))
}

/** Whether another variable has the value, too, and what is written is read behind the write by that name. */
function checkAlias(walk: Walk, { name, path, span }: WriteTarget, push: boolean): void {
  const other = walk.platform ? walk.reads.aliasOf(name.name) : undefined
  const [first] = path
  if (other === undefined || !walk.isOwn(other.name)) return
  const key = first === undefined ? null : keyOf(first)
  const isRead =
    first === undefined
      ? push && isReadBehind(walk, other.name, span)
      : key !== null && isPartReadBehind(walk, other.name, key, span)
  if (isRead) walk.report(sharedValue(span, name.name, other.name, other.span))
}

/** The variable whose value an expression is as it is; null where it is none's. */
export function variableOf(expression: Expression): string | null {
  const bare = unfiltered(expression)
  return bare.kind === 'lookup' && bare.path.length === 0 ? (bare.name?.name ?? null) : null
}

/** A step into a value: the texts that the key can be; null for an index, or a key of which nothing is known. */
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
  return found.missing === null ? found.type : { kind: 'nil' }
}

function keyOf(accessor: Accessor): string | null {
  if (accessor.kind === 'key') return accessor.name
  return accessor.value.kind === 'literal' && accessor.value.value.type === 'string' ? accessor.value.value.value : null
}

/** The text of the target up to the container that the accessor at `at` goes into. */
function containerText(walk: Walk, target: WriteTarget, at: number): string {
  return walk.source({ ...target.span, end: target.path[at - 1]?.span.end ?? target.name.span.end })
}

/** Whether a write through the accessor at `at` can succeed; reports where it surely fails. */
function checkContainer(walk: Walk, target: WriteTarget, at: number, container: Type, index: Type | null): boolean {
  const found = categories(container)
  if (found === null || found.size === 0) return true
  let list = true
  for (const category of found) {
    if (category !== 'list') list = false
    if (!CONTAINERS.has(category)) continue
    if (category === 'hash') return true
  }
  const accessor = target.path[at]
  if (list) {
    // An array takes integers only.
    const text =
      (accessor !== undefined && keyOf(accessor) !== null) ||
      (index !== null && members(index).every((each) => each.kind === 'string'))
    if (text) refuse(walk, target, at, 'hash', container)
    return !text
  }
  if (found.has('list')) return true
  refuse(walk, target, at, 'hash or an array', container)
  return false
}

function checkList(walk: Walk, target: WriteTarget, container: Type): boolean {
  const found = categories(container)
  if (found === null || found.size === 0 || found.has('list')) return true
  refuse(walk, target, target.path.length, 'array', container)
  return false
}

function refuse(walk: Walk, target: WriteTarget, at: number, expected: string, container: Type): void {
  walk.findings.reportFault(
    invalidWriteTarget(target.span, containerText(walk, target, at), expected, describe(container)),
  )
}

/** What such a write changes of values that others hold. */
function keysWritten(steps: readonly Step[], index: Type | null, value: Type, push: boolean): ChangedKeys {
  const last = steps.at(-1)
  if (push || last === undefined || (index !== null && onlyCategory(index) === 'number')) return keysOfElement(value)
  return last === null ? null : new Set(last)
}

/** The type of a value into which something was written at a path. */
function written(type: Type, path: readonly Step[], value: Type, push: boolean): Type {
  if (type.kind === 'union') {
    // A write into nil fails.
    const held = type.of.filter((member) => member.kind !== 'nil')
    return joinAll(held.map((member) => written(member, path, value, push)))
  }
  const [step, ...rest] = path
  if (step === undefined)
    return push && type.kind === 'list' ? { kind: 'list', of: join(type.of, asPart(value)) } : UNKNOWN
  const inner = (part: Type): Type => (rest.length === 0 && !push ? asPart(value) : written(part, rest, value, push))
  if (type.kind === 'list') return { kind: 'list', of: join(type.of, inner(type.of)) }
  if (type.kind !== 'record') return UNKNOWN
  // Of a key that is not known every field may be the one that is written.
  if (step === null) return { ...type, fields: new Map([...type.fields].map(([key]) => [key, UNKNOWN])), open: true }
  const fields = new Map(type.fields)
  for (const key of step) {
    const before = fields.get(key)
    const after = inner(before ?? UNKNOWN)
    // It is one of several keys, or the only one.
    fields.set(key, step.length === 1 ? after : join(before ?? NIL, after))
  }
  // What was written into is no longer what a query gave, of which every field that is missing was forgotten.
  const { lacking: _forgotten, ...unchanged } = type
  return { ...unchanged, fields, possible: type.possible ?? NO_KEYS }
}
