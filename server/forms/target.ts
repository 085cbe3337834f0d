/** Where a visitor may be sent on to: an address that the request itself names must lie on this site. */
import { headerOf, type Request } from '../http/message.ts'
import type { Params } from '../http/params.ts'

const HIDDEN = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u

/**
 * The path of an address that a request brings, null where it leads away from the host, or is none.
 * @param asked as sent @param host with its port, as the visitor sees it
 */
export function ownTarget(asked: unknown, host: string): string | null {
  if (typeof asked !== 'string') return null
  const text = asked.trim()
  // Browsers drop control characters inside of addresses, and read `\` as `/`.
  if (text === '' || text.length > 4096 || HIDDEN.test(text) || text.includes('\\')) return null
  let url: URL
  try {
    url = new URL(text, `http://${host}/`)
  } catch {
    return null
  }
  const own = (url.protocol === 'http:' || url.protocol === 'https:') && sameHost(url, host)
  if (!own || url.username !== '' || url.password !== '') return null
  const path = `${url.pathname}${url.search}${url.hash}`
  // A path of two slashes would be an address of another host.
  return path.startsWith('//') ? null : path
}

function sameHost(url: URL, host: string): boolean {
  try {
    return new URL(`${url.protocol}//${host}/`).host === url.host
  } catch {
    return false
  }
}

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
