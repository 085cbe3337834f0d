/**
 * Emits templates again after edits. Other templates depend on the parameters, the result and the passed values of a template, not on its
 * output.
 */
import type { EntryPoint } from '../../core/model/effects.ts'
import { areSame } from '../../core/model/memo.ts'
import { EDITABLE, type Unit } from '../../core/model/unit.ts'
import type { EmitContext } from './context.ts'
import type { EmittedUnit } from './emit.ts'
import { type PartialSignature, signatureKey } from './signatures.ts'
import {
  calleesFirst,
  passedTypesKey,
  NO_PASSED_TYPES,
  recordSignatures,
  type Writer,
  type EmitResult,
} from './emit-result.ts'

/** The maximum number of edited templates. If more have changed, all are emitted. */
const MAX_EDITED = 50

/** Returns the previous result with the edited templates emitted again; null if other templates may be affected. */
export function templatesAfterEdits(previous: EmitResult, writer: Writer): EmitResult | null {
  const { context } = writer
  const edited = editedUnits(previous.context, context)
  if (edited === null) return null
  const firstPass = new Map(previous.firstPass)
  const emitted = new Map(previous.emitted)
  for (const unit of edited.size < 2 ? edited : calleesFirst(context)) {
    if (!edited.has(unit)) continue
    const { path } = unit.file
    const targets = writer.targetsOf(unit).map(({ file }) => file.path)
    // Callers pass only variables that the template, or a partial that it includes, can read.
    if (!areSameArgumentsPassed(previous, context, unit)) return null
    const isInCycle = [path, ...targets].some((each) => previous.inCycles.has(each))
    if (isInCycle || !areSame(targets, previous.targets.get(path) ?? [])) return null
    for (const target of targets) recordSignatures(context, target, firstPass.get(target))
    const result = writer.write('emit', unit, NO_PASSED_TYPES, null)
    recordSignatures(context, unit.file.path, result)
    const finalResult = writer.writeAgain(unit, result, previous.passedTypes)
    if (
      !hasSameSignatures(result, previous.firstPass.get(path)) ||
      !hasSameSignatures(finalResult, previous.emitted.get(path))
    )
      return null
    if (
      passedTypesKey(finalResult.passedTypes) !==
      passedTypesKey(previous.emitted.get(path)?.passedTypes ?? NO_PASSED_TYPES)
    )
      return null
    firstPass.set(path, result)
    emitted.set(path, finalResult)
  }
  const facts = new Map(previous.facts)
  const neighbors = new Set<string>()
  for (const { file } of edited)
    for (const edges of [previous.callers, previous.targets])
      for (const path of edges.get(file.path) ?? []) neighbors.add(path)
  for (const path of neighbors) {
    const unit = context.site.byFile.get(path)
    if (unit === undefined || (!edited.has(unit) && !areSame(writer.factsOf(unit), facts.get(path) ?? []))) return null
  }
  for (const unit of edited) facts.set(unit.file.path, writer.factsOf(unit))
  context.signatures.adopt(previous.context.signatures)
  for (const { file } of edited) recordSignatures(context, file.path, emitted.get(file.path))
  return { ...previous, context, firstPass, emitted, facts }
}

/** Returns the changed templates if only their output may differ; otherwise null. */
function editedUnits(before: EmitContext, now: EmitContext): ReadonlySet<Unit> | null {
  const { site, facts } = now
  const isSameSite =
    before.site.structureVersion === site.structureVersion &&
    before.facts.linkedEffects.sharedEffects === facts.linkedEffects.sharedEffects
  if (before.resumes !== now.resumes || before.printAs !== now.printAs) return null
  if (!isSameSite && !hasSameSurroundings(before, now)) return null
  const edited = new Set<Unit>()
  for (const [at, unit] of site.units.entries()) {
    const previous = before.site.units[at]
    if (previous === unit) continue
    if (previous === undefined) return null
    const { file, template, inner } = unit
    const isDifferentFile = previous.file.path !== file.path || (previous.template === null) !== (template === null)
    if (isDifferentFile || !EDITABLE.has(file.kind) || !areSame([...previous.inner.keys()], [...inner.keys()]))
      return null
    edited.add(unit)
  }
  return edited.size > MAX_EDITED ? null : edited
}

/** Returns whether the other inputs for emitting templates are the same. */
function hasSameSurroundings(before: EmitContext, { site, facts, operations }: EmitContext): boolean {
  const parts = ({ layoutParts }: EmitContext['site']) => [...layoutParts].map(({ file }) => file.path)
  return (
    before.facts.linkedEffects.sharedEffects === facts.linkedEffects.sharedEffects &&
    before.site.config === site.config &&
    before.site.raise === site.raise &&
    before.site.units.length === site.units.length &&
    areSame(before.facts.order, facts.order) &&
    areSame([...before.operations.storedOperations].flat(), [...operations.storedOperations].flat()) &&
    areSame(parts(before.site), parts(site))
  )
}

/**
 * Returns whether the callers of a template pass the same arguments as before. Callers leave out names that are not in the template's
 * frame.
 */
function areSameArgumentsPassed(
  { context: { effects }, callers }: EmitResult,
  now: EmitContext,
  { file: { path } }: Unit,
): boolean {
  const [before, after] = [effects.get(path), now.effects.get(path)]
  if (before === after) return true
  if (before === undefined || after === undefined || before.spills !== after.spills) return false
  // A call that renders a partial for each element also passes `forloop`, which is not among the passed names.
  const changed = [...before.frame, ...after.frame].filter((name) => before.frame.has(name) !== after.frame.has(name))
  return (
    changed.every((name) => name !== 'forloop') &&
    !(callers.get(path) ?? []).some((file) => passesAny(now, file, path, changed))
  )
}

/** Returns whether a file calls a partial with any of these names. */
function passesAny({ site, outlines }: EmitContext, file: string, partial: string, names: readonly string[]): boolean {
  const inner = [...(site.byFile.get(file)?.inner.keys() ?? [])].map((each) => `${file}#${each}`)
  return [file, ...inner].some((key) =>
    outlines
      .get(key)
      ?.calls.some(
        ({ literal, passedNames }) =>
          literal !== null &&
          site.partials.get(literal)?.file.path === partial &&
          names.some((name) => passedNames.has(name)),
      ),
  )
}

function hasSameSignatures({ entryPoints }: EmittedUnit, before: EmittedUnit | undefined): boolean {
  const keys = (each: ReadonlyMap<EntryPoint, PartialSignature> | undefined) =>
    [...(each ?? [])].flatMap(([entryPoint, signature]) => [entryPoint, signatureKey(signature)])
  return areSame(keys(entryPoints), keys(before?.entryPoints))
}
