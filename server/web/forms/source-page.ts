/**
 * Finds the page that a form was submitted from. Visitors are redirected there when neither the request nor the form
 * sets a target.
 */
import type { PageEntry } from '../../../runtime/page/site.ts'
import { headerOf, type Request } from '../http/message.ts'
import { ownTarget } from '../http/own-target.ts'
import type { Params } from '../http/params.ts'
import { stableId } from '../site/stable-id.ts'

/**
 * Returns the path of the page that a form was submitted from. It is read from the hidden inputs or else from the
 * `Referer` header. Returns null when it is not a page of this site.
 * @param pages the site's pages
 */
export function findSourcePage(
  pages: readonly PageEntry[],
  { request, params }: { readonly request: Request; readonly params: Params },
): string | null {
  const { page_slug: slug, page_id: id } = params
  const path = typeof slug === 'string' ? `/${slug.replace(/^\/+/, '')}` : findPageByNumber(pages, id)
  return ownTarget(path, request.host) ?? ownTarget(headerOf(request, 'referer'), request.host)
}

/**
 * Returns the path of the page with a number (`page_id`). Returns null when there is none or its slug has parameters.
 */
function findPageByNumber(pages: readonly PageEntry[], id: unknown): string | null {
  if ((typeof id !== 'string' && typeof id !== 'number') || !/^\d{1,15}$/.test(`${id}`)) return null
  const page = pages.find(({ file, method }) => method === 'get' && stableId(file) === `${id}`)
  if (page === undefined || !page.route.every(({ kind }) => kind === 'static')) return null
  return `/${page.slug.replace(/^\/+/, '')}`
}
