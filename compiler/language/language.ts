/** The language as the phases look it up: its tags and filters by name. Hosts of the library add some of their own. */
import type { Dialect } from '../core/model/dialect.ts'
import type { FilterSignature } from '../core/model/signature.ts'
import * as registry from './tags/index.ts'
import type { AnyTag, Tag } from './tags/tag.ts'
import { filterTable } from './types/filters.ts'

export interface Language {
  /** Every tag by its canonical name. */
  readonly tags: ReadonlyMap<string, Tag>
  /** Every tag by each of its names. */
  readonly tagsByName: ReadonlyMap<string, Tag>
  /** Names of branch tags, with the blocks that they may stand in. */
  readonly branches: ReadonlyMap<string, readonly string[]>
  /** The filters of a dialect by each of their names. */
  readonly filters: (dialect: Dialect) => ReadonlyMap<string, FilterSignature>
}

type TagSet = Omit<Language, 'filters'>

const OWN_TAGS: readonly AnyTag[] = Object.values(registry)

/** The language without anything of a host. */
export const LANGUAGE: Language = { ...tagSetOf(OWN_TAGS), filters: filterTable }

export const TAGS = LANGUAGE.tags
export const TAGS_BY_NAME = LANGUAGE.tagsByName
export const BRANCHES = LANGUAGE.branches

/**
 * The language with tags and, by their names, filters of a host, which win over those of the same name.
 * @param lacking names in the registry of filters that the host does not have
 */
export function languageWith(
  tags: readonly AnyTag[],
  added: readonly (readonly [name: string, filter: FilterSignature])[],
  lacking: readonly string[] = [],
): Language {
  const set = tags.length === 0 ? LANGUAGE : knownTagSet(tags)
  const tables = new Map<Dialect, ReadonlyMap<string, FilterSignature>>()
  const table = (dialect: Dialect) => {
    let known = tables.get(dialect)
    if (known === undefined)
      tables.set(dialect, (known = new Map([...without(filterTable(dialect), lacking), ...added])))
    return known
  }
  return { ...set, filters: added.length + lacking.length === 0 ? filterTable : table }
}

/** The filters, with those marked that are not there. */
function without(
  filters: ReadonlyMap<string, FilterSignature>,
  lacking: readonly string[],
): ReadonlyMap<string, FilterSignature> {
  if (lacking.length === 0) return filters
  const marked = ([name, filter]: readonly [string, FilterSignature]) =>
    [name, lacking.includes(filter.registry) ? { ...filter, serverOnly: true } : filter] as const
  return new Map([...filters].map(marked))
}

/** How many sets of tags are kept: a lexer and a parser of each may be. */
const MOST_SETS = 16

const sets: { readonly added: readonly AnyTag[]; readonly set: TagSet }[] = []

/** One value for the same tags of a host, so that engines share what reads them. */
function knownTagSet(added: readonly AnyTag[]): TagSet {
  const known = sets.find(
    (each) => each.added.length === added.length && each.added.every((tag, at) => tag === added[at]),
  )
  if (known !== undefined) return known.set
  const set = tagSetOf([...OWN_TAGS, ...added])
  sets.push({ added: [...added], set })
  if (sets.length > MOST_SETS) sets.shift()
  return set
}

function tagSetOf(registered: readonly AnyTag[]): TagSet {
  const tags = new Map(registered.map((each) => [each.name, each]))
  const tagsByName = new Map(
    [...tags.values()]
      .filter((each) => /^\w+$/.test(each.name))
      .flatMap((each) => [each.name, ...(each.aliases ?? [])].map((name): [string, Tag] => [name, each])),
  )
  // A tag's own name wins over another's alias.
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
