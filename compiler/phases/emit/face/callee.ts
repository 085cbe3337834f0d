/** What a call of a partial means: the unit that it names, and the function of that unit. */
import { type Code, ident, settled, string } from '../../../core/model/code.ts'
import type { Face } from '../../../core/model/effects.ts'
import type { Unit } from '../../../core/model/unit.ts'
import type { EmitKit, PartialCall } from '../../../language/tags/tag.ts'
import type { FaceInput } from './input.ts'

/** A name that only the render knows is `computed`; null: no partial is called so. */
export type Callee = Unit | 'computed' | null

/** The name that is written as a literal. */
export function literalName({ name }: PartialCall): string | null {
  return name.kind === 'literal' && name.value.type === 'string' ? name.value.value : null
}

/** The last part of the literal name, which is what a bound value is called. */
export function baseName(call: PartialCall): string {
  return lastPart(literalName(call) ?? '')
}

/** The variable that `with` and `for` set; null where only the running program knows the name of the partial. */
export function boundName(call: PartialCall): string | null {
  const name = literalName(call)
  return call.bound?.as?.name ?? (name === null ? null : lastPart(name))
}

function lastPart(name: string): string {
  return name.slice(name.lastIndexOf('/') + 1)
}

export function calleeOf({ context }: FaceInput, call: PartialCall): Callee {
  const name = literalName(call)
  return name === null ? 'computed' : (context.site.partials.get(name) ?? null)
}

/** Whether a partial that the template includes may set the variable. */
export function isSetByIncludes({ bound, context }: FaceInput, name: string): boolean {
  return bound.calls.some((call) => {
    if (call.kind !== 'include') return false
    if (call.literal === null) return true
    const unit = context.site.partials.get(call.literal)
    const effects = unit === undefined ? undefined : context.effects.get(unit.file.path)
    return effects !== undefined && (effects.spills || effects.frameWrites.has(name))
  })
}

/** The function of a unit's face, imported where it stands in another module. */
export function faceOf({ context, file, imports }: FaceInput, unit: Unit, face: Face): Code {
  const { path } = unit.file
  const own = context.faceName(path, face)
  return path === file ? ident(own) : imports.from(path, own)
}

/** The call as `code` writes it, with `await` where what it can mean suspends. */
export function awaiting({ bound, effects }: FaceInput, call: PartialCall, code: Code): Code {
  return effects.awaits.has(bound.calls.findIndex(({ name }) => name === call.name)) ? settled(code) : code
}

/** Whether a fault can come from what the call hands over, and is answered here. */
export function guardsArguments(kit: EmitKit, call: PartialCall): boolean {
  const values = call.arguments.map(({ value }) => value)
  return kit.guards(...(call.bound === null ? values : [...values, call.bound.value]))
}

/** What platform templates and base Liquid's say of a partial that is not there. */
export function missingText(kit: EmitKit, call: PartialCall): Code {
  const name = literalName(call) ?? ''
  return string(kit.dialect === 'liquid' ? `Could not find asset ${name}` : `can't find partial ${name}`)
}
