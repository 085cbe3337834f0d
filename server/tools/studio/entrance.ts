/**
 * The studio of a built site: at the path that the site names, for visitors whom its policy admits. The policy is checked at every request.
 * Nothing of the studio is loaded before it has admitted someone. In development, the studio is also at its usual path.
 */
import { readCookie, SESSION_COOKIE } from '../../web/accounts/cookies.ts'
import type { App } from '../../web/app.ts'
import type { AppOptions } from '../../web/app-options.ts'
import type { Reply, Request } from '../../web/http/message.ts'
import { refusalOf } from '../../web/site/answer.ts'
import { plainReply, STUDIO } from '../../web/http/plain-reply.ts'
import type { Shown, Studio, StudioOptions, StudioPages } from './studio.ts'

export interface Entrance {
  /** Answers requests for the studio; returns null for all others. */
  readonly answer: NonNullable<AppOptions['instead']>
  /** Returns whether the body of a request is needed; null for requests that are not for the studio. */
  takesBody(request: Request): boolean | null
}

/**
 * Creates the entrance.
 * @param app returns the app of the site
 */
export function createEntrance(app: () => App, options: StudioOptions): Entrance {
  let opened: { readonly base: string; readonly pages: Promise<StudioPages> } | null = null

  function pagesAt(base: string): Promise<StudioPages> {
    if (opened?.base !== base) opened = { base, pages: load(base, options) }
    return opened.pages
  }

  const isDevelopment = options.facts.environment === 'development'
  let developers: Promise<Studio> | null = null

  async function enterInDevelopment(request: Request, shown: Shown): Promise<Reply> {
    developers ??= import('./studio.ts').then(({ createStudio }) => createStudio(options))
    const studio = await developers
    return (await studio.answer(request, shown)) ?? plainReply(404, 'html')
  }

  async function enter(base: string, policy: string, request: Request, shown: Shown): Promise<Reply> {
    const refusal = await refusalOf(app().host(), request, policy)
    if (refusal !== null) return { ...refusal, headers: { ...refusal.headers, 'cache-control': 'no-store' } }
    const pages = await pagesAt(base)
    return pages.answer(request, shown)
  }

  return {
    answer(shown, request) {
      if (isDevelopment && isFor(STUDIO, request)) return enterInDevelopment(request, shown)
      const { studio } = shown.loadedSite.site.options
      if (studio === undefined || !isFor(studio.path, request)) return null
      return enter(studio.path, studio.policy, request, shown)
    },
    takesBody(request) {
      if (isDevelopment && isFor(STUDIO, request)) return true
      const { studio } = app().host().loadedSite.site.options
      if (studio === undefined || !isFor(studio.path, request)) return null
      // A visitor without a session is refused, whatever the body contains.
      return readCookie(request.cookie, SESSION_COOKIE) !== null
    },
  }
}

async function load(base: string, options: StudioOptions): Promise<StudioPages> {
  const { StudioPages: Pages } = await import('./studio.ts')
  return new Pages(base, options)
}

function isFor(base: string, { path }: Request): boolean {
  return path.startsWith(base) && (path.length === base.length || path[base.length] === '/')
}
