/** What the callers of partials pass, as types. */
import type { Site } from '../../../core/model/site.ts'
import { type Steps, forEachInSteps } from '../../../core/model/steps.ts'
import { NEVER, NIL, type Type, UNKNOWN } from '../../../core/model/type.ts'
import { join, likely, same } from '../../../language/types/relate.ts'
import type { OutgoingCall } from './facts.ts'
import type { Reach } from './reach.ts'

/**
 * What callers give to a partial over the data of the host, where those are known: its arguments, and where it is included all that some
 * template sets, of which nothing is known.
 */
export function givenOverData(
  site: Site,
  reach: Reach,
  callsOf: (file: string) => readonly OutgoingCall[],
  set: ReadonlySet<string>,
): ReadonlyMap<string, ReadonlyMap<string, Type>> {
  const calls = site.units.flatMap((unit) => callsOf(unit.file.path))
  const anywhere = calls.filter(({ targets }) => targets === null)
  const callsTo = new Map<string, OutgoingCall[]>()
  for (const call of calls)
    for (const target of call.targets ?? []) {
      const known = callsTo.get(target)
      if (known === undefined) callsTo.set(target, [call])
      else known.push(call)
    }
  const given = new Map<string, ReadonlyMap<string, Type>>()
  for (const { file } of site.units) {
    const own = [...anywhere, ...(callsTo.get(file.path) ?? [])]
    const names = new Set(own.flatMap(({ passed }) => [...passed.keys()]))
    const types = new Map([...names].map((name) => [name, joinedType(own, name, site.globals)]))
    if (reach.included.has(file.path)) for (const name of set) types.set(name, UNKNOWN)
    if (types.size > 0) given.set(file.path, types)
  }
  return given
}

/** Calls by the files that they surely name. */
export type KnownCalls = ReadonlyMap<string, readonly OutgoingCall[]>

/** The calls of which callers are known; of a site in base Liquid none. `callsOf` gives what a file calls. */
export function* knownCalls(site: Site, callsOf: (file: string) => readonly OutgoingCall[]): Steps<KnownCalls> {
  const callsTo = new Map<string, OutgoingCall[]>()
  if (site.dialect === 'liquid') return callsTo
  yield* forEachInSteps(site.units, ({ file }) => {
    for (const call of callsOf(file.path)) {
      for (const target of call.open ? [] : (call.targets ?? [])) {
        // The library may render any file with names of its own, but a block only ever runs for its tag.
        if (site.openEntries && site.byFile.has(target)) continue
        const known = callsTo.get(target)
        if (known === undefined) callsTo.set(target, [call])
        else known.push(call)
      }
    }
  })
  return callsTo
}

/** Types of what these calls pass to a partial, where they are all that there are. */
export function passedTypes(calls: readonly OutgoingCall[]): ReadonlyMap<string, Type> {
  const types = new Map<string, Type>()
  for (const { passed } of calls)
    for (const name of passed.keys()) if (!types.has(name)) types.set(name, joinedType(calls, name))
  return types
}

/**
 * What is known of values that a computed name, the host or an include gives to a partial, too, by the calls that are known: who calls it
 * otherwise may give anything. An argument that every call passes is of what they pass, where none is `open`.
 */
export function likelyTypes(calls: readonly OutgoingCall[], open: boolean): ReadonlyMap<string, Type> {
  const types = new Map<string, Type>()
  const names = new Set(calls.flatMap(({ passed, visible }) => [...passed.keys(), ...visible.keys()]))
  for (const name of names) {
    const isPassed = !open && calls.every(({ passed }) => passed.has(name))
    const values = calls.flatMap(({ passed, visible }) => passed.get(name) ?? visible.get(name) ?? [])
    // A value of which nothing is known may have any field.
    const isUnknown = !isPassed && values.some((each) => each.kind === 'unknown' && each.likely === undefined)
    const known = isPassed ? values : isUnknown ? [] : values.filter((each) => each.kind !== 'nil')
    const type = known.reduce<Type>(join, NEVER)
    types.set(name, isPassed ? type : type.kind === 'never' ? UNKNOWN : likely(type))
  }
  return types
}

/** `otherwise`: what the name means to a partial that is not passed it. */
function joinedType(calls: readonly OutgoingCall[], name: string, otherwise?: ReadonlyMap<string, Type>): Type {
  let type: Type = NEVER
  for (const call of calls) {
    type = join(type, call.passed.get(name) ?? otherwise?.get(name) ?? NIL)
    if (type.kind === 'unknown') break
  }
  return type
}

export function sameTypes(a: ReadonlyMap<string, Type>, b: ReadonlyMap<string, Type>): boolean {
  if (a.size !== b.size) return false
  for (const [name, type] of a) {
    const other = b.get(name)
    if (other === undefined || !same(type, other)) return false
  }
  return true
}
