/** Resolves the symbol at an offset, and finds all places in the site that mention it. */
import { storedNamed } from '../../../core/model/operation.ts'
import type { Site } from '../../../core/model/site.ts'
import { isOfKind, type Unit } from '../../../core/model/unit.ts'
import type { Span } from '../../../core/source/span.ts'
import type { SiteAnalysis } from '../workspace.ts'
import { ownedGroups } from './form-groups.ts'
import { type Mention, type MentionKind, type Mentions, collectMentions, mentionsIn } from './mentions.ts'
import { findQueryTexts, USER_TABLE } from './query-texts.ts'
import { findPropertyReads } from './property-reads.ts'
import { documentsOf } from './selections.ts'
import { declaredKeys, keyAtMention, translationPlaces } from './translation-keys.ts'

export type NamedSymbol =
  | {
      readonly kind: 'variable'
      readonly file: string
      readonly template: number
      readonly scope: number
      readonly name: string
    }
  | { readonly kind: 'partial' | 'query' | 'form' | 'translation' | 'asset' | 'table'; readonly name: string }
  | { readonly kind: 'query-variable'; readonly query: string; readonly name: string }
  /** `selections`: for a field of a query's result, the keys that select the property in the query. */
  | { readonly kind: 'property'; readonly table: string; readonly name: string; readonly selections?: readonly Span[] }

interface Place {
  readonly span: Span
  /** Whether the name is declared or assigned here. */
  readonly declares: boolean
  /** Set where a template reads a property by the key of a query's result. The key is another name, which a rename leaves. */
  readonly isResultKey?: true
  /** Set for a property in a query. */
  readonly isInQuery?: true
}

export interface Places {
  readonly places: readonly Place[]
  /** Places where a computed name may mean the symbol. */
  readonly possible: readonly Span[]
}

/** Returns the symbol at an offset of a file; null if the site does not define it. */
export function findSymbolAt(siteAnalysis: SiteAnalysis, unit: Unit, offset: number): NamedSymbol | null {
  const { site } = siteAnalysis.analysis
  for (const [template, { mentions }] of collectMentions(unit).entries()) {
    const mention = mentions.find(
      ({ span }) => span.file === unit.file.path && span.start <= offset && offset <= span.end,
    )
    if (mention?.kind === 'translation') return { kind: 'translation', name: keyAtMention(mention, offset) }
    if (mention !== undefined && mention.kind !== 'translation-start')
      return symbolOfMention(site, unit, template, { ...mention, kind: mention.kind })
  }
  const read = findPropertyReads(siteAnalysis, unit).find(({ span }) => span.start <= offset && offset <= span.end)
  if (read !== undefined) {
    const { table, name, selections } = read
    return { kind: 'property', table, name, selections }
  }
  return findSymbolInQuery(site, unit, offset) ?? findSymbolInSettings(site, unit, offset)
}

function symbolOfMention(
  site: Site,
  unit: Unit,
  template: number,
  mention: Mention & { readonly kind: Exclude<MentionKind, 'translation' | 'translation-start'> },
): NamedSymbol {
  const { kind, name, scope, callee: of } = mention
  switch (kind) {
    case 'variable':
      return { kind, file: unit.file.path, template, scope, name }
    case 'argument': {
      const file = site.partials.get(of ?? '')?.file.path ?? ''
      return { kind: 'variable', file, template: 0, scope: 0, name }
    }
    case 'query-argument':
      return { kind: 'query-variable', query: of ?? '', name }
    default:
      return { kind, name }
  }
}

function findSymbolInQuery(site: Site, unit: Unit, offset: number): NamedSymbol | null {
  if (unit.file.kind !== 'graphql') return null
  const { text } = unit.file
  const word = findQueryTexts(text).find(({ start, end }) => start <= offset && offset <= end)
  if (word?.nameKind === 'table') return { kind: 'table', name: word.text }
  if (word?.nameKind === 'property' && word.table !== null)
    return { kind: 'property', table: word.table, name: word.text }
  const variable = [...text.matchAll(/\$(\w+)/g)].find(
    (each) => each.index <= offset && offset <= each.index + each[0].length,
  )
  const name = [...site.graphql].find(([, each]) => each.file.path === unit.file.path)?.[0]
  return variable === undefined || name === undefined
    ? null
    : { kind: 'query-variable', query: name, name: variable[1] ?? '' }
}

