/** Follows the current release in the supervising process: switches to it, or sets the previous one again when it cannot be served. */
import { hostname } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import type { ReloadFailure } from '../cluster/model.ts'
import type { Logger } from '../../core/contracts/log.ts'
import { nextPointer, type Pointer, type Releases, shortId } from '../releases/model.ts'
import { releaseBuild } from '../releases/open.ts'
import { serverName } from '../releases/servers.ts'
import type { BuildEdits, BuiltSite } from '../../web/site/load.ts'
import { StartError } from '../../core/start-error.ts'
import type { ServerPresence } from '../../data/store/servers.ts'

export interface FollowOptions {
  readonly releases: Releases
  /** The served release, its last edit, and its build. */
  readonly release: string
  readonly revision: number
  readonly builtSite: BuiltSite
  /** Serves another build with all processes. When that fails, all processes serve the previous build. */
  serve(builtSite: BuiltSite): Promise<ReloadFailure | null>
  readonly presence: Pick<ServerPresence, 'announceFollowState'>
  readonly log: Pick<Logger, 'info' | 'warn' | 'error'>
}

export interface Follower {
  /** Loads the current release again. */
  reload(): void
  stop(): Promise<void>
}

/** Milliseconds that `stop` waits for a check that has begun. */
const STOP_TIME = 1_000

/** Follows the current release from now on. */
export function followReleases(options: FollowOptions): Follower {
  const over = new AbortController()
  const pause = new AbortController()
  const { release, revision, builtSite } = options
  const state: Following = {
    serving: { release, revision },
    builtSite,
    generation: 0,
    failed: null,
    isReloadDue: false,
    pause,
  }
  const onChange = (): void => state.pause.abort()
  const ended = follow(options, state, over.signal, onChange)
  return {
    reload() {
      state.isReloadDue = true
      onChange()
    },
    async stop() {
      over.abort()
      await Promise.race([ended, sleep(STOP_TIME, undefined, { ref: false })])
    },
  }
}

interface Following {
  serving: BuildEdits
  builtSite: BuiltSite
  /** Generation of the last followed pointer. */
  generation: number
  /** The pointer that could not be followed, with the reason. */
  failed: { readonly generation: number; readonly reason: string } | null
  /** Whether to load the same release again. */
  isReloadDue: boolean
  /** Ends the pause before the next check. */
  pause: AbortController
}

async function follow(
  options: FollowOptions,
  state: Following,
  over: AbortSignal,
  onChange: () => void,
): Promise<void> {
  const { releases, log } = options
  let lastError: string | null = null
  let unwatch: (() => Promise<void>) | null = null
  while (!over.aborted) {
    // A change from here on ends the pause after this check.
    state.pause = new AbortController()
    try {
      unwatch ??= await releases.watch(onChange)
      const now = await releases.current()
      if (now !== null && (now.generation !== state.generation || state.isReloadDue))
        await followPointer(options, state, now, over)
      lastError = null
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error)
      if (message !== lastError) log.error({}, `changes of the active release cannot be read: ${message}`)
      lastError = message
    }
    // Only stopping and a change end the pause early.
    const signal = AbortSignal.any([over, state.pause.signal])
    await sleep(releases.checkInterval, undefined, { signal, ref: false }).catch(() => undefined)
  }
  await unwatch?.()
}

async function followPointer(
  options: FollowOptions,
  state: Following,
  now: Pointer,
  stopSignal: AbortSignal,
): Promise<void> {
  const { releases, presence, log } = options
  const problem = now.coming === null ? null : await fetchRelease(options, now.coming)
  const isEdit = now.release === state.serving.release && now.revision !== state.serving.revision
  if (!isServed(now, state) || state.isReloadDue) await switchRelease(options, state, now, stopSignal)
  if (stopSignal.aborted || !isServed(now, state)) return
  state.generation = now.generation
  await presence.announceFollowState({ place: now.place, release: now.release, generation: now.generation, problem })
  // An edit neither adds nor removes releases.
  if (!isEdit) await releases.cleanUp((sentence) => log.warn({}, sentence))
}

function isServed({ release, revision }: Pointer, { serving }: Following): boolean {
  return release === serving.release && revision === serving.revision
}

/** Fetches an announced release. Resolves to the reason why it cannot be fetched; null when it can. */
async function fetchRelease({ releases, builtSite }: FollowOptions, coming: string): Promise<string | null> {
  try {
    await releaseBuild(releases, coming, builtSite.root)
    return null
  } catch (error) {
    if (error instanceof StartError) return error.message
    throw error
  }
}

async function switchRelease(options: FollowOptions, state: Following, now: Pointer, over: AbortSignal): Promise<void> {
  const { log } = options
  const { release, revision, generation } = now
  state.isReloadDue = false
  // If the return to the previous release could not be recorded, the same release is not tried again.
  if (state.failed?.generation !== generation) {
    const failure = await serveRelease(options, state, { release, revision })
    if (failure === null) {
      if (release !== state.serving.release) log.info({ release }, `serving release ${shortId(release)}`)
      state.serving = { release, revision }
      return
    }
    // A failure while stopping does not mean that the release is faulty.
    if (over.aborted) return
    log.error({ release }, `release ${shortId(release)} cannot be served: ${failure.reason}`)
    state.failed = { generation, reason: failure.reason }
  }
  if (isServed(now, state)) return
  await goBack(options, now, state.serving, state.failed.reason)
  // The pointer has changed, so the new pointer is checked at once.
  state.pause.abort()
}

/** Sets the previous release as the current one again, unless another release was set meanwhile. */
async function goBack({ releases }: FollowOptions, now: Pointer, before: BuildEdits, reason: string): Promise<void> {
  const server = serverName({ host: hostname(), pid: process.pid })
  const refused = { release: now.release, revision: now.revision, server, reason }
  const earlier = now.earlier.filter((id) => id !== before.release)
  await releases.replace(now, nextPointer(now, { ...before, earlier, refused }))
}

/** Serves a release. @returns why it cannot be served, or null @throws Error when the release cannot be read now */
async function serveRelease(
  { releases, serve }: FollowOptions,
  state: Following,
  { release, revision }: BuildEdits,
): Promise<ReloadFailure | null> {
  let builtSite: BuiltSite
  try {
    // The build of the served release is already available.
    builtSite =
      release === state.serving.release && revision > 0
        ? { ...state.builtSite, edits: { release, revision } }
        : await releaseBuild(releases, release, state.builtSite.root, revision)
  } catch (error) {
    if (error instanceof StartError) return { reason: error.message, replaced: 0 }
    throw error
  }
  const failure = await serve(builtSite)
  if (failure === null) state.builtSite = builtSite
  return failure
}
