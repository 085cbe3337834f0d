/** Describes tags, filters and types in Markdown, with texts from the reference. */
import { summaryOf } from '../../../language/types/filter-summary.ts'
import { filterUsage } from '../../docs/filters.ts'
import { type DocumentedTag, documentedTags } from '../../docs/tags.ts'
import { LANGUAGE } from '../../../language/language.ts'
import type { FilterSignature } from '../../../core/model/signature.ts'
import type { Type } from '../../../core/model/type.ts'
import { describe, members } from '../../../language/types/relate.ts'

/** The text about the word between two offsets. */
export interface Hover {
  readonly start: number
  readonly end: number
  /** The hover text in Markdown. */
  readonly text: string
}

/** Maximum number of a hash's fields to show. */
const MAX_FIELDS = 12

let tags: ReadonlyMap<string, DocumentedTag> | null = null

/** Returns the documented tags by each of their names. */
export function tagsByName(): ReadonlyMap<string, DocumentedTag> {
  tags ??= new Map(
    documentedTags().flatMap((tag) => [tag.name, ...tag.aliases].map((name): [string, DocumentedTag] => [name, tag])),
  )
  return tags
}

export function filtersByName(): ReadonlyMap<string, FilterSignature> {
  return LANGUAGE.filters('platform')
}

export function describeTag({ usage, docs, deprecated }: DocumentedTag): string {
  return [
    fenceLiquid([usage, ...(docs.forms ?? [])].join('\n')),
    ...(deprecated === null ? [] : [`Write \`${deprecated}\` instead.`]),
    docs.description,
    ...Object.entries(docs.arguments ?? {}).map(([name, description]) => `- \`${name}\`: ${description}`),
  ].join('\n\n')
}

export function describeFilter(filter: FilterSignature): string {
  return [
    fenceLiquid(filterUsage(filter)),
    summaryOf(filter),
    ...(filter.deprecated === null ? [] : [`Write \`${filter.deprecated}\` instead.`]),
    `Gives: ${describe(filter.result)}.`,
  ].join('\n\n')
}

/** Formats a type on one line: `hash { id, title } or nil`. */
export function describeType(type: Type): string {
  if (type.kind === 'unknown') return 'anything'
  const records = members(type).flatMap((member) =>
    member.kind === 'record'
      ? [member]
      : member.kind === 'list' && member.element.kind === 'record'
        ? [member.element]
        : [],
  )
  const [record] = records
  const words = describe(type)
  if (record === undefined || records.length > 1 || record.fields.size === 0) return words
  const names = [...record.fields.keys()]
  const shown = names.slice(0, MAX_FIELDS).join(', ')
  const braces = `{ ${shown}${names.length > MAX_FIELDS ? ', …' : ''} }`
  return words.replace(/hash(?:es)?\b/, (word) => `${word} ${braces}`)
}

/** Returns true if a value of the type may be nil. */
export function mayBeNil(type: Type): boolean {
  return members(type).some(({ kind }) => kind === 'nil')
}

/** Returns the known fields of a value, with their types. */
export function knownFields(type: Type): ReadonlyMap<string, Type> {
  const fields = new Map<string, Type>()
  for (const member of members(type))
    if (member.kind === 'record') for (const [name, field] of member.fields) fields.set(name, field)
  return fields
}

/** Returns the known fields of the items of a list, with their types. */
export function elementFields(type: Type): ReadonlyMap<string, Type> {
  return new Map(members(type).flatMap((member) => (member.kind === 'list' ? [...knownFields(member.element)] : [])))
}

export function fenceLiquid(text: string): string {
  return `\`\`\`liquid\n${text}\n\`\`\``
}
