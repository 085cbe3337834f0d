/** Parses settings that are lists. */
import * as z from 'zod'

/** Returns the entries of a list with commas between them. */
export function parseList(text = ''): readonly string[] {
  return text.split(',').flatMap((each) => (each.trim() === '' ? [] : [each.trim()]))
}

/** `https://api.example=http://127.0.0.1:9999,…`: the second server of each pair is contacted instead of the first. */
export const originOverrides = z.string().transform((text, context) => {
  const origins: Record<string, string> = {}
  for (const entry of parseList(text)) {
    const pair = entry.split('=').map(originOf)
    const [from = null, to = null] = pair
    if (pair.length !== 2 || from === null || to === null) {
      context.addIssue({ code: 'custom', message: 'not pairs of servers' })
      return z.NEVER
    }
    origins[from] = to
  }
  return origins
})

/** Returns the origin of a URL; null when the text is not a URL or contains more than an origin. */
function originOf(text: string): string | null {
  const trimmed = text.trim().replace(/\/$/, '')
  if (!/^https?:\/\/[^/?#@\s]+$/i.test(trimmed) || !URL.canParse(trimmed)) return null
  return new URL(trimmed).origin
}
