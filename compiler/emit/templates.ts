/**
 * The modules of all templates. A template is written behind those that it calls, so that it knows what they take and give; then those of
 * which all callers are known are written again, with what these hand over.
 */
import type { Face } from '../model/effects.ts'
import type { Memo } from '../model/memo.ts'
import { NO_MEMO } from '../model/memo.ts'
import type { Module } from '../model/module.ts'
import type { Unit } from '../model/unit.ts'
import { joinValues, type ValueType, valueTypeKey } from '../model/value-type.ts'
import type { EmitContext } from './context.ts'
import { type Coverage, CoverageCounter } from './coverage.ts'
import { type EmittedUnit, emitKey, emitUnit } from './emit.ts'
import { type FaceSignature, faceKey } from './signatures.ts'

export function emitTemplates(
  context: EmitContext,
  memo: Memo,
): { readonly modules: readonly Module[]; readonly coverage: Coverage } {
  const { site, signatures } = context
  const emitted = new Map<Unit, EmittedUnit>()
  const order = calleesFirst(context)
  const write = (pass: string, unit: Unit, handed: ReadonlyMap<string, readonly ValueType[]>): EmittedUnit => {
    const make = () => emitUnit(context, unit, handed, emitted.get(unit) ?? null)
    const { path } = unit.file
    if (memo === NO_MEMO) return make()
    const key = memo.once('emit key', path, [unit, context.facts.linked, site.raise, context.resumes], () =>
      emitKey(context, unit),
    )
    // Facts of a template that is read anew are new ones.
    const inputs = [unit, key, calledAs(context, unit), handedKey(handed), ...factsOf(context, unit)]
    return memo.once(pass, path, inputs, make)
  }
  const tell = (unit: Unit, { faces }: EmittedUnit) => {
    for (const [face, signature] of faces) signatures.tell(unit.file.path, face, signature)
  }

  for (const unit of order) {
    for (const target of targetsOf(context, unit)) if (!emitted.has(target)) signatures.open(target.file.path)
    const made = write('emit', unit, NOTHING_HANDED)
    emitted.set(unit, made)
    tell(unit, made)
  }
  const handed = new Map<string, readonly ValueType[]>()
  for (const unit of [...order].reverse()) {
    const own = handedTo(context, unit, handed)
    const made = own.size === 0 ? undefined : write('emit again', unit, own)
    // Its callers are written already: they go on calling it as they do.
    if (made !== undefined && takesTheSame(emitted.get(unit)?.faces, made.faces)) {
      emitted.set(unit, made)
      tell(unit, made)
    }
    for (const [key, types] of emitted.get(unit)?.handed ?? []) {
      const known = handed.get(key)
      handed.set(
        key,
        types.map((type, at) => joinValues(type, known?.[at] ?? type)),
      )
    }
  }
  const counter = new CoverageCounter()
  for (const { coverage } of emitted.values()) counter.add(coverage)
  return { modules: site.units.flatMap((unit) => emitted.get(unit)?.module ?? []), coverage: counter.coverage }
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
function calledAs(context: EmitContext, unit: Unit): string {
  const { signatures } = context
  const targets = targetsOf(context, unit).map(({ file }) =>
    FACES.map((face) => signatureKey(signatures.of(file.path, face))).join(' '),
  )
  return [String(signatures.isOpen(unit.file.path)), ...targets].join('\n')
}

const FACES: readonly Face[] = ['render', 'value']

const SIGNATURE_KEYS = new WeakMap<FaceSignature, string>()

/** A signature as a text that equal signatures share. */
function signatureKey(signature: FaceSignature): string {
  let key = SIGNATURE_KEYS.get(signature)
  if (key === undefined) {
    const { parameters, result } = signature
    const taken = parameters?.map(({ name, type }) => `${name} ${valueTypeKey(type)}`).join(', ') ?? 'open'
    key = `${taken} -> ${valueTypeKey(result)}`
    SIGNATURE_KEYS.set(signature, key)
  }
  return key
}

function handedKey(handed: ReadonlyMap<string, readonly ValueType[]>): string {
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
