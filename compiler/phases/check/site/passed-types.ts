/** Computes the types of the arguments that callers pass to partials. */
import { addTo } from '../../../core/source/groups.ts'
import type { Site } from '../../../core/model/site.ts'
import { type Steps, forEachInSteps } from '../../../core/model/steps.ts'
import { NEVER, NIL, type Type, UNKNOWN } from '../../../core/model/type.ts'
import { join, likely, same } from '../../../language/types/relate.ts'
import type { OutgoingCall } from '../walk/facts.ts'
import type { Reach } from './reach.ts'

/**
 * Returns the types of the names that each file has in addition to the data of the host, for sites whose data are all declared. These names
 * are the arguments of the calls of the file. An included file also has all names that some template sets, with unknown types.
 * @param setNames the names that some template sets
 */
export function givenOverData(
  site: Site,
  reach: Reach,
  callsOf: (file: string) => readonly OutgoingCall[],
  setNames: ReadonlySet<string>,
): ReadonlyMap<string, ReadonlyMap<string, Type>> {
  const calls = site.units.flatMap((unit) => callsOf(unit.file.path))
  const callsToAny = calls.filter(({ targets }) => targets === null)
  const callsTo = new Map<string, OutgoingCall[]>()
  for (const call of calls) for (const target of call.targets ?? []) addTo(callsTo, target, call)
  const typesByFile = new Map<string, ReadonlyMap<string, Type>>()
  for (const { file } of site.units) {
    const callsToFile = [...callsToAny, ...(callsTo.get(file.path) ?? [])]
    const names = new Set(callsToFile.flatMap(({ passedTypes }) => [...passedTypes.keys()]))
    const types = new Map([...names].map((name) => [name, joinedType(callsToFile, name, site.globals)]))
    if (reach.included.has(file.path)) for (const name of setNames) types.set(name, UNKNOWN)
    if (types.size > 0) typesByFile.set(file.path, types)
  }
  return typesByFile
}

/** Calls by the file that they call. */
export type KnownCalls = ReadonlyMap<string, readonly OutgoingCall[]>

/** Returns the calls whose targets are known, by target. Empty in base Liquid. */
export function* knownCalls(site: Site, callsOf: (file: string) => readonly OutgoingCall[]): Steps<KnownCalls> {
  const callsTo = new Map<string, OutgoingCall[]>()
  if (site.dialect === 'liquid') return callsTo
  yield* forEachInSteps(site.units, ({ file }) => {
    for (const call of callsOf(file.path)) {
      for (const target of call.open ? [] : (call.targets ?? [])) {
        // The library host may render any file with its own variables, but only its own tag calls a `background` block.
        if (!site.openEntries || !site.byFile.has(target)) addTo(callsTo, target, call)
      }
    }
  })
  return callsTo
}

/** Returns the types of the arguments of a partial, if these are all of its calls. */
export function passedTypes(calls: readonly OutgoingCall[]): ReadonlyMap<string, Type> {
  const types = new Map<string, Type>()
  for (const { passedTypes } of calls)
    for (const name of passedTypes.keys()) if (!types.has(name)) types.set(name, joinedType(calls, name))
  return types
}

/**
 * Returns the likely types of the names of a partial that also has unknown callers or is included. They are inferred from the known calls.
 * An unknown call may pass any value. A name that every call passes has exactly the joined type, unless `isOpen`.
 * @param isOpen whether unknown callers exist
 */
export function likelyTypes(calls: readonly OutgoingCall[], isOpen: boolean): ReadonlyMap<string, Type> {
  const types = new Map<string, Type>()
  const names = new Set(calls.flatMap(({ passedTypes, visible }) => [...passedTypes.keys(), ...visible.keys()]))
  for (const name of names) {
    const isPassed = !isOpen && calls.every(({ passedTypes }) => passedTypes.has(name))
    const values = calls.flatMap(({ passedTypes, visible }) => passedTypes.get(name) ?? visible.get(name) ?? [])
    // A value of an unknown type may have any field.
    const isUnknown = !isPassed && values.some((each) => each.kind === 'unknown' && each.likely === undefined)
    const relevantValues = isPassed ? values : isUnknown ? [] : values.filter((each) => each.kind !== 'nil')
    const type = relevantValues.reduce<Type>(join, NEVER)
    types.set(name, isPassed ? type : type.kind === 'never' ? UNKNOWN : likely(type))
  }
  return types
}

/** Returns the joined type of an argument. `defaults`: the types that names have if a call does not pass them; other names are then nil. */
function joinedType(calls: readonly OutgoingCall[], name: string, defaults?: ReadonlyMap<string, Type>): Type {
  let type: Type = NEVER
  for (const call of calls) {
    type = join(type, call.passedTypes.get(name) ?? defaults?.get(name) ?? NIL)
    if (type.kind === 'unknown') break
  }
  return type
}

export function sameTypes(a: ReadonlyMap<string, Type>, b: ReadonlyMap<string, Type>): boolean {
  if (a.size !== b.size) return false
  for (const [name, type] of a) {
    const otherType = b.get(name)
    if (otherType === undefined || !same(type, otherType)) return false
  }
  return true
}

/** Returns the types of both, in which every name whose type differs is unknown. */
export function widenedTypes(a: ReadonlyMap<string, Type>, b: ReadonlyMap<string, Type>): ReadonlyMap<string, Type> {
  const names = [...new Set([...a.keys(), ...b.keys()])]
  return new Map(
    names.map((name) => {
      const [one, other] = [a.get(name), b.get(name)]
      return [name, one !== undefined && other !== undefined && same(one, other) ? other : UNKNOWN]
    }),
  )
}
