/**
 * Finds where templates read table properties: by their names from `properties` of a record and from the fields of a form, and by the keys
 * under which queries select them.
 */
import { analyseFile } from '../../../analysis.ts'
import type { Observer } from '../../../phases/check/check.ts'
import { attached } from '../../../core/model/attached.ts'
import type { Accessor } from '../../../core/tree/ast.ts'
import type { FormSettings } from '../../../core/model/settings.ts'
import type { Site } from '../../../core/model/site.ts'
import type { Type } from '../../../core/model/type.ts'
import { isOfKind, type Unit } from '../../../core/model/unit.ts'
import type { Span } from '../../../core/source/span.ts'
import { unmarkedSpan } from '../../../core/source/mark.ts'
import { getOrMake, groupBy } from '../../../core/source/maps.ts'
import { members } from '../../../language/types/relate.ts'
import type { SiteAnalysis } from '../workspace.ts'
import { ownedGroups } from './form-groups.ts'
import { USER_TABLE } from './query-texts.ts'
import { allSelectedProperties, documentsOf, type PlacedDocument, selectedProperties } from './selections.ts'

interface PropertyRead {
  readonly table: string
  readonly name: string
  readonly span: Span
  /** For a field of a query's result: the keys that select the property in the query. Empty where its own name is read. */
  readonly selections: readonly Span[]
}

/** The reads of each file. The types of a template depend on other files, so they belong to one analysis. */
const readsByAnalysis = attached<SiteAnalysis['analysis'], Map<Unit, readonly PropertyRead[]>>()

/** Returns all property reads of one file. */
export function findPropertyReads(siteAnalysis: SiteAnalysis, unit: Unit): readonly PropertyRead[] {
  if (unit.template === null && unit.inner.size === 0) return []
  const readsByUnit = getOrMake(readsByAnalysis, siteAnalysis.analysis, () => new Map<Unit, readonly PropertyRead[]>())
  return getOrMake(readsByUnit, unit, () => collectReads(siteAnalysis, unit))
}

function collectReads(siteAnalysis: SiteAnalysis, unit: Unit): readonly PropertyRead[] {
  const { analysis } = siteAnalysis
  const reads = new Map<number, PropertyRead>()
  const owners = new Map<Accessor, Type>()
  const add = (accessor: Accessor, owner: Type, keysBefore: readonly (string | null)[]): void => {
    const read = propertyRead(siteAnalysis, accessor, owner, keysBefore)
    if (read !== null && read.span.file === unit.file.path) reads.set(read.span.start, read)
  }
  const observer: Observer = {
    value(expression) {
      if (expression.kind !== 'lookup') return
      const keys = expression.path.map((each) => keyOf(each)?.text ?? null)
      for (const [at, accessor] of expression.path.entries()) {
        const owner = owners.get(accessor)
        if (owner !== undefined) add(accessor, owner, keys.slice(0, at))
      }
    },
    set() {},
    visitAccessor(accessor, owner) {
      owners.set(accessor, owner)
      add(accessor, owner, [])
    },
  }
  if (mayReadProperties(siteAnalysis, unit))
    analyseFile(analysis, unit.file, { dialect: 'platform', syntax: 'lax', openEntries: false }, observer)
  return [...reads.values()].filter(
    ({ name, span, selections }) => selections.length > 0 || unit.file.text.slice(span.start, span.end) === name,
  )
}

/**
 * Returns the property that a part of a value reads; null for other keys.
 * @param owner the type of the value before the part
 * @param keysBefore the parts of the value before it, as far as they are known
 */
export function propertyRead(
  siteAnalysis: SiteAnalysis,
  accessor: Accessor,
  owner: Type,
  keysBefore: readonly (string | null)[] = [],
): PropertyRead | null {
  const key = keyOf(accessor)
  if (key === null) return null
  const { text, span } = key
  const own = declaredProperty(siteAnalysis.analysis.site, owner, text, keysBefore)
  if (own !== null) return { ...own, span: { ...span, start: span.end - own.name.length }, selections: [] }
  const found = selectionsOf(siteAnalysis, owner, text)
  const [first] = found
  if (first?.table == null || found.some((each) => each.table !== first.table || each.name !== first.name)) return null
  return { table: first.table, name: first.name, span, selections: found.map((each) => each.span) }
}

