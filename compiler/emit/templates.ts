/**
 * The modules of all templates. A template is written behind those that it calls, so that it knows what they take and give; then those of
 * which all callers are known are written again, with what these hand over.
 */
import type { Face } from '../model/effects.ts'
import { areSame, type Memo, NO_MEMO } from '../model/memo.ts'
import type { Module } from '../model/module.ts'
import type { Steps } from '../model/steps.ts'
import type { Unit } from '../model/unit.ts'
import type { FileKind } from '../source/file.ts'
import { joinValues, type ValueType, valueTypeKey } from '../model/value-type.ts'
import type { EmitContext } from './context.ts'
import { type Coverage, CoverageCounter } from './coverage.ts'
import { type EmittedUnit, emitKey, emitUnit } from './emit.ts'
import { type FaceSignature, faceKey, signatureKey } from './signatures.ts'

export function* emitSteps(
  context: EmitContext,
  memo: Memo,
): Steps<{ readonly modules: readonly Module[]; readonly coverage: () => Coverage }> {
  const last = memo.once('written templates', '', [], (): { written: Written | null } => ({ written: null }))
  const writer = new TemplateWriter(context, memo)
  const written = (last.written === null ? null : writer.after(last.written)) ?? (yield* writer.all())
  last.written = written
  const modules = context.site.units.flatMap(({ file }) => written.emitted.get(file.path)?.module ?? [])
  const coverage = (): Coverage => {
    const counter = new CoverageCounter()
    for (const each of written.emitted.values()) counter.add(each.coverage)
    return counter.coverage
  }
  return { modules, coverage }
}

/** What writing all templates of a site has given, by their files. */
interface Written {
  readonly context: EmitContext
  /** Without what callers hand over. */
  readonly first: ReadonlyMap<string, EmittedUnit>
  readonly emitted: ReadonlyMap<string, EmittedUnit>
  /** What all callers together hand over, by the keys of faces. */
  readonly handed: ReadonlyMap<string, readonly ValueType[]>
  /** Files that each calls by a literal name. */
  readonly targets: ReadonlyMap<string, readonly string[]>
  readonly facts: ReadonlyMap<string, readonly unknown[]>
  /** Files that something calls which is written before them. */
  readonly inCircles: ReadonlySet<string>
}

/** Templates that are looked at one by one; where more have changed, all are. */
const MOST_EDITED = 50
/** Kinds of which other modules have nothing but what they are called by. */
const EDITED: ReadonlySet<FileKind> = new Set(['page', 'layout', 'partial'])

class TemplateWriter {
  readonly #context: EmitContext
  readonly #memo: Memo
  readonly #targets = new Map<Unit, readonly Unit[]>()
  readonly #facts = new Map<Unit, readonly unknown[]>()

  constructor(context: EmitContext, memo: Memo) {
    this.#context = context
    this.#memo = memo
  }

