/**
 * The modules of all templates. A template is written behind those that it calls, so that it knows what they take and give; then those of
 * which all callers are known are written again, with what these hand over.
 */
import type { Face } from '../../core/model/effects.ts'
import { type Memo, NO_MEMO } from '../../core/model/memo.ts'
import type { Module } from '../../core/model/module.ts'
import type { Steps } from '../../core/model/steps.ts'
import type { Unit } from '../../core/model/unit.ts'
import { joinValues, type ValueType } from '../../core/model/value-type.ts'
import type { EmitContext } from './context.ts'
import { type Coverage, CoverageCounter } from './coverage.ts'
import { afterEdits } from './edited-templates.ts'
import { type EmittedUnit, emitKey, emitUnit } from './emit.ts'
import { type FaceSignature, faceKey, signatureKey } from './signatures.ts'
import { calleesFirst, type Handed, handedKey, NOTHING_HANDED, tell, type Writer, type Written } from './written.ts'

export interface WrittenTemplates {
  readonly modules: readonly Module[]
  /** The same object for as long as all of them are called as before. */
  readonly called: object
  readonly coverage: () => Coverage
}

export function* emitSteps(context: EmitContext, memo: Memo): Steps<WrittenTemplates> {
  const last = memo.once('written templates', '', [], (): { written: Written | null } => ({ written: null }))
  const writer = new TemplateWriter(context, memo)
  const written = (last.written === null ? null : afterEdits(last.written, writer)) ?? (yield* writer.all())
  last.written = written
  const modules: Module[] = []
  for (const { file } of context.site.units) {
    const module = written.emitted.get(file.path)?.module ?? null
    if (module !== null) modules.push(module)
  }
  return { modules, called: written.called, coverage: coverageOf(written.emitted) }
}

/** Counted when it is asked for. Apart, so that it holds no more than it counts. */
function coverageOf(emitted: Written['emitted']): () => Coverage {
  return () => {
    const counter = new CoverageCounter()
    for (const each of emitted.values()) counter.add(each.coverage)
    return counter.coverage
  }
}

class TemplateWriter implements Writer {
  readonly context: EmitContext
  readonly #memo: Memo
  readonly #targets = new Map<Unit, readonly Unit[]>()
  readonly #facts = new Map<Unit, readonly unknown[]>()

  constructor(context: EmitContext, memo: Memo) {
    this.context = context
    this.#memo = memo
  }

  *all(): Steps<Written> {
    const context = this.context
    const { signatures } = context
    const emitted = new Map<Unit, EmittedUnit>()
    const order = calleesFirst(context)
    const inCircles = new Set<string>()
    for (const unit of order) {
      for (const { file } of this.targetsOf(unit).filter((target) => !emitted.has(target))) {
        signatures.open(file.path)
        inCircles.add(file.path)
      }
      const made = this.write('emit', unit, NOTHING_HANDED, null)
      emitted.set(unit, made)
      tell(context, unit.file.path, made)
      yield { doing: 'Compiling', share: { done: emitted.size, of: order.length, things: 'file' } }
    }
    const first = new Map(emitted)
    const handed = new Map<string, readonly ValueType[]>()
    for (const unit of [...order].reverse()) {
      const before = first.get(unit)
      if (before === undefined) continue
      const made = this.writeAgain(unit, before, handed)
      emitted.set(unit, made)
      tell(context, unit.file.path, made)
      for (const [key, types] of made.handed) {
        const known = handed.get(key)
        handed.set(
          key,
          types.map((type, at) => joinValues(type, known?.[at] ?? type)),
        )
      }
      yield
    }
    const targets = new Map(order.map((unit) => [unit.file.path, this.targetsOf(unit).map(({ file }) => file.path)]))
    return {
      context,
      first: byPath(first),
      emitted: byPath(emitted),
      handed,
      targets,
      callers: turned(targets),
      facts: byPath(new Map(order.map((unit) => [unit, this.factsOf(unit)]))),
      inCircles,
      called: {},
    }
  }

  targetsOf(unit: Unit): readonly Unit[] {
    let known = this.#targets.get(unit)
    if (known === undefined) this.#targets.set(unit, (known = targetsOf(this.context, unit)))
    return known
  }

  /** They do not change while templates are written. */
  factsOf(unit: Unit): readonly unknown[] {
    let known = this.#facts.get(unit)
    if (known === undefined) this.#facts.set(unit, (known = factsOf(this.context, unit)))
    return known
  }

  write(pass: string, unit: Unit, handed: Handed, before: EmittedUnit | null): EmittedUnit {
    const context = this.context
    const make = () => emitUnit(context, unit, handed, before)
    const { path } = unit.file
    if (this.#memo === NO_MEMO) return make()
    const { facts, site, resumes } = context
    const key = this.#memo.once('emit key', path, [unit, facts.linked, site.raise, resumes], () =>
      emitKey(context, unit),
    )
    // Facts of a template that is read anew are new ones.
    const called = calledAs(context, unit, this.targetsOf(unit))
    return this.#memo.once(pass, path, [unit, key, called, handedKey(handed), ...this.factsOf(unit)], make)
  }

  /** With what its callers hand over, where that is known. These are written already, and go on calling it as they do. */
  writeAgain(unit: Unit, first: EmittedUnit, handed: Handed): EmittedUnit {
    const own = handedTo(this.context, unit, handed)
    if (own.size === 0) return first
    const made = this.write('emit again', unit, own, first)
    return takesTheSame(first.faces, made.faces) ? made : first
  }
}

function byPath<Value>(units: ReadonlyMap<Unit, Value>): ReadonlyMap<string, Value> {
  return new Map([...units].map(([{ file }, value]) => [file.path, value]))
}

function turned(lists: ReadonlyMap<string, readonly string[]>): ReadonlyMap<string, readonly string[]> {
  const turned = new Map<string, string[]>()
  for (const [from, list] of lists) {
    for (const to of list) {
      const known = turned.get(to)
      if (known === undefined) turned.set(to, [from])
      else known.push(from)
    }
  }
  return turned
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

function factsOf({ facts }: EmitContext, unit: Unit): readonly unknown[] {
  return keysOf(unit).flatMap((key) => [facts.alone.get(key), [...(facts.given.get(key) ?? ['*'])].join(' ')])
}

/** What is known of what all callers together hand over to the faces of a template, where nobody else calls it. */
function handedTo({ facts }: EmitContext, { file }: Unit, handed: Handed): Handed {
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
