/** Infers the types of the arguments of background jobs, which are stored as JSON until the job runs. */
import { isUnknown, STRING, type Type, UNKNOWN } from '../../../core/model/type.ts'

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
      return type.members.some((each) => isUnknown(storedType(each))) ? UNKNOWN : type
    default:
      return type
  }
}