function findSymbolInSettings(site: Site, unit: Unit, offset: number): NamedSymbol | null {
  const isAt = ({ start, end }: Span): boolean => start <= offset && offset <= end
  for (const each of declaredProperties(site, unit))
    if (isAt(each.span)) return { kind: 'property', table: each.table, name: each.name }
  if (unit.settings.kind === 'table') {
    const { name, nameSpan } = unit.settings
    return isAt(nameSpan) ? { kind: 'table', name } : null
  }
  if (unit.settings.kind === 'form') {
    const { name, nameSpan } = unit.settings
    return isAt(nameSpan) ? { kind: 'form', name } : null
  }
  const key = declaredKeys(unit).find(({ span }) => isAt(span))
  return key === undefined ? null : { kind: 'translation', name: key.name }
}

// ---- all places ---------------------------------------------------------------------------------------------------------

/** Returns every place in the site that mentions the symbol. @param only a file whose places suffice: others may be left out */
export function findPlaces(siteAnalysis: SiteAnalysis, symbol: NamedSymbol, only: string | null = null): Places {
  const { site } = siteAnalysis.analysis
  switch (symbol.kind) {
    case 'variable':
      return variablePlaces(site, symbol)
    case 'query-variable':
      return queryVariablePlaces(siteAnalysis, symbol)
    case 'property':
      return propertyPlaces(siteAnalysis, symbol, only)
    case 'table':
      return tablePlaces(site, symbol.name)
    case 'translation':
      return translationPlaces(site, symbol.name)
    default:
      return namePlaces(siteAnalysis, symbol)
  }
}

type Variable = Extract<NamedSymbol, { readonly kind: 'variable' }>

/** Returns the places of a template's variable, including arguments that set it and included partials that use it. */
function variablePlaces(site: Site, { file, template, scope, name }: Variable): Places {
  const places: Place[] = []
  const possible: Span[] = []
  const add = (mentions: Mentions | undefined, only: number): void => {
    for (const { kind, name: each, scope: at, span, isAssigned: sets } of mentions?.mentions ?? [])
      if (kind === 'variable' && each === name && at === only) places.push({ span, declares: sets })
  }
  const unit = site.byFile.get(file)
  if (unit === undefined) return { places, possible }
  const templates = collectMentions(unit)
  if (scope !== 0 || template !== 0) {
    add(templates[template], scope)
    return { places, possible }
  }
  const seen = new Set<string>()
  const queue = [file]
  for (let path = queue.pop(); path !== undefined; path = queue.pop()) {
    if (seen.has(path)) continue
    seen.add(path)
    const own = site.byFile.get(path)
    if (own === undefined) continue
    const [body] = collectMentions(own)
    add(body, 0)
    // An included partial reads and writes the variables of its caller.
    for (const call of body?.calls ?? []) {
      if (call.kind !== 'include' || call.passedNames.has(name)) continue
      const target = site.partials.get(call.name ?? '')
      if (call.name === null) possible.push(call.span)
      else if (target !== undefined && mentionsVariable(target, name)) queue.push(target.file.path)
    }
    for (const caller of callersOf(site, own)) {
      for (const { mentions, calls } of collectMentions(caller)) {
        for (const each of mentions)
          if (each.kind === 'argument' && each.name === name && site.partials.get(each.callee ?? '') === own)
            places.push({ span: each.span, declares: false })
        for (const call of calls) {
          if (site.partials.get(call.name ?? '') !== own) continue
          if (call.bound === name) possible.push(call.span)
          if (call.kind === 'include' && !call.passedNames.has(name) && mentionsVariable(caller, name))
            queue.push(caller.file.path)
        }
      }
    }
  }
  return { places, possible }
}

function mentionsVariable(unit: Unit, name: string): boolean {
  const [body] = collectMentions(unit)
  return body?.mentions.some((each) => each.kind === 'variable' && each.name === name && each.scope === 0) === true
}

/** Returns the files that call a partial by a literal name. */
export function callersOf(site: Site, unit: Unit): readonly Unit[] {
  return site.units.filter((each) =>
    collectMentions(each).some(({ calls }) =>
      calls.some(({ name }) => name !== null && site.partials.get(name) === unit),
    ),
  )
}