  *all(): Steps<Written> {
    const context = this.#context
    const { signatures } = context
    const emitted = new Map<Unit, EmittedUnit>()
    const order = calleesFirst(context)
    const inCircles = new Set<string>()
    for (const unit of order) {
      for (const { file } of this.#targetsOf(unit).filter((target) => !emitted.has(target))) {
        signatures.open(file.path)
        inCircles.add(file.path)
      }
      const made = this.#write('emit', unit, NOTHING_HANDED, null)
      emitted.set(unit, made)
      this.#tell(unit, made)
      yield { doing: 'Compiling', share: { done: emitted.size, of: order.length, things: 'file' } }
    }
    const first = new Map(emitted)
    const handed = new Map<string, readonly ValueType[]>()
    for (const unit of [...order].reverse()) {
      const made = this.#writeAgain(unit, first.get(unit)!, handed)
      emitted.set(unit, made)
      this.#tell(unit, made)
      for (const [key, types] of made.handed) {
        const known = handed.get(key)
        handed.set(
          key,
          types.map((type, at) => joinValues(type, known?.[at] ?? type)),
        )
      }
      yield
    }
    const pathsOf = (units: readonly Unit[]) => units.map(({ file }) => file.path)
    return {
      context,
      first: byPath(first),
      emitted: byPath(emitted),
      handed,
      targets: byPath(new Map(order.map((unit) => [unit, pathsOf(this.#targetsOf(unit))]))),
      facts: byPath(new Map(order.map((unit) => [unit, this.#factsOf(unit)]))),
      inCircles,
    }
  }

  /**
   * What was written before with the templates that have changed since; null where that is not all that may have changed by it. Others
   * depend on what a template takes, gives and hands over, not on what it prints.
   */
  after(before: Written): Written | null {
    const context = this.#context
    const edited = editedUnits(before.context, context)
    if (edited === null) return null
    const first = new Map(before.first)
    const emitted = new Map(before.emitted)
    for (const unit of edited.size < 2 ? edited : calleesFirst(context)) {
      if (!edited.has(unit)) continue
      const { path } = unit.file
      const targets = this.#targetsOf(unit).map(({ file }) => file.path)
      const isCircle = [path, ...targets].some((each) => before.inCircles.has(each))
      if (isCircle || !areSame(targets, before.targets.get(path) ?? [])) return null
      for (const target of targets) tell(context, target, first.get(target))
      const made = this.#write('emit', unit, NOTHING_HANDED, null)
      this.#tell(unit, made)
      const again = this.#writeAgain(unit, made, before.handed)
      if (!isCalledAlike(made, before.first.get(path)) || !isCalledAlike(again, before.emitted.get(path))) return null
      if (handedKey(again.handed) !== handedKey(before.emitted.get(path)?.handed ?? NOTHING_HANDED)) return null
      first.set(path, made)
      emitted.set(path, again)
    }
    const facts = new Map(before.facts)
    const paths = new Set([...edited].map(({ file }) => file.path))
    const around: string[] = []
    for (const [caller, targets] of before.targets) if (targets.some((path) => paths.has(path))) around.push(caller)
    for (const unit of edited) around.push(...(before.targets.get(unit.file.path) ?? []))
    for (const path of new Set(around)) {
      const unit = context.site.byFile.get(path)
      if (unit === undefined || (!edited.has(unit) && !areSame(this.#factsOf(unit), facts.get(path) ?? []))) return null
    }
    for (const unit of edited) facts.set(unit.file.path, this.#factsOf(unit))
    for (const [path, made] of emitted) tell(context, path, made)
    return { ...before, context, first, emitted, facts }
  }

  #targetsOf(unit: Unit): readonly Unit[] {
    let known = this.#targets.get(unit)
    if (known === undefined) this.#targets.set(unit, (known = targetsOf(this.#context, unit)))
    return known
  }

  /** They do not change while templates are written. */
  #factsOf(unit: Unit): readonly unknown[] {
    let known = this.#facts.get(unit)
    if (known === undefined) this.#facts.set(unit, (known = factsOf(this.#context, unit)))
    return known
  }

  #tell(unit: Unit, made: EmittedUnit): void {
    tell(this.#context, unit.file.path, made)
  }

  #write(
    pass: string,
    unit: Unit,
    handed: ReadonlyMap<string, readonly ValueType[]>,
    before: EmittedUnit | null,
  ): EmittedUnit {
    const context = this.#context
    const make = () => emitUnit(context, unit, handed, before)
    const { path } = unit.file
    if (this.#memo === NO_MEMO) return make()
    const { facts, site, resumes } = context
    const key = this.#memo.once('emit key', path, [unit, facts.linked, site.raise, resumes], () =>
      emitKey(context, unit),
    )
    // Facts of a template that is read anew are new ones.
    const called = calledAs(context, unit, this.#targetsOf(unit))
    return this.#memo.once(pass, path, [unit, key, called, handedKey(handed), ...this.#factsOf(unit)], make)
  }

  /** With what its callers hand over, where that is known. These are written already, and go on calling it as they do. */
  #writeAgain(unit: Unit, first: EmittedUnit, handed: ReadonlyMap<string, readonly ValueType[]>): EmittedUnit {
    const own = handedTo(this.#context, unit, handed)
    if (own.size === 0) return first
    const made = this.#write('emit again', unit, own, first)
    return takesTheSame(first.faces, made.faces) ? made : first
  }
}

/** The templates that are others than before, where only what they print can be another; else null. */
function editedUnits(before: EmitContext, now: EmitContext): ReadonlySet<Unit> | null {
  const { site, facts, operations } = now
  if (before.facts.linked !== facts.linked || before.site.config !== site.config || before.site.raise !== site.raise)
    return null
  if (before.resumes !== now.resumes || before.printAs !== now.printAs) return null
  if (before.site.units.length !== site.units.length || !areSame(before.facts.order, facts.order)) return null
  if (!areSame([...before.operations.stored].flat(), [...operations.stored].flat())) return null
  const parts = ({ layoutParts }: EmitContext['site']) => [...layoutParts].map(({ file }) => file.path)
  if (!areSame(parts(before.site), parts(site))) return null
  const edited = new Set<Unit>()
  for (const [at, unit] of site.units.entries()) {
    const known = before.site.units[at]!
    if (known === unit) continue
    const { file, template, inner } = unit
    const isOther = known.file.path !== file.path || (known.template === null) !== (template === null)
    if (isOther || !EDITED.has(file.kind) || !areSame([...known.inner.keys()], [...inner.keys()])) return null
    edited.add(unit)
  }
  return edited.size > MOST_EDITED ? null : edited
}

function byPath<Value>(units: ReadonlyMap<Unit, Value>): ReadonlyMap<string, Value> {
  return new Map([...units].map(([{ file }, value]) => [file.path, value]))
}

function tell({ signatures }: EmitContext, path: string, made: EmittedUnit | undefined): void {
  for (const [face, signature] of made?.faces ?? []) signatures.tell(path, face, signature)
}

function isCalledAlike({ faces }: EmittedUnit, before: EmittedUnit | undefined): boolean {
  const keys = (each: ReadonlyMap<Face, FaceSignature> | undefined) =>
    [...(each ?? [])].flatMap(([face, signature]) => [face, signatureKey(signature)])
  return areSame(keys(faces), keys(before?.faces))
}

const NOTHING_HANDED: ReadonlyMap<string, readonly ValueType[]> = new Map()

/** Files behind all that they call by a literal name. */
function calleesFirst({ site, facts }: EmitContext): readonly Unit[] {
  const units = [...facts.order].reverse().flatMap((key) => site.byFile.get(key.split('#')[0] ?? '') ?? [])
  const last = new Map(units.map((unit, at) => [unit, at]))
  const order = units.filter((unit, at) => last.get(unit) === at)
  return [...order, ...site.units.filter((unit) => !last.has(unit))]
}

function keysOf({ file, inner }: Unit): readonly string[] {
  return [file.path, ...[...inner.keys()].map((each) => `${file.path}#${each}`)]
}

function targetsOf({ bounds, site }: EmitContext, unit: Unit): readonly Unit[] {
  const calls = keysOf(unit).flatMap((key) => bounds.get(key)?.calls ?? [])
  return calls.flatMap(({ literal }) => site.partials.get(literal ?? '') ?? [])
}

/** What the functions that a template calls take and give, and whether its own take an object, as one text. */
function calledAs({ signatures }: EmitContext, unit: Unit, targets: readonly Unit[]): string {
  let key = String(signatures.isOpen(unit.file.path))
  for (const { file } of targets) for (const face of FACES) key += `\n${signatureKey(signatures.of(file.path, face))}`
  return key
}

const FACES: readonly Face[] = ['render', 'value']

function handedKey(handed: ReadonlyMap<string, readonly ValueType[]>): string {
  if (handed.size === 0) return ''
  return [...handed].map(([key, types]) => `${key}: ${types.map(valueTypeKey).join(', ')}`).join('\n')
}

function factsOf({ facts }: EmitContext, unit: Unit): readonly unknown[] {
  return keysOf(unit).flatMap((key) => [facts.alone.get(key), [...(facts.given.get(key) ?? ['*'])].join(' ')])
}

/** What is known of what all callers together hand over to the faces of a template, where nobody else calls it. */
function handedTo(
  { facts }: EmitContext,
  { file }: Unit,
  handed: ReadonlyMap<string, readonly ValueType[]>,
): ReadonlyMap<string, readonly ValueType[]> {
  if ((facts.given.get(file.path) ?? null) === null) return NOTHING_HANDED
  const own = FACES.flatMap((face) => {
    const key = faceKey(file.path, face)
    const types = handed.get(key)
    return types?.some(({ kind }) => kind !== 'unknown') === true ? [[key, types] as const] : []
  })
  return new Map(own)
}

function takesTheSame(
  before: ReadonlyMap<Face, FaceSignature> | undefined,
  after: ReadonlyMap<Face, FaceSignature>,
): boolean {
  return [...after].every(([face, { parameters }]) => {
    const known = before?.get(face)?.parameters ?? null
    if (known === null || parameters === null) return known === parameters
    return known.length === parameters.length && known.every(({ name }, at) => parameters[at]?.name === name)
  })
}
