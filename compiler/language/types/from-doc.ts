/** Parses the types in `doc` blocks: `{string}`, `{number[]}`, or the name of a documented object. */
import { BOOLEAN, NUMBER, STRING, type Type, UNKNOWN } from '../../core/model/type.ts'

const HASH: Type = { kind: 'hash', element: UNKNOWN }

const TYPES: ReadonlyMap<string, Type> = new Map<string, Type>([
  ['array', { kind: 'list', element: UNKNOWN }],
  ['boolean', BOOLEAN],
  ['date', { kind: 'union', members: [{ kind: 'date' }, STRING] }],
  ['number', NUMBER],
  ['object', HASH],
  ['string', STRING],
  ['time', { kind: 'union', members: [{ kind: 'time' }, STRING] }],
])

/** Objects in the reference of the language. They are treated as hashes. */
const DOCUMENTED_OBJECTS: ReadonlySet<string> = new Set([
  'constants',
  'cookies',
  'current_user',
  'device',
  'exports',
  'flash',
  'forloop',
  'form',
  'form_builder',
  'headers',
  'instance',
  'layout',
  'location',
  'modules',
  'page',
  'params',
  'session',
  'tablerowloop',
  'visitor',
])

/** The names that messages suggest. */
export const DOC_TYPES: readonly string[] = [...TYPES.keys()]

/** Returns the type of a `@param`; null if there is no type with that name. */
export function docType(text: string): Type | null {
  const name = text.trim()
  if (name.endsWith('[]')) {
    const elementType = docType(name.slice(0, -2))
    return elementType === null ? null : { kind: 'list', element: elementType }
  }
  return TYPES.get(name) ?? (DOCUMENTED_OBJECTS.has(name) ? HASH : null)
}
