/** Stamps of everything that the check of a template reads. Equal stamps mean that the check finds the same. */
import { derived } from '../../core/model/derived.ts'
import { digest } from '../../core/model/digest.ts'
import type { Sources, Stamp } from '../../core/model/memo.ts'
import type { Operation, Operations } from '../../core/model/operation.ts'
import { configStamp, fileStamp, objectStamp } from '../../core/model/stamps.ts'
import type { Site } from '../../core/model/site.ts'
import type { SiteTemplate } from '../../core/model/site-template.ts'
import type { Type } from '../../core/model/type.ts'
import type { Template, Unit } from '../../core/model/unit.ts'
import { markedSpan } from '../../core/source/mark.ts'
import { type Span, spanKey } from '../../core/source/span.ts'
import { type Language, languageStamp } from '../../language/language.ts'
import { operationStamp } from '../../language/types/operation-stamp.ts'
import { typeKey, typesKey } from '../../language/types/type-key.ts'
import type { AnyPartial } from '../analyze/any-partial.ts'
import { type GivenTypes, isPartial, isPrinting, type ReadKind, type SiteKnowledge } from './environment.ts'
import { callersKey } from './site/caller-facts.ts'
import { hasOwnPages } from './site/reach.ts'
import type { SiteNames } from './site-names.ts'
import { optionalInComments } from './walk/comment-params.ts'
import type { UnitFacts } from './walk/facts.ts'
import type { RequestValues } from './walk/request-values.ts'
import { timesWritten } from './walk/written-names.ts'

/** What the checks of a site depend on. */
export interface CheckStamps {
  readonly sources: Sources<ReadKind>
  /** Returns the inputs of the check of a template that it does not read from its environment. */
  readonly inputsOf: (siteTemplate: SiteTemplate) => readonly Stamp[]
}

/** Returns the stamps of a site whose templates are checked. `known` may change while they are. */
export function checkStamps(known: SiteKnowledge): CheckStamps {
  const { site, language, names } = known
  const options = optionInputs(site, language, names)
  return {
    sources: sourcesOf(known),
    inputsOf: (siteTemplate) => [...options, ...ownInputs(siteTemplate, site, names)],
  }
}

/** Returns the sources of the checks of a site. */
function sourcesOf(known: SiteKnowledge): Sources<ReadKind> {
  const { site, operations, names } = known
  const queryStamp = (operation: Operation | undefined) =>
    operation === undefined ? null : operationStamp(operation, operations.data)
  return {
    asset: (path) => site.assets.has(path),
    'all assets': () => listStamps(site).assets,
    partial: (name) => interfaceStamp(site.partials.get(name)),
    'all partials': () => listStamps(site).partials,
    query: (name) => queryStamp(operations.storedOperations.get(name)),
    'bare query': (name) => operations.bareNames.get(name) ?? null,
    'all queries': () => queryNamesStamp(operations.storedOperations),
    'inline query': (key) => queryStamp(operations.inline.get(key)),
    prints: (file) => isPrinting(names, file),
    text: (file) => textStamp(site.byFile.get(file)),
    facts: (file) => factsStamp(known.checkedUnits.get(file)?.facts),
    included: (file) => known.isIncluded(file),
    'read name': (name) => names.namesRead.has(name),
    translations: () => listStamps(site).translations,
    'user properties': () => listStamps(site).user,
    'any partial': () => names.anyPartial && anyPartialStamps(names.anyPartial).all,
    'any keys': () => names.anyPartial && anyPartialStamps(names.anyPartial).changedKeys,
    'passed types': (key) => typesStamp(known.passedTypes.get(key)),
    'likely types': (key) => typesStamp(known.likelyTypes.get(key)),
    'request values': (key) => requestsStamp(known.requestsOf(key)),
    'given name': (name) => names.namesGiven.has(name),
    'form name': (name) => names.namesForForms.has(name),
    'names at calls': (file) => names.namesAtCalls(file).join(),
    'times written': (name) => timesWritten(name, site),
    'data of host': (file) =>
      `${typeStamp(site.formSchemas.get(file)?.type)} ${typeStamp(known.notifications.get(file))}`,
  }
}

