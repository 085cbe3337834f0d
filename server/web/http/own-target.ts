/** Prevents open redirects: a target that a request names must be on this site. */

const INVISIBLE_CHARACTERS = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u

/**
 * Returns the path of a redirect target; null when the target leads to another host or is not a URL.
 * @param requestedTarget the unchecked input
 * @param host with its port, as the client sees it
 */
export function ownTarget(requestedTarget: unknown, host: string): string | null {
  if (typeof requestedTarget !== 'string') return null
  const text = requestedTarget.trim()
  // Browsers drop control characters in URLs, and read `\` as `/`.
  if (text === '' || text.length > 4096 || INVISIBLE_CHARACTERS.test(text) || text.includes('\\')) return null
  let url: URL
  try {
    url = new URL(text, `http://${host}/`)
  } catch {
    return null
  }
  const isOwn = (url.protocol === 'http:' || url.protocol === 'https:') && sameHost(url, host)
  if (!isOwn || url.username !== '' || url.password !== '') return null
  const path = `${url.pathname}${url.search}${url.hash}`
  // A path with two leading slashes would name another host.
  return path.startsWith('//') ? null : path
}

/** Returns whether a URL leads to the requested host; false when the host is invalid. */
function sameHost(url: URL, host: string): boolean {
  try {
    return new URL(`${url.protocol}//${host}/`).host === url.host
  } catch {
    return false
  }
}
