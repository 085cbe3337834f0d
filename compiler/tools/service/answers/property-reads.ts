/** Finds where templates read table properties by name: from `properties` of a record, and from the fields of a form. */
import { analyseFile } from '../../../analysis.ts'
import type { Observer } from '../../../phases/check/check.ts'
import { attached } from '../../../core/model/attached.ts'
import type { Accessor } from '../../../core/tree/ast.ts'
import type { Site } from '../../../core/model/site.ts'
import type { Type } from '../../../core/model/type.ts'
import type { Unit } from '../../../core/model/unit.ts'
import type { Span } from '../../../core/source/span.ts'
import { members } from '../../../language/types/relate.ts'
import type { SiteAnalysis } from '../workspace.ts'
import { USER_TABLE } from './query-texts.ts'

interface PropertyRead {
  readonly table: string
  readonly name: string
  readonly span: Span
}

const readsByUnit = attached<Unit, readonly PropertyRead[]>()

/** Returns all property reads of one file. */
export function findPropertyReads({ analysis }: SiteAnalysis, unit: Unit): readonly PropertyRead[] {
  if (unit.template === null && unit.inner.size === 0) return []
  const cachedReads = readsByUnit.get(unit)
  if (cachedReads !== undefined) return cachedReads
  const reads = new Map<number, PropertyRead>()
  const observer: Observer = {
    value() {},
    set() {},
    visitAccessor(accessor, owner) {
      const name = nameOf(accessor)
      const table = name === null ? null : tableOf(analysis.site, owner, name.text)
      if (name !== null && table !== null && name.span.file === unit.file.path)
        reads.set(name.span.start, { table, name: name.text, span: name.span })
    },
  }
  if (mayReadProperties(unit))
    analyseFile(analysis, unit.file, { dialect: 'platform', syntax: 'lax', openEntries: false }, observer)
  const all = [...reads.values()].filter(({ name, span }) => unit.file.text.slice(span.start, span.end) === name)
  readsByUnit.set(unit, all)
  return all
}

/** A fast check: most templates read neither. */
function mayReadProperties({ file }: Unit): boolean {
  return file.kind === 'form' || /\.\s*properties\b|\['properties/.test(file.text)
}

function nameOf(accessor: Accessor): { readonly text: string; readonly span: Span } | null {
  const { span } = accessor
  if (accessor.kind === 'key') {
    // The span of an accessor may include its dot.
    return { text: accessor.name, span: { ...span, start: span.end - accessor.name.length } }
  }
  const { value } = accessor
  if (value.kind !== 'literal' || value.value.type !== 'string') return null
  return { text: value.value.value, span: { ...value.span, start: value.span.start + 1, end: value.span.end - 1 } }
}

/** Returns the table whose properties are the keys of a value. */
function tableOf(site: Site, owner: Type, name: string): string | null {
  for (const member of members(owner)) {
    if (member.kind !== 'record' || member.origin === null || !member.fields.has(name)) continue
    const { origin } = member
    if (origin.source !== 'table' && origin.source !== 'form') continue
    const unit = site.byFile.get(origin.file)
    if (unit === undefined) continue
    if (origin.source === 'form') {
      const linkedForm = site.formSchemas.get(origin.file)
      const isProperty = linkedForm?.fields.properties.some((each) => each.name === name) === true
      return isProperty ? (linkedForm?.table ?? USER_TABLE) : null
    }
    if (!('properties' in unit.settings)) continue
    const { properties, name: table } = unit.settings
    if (properties.some((each) => each.name === name)) return unit.file.kind === 'user_schema' ? USER_TABLE : table
  }
  return null
}
