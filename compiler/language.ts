/** The tags of the language by name: the registry as the phases look it up. */
import * as registry from './tags/index.ts'
import type { Tag } from './tags/tag.ts'

/** Every tag by its canonical name. */
export const TAGS: ReadonlyMap<string, Tag> = new Map(
  (Object.values(registry) as unknown as Tag[]).map((each) => [each.name, each]),
)

/** Every tag by each of its names. */
export const TAGS_BY_NAME: ReadonlyMap<string, Tag> = new Map(
  [...TAGS.values()]
    .filter((each) => /^\w+$/.test(each.name))
    .flatMap((each) => [each.name, ...(each.aliases ?? [])].map((name): [string, Tag] => [name, each])),
)

/** Names of branch tags, with the blocks that they may stand in. */
export const BRANCHES: ReadonlyMap<string, readonly string[]> = branchOwners()

function branchOwners(): Map<string, string[]> {
  const owners = new Map<string, string[]>()
  for (const tag of TAGS.values()) {
    for (const name of Object.keys(tag.branches ?? {})) owners.set(name, [...(owners.get(name) ?? []), tag.name])
  }
  return owners
}
