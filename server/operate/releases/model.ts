/** Releases: builds that are kept, and the one of them that is served. They are kept in a folder, or in the database. */
import { randomUUID } from 'node:crypto'
import * as z from 'zod'
import type { BuiltSite } from '../../web/site/load.ts'
import { StartError } from '../../core/start-error.ts'

/** The digest of a build's manifest, which lists the digests of all its files. */
export const releaseId = z.string().regex(/^[\da-f]{64}$/)

export const pointerSchema = z.object({
  /** Tells the servers of these releases from others on the same database. */
  place: z.uuid(),
  /** The release that is served. */
  release: releaseId,
  /** The last edit of it that is served with it; 0 where it is served as it was made. */
  revision: z.number().int().nonnegative().default(0),
  /** Rises with every change of the pointer. */
  generation: z.number().int().positive(),
  since: z.iso.datetime(),
  /** What was served before it, the last one first; a rollback goes back along this list. */
  earlier: z.array(releaseId),
  /** The edits that releases were served with when others took their place. */
  edited: z.record(releaseId, z.number().int().positive()).default({}),
  /** The release that servers are to have at hand, because it may be served next. */
  coming: releaseId.nullable(),
  /** The release that could not be served, where and why, when a server has gone back from it. */
  refused: z
    .object({ release: releaseId, revision: z.number().default(0), server: z.string(), reason: z.string() })
    .nullable(),
})
export type Pointer = z.infer<typeof pointerSchema>

/** What a change of the pointer names anew. A release is served with the edits that it was served with, unless others are named. */
export type PointerChange = Pick<Pointer, 'release'> &
  Partial<Pick<Pointer, 'revision' | 'earlier' | 'coming' | 'refused'>>

/** A release that is kept. */
export interface Release {
  readonly id: string
  readonly pushedAt: Date
  readonly files: number
  readonly bytes: number
}

/** Where releases are kept. */
export interface Releases {
  /** For sentences. */
  readonly place: string
  /** What is served; null as long as nothing was activated. @throws StartError when that cannot be told */
  current(): Promise<Pointer | null>
  /**
   * Replaces the pointer, where it is still the one before.
   * @returns the new one; null where another was put there meanwhile
   */
  replace(before: Pointer | null, next: Pointer): Promise<Pointer | null>
  /**
   * Keeps a build.
   * @param given the folder of a site or of a build, or an archive
   * @param isFresh the folder holds a build that was made just now for this, and is moved
   * @returns its id, and whether it was there already
   * @throws StartError
   */
  push(given: string, isFresh?: boolean): Promise<{ readonly id: string; readonly isNew: boolean }>
  /** The newest first. */
  list(): Promise<readonly Release[]>
  /** The build of a release on this machine. @throws StartError when it cannot be had */
  built(id: string, root: string): Promise<BuiltSite>
  /** Why the build of a release cannot be trusted; null when every file has its digest. */
  damage(id: string): Promise<string | null>
  /** Keeps the names of a release's assets, by which they are found when another release is served. */
  nameAssets(id: string, assets: object): Promise<void>
  remove(id: string): Promise<void>
  /**
   * Has at hand what this machine needs of the releases that were served before, and removes what nobody needs any more.
   * @param warn hears of a release that cannot be had
   */
  tidy(warn: (sentence: string) => void): Promise<void>
  /** Milliseconds between two looks at the pointer. */
  readonly lookEvery: number
  /** Calls back when the pointer may have changed. @returns what ends it */
  watch(changed: () => void): Promise<() => Promise<void>>
}

/** How many earlier releases are remembered. */
const MOST_EARLIER = 50

/** The pointer that follows another one. */
export function following(before: Pointer | null, { release, ...change }: PointerChange): Pointer {
  const { place = randomUUID(), generation = 0, earlier = [], edited = {}, since = '' } = before ?? {}
  const known = before === null || before.revision === 0 ? edited : { ...edited, [before.release]: before.revision }
  const rest = (change.earlier ?? earlier).slice(0, MOST_EARLIER)
  return {
    place,
    release,
    revision: change.revision ?? known[release] ?? 0,
    generation: generation + 1,
    since: before?.release === release ? since : new Date().toISOString(),
    earlier: rest,
    edited: Object.fromEntries(Object.entries(known).filter(([id]) => id !== release && rest.includes(id))),
    coming: change.coming ?? null,
    refused: change.refused ?? null,
  }
}

/** How a release is named to people. */
export function shortId(id: string): string {
  return id.slice(0, 12)
}

/** The id of the release that a beginning of it names. @throws StartError */
export async function findRelease(releases: Releases, beginning: string): Promise<string> {
  const ids = (await releases.list()).map(({ id }) => id)
  const found = /^[\da-f]{4,64}$/.test(beginning) ? ids.filter((id) => id.startsWith(beginning)) : []
  const [id, other] = found
  if (id === undefined)
    throw new StartError(
      `There is no release '${beginning}' in ${releases.place}: \`ingot release list\` shows them, and four letters or more of its name are enough.`,
    )
  if (other !== undefined) throw new StartError(`Several releases begin with '${beginning}': give more of the name.`)
  return id
}

/** The sentence where no release is served. */
export function noneActive({ place }: Releases): StartError {
  return new StartError(
    `No release is active in ${place}: \`ingot release push BUILD\` keeps one, and \`ingot release activate ID\` has it served.`,
  )
}
