/** Finds out which objects of an answer belong to which ids. */
import { isObject } from '../../values/json-data.ts'

type Fields = Readonly<Record<string, unknown>>

/**
 * Returns the objects of the ids that were asked for: for each id, the positions of its objects in the answer.
 *
 * Objects are identified by their `id`. When some of them have another `id`, a property can identify them instead, because a site may be
 * asked for values of a property: each object has it, each value was asked for, and if any `id` was asked for, all values differ. Of several
 * such properties, the one with the most values is used, or otherwise the first one.
 */
export function positionsById(objects: readonly Fields[], asked: ReadonlySet<string>): ReadonlyMap<string, number[]> {
  const byId = group(objects, ownId, asked)
  const identified = countOf(byId)
  if (identified === objects.length) return byId
  let byProperty: ReadonlyMap<string, number[]> = new Map()
  for (const name of propertyNames(objects[0])) {
    const ofAll = objects.every((object) => asked.has(propertyText(object, name) ?? ''))
    const groups = ofAll ? group(objects, (object) => propertyText(object, name), asked) : null
    if (groups !== null && groups.size > byProperty.size) byProperty = groups
  }
  const isUsable = identified === 0 ? byProperty.size > 0 : byProperty.size === objects.length
  return isUsable ? byProperty : byId
}

function group(
  objects: readonly Fields[],
  textOf: (object: Fields) => string | null,
  asked: ReadonlySet<string>,
): ReadonlyMap<string, number[]> {
  const groups = new Map<string, number[]>()
  for (const [at, object] of objects.entries()) {
    const text = textOf(object)
    if (text === null || !asked.has(text)) continue
    const same = groups.get(text)
    if (same === undefined) groups.set(text, [at])
    else same.push(at)
  }
  return groups
}

function countOf(groups: ReadonlyMap<string, readonly number[]>): number {
  return [...groups.values()].reduce((count, { length }) => count + length, 0)
}

function ownId(object: Fields): string | null {
  return Object.hasOwn(object, 'id') ? idText(object['id']) : null
}

/** The names of the properties of an object. Only properties that the first object has can identify all objects. */
function propertyNames(object: Fields | undefined): readonly string[] {
  return isObject(object?.['properties']) ? Object.keys(object['properties']) : []
}

function propertyText({ properties }: Fields, name: string): string | null {
  return isObject(properties) && Object.hasOwn(properties, name) ? idText(properties[name]) : null
}

function idText(value: unknown): string | null {
  return typeof value === 'string' || typeof value === 'number' ? String(value) : null
}
