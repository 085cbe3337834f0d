/** Writes into a part of a value: whether they can succeed, and the type of the value behind them. */
import { invalidWriteTarget } from '../../diagnostics/codes/values/invalid-write-target.ts'
import type { Accessor, WriteTarget } from '../../model/ast.ts'
import { type Type, UNKNOWN } from '../../model/type.ts'
import { element, property } from '../../types/lookup.ts'
import { asPart, type Category, categories, describe, join, members } from '../../types/relate.ts'
import { typeOf } from './expression.ts'
import type { Walk } from './walk.ts'

const CONTAINERS: ReadonlySet<Category> = new Set(['hash', 'list'])

export function writeInto(walk: Walk, target: WriteTarget, value: Type, push: boolean): void {
  const { name, path } = target
  const root = walk.name(name.name, name.span, 'value')
  const indexes = path.map((accessor) =>
    accessor.kind === 'index' ? typeOf(walk, accessor.value, 'value', false) : null,
  )
  const steps = push ? path.length : path.length - 1
  let container = root
  for (let at = 0; at < steps; at++) {
    if (!checkContainer(walk, target, at, container, indexes[at] ?? null)) return
    container = partOf(container, path[at] as Accessor)
  }
  const allowed = push
    ? checkList(walk, target, container)
    : checkContainer(walk, target, steps, container, indexes[steps] ?? null)
  if (allowed) walk.change(name, written(root, path, value, push))
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
  const accessor = target.path[at] as Accessor
  if (list) {
    // An array takes integers only.
    const text = keyOf(accessor) !== null || (index !== null && members(index).every((each) => each.kind === 'string'))
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

/** The type of a value into which something was written at a path. */
function written(type: Type, path: readonly Accessor[], value: Type, push: boolean): Type {
  const [accessor, ...rest] = path
  if (accessor === undefined)
    return push && type.kind === 'list' ? { kind: 'list', of: join(type.of, asPart(value)) } : UNKNOWN
  const inner = (part: Type): Type => (rest.length === 0 && !push ? asPart(value) : written(part, rest, value, push))
  const key = keyOf(accessor)
  if (type.kind === 'list') return { kind: 'list', of: join(type.of, inner(type.of)) }
  if (type.kind !== 'record') return UNKNOWN
  if (key === null) return { kind: 'hash', of: UNKNOWN }
  return { ...type, fields: new Map(type.fields).set(key, inner(type.fields.get(key) ?? UNKNOWN)) }
}
