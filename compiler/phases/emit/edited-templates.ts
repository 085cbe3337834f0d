/** The modules of templates after edits: others depend on what a template takes, gives and hands over, not on what it prints. */
import type { Face } from '../../core/model/effects.ts'
import { areSame } from '../../core/model/memo.ts'
import { EDITABLE, type Unit } from '../../core/model/unit.ts'
import type { EmitContext } from './context.ts'
import type { EmittedUnit } from './emit.ts'
import { type FaceSignature, signatureKey } from './signatures.ts'
import { calleesFirst, handedKey, NOTHING_HANDED, tell, type Writer, type Written } from './written.ts'

/** Templates that are looked at one by one; where more have changed, all are. */
const MOST_EDITED = 50

/**
 * What was written before with the templates that have changed since; null where that is not all that may have changed by it. Others
 * depend on what a template takes, gives and hands over, not on what it prints.
 */
export function afterEdits(before: Written, writer: Writer): Written | null {
  const { context } = writer
  const edited = editedUnits(before.context, context)
  if (edited === null) return null
  const first = new Map(before.first)
  const emitted = new Map(before.emitted)
  for (const unit of edited.size < 2 ? edited : calleesFirst(context)) {
    if (!edited.has(unit)) continue
    const { path } = unit.file
    const targets = writer.targetsOf(unit).map(({ file }) => file.path)
    // Callers pass what the template, or what it includes, can see.
    if (!isSeenAlike(before, context, unit)) return null
    const isCircle = [path, ...targets].some((each) => before.inCircles.has(each))
    if (isCircle || !areSame(targets, before.targets.get(path) ?? [])) return null
    for (const target of targets) tell(context, target, first.get(target))
    const made = writer.write('emit', unit, NOTHING_HANDED, null)
    tell(context, unit.file.path, made)
    const again = writer.writeAgain(unit, made, before.handed)
    if (!isCalledAlike(made, before.first.get(path)) || !isCalledAlike(again, before.emitted.get(path))) return null
    if (handedKey(again.handed) !== handedKey(before.emitted.get(path)?.handed ?? NOTHING_HANDED)) return null
    first.set(path, made)
    emitted.set(path, again)
  }
  const facts = new Map(before.facts)
  const around = new Set<string>()
  for (const { file } of edited)
    for (const beside of [before.callers, before.targets])
      for (const path of beside.get(file.path) ?? []) around.add(path)
  for (const path of around) {
    const unit = context.site.byFile.get(path)
    if (unit === undefined || (!edited.has(unit) && !areSame(writer.factsOf(unit), facts.get(path) ?? []))) return null
  }
  for (const unit of edited) facts.set(unit.file.path, writer.factsOf(unit))
  context.signatures.takeOver(before.context.signatures)
  for (const { file } of edited) tell(context, file.path, emitted.get(file.path))
  return { ...before, context, first, emitted, facts }
}

/** The templates that are others than before, where only what they print can be another; else null. */
function editedUnits(before: EmitContext, now: EmitContext): ReadonlySet<Unit> | null {
  const { site, facts } = now
  const isSameSite = before.site.frame === site.frame && before.facts.linked.deeds === facts.linked.deeds
  if (before.resumes !== now.resumes || before.printAs !== now.printAs) return null
  if (!isSameSite && !isSameAround(before, now)) return null
  const edited = new Set<Unit>()
  for (const [at, unit] of site.units.entries()) {
    const known = before.site.units[at]
    if (known === unit) continue
    if (known === undefined) return null
    const { file, template, inner } = unit
    const isOther = known.file.path !== file.path || (known.template === null) !== (template === null)
    if (isOther || !EDITABLE.has(file.kind) || !areSame([...known.inner.keys()], [...inner.keys()])) return null
    edited.add(unit)
  }
  return edited.size > MOST_EDITED ? null : edited
}

/** Whether all that templates are written by beside each other is as it was. */
function isSameAround(before: EmitContext, { site, facts, operations }: EmitContext): boolean {
  const parts = ({ layoutParts }: EmitContext['site']) => [...layoutParts].map(({ file }) => file.path)
  return (
    before.facts.linked.deeds === facts.linked.deeds &&
    before.site.config === site.config &&
    before.site.raise === site.raise &&
    before.site.units.length === site.units.length &&
    areSame(before.facts.order, facts.order) &&
    areSame([...before.operations.stored].flat(), [...operations.stored].flat()) &&
    areSame(parts(before.site), parts(site))
  )
}

/** Whether those that call the template pass it what they did: of what they give they leave out what is not in its frame. */
function isSeenAlike({ context: { effects }, callers }: Written, now: EmitContext, { file: { path } }: Unit): boolean {
  const [before, after] = [effects.get(path), now.effects.get(path)]
  if (before === after) return true
  if (before === undefined || after === undefined || before.spills !== after.spills) return false
  // Where a call prints a partial for each element it also passes `forloop`, which is in no list of what it passes.
  const others = [...before.frame, ...after.frame].filter((name) => before.frame.has(name) !== after.frame.has(name))
  return (
    others.every((name) => name !== 'forloop') &&
    !(callers.get(path) ?? []).some((file) => passes(now, file, path, others))
  )
}

/** Whether a file calls a partial with one of these names. */
function passes({ site, bounds }: EmitContext, file: string, partial: string, names: readonly string[]): boolean {
  const inner = [...(site.byFile.get(file)?.inner.keys() ?? [])].map((each) => `${file}#${each}`)
  return [file, ...inner].some((key) =>
    bounds
      .get(key)
      ?.calls.some(
        ({ literal, passed }) =>
          literal !== null &&
          site.partials.get(literal)?.file.path === partial &&
          names.some((name) => passed.has(name)),
      ),
  )
}

function isCalledAlike({ faces }: EmittedUnit, before: EmittedUnit | undefined): boolean {
  const keys = (each: ReadonlyMap<Face, FaceSignature> | undefined) =>
    [...(each ?? [])].flatMap(([face, signature]) => [face, signatureKey(signature)])
  return areSame(keys(faces), keys(before?.faces))
}
