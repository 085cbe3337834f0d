/** The tags and filters of the language by name, including those that a host of the library adds. */
import { objectStamp } from '../core/model/stamps.ts'
import type { Dialect } from '../core/model/dialect.ts'
import type { FilterSignature } from '../core/model/signature.ts'
import * as registry from './tags/index.ts'
import type { AnyTag, Tag } from './tags/tag.ts'
import { filterTable } from './types/filters.ts'

export interface Language {
  /** All tags by canonical name. */
  readonly tags: ReadonlyMap<string, Tag>
  /** All tags by each of their names. */
  readonly tagsByName: ReadonlyMap<string, Tag>
  /** The names of branch tags, with the blocks that can contain them. */
  readonly branches: ReadonlyMap<string, readonly string[]>
  /** The filters of a dialect by each of their names. */
  readonly filters: (dialect: Dialect) => ReadonlyMap<string, FilterSignature>
}

type TagSet = Omit<Language, 'filters'>

const BUILT_IN_TAGS: readonly AnyTag[] = Object.values(registry)

/** The language without additions of a host. */
export const LANGUAGE: Language = { ...makeTagSet(BUILT_IN_TAGS), filters: filterTable }

/** @internal Exported for tests. */
export const TAGS_BY_NAME = LANGUAGE.tagsByName
/** @internal Exported for tests. */
export const BRANCHES = LANGUAGE.branches

/**
 * Returns the language with tags and filters of a host. They replace those with the same name.
 * @param missingFilters names of filters that the host does not have
 */
export function languageWith(
  tags: readonly AnyTag[],
  addedFilters: readonly (readonly [name: string, filter: FilterSignature])[],
  missingFilters: readonly string[] = [],
): Language {
  const set = tags.length === 0 ? LANGUAGE : cachedTagSet(tags)
  const tables = new Map<Dialect, ReadonlyMap<string, FilterSignature>>()
  const filterTableOf = (dialect: Dialect) => {
    let cachedTable = tables.get(dialect)
    if (cachedTable === undefined)
      tables.set(
        dialect,
        (cachedTable = new Map([...markMissing(filterTable(dialect), missingFilters), ...addedFilters])),
      )
    return cachedTable
  }
  return { ...set, filters: addedFilters.length + missingFilters.length === 0 ? filterTable : filterTableOf }
}

/** Returns the filters, with the missing ones marked. */
function markMissing(
  filters: ReadonlyMap<string, FilterSignature>,
  missingFilters: readonly string[],
): ReadonlyMap<string, FilterSignature> {
  if (missingFilters.length === 0) return filters
  const markIfMissing = ([name, filter]: readonly [string, FilterSignature]) =>
    [name, missingFilters.includes(filter.registry) ? { ...filter, serverOnly: true } : filter] as const
  return new Map([...filters].map(markIfMissing))
}

/** Maximum number of cached tag sets. Each can have a lexer and a parser. */
const MAX_SETS = 16

const cachedTagSets: { readonly hostTags: readonly AnyTag[]; readonly set: TagSet }[] = []

/** Returns the same tag set for the same tags of a host, so that engines share their lexers and parsers. */
function cachedTagSet(hostTags: readonly AnyTag[]): TagSet {
  const cached = cachedTagSets.find(
    (each) => each.hostTags.length === hostTags.length && each.hostTags.every((tag, at) => tag === hostTags[at]),
  )
  if (cached !== undefined) return cached.set
  const set = makeTagSet([...BUILT_IN_TAGS, ...hostTags])
  cachedTagSets.push({ hostTags: [...hostTags], set })
  if (cachedTagSets.length > MAX_SETS) cachedTagSets.shift()
  return set
}

function makeTagSet(registered: readonly AnyTag[]): TagSet {
  const tags = new Map(registered.map((each) => [each.name, each]))
  const tagsByName = new Map(
    [...tags.values()]
      .filter((each) => /^\w+$/.test(each.name))
      .flatMap((each) => [each.name, ...(each.aliases ?? [])].map((name): [string, Tag] => [name, each])),
  )
  // The name of a tag takes precedence over an alias of another tag.
  for (const each of tags.values()) if (tagsByName.has(each.name)) tagsByName.set(each.name, each)
  return { tags, tagsByName, branches: branchOwners(tags) }
}

function branchOwners(tags: ReadonlyMap<string, Tag>): ReadonlyMap<string, readonly string[]> {
  const owners = new Map<string, string[]>()
  for (const tag of tags.values()) {
    for (const name of Object.keys(tag.branches ?? {})) owners.set(name, [...(owners.get(name) ?? []), tag.name])
  }
  return owners
}

/** Returns a stamp of a language. It is the same in all processes if a host adds nothing. */
export function languageStamp(language: Language): string {
  return language === LANGUAGE ? '' : objectStamp(language)
}