/** Returns the places of a partial, query, form or asset, under all names of the same file. */
function namePlaces(
  { analysis: { site, outlines } }: SiteAnalysis,
  { kind, name }: { readonly kind: string; readonly name: string },
): Places {
  const table =
    kind === 'partial' ? site.partials : kind === 'query' ? site.graphql : kind === 'form' ? site.forms : null
  const unit: Unit | undefined = table?.get(name)
  const places: Place[] = []
  const possible: Span[] = []
  if (unit?.settings.kind === 'form') {
    const { nameSpan } = unit.settings
    if (nameSpan.end > nameSpan.start) places.push({ span: nameSpan, declares: true })
  }
  for (const mention of mentionsIn(site))
    if (mention.kind === kind && (mention.name === name || (unit !== undefined && table?.get(mention.name) === unit)))
      places.push({ span: mention.span, declares: false })
  for (const each of kind === 'partial' ? site.units : []) {
    for (const call of outlines.get(each.file.path)?.calls ?? []) {
      if (call.literal !== null) continue
      const fits = call.patterns?.some(({ prefix, suffix, exact }) =>
        exact ? prefix === name : name.startsWith(prefix) && name.endsWith(suffix),
      )
      if (fits !== false) possible.push(call.nameSpan)
    }
  }
  return { places, possible }
}

function queryVariablePlaces(
  { analysis: { site, operations } }: SiteAnalysis,
  { query, name }: { readonly query: string; readonly name: string },
): Places {
  const operation = storedNamed(operations, query)
  if (operation === undefined) return { places: [], possible: [] }
  const { document, span } = operation
  const places: Place[] = [...document.matchAll(new RegExp(`\\$${name}\\b`, 'g'))].map(({ index }) => ({
    span: { ...span, start: span.start + index + 1, end: span.start + index + 1 + name.length },
    declares: operation.variables.some((each) => each.name === name && each.span.start <= span.start + index + 1),
  }))
  for (const each of mentionsIn(site))
    if (
      each.kind === 'query-argument' &&
      each.name === name &&
      storedNamed(operations, each.callee ?? '') === operation
    )
      places.push({ span: each.span, declares: false })
  return { places, possible: [] }
}

function propertyPlaces(
  siteAnalysis: SiteAnalysis,
  { table, name }: { readonly table: string; readonly name: string },
  only: string | null,
): Places {
  const { site } = siteAnalysis.analysis
  const places: Place[] = []
  const possible: Span[] = []
  for (const { document, span } of documentsOf(siteAnalysis))
    for (const text of findQueryTexts(document)) {
      if (text.nameKind !== 'property' || text.text !== name) continue
      const at = { ...span, start: span.start + text.start, end: span.start + text.end }
      if (text.table === table) places.push({ span: at, declares: false, isInQuery: true })
      else if (text.table === null) possible.push(at)
    }
  for (const unit of site.units) {
    if (only !== null && unit.file.path !== only) continue
    for (const each of declaredProperties(site, unit))
      if (each.table === table && each.name === name) places.push({ span: each.span, declares: each.declares })
    for (const each of findPropertyReads(siteAnalysis, unit))
      if (each.table === table && each.name === name)
        places.push({ span: each.span, declares: false, ...(each.selections.length > 0 && { isResultKey: true }) })
  }
  return { places, possible }
}

interface PropertyName {
  readonly table: string
  readonly name: string
  readonly span: Span
  readonly declares: boolean
}

/** Returns the properties that a table declares, and those that a form accepts. */
function declaredProperties(site: Site, unit: Unit): readonly PropertyName[] {
  const { kind, text } = unit.file
  const exact = (table: string, name: string, span: Span, declares: boolean): readonly PropertyName[] => {
    const at = text.indexOf(name, span.start)
    return at < 0 || at + name.length > span.end + 1
      ? []
      : [{ table, name, span: { ...span, start: at, end: at + name.length }, declares }]
  }
  if ('properties' in unit.settings) {
    const { name: own, properties } = unit.settings
    const table = kind === 'user_schema' ? USER_TABLE : own
    return properties.flatMap(({ name, span }) => exact(table, name, span, true))
  }
  if (!isOfKind(unit, 'form')) return []
  return ownedGroups(site, unit).flatMap(({ table, properties }) =>
    properties.flatMap(({ name, span, virtual }) => (virtual ? [] : exact(table, name, span, false))),
  )
}

function tablePlaces(site: Site, name: string): Places {
  const places: Place[] = []
  for (const unit of site.units) {
    if (unit.settings.kind === 'table') {
      const { name: own, nameSpan } = unit.settings
      if (own === name && nameSpan.end > nameSpan.start) places.push({ span: nameSpan, declares: true })
    } else if (unit.settings.kind === 'form') {
      const { resource } = unit.settings
      if (resource?.name === name) places.push({ span: resource.span, declares: false })
    } else if (unit.file.kind === 'graphql')
      for (const { nameKind: means, text, start, end } of findQueryTexts(unit.file.text))
        if (means === 'table' && text === name)
          places.push({ span: { file: unit.file.path, start, end }, declares: false })
  }
  return { places, possible: [] }
}
