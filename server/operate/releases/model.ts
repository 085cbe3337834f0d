/** Releases: stored builds, one of which is active. They are stored in a folder, or in the database. */
import { randomUUID } from 'node:crypto'
import * as z from 'zod'
import type { BuiltSite } from '../../web/site/load.ts'
import { StartError } from '../../core/start-error.ts'

/** The digest of a build's manifest, which lists the digests of all its files. */
export const releaseId = z.string().regex(/^[\da-f]{64}$/)

export const pointerSchema = z.object({
  /** Distinguishes the servers of these releases from other servers on the same database. */
  place: z.uuid(),
  /** The active release. */
  release: releaseId,
  /** The last edit of the release that is served; 0 when it is served without edits. */
  revision: z.number().int().nonnegative().default(0),
  /** Rises with every change of the pointer. */
  generation: z.number().int().positive(),
  since: z.iso.datetime(),
  /** Previously active releases, the latest first. A rollback goes back along this list. */
  earlier: z.array(releaseId),
  /** The last edits of releases that were replaced by others. */
  edited: z.record(releaseId, z.number().int().positive()).default({}),
  /** The release that servers should fetch, because it may be activated next. */
  coming: releaseId.nullable(),
  /** The release that a server could not serve, with the server and the reason. */
  refused: z
    .object({ release: releaseId, revision: z.number().default(0), server: z.string(), reason: z.string() })
    .nullable(),
})
export type Pointer = z.infer<typeof pointerSchema>

/** A change of the pointer. Without a `revision`, a release is served with the edits that it had before. */
export type PointerChange = Pick<Pointer, 'release'> &
  Partial<Pick<Pointer, 'revision' | 'earlier' | 'coming' | 'refused'>>

/** A stored release. */
export interface Release {
  readonly id: string
  readonly pushedAt: Date
  readonly files: number
  readonly bytes: number
}

/** A store of releases. */
export interface Releases {
  /** Name of the store, for messages. */
  readonly place: string
  /** Returns the pointer to the active release; null before the first activation. @throws StartError when it cannot be read */
  current(): Promise<Pointer | null>
  /**
   * Replaces the pointer if it has not changed.
   * @returns the new pointer; null when it was changed meanwhile
   */
  replace(previousPointer: Pointer | null, next: Pointer): Promise<Pointer | null>
  /**
   * Stores a build.
   * @param given the folder of a site or of a build, or an archive
   * @param isFresh whether the folder contains a build that was made just now for this call; it may be moved
   * @returns its id, and whether it is new
   * @throws StartError
   */
  push(given: string, isFresh?: boolean): Promise<{ readonly id: string; readonly isNew: boolean }>
  /** Lists the releases, the newest first. */
  list(): Promise<readonly Release[]>
  /** Returns the build of a release on this machine. @throws StartError when it is not available */
  openBuild(id: string, root: string): Promise<BuiltSite>
  /** Returns why the build of a release cannot be trusted; null when every file has its digest. */
  damage(id: string): Promise<string | null>
  /** Stores a release's asset names, so that its assets are found while another release is served. */
  nameAssets(id: string, assets: object): Promise<void>
  remove(id: string): Promise<void>
  /**
   * Fetches what this machine needs of earlier releases, and removes what is no longer needed.
   * @param warn called for a release that is not available
   */
  cleanUp(warn: (sentence: string) => void): Promise<void>
  /** Milliseconds between two checks of the pointer. */
  readonly checkInterval: number
  /** Calls `changed` when the pointer may have changed. @returns a function that ends it */
  watch(changed: () => void): Promise<() => Promise<void>>
}

/** Maximum number of earlier releases in the pointer. */
const MAX_EARLIER = 50

/** Creates the pointer that follows another one. */
export function nextPointer(previousPointer: Pointer | null, { release, ...change }: PointerChange): Pointer {
  const { place = randomUUID(), generation = 0, earlier = [], edited = {}, since = '' } = previousPointer ?? {}
  const known =
    previousPointer === null || previousPointer.revision === 0
      ? edited
      : { ...edited, [previousPointer.release]: previousPointer.revision }
  const rest = (change.earlier ?? earlier).slice(0, MAX_EARLIER)
  return {
    place,
    release,
    revision: change.revision ?? known[release] ?? 0,
    generation: generation + 1,
    since: previousPointer?.release === release ? since : new Date().toISOString(),
    earlier: rest,
    edited: Object.fromEntries(Object.entries(known).filter(([id]) => id !== release && rest.includes(id))),
    coming: change.coming ?? null,
    refused: change.refused ?? null,
  }
}

/** Returns the short name of a release for messages. */
export function shortId(id: string): string {
  return id.slice(0, 12)
}

/** Finds the release whose id begins with some letters. @throws StartError */
export async function findRelease(releases: Releases, beginning: string): Promise<string> {
  const ids = (await releases.list()).map(({ id }) => id)
  const found = /^[\da-f]{4,64}$/.test(beginning) ? ids.filter((id) => id.startsWith(beginning)) : []
  const [id, other] = found
  if (id === undefined)
    throw new StartError(
      `There is no release '${beginning}' in ${releases.place}: list them with \`ingot release list\`, and give four or more characters of the ID.`,
    )
  if (other !== undefined)
    throw new StartError(`Several releases begin with '${beginning}': give more characters of the ID.`)
  return id
}

/** Creates the error for a store without an active release. */
export function noActiveRelease({ place }: Releases): StartError {
  return new StartError(
    `No release is active in ${place}: store one with \`ingot release push BUILD\`, and activate it with \`ingot release activate ID\`.`,
  )
}
