/** Decides where a visitor is redirected after a form, when neither the request nor the form says it. */
import type { PageEntry } from '../../../runtime/page/site.ts'
import { headerOf, type Request } from '../http/message.ts'
import { ownTarget } from '../http/own-target.ts'
import type { Params } from '../http/params.ts'
import { stableId } from '../site/stable-id.ts'

/**
 * The path of the page that a form was sent from, by its hidden inputs or else the `Referer` header. Null when that is
 * no page of this site.
 * @param pages of the site
 */
export function pageOf(
  pages: readonly PageEntry[],
  { request, params }: { readonly request: Request; readonly params: Params },
): string | null {
  const { page_slug: slug, page_id: id } = params
  const named = typeof slug === 'string' ? `/${slug.replace(/^\/+/, '')}` : pageByNumber(pages, id)
  return ownTarget(named, request.host) ?? ownTarget(headerOf(request, 'referer'), request.host)
}

/** The path of the page with this number (`page_id`); null when there is none, or its slug has parameters. */
function pageByNumber(pages: readonly PageEntry[], id: unknown): string | null {
  if ((typeof id !== 'string' && typeof id !== 'number') || !/^\d{1,15}$/.test(`${id}`)) return null
  const page = pages.find(({ file, method }) => method === 'get' && stableId(file) === `${id}`)
  if (page === undefined || !page.route.every(({ kind }) => kind === 'static')) return null
  return `/${page.slug.replace(/^\/+/, '')}`
}