/** Returns the selections of properties that give a key of a value. */
function selectionsOf(siteAnalysis: SiteAnalysis, owner: Type, key: string): ReturnType<typeof selectedProperties> {
  return members(owner).flatMap((member) => {
    if (member.kind !== 'record' || member.origin?.source !== 'query' || !member.fields.has(key)) return []
    const text = siteAnalysis.analysis.site.byFile.get(member.origin.file)?.file.text ?? ''
    const { file, start } = unmarkedSpan(member.origin, text)
    return (queryDocuments(siteAnalysis).byFile.get(file) ?? []).flatMap((place) =>
      place.span.start <= start && start < place.span.end ? selectedProperties(place, start, key) : [],
    )
  })
}

interface QueryDocuments {
  readonly byFile: ReadonlyMap<string, readonly PlacedDocument[]>
  /** All keys of results that are properties. */
  readonly keys: ReadonlySet<string>
}

const documentsByAnalysis = attached<SiteAnalysis['analysis'], QueryDocuments>()

function queryDocuments(siteAnalysis: SiteAnalysis): QueryDocuments {
  return getOrMake(documentsByAnalysis, siteAnalysis.analysis, () => {
    const places = [...documentsOf(siteAnalysis)]
    const keys = places.flatMap((place) => allSelectedProperties(place).map(({ key }) => key))
    return { byFile: groupBy(places, ({ span }) => span.file), keys: new Set(keys) }
  })
}

/** A fast check: most templates read none. */
function mayReadProperties(siteAnalysis: SiteAnalysis, { file }: Unit): boolean {
  if (file.kind === 'form' || /\.\s*properties\b|\['properties/.test(file.text)) return true
  const { keys } = queryDocuments(siteAnalysis)
  return [...file.text.matchAll(/[.['"]\s*(\w+)/g)].some(([, word = '']) => keys.has(word))
}

function keyOf(accessor: Accessor): { readonly text: string; readonly span: Span } | null {
  const { span } = accessor
  if (accessor.kind === 'key') {
    // The span of an accessor may include its dot.
    return { text: accessor.name, span: { ...span, start: span.end - accessor.name.length } }
  }
  const { value } = accessor
  if (value.kind !== 'literal' || value.value.type !== 'string') return null
  return { text: value.value.value, span: { ...value.span, start: value.span.start + 1, end: value.span.end - 1 } }
}

/** Returns the property of a table that a key of a value is. */
function declaredProperty(
  site: Site,
  owner: Type,
  key: string,
  keysBefore: readonly (string | null)[],
): Pick<PropertyRead, 'table' | 'name'> | null {
  for (const member of members(owner)) {
    if (member.kind !== 'record' || member.origin === null || !member.fields.has(key)) continue
    const { origin } = member
    const unit = site.byFile.get(origin.file)
    if (unit === undefined) continue
    if (origin.source === 'form')
      return isOfKind(unit, 'form') ? formProperty(site, unit, member, key, keysBefore) : null
    if (origin.source !== 'table' || !('properties' in unit.settings)) continue
    const { properties, name: table } = unit.settings
    if (properties.some((each) => each.name === key))
      return { table: unit.file.kind === 'user_schema' ? USER_TABLE : table, name: key }
  }
  return null
}

/** Returns the property that a key of a form's fields, values or errors is. All of them come from the same place of the form. */
function formProperty(
  site: Site,
  unit: Unit<FormSettings>,
  { fields }: Extract<Type, { readonly kind: 'record' }>,
  key: string,
  keysBefore: readonly (string | null)[],
): Pick<PropertyRead, 'table' | 'name'> | null {
  const groups = ownedGroups(site, unit)
  // The errors have flat keys, too: `customizations.order.properties.note`.
  const flat = /^(?:(.+)\.)?properties\.([^.]+)$/.exec(key)
  if (flat !== null) {
    const group = groups.find(({ path }) => path.join('.') === (flat[1] ?? ''))
    return group === undefined ? null : { table: group.table, name: flat[2] ?? '' }
  }
  const fitting = groups.filter(
    ({ properties }) => properties.length === fields.size && properties.every(({ name }) => fields.has(name)),
  )
  const [first] = fitting
  if (first === undefined) return null
  if (fitting.every(({ table }) => table === first.table)) return { table: first.table, name: key }
  // Several groups have properties with the same names. The value's own parts tell which of them it is.
  const before = keysBefore.join('.')
  const group = fitting
    .toSorted((a, b) => b.path.length - a.path.length)
    .find(
      ({ path }) =>
        before === [...path, 'properties'].join('.') || before.endsWith(`.${[...path, 'properties'].join('.')}`),
    )
  return keysBefore.length === 0 || group === undefined ? null : { table: group.table, name: key }
}
