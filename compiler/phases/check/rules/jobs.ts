/** What a job is given: values that are stored as JSON until it runs. */
import { unstorableArgument } from '../../../core/diagnostics/codes/calls/unstorable-argument.ts'
import type { Expression, NamedArgument } from '../../../core/model/ast.ts'
import { STRING, type Type, UNKNOWN } from '../../../core/model/type.ts'
import { members } from '../../../language/types/relate.ts'
import type { Walk } from './walk.ts'

/** The types of values when they come back from the queue. */
export function storedTypes(types: ReadonlyMap<string, Type>): ReadonlyMap<string, Type> {
  return new Map([...types].map(([name, type]) => [name, storedType(type)]))
}

function storedType(type: Type): Type {
  switch (type.kind) {
    case 'string':
      return type.literal === undefined ? STRING : { kind: 'string', literal: type.literal }
    // Moments are written as texts.
    case 'date':
    case 'time':
    case 'range':
      return UNKNOWN
    case 'list':
      return { kind: 'list', of: storedType(type.of) }
    case 'hash':
      return { kind: 'hash', of: storedType(type.of) }
    case 'record':
      return { ...type, fields: new Map([...type.fields].map(([name, of]) => [name, storedType(of)])) }
    case 'union':
      return type.of.some((each) => storedType(each) === UNKNOWN) ? UNKNOWN : type
    default:
      return type
  }
}

/** Reports arguments that no queue can keep. `types` by name, as `args` were inferred. */
export function checkStorable(walk: Walk, args: readonly NamedArgument[], types: ReadonlyMap<string, Type>): void {
  for (const { name, value } of args) {
    const what = nameOfObject(walk, value) ?? (isRange(types.get(name.name) ?? UNKNOWN) ? 'a range' : null)
    if (what !== null) walk.report(unstorableArgument(value.span, name.name, what))
  }
}

/** The words for a value that is no data: what the render itself gives. */
function nameOfObject(walk: Walk, value: Expression): string | null {
  const expression = value.kind === 'filtered' && value.filters.length === 0 ? value.input : value
  if (expression.kind !== 'lookup' || expression.name === null || expression.path.length > 0) return null
  const { name } = expression.name
  if (name === 'forloop' || name === 'tablerowloop') return walk.flow.local(name) !== undefined ? `\`${name}\`` : null
  if (walk.isOwn(name)) return null
  if (name === 'context' && walk.env.globals.has(name)) return '`context`'
  if (walk.oldKeys(name)?.length === 0) return `\`${name}\``
  const isForm = (name === 'form' || name === 'form_builder') && walk.piece.unit.file.kind === 'form'
  return isForm && walk.env.globals.has(name) ? `\`${name}\`` : null
}

function isRange(type: Type): boolean {
  const all = members(type)
  return all.length > 0 && all.every((each) => each.kind === 'range' || (each.kind === 'list' && isRange(each.of)))
}
