/** What the callers of partials pass, as types. */
import type { Site } from '../../model/site.ts'
import { NEVER, NIL, type Type, UNKNOWN } from '../../model/type.ts'
import { join, likely, same } from '../../types/relate.ts'
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

/** Types of what all callers pass, for the partials of which all callers are known: by file, one after the other. */
export function* passedTypes(
  site: Site,
  reach: Reach,
  callsOf: (file: string) => readonly OutgoingCall[],
): Generator<readonly [file: string, types: ReadonlyMap<string, Type>]> {
  const callsTo = new Map<string, OutgoingCall[]>()
  if (site.dialect === 'liquid') return
  for (const unit of site.units) {
    for (const call of callsOf(unit.file.path)) {
      for (const target of call.targets ?? []) {
        // The library may render any file with names of its own, but a block only ever runs for its tag.
        if (site.openEntries && site.byFile.has(target)) continue
        const known = callsTo.get(target)
        if (known === undefined) callsTo.set(target, [call])
        else known.push(call)
      }
    }
  }
  for (const [file, calls] of callsTo) {
    // An include gives the partial its caller's names too.
    if (reach.open.has(file) || reach.included.has(file)) continue
    const types = new Map<string, Type>()
    for (const call of calls) {
      for (const name of call.passed.keys()) {
        if (!types.has(name)) types.set(name, joinedType(calls, name))
      }
    }
    yield [file, types]
  }
}

/**
 * What is known of values that a computed name, the host or an include gives to partials, too. Whoever calls them otherwise may give
 * anything. An argument that every call passes, where all are known, is of what they pass.
 */
export function* likelyTypes(
  site: Site,
  reach: Reach,
  callsOf: (file: string) => readonly OutgoingCall[],
): Generator<readonly [file: string, types: ReadonlyMap<string, Type>]> {
  if (site.dialect === 'liquid' || site.openEntries) return
  const callsTo = new Map<string, OutgoingCall[]>()
  for (const unit of site.units)
    for (const call of callsOf(unit.file.path))
      for (const target of call.open ? [] : (call.targets ?? [])) {
        const known = callsTo.get(target)
        if (known === undefined) callsTo.set(target, [call])
        else known.push(call)
      }
  for (const [file, calls] of callsTo) {
    if (!reach.open.has(file) && !reach.included.has(file)) continue
    const types = new Map<string, Type>()
    const names = new Set(calls.flatMap(({ passed, visible }) => [...passed.keys(), ...visible.keys()]))
    for (const name of names) {
      const isPassed = !reach.open.has(file) && calls.every(({ passed }) => passed.has(name))
      const values = calls.flatMap(({ passed, visible }) => passed.get(name) ?? visible.get(name) ?? [])
      // A value of which nothing is known may have any field.
      const isUnknown = !isPassed && values.some((each) => each.kind === 'unknown' && each.likely === undefined)
      const known = isPassed ? values : isUnknown ? [] : values.filter((each) => each.kind !== 'nil')
      const type = known.reduce<Type>(join, NEVER)
      types.set(name, isPassed ? type : type.kind === 'never' ? UNKNOWN : likely(type))
    }
    yield [file, types]
  }
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
