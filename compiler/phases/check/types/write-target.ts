/** Checks writes into a part of a value, and infers the type of the value after the write. */
import { checkContainer, checkList } from '../rules/values/invalid-write-target.ts'
import { checkAlias } from '../rules/values/shared-value.ts'
import type { Accessor, WriteTarget } from '../../../core/tree/ast.ts'
import { NIL, type Type, UNKNOWN } from '../../../core/model/type.ts'
import { element, property } from '../../../language/types/lookup.ts'
import { type ChangedKeys, keysOfElement, NO_KEYS } from '../../../language/types/changed-keys.ts'
import { asPart, isMutable, join, joinAll, onlyCategory } from '../../../language/types/relate.ts'
import { exactKeys, typeOf } from './expression.ts'
import { nameOf } from '../walk/context-paths.ts'
import { readName } from './names.ts'
import type { Walk } from '../walk/walk.ts'

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

/** A step of a path into a value: the possible texts of a key; null for an index or an unknown key. */
type Step = readonly string[] | null

function stepsOf(walk: Walk, path: readonly Accessor[], indexes: readonly (Type | null)[]): readonly Step[] {
  return path.map((accessor, at) => {
    if (accessor.kind === 'key') return [accessor.name]
    return exactKeys(walk, accessor.value, indexes[at] ?? UNKNOWN)
  })
}

function partOf(type: Type, accessor: Accessor): Type {
  const key = nameOf(accessor)
  if (key === null) return element(type)
  const found = property(type, key, false)
  return found.missingKey === null ? found.type : { kind: 'nil' }
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
