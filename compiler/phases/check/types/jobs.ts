/** Checks the arguments of background jobs, which are stored as JSON until the job runs. */
import { unstorableArgument } from '../rules/calls/unstorable-argument.ts'
import type { Expression, NamedArgument } from '../../../core/tree/ast.ts'
import { STRING, type Type, UNKNOWN } from '../../../core/model/type.ts'
import { members } from '../../../language/types/relate.ts'
import type { Walk } from '../walk/walk.ts'

/** Returns the types of values after they are restored from the queue. */
export function storedTypes(types: ReadonlyMap<string, Type>): ReadonlyMap<string, Type> {
  return new Map([...types].map(([name, type]) => [name, storedType(type)]))
}

function storedType(type: Type): Type {
  switch (type.kind) {
    case 'string':
      return type.literal === undefined ? STRING : { kind: 'string', literal: type.literal }
    // Times are stored as text.
    case 'date':
    case 'time':
    case 'range':
      return UNKNOWN
    case 'list':
      return { kind: 'list', element: storedType(type.element) }
    case 'hash':
      return { kind: 'hash', element: storedType(type.element) }
    case 'record':
      return { ...type, fields: new Map([...type.fields].map(([name, element]) => [name, storedType(element)])) }
    case 'union':
      return type.members.some((each) => storedType(each) === UNKNOWN) ? UNKNOWN : type
    default:
      return type
  }
}

/** Reports arguments that cannot be stored. `types`: the inferred types of `args`, by name. */
export function checkStorable(walk: Walk, args: readonly NamedArgument[], types: ReadonlyMap<string, Type>): void {
  for (const { name, value } of args) {
    const description =
      describeRenderObject(walk, value) ?? (isRange(types.get(name.name) ?? UNKNOWN) ? 'a range' : null)
    if (description !== null) walk.report(unstorableArgument(value.span, name.name, description))
  }
}

/** Returns the name, for a message, of an object that only exists during a render; null for other values. */
function describeRenderObject(walk: Walk, value: Expression): string | null {
  const expression = value.kind === 'filtered' && value.filters.length === 0 ? value.input : value
  if (expression.kind !== 'lookup' || expression.name === null || expression.path.length > 0) return null
  const { name } = expression.name
  if (name === 'forloop' || name === 'tablerowloop') return walk.flow.local(name) !== undefined ? `\`${name}\`` : null
  if (walk.isOwn(name)) return null
  if (name === 'context' && walk.env.globals.has(name)) return '`context`'
  if (walk.oldKeys(name)?.length === 0) return `\`${name}\``
  const isForm = (name === 'form' || name === 'form_builder') && walk.siteTemplate.unit.file.kind === 'form'
  return isForm && walk.env.globals.has(name) ? `\`${name}\`` : null
}

function isRange(type: Type): boolean {
  const allMembers = members(type)
  return (
    allMembers.length > 0 &&
    allMembers.every((each) => each.kind === 'range' || (each.kind === 'list' && isRange(each.element)))
  )
}
