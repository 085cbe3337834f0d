/** In the process that supervises: switches to the release that is named as the current one, and goes back where it cannot be served. */
import { hostname } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import type { ReloadFailure } from '../cluster/model.ts'
import type { Logger } from '../../core/contracts/log.ts'
import { following, type Pointer, type Releases, shortId } from '../releases/model.ts'
import { releaseBuild } from '../releases/open.ts'
import { serverName } from '../releases/servers.ts'
import type { BuildEdits, BuiltSite } from '../../web/site/load.ts'
import { StartError } from '../../core/start-error.ts'
import type { ServerPresence } from '../../data/store/servers.ts'

export interface FollowOptions {
  readonly releases: Releases
  /** The release that is being served, the last edit of it, and its build. */
  readonly release: string
  readonly revision: number
  readonly built: BuiltSite
  /** Serves another build with all processes; when it fails, all of them serve the one before. */
  serve(built: BuiltSite): Promise<ReloadFailure | null>
  readonly presence: Pick<ServerPresence, 'announceFollows'>
  readonly log: Pick<Logger, 'info' | 'warn' | 'error'>
}

export interface Follower {
  /** Loads the current release anew. */
  again(): void
  stop(): Promise<void>
}

/** Milliseconds that the end of a server waits for a look that has begun. */
const STOP_TIME = 1_000

/** Follows the current release from now on. */
export function followReleases(options: FollowOptions): Follower {
  const over = new AbortController()
  const pause = new AbortController()
  const { release, revision, built } = options
  const state: Following = { serving: { release, revision }, built, generation: 0, failed: null, again: false, pause }
  const changed = (): void => state.pause.abort()
  const ended = follow(options, state, over.signal, changed)
  return {
    again() {
      state.again = true
      changed()
    },
    async stop() {
      over.abort()
      await Promise.race([ended, sleep(STOP_TIME, undefined, { ref: false })])
    },
  }
}

interface Following {
  serving: BuildEdits
  built: BuiltSite
  /** Of the last pointer that was followed. */
  generation: number
  /** The pointer that could not be followed. */
  failed: { readonly generation: number; readonly reason: string } | null
  /** Whether the same release is to be loaded once more. */
  again: boolean
  /** Ends the pause before the next look. */
  pause: AbortController
}

async function follow(options: FollowOptions, state: Following, over: AbortSignal, changed: () => void): Promise<void> {
  const { releases, log } = options
  let said: string | null = null
  let unwatch: (() => Promise<void>) | null = null
  while (!over.aborted) {
    // Whatever is told from here on is looked at after this look.
    state.pause = new AbortController()
    try {
      unwatch ??= await releases.watch(changed)
      const now = await releases.current()
      if (now !== null && (now.generation !== state.generation || state.again)) await obey(options, state, now, over)
      said = null
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error)
      if (why !== said) log.error({}, `the releases cannot be followed: ${why}`)
      said = why
    }
    // Only the end of the loop, and a change, break off the pause.
    const signal = AbortSignal.any([over, state.pause.signal])
    await sleep(releases.lookEvery, undefined, { signal, ref: false }).catch(() => undefined)
  }
  await unwatch?.()
}

async function obey(options: FollowOptions, state: Following, now: Pointer, over: AbortSignal): Promise<void> {
  const { releases, presence, log } = options
  const problem = now.coming === null ? null : await whyNotAtHand(options, now.coming)
  const isEdit = now.release === state.serving.release && now.revision !== state.serving.revision
  if (!isServed(now, state) || state.again) await change(options, state, now, over)
  if (over.aborted || !isServed(now, state)) return
  state.generation = now.generation
  await presence.announceFollows({ place: now.place, release: now.release, generation: now.generation, problem })
  // An edit adds no release, and takes none away.
  if (!isEdit) await releases.tidy((sentence) => log.warn({}, sentence))
}

function isServed({ release, revision }: Pointer, { serving }: Following): boolean {
  return release === serving.release && revision === serving.revision
}

async function whyNotAtHand({ releases, built }: FollowOptions, coming: string): Promise<string | null> {
  try {
    await releaseBuild(releases, coming, built.root)
    return null
  } catch (error) {
    if (error instanceof StartError) return error.message
    throw error
  }
}

async function change(options: FollowOptions, state: Following, now: Pointer, over: AbortSignal): Promise<void> {
  const { log } = options
  const { release, revision, generation } = now
  state.again = false
  // Where going back could not be written down, the same release is not tried again and again.
  if (state.failed?.generation !== generation) {
    const failure = await attempt(options, state, { release, revision })
    if (failure === null) {
      if (release !== state.serving.release) log.info({ release }, `serving release ${shortId(release)}`)
      state.serving = { release, revision }
      return
    }
    // Whoever stops in the midst of a change says nothing of the release.
    if (over.aborted) return
    log.error({ release }, `release ${shortId(release)} cannot be served: ${failure.reason}`)
    state.failed = { generation, reason: failure.reason }
  }
  if (isServed(now, state)) return
  await goBack(options, now, state.serving, state.failed.reason)
  // The pointer is another one now.
  state.pause.abort()
}

/** Names the release before as the current one again, unless another one is named meanwhile. */
async function goBack({ releases }: FollowOptions, now: Pointer, before: BuildEdits, reason: string): Promise<void> {
  const server = serverName({ host: hostname(), pid: process.pid })
  const refused = { release: now.release, revision: now.revision, server, reason }
  const earlier = now.earlier.filter((id) => id !== before.release)
  await releases.replace(now, following(now, { ...before, earlier, refused }))
}

/** @throws Error when the release cannot be read just now */
async function attempt(
  { releases, serve }: FollowOptions,
  state: Following,
  { release, revision }: BuildEdits,
): Promise<ReloadFailure | null> {
  let built: BuiltSite
  try {
    // One that is served is at hand.
    built =
      release === state.serving.release && revision > 0
        ? { ...state.built, edits: { release, revision } }
        : await releaseBuild(releases, release, state.built.root, revision)
  } catch (error) {
    if (error instanceof StartError) return { reason: error.message, replaced: 0 }
    throw error
  }
  const failure = await serve(built)
  if (failure === null) state.built = built
  return failure
}
