/** Where a visitor is sent on to after a form: by the request, or by the form. */
import type { PageEntry } from '../../runtime/page/site.ts'
import { fromRoot, headerOf, type Request } from '../http/message.ts'
import { ownTarget } from '../http/own-target.ts'
import type { Params } from '../http/params.ts'
import { stableId } from '../site/stable-id.ts'

/** The address that a form itself names, as its author wrote it. Null for blank text, and for what would run as a script. */
export function writtenTarget(text: string): string | null {
  const target = text.trim().replace(/[\r\n\t]+/g, '')
  return target === '' || /^(?:javascript|data|vbscript):/i.test(target) ? null : fromRoot(target)
}

/**
 * The address of the page that a form was sent from: as its hidden inputs say, else as the browser does. Null for none of ours.
 * @param pages of the site
 */
export function pageOf(
  pages: readonly PageEntry[],
  { request, params }: { readonly request: Request; readonly params: Params },
): string | null {
  const { page_slug: slug, page_id: id } = params
  const named = typeof slug === 'string' ? `/${slug.replace(/^\/+/, '')}` : numberedPage(pages, id)
  return ownTarget(named, request.host) ?? ownTarget(headerOf(request, 'referer'), request.host)
}

/** The address of the page of a number (`page_id`); null where that is none, or its slug names parts that only the request knew. */
function numberedPage(pages: readonly PageEntry[], id: unknown): string | null {
  if ((typeof id !== 'string' && typeof id !== 'number') || !/^\d{1,15}$/.test(`${id}`)) return null
  const page = pages.find(({ file, method }) => method === 'get' && stableId(file) === `${id}`)
  if (page === undefined || !page.route.every(({ kind }) => kind === 'static')) return null
  return `/${page.slug.replace(/^\/+/, '')}`
}