/** The stamps of the lists of a site. */
const listStamps = derived((site: Site) => ({
  assets: digest([...site.assets.keys()].join('\n')),
  partials: digest([...site.partials].map(([name, unit]) => `${name}\0${unit.file.path}`).join('\n')),
  translations: site.units.flatMap(({ file }) => (file.kind === 'translation' ? fileStamp(file) : [])).join(),
  user: site.data.user.map(({ name }) => name).join(),
}))

const queryNamesStamp = derived((stored: Operations['storedOperations']) => digest([...stored.keys()].join('\n')))

/** Returns a function that returns the stamp of a value, and null for no value. */
function stampOf<Value extends object>(make: (value: Value) => Stamp): (value: Value | null | undefined) => Stamp {
  const ofValue = derived(make)
  return (value) => (value == null ? null : ofValue(value))
}

const typesStamp = stampOf((types: GivenTypes) => digest(typesKey(types)))

const requestsStamp = stampOf(({ exports, session }: RequestValues) =>
  digest(`${typeKey(exports)}\n${typeKey(session)}`),
)

const typeStamp = stampOf((type: Type) => digest(typeKey(type)))

const textStamp = stampOf(({ file }: Unit) => fileStamp(file))

const factsStamp = stampOf((facts: UnitFacts) => digest(callersKey(facts)))

/** A stamp of what callers of a partial can read of it, apart from its facts. */
const interfaceStamp = stampOf((unit: Unit) => {
  const { file, template } = unit
  const doc = template === null ? null : docKey(template, file.text)
  return digest(JSON.stringify([file.path, file.kind, doc, template?.isBroken, [...optionalInComments(unit)]]))
})

/** Returns a text that describes the documentation of a template, with places that edits elsewhere do not change. */
function docKey({ doc }: Template, text: string): string {
  const place = (span: Span | null) => (span === null ? '' : spanKey(markedSpan(span, text)))
  return JSON.stringify([
    doc?.description,
    doc?.examples,
    doc === null ? '' : place(doc.span),
    doc?.params.map(({ span, typeSpan, ...param }) => [param, place(span), place(typeSpan)]),
    doc?.mistakes.map(({ span, corrected }) => [corrected, place(span)]),
  ])
}

const anyPartialStamps = derived((any: AnyPartial) => ({
  all: digest(contentOf(any)),
  changedKeys: any.changedKeys === null ? null : digest(contentOf(any.changedKeys)),
}))

/** Returns a text that identifies these names. Equal names give the same text. */
function contentOf(names: unknown): string {
  return JSON.stringify(names, (_, each: unknown) => (each instanceof Set || each instanceof Map ? [...each] : each))
}

/** Returns the inputs that are the same for all checks of a site. */
function optionInputs(site: Site, language: Language, { lacksModule }: SiteNames): readonly Stamp[] {
  const { dialect, openEntries, strictFilters, strictVariables, globals, globalsAreAll, config } = site
  const flags = [openEntries, strictFilters, strictVariables, globalsAreAll, lacksModule, hasOwnPages(site)]
    .map(Number)
    .join('')
  return [
    languageStamp(language),
    globals.size === 0 ? '' : objectStamp(globals),
    configStamp(config),
    `${dialect} ${flags} ${[...site.modules].join(' ')}`,
  ]
}

/** Returns the inputs of the check of a template that it does not read from its environment. */
function ownInputs(siteTemplate: SiteTemplate, { layoutParts }: Site, names: SiteNames): readonly Stamp[] {
  const { unit } = siteTemplate
  const role = [isPartial(siteTemplate, names), layoutParts.has(unit), names.oldNamesOf(siteTemplate)]
  return [fileStamp(unit.file), role.join(' ')]
}
