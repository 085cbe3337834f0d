/** Resolves the call of a partial: the unit, and the function of this unit. */
import { type Code, ident, settled, string } from '../../../core/model/code.ts'
import type { EntryPoint } from '../../../core/model/effects.ts'
import type { Unit } from '../../../core/model/unit.ts'
import type { EmitKit, PartialCall } from '../../../language/tags/tag.ts'
import type { EntryPointInput } from './input.ts'
import { stringOf } from '../../../core/tree/ast.ts'

/** The called unit; `computed` if the name is only known at run time, null if there is no such partial. */
export type Callee = Unit | 'computed' | null

/** Returns the last part of the literal name, which is the default name of a bound value. */
export function baseName(call: PartialCall): string {
  return lastPart(stringOf(call.name) ?? '')
}

/** Returns the variable that `with` and `for` set; null if it depends on a computed name. */
export function boundName(call: PartialCall): string | null {
  const name = stringOf(call.name)
  return call.bindingClause?.alias?.name ?? (name === null ? null : lastPart(name))
}

function lastPart(name: string): string {
  return name.slice(name.lastIndexOf('/') + 1)
}

export function calleeOf({ context }: EntryPointInput, call: PartialCall): Callee {
  const name = stringOf(call.name)
  return name === null ? 'computed' : (context.site.partials.get(name) ?? null)
}

/** Returns whether an included partial may set the variable. */
export function isSetByIncludes(
  { outline, context }: Pick<EntryPointInput, 'outline' | 'context'>,
  name: string,
): boolean {
  return outline.calls.some((call) => {
    if (call.kind !== 'include') return false
    if (call.literal === null) return true
    const unit = context.site.partials.get(call.literal)
    const effects = unit === undefined ? undefined : context.effects.get(unit.file.path)
    return effects !== undefined && (effects.spills || effects.frameWrites.has(name))
  })
}

/** Returns the function of an entry point, which is imported if it is in another module. */
export function entryPointOf({ context, file, imports }: EntryPointInput, unit: Unit, entryPoint: EntryPoint): Code {
  const { path } = unit.file
  const functionName = context.entryPointName(path, entryPoint)
  return path === file ? ident(functionName) : imports.from(path, functionName)
}

/** Returns the call in `code`, with `await` if its callee is async. */
export function withAwait({ outline, effects }: EntryPointInput, call: PartialCall, code: Code): Code {
  return effects.awaits.has(outline.calls.findIndex(({ nameSpan }) => nameSpan.start === call.name.span.start))
    ? settled(code)
    : code
}

/** Returns whether the arguments can raise a fault that is handled here. */
export function guardsArguments(kit: EmitKit, call: PartialCall): boolean {
  const values = call.arguments.map(({ value }) => value)
  return kit.guards(...(call.bindingClause === null ? values : [...values, call.bindingClause.value]))
}

/** Returns the message for a missing partial, which differs between the platform and base Liquid. */
export function missingText(kit: EmitKit, call: PartialCall): Code {
  const name = stringOf(call.name) ?? ''
  return string(kit.dialect === 'liquid' ? `Could not find asset ${name}` : `can't find partial ${name}`)
}
