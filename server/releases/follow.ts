/** In the process that supervises: switches to the release that is named as the current one, and goes back where it cannot be served. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { ReloadFailure } from '../cluster/supervisor.ts'
import type { Logger } from '../contracts/log.ts'
import { type BuiltSite, findBuilt } from '../site/load.ts'
import { shortId } from './check.ts'
import type { Pointer, ReleaseFolder } from './folder.ts'

export interface FollowOptions {
  readonly releases: ReleaseFolder
  /** Folder of the site. */
  readonly root: string
  /** The release that is being served. */
  readonly release: string
  /** Serves another build with all processes; when it fails, all of them serve the one before. */
  serve(built: BuiltSite): Promise<ReloadFailure | null>
  readonly log: Pick<Logger, 'info' | 'error'>
}

export interface Follower {
  /** Loads the current release anew. */
  again(): void
  stop(): Promise<void>
}

/** Milliseconds between two looks at the current release. */
const LOOK_EVERY = 1_000

/** Follows the current release from now on. */
export function followReleases(options: FollowOptions): Follower {
  const over = new AbortController()
  const state: Following = { serving: options.release, failed: null, again: false }
  const ended = follow(options, state, over.signal)
  return {
    again() {
      state.again = true
    },
    async stop() {
      over.abort()
      await Promise.race([ended, sleep(LOOK_EVERY, undefined, { ref: false })])
      // What stays of it counts as gone by its process, which ends now.
      await options.releases.leave().catch(() => undefined)
    },
  }
}

interface Following {
  serving: string
  /** The pointer that could not be followed. */
  failed: { readonly since: string; readonly reason: string } | null
  /** Whether the same release is to be loaded once more. */
  again: boolean
}

async function follow(options: FollowOptions, state: Following, over: AbortSignal): Promise<void> {
  const { releases, log } = options
  let said: string | null = null
  while (!over.aborted) {
    try {
      const now = await releases.current()
      if (now !== null && (now.release !== state.serving || state.again)) await change(options, state, now, over)
      if (!over.aborted) await releases.tell(state.serving)
      said = null
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error)
      if (why !== said) log.error({}, `the releases cannot be followed: ${why}`)
      said = why
    }
    // Only the end of the loop breaks off the pause.
    await sleep(LOOK_EVERY, undefined, { signal: over, ref: false }).catch(() => undefined)
  }
}

async function change(
  options: FollowOptions,
  state: Following,
  { release, since }: Pointer,
  over: AbortSignal,
): Promise<void> {
  const { releases, log } = options
  state.again = false
  // Where going back could not be written down, the same release is not tried again and again.
  if (state.failed?.since !== since) {
    const failure = await attempt(options, release)
    if (failure === null) {
      state.serving = release
      log.info({ release }, `serving release ${shortId(release)}`)
      return
    }
    // Whoever stops in the midst of a change says nothing of the release.
    if (over.aborted) return
    log.error({ release }, `release ${shortId(release)} cannot be served: ${failure.reason}`)
    state.failed = { since, reason: failure.reason }
  }
  if (release !== state.serving) await releases.refuse(release, state.serving, state.failed?.reason ?? '')
}

async function attempt({ releases, root, serve }: FollowOptions, release: string): Promise<ReloadFailure | null> {
  const built = releases.built(release, root)
  try {
    findBuilt(root, built.folder)
  } catch (error) {
    return { reason: error instanceof Error ? error.message : String(error), replaced: 0 }
  }
  return serve(built)
}
