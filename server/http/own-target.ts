/** Where a visitor may be sent on to: an address that the request itself names must lie on this site. */

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

/** Whether an address leads to the host that the visitor asked; a host that is no host leads nowhere. */
function sameHost(url: URL, host: string): boolean {
  try {
    return new URL(`${url.protocol}//${host}/`).host === url.host
  } catch {
    return false
  }
}
