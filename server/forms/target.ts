/** Where a visitor is sent on to after a form: by the request, or by the form. */
import { headerOf, type Request } from '../http/message.ts'
import { ownTarget } from '../http/own-target.ts'
import type { Params } from '../http/params.ts'

/** The address that a form itself names, as its author wrote it. Null for blank text, and for what would run as a script. */
export function writtenTarget(text: string): string | null {
  const target = text.trim().replace(/[\r\n\t]+/g, '')
  return target === '' || /^(?:javascript|data|vbscript):/i.test(target) ? null : target
}

/** The address of the page that a form was sent from: as its hidden input says, else as the browser does. Null for none of ours. */
export function pageOf({ request, params }: { readonly request: Request; readonly params: Params }): string | null {
  const { page_slug: slug } = params
  const named = typeof slug === 'string' ? ownTarget(`/${slug.replace(/^\/+/, '')}`, request.host) : null
  return named ?? ownTarget(headerOf(request, 'referer'), request.host)
}
