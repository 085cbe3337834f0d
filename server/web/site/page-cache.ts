/** `dynamic_cache`: caches a page's output in the fragment cache, which all servers of a database share. */
import * as z from 'zod'
import type { CachePort } from '../../../runtime/page/services.ts'
import type { RenderedBody } from './rendered-body.ts'

const record = z.object({
  text: z.string(),
  status: z.number(),
  headers: z.array(z.tuple([z.string(), z.string()])),
  blocks: z.array(z.tuple([z.string(), z.string()])),
})

/**
 * Returns the cached body for a key, or else the result of `renderBody`.
 * @param seconds null keeps it until the site changes
 * @param renderBody renders the body; `isCacheable` is false when the body is specific to one visitor
 */
export async function findOrRenderBody(
  cache: CachePort,
  key: string,
  seconds: number | null,
  renderBody: () => Promise<{ readonly body: RenderedBody; readonly isCacheable: boolean }>,
): Promise<RenderedBody> {
  const renderedHere: RenderedBody[] = []
  const text = await cache.fragment(`page ${key}`, seconds, async () => {
    const { body, isCacheable } = await renderBody()
    renderedHere.push(body)
    return { text: isCacheable ? serialize(body) : '', keep: isCacheable }
  })
  // Another version may have written an entry of another shape.
  return renderedHere[0] ?? deserialize(text) ?? (await renderBody()).body
}

function serialize({ text, status, headers, blocks }: RenderedBody): string {
  return JSON.stringify({ text, status, headers: Object.entries(headers), blocks: [...blocks] })
}

/** Parses a cache entry. Returns null for an unreadable entry, which is then rendered again. */
function deserialize(text: string): RenderedBody | null {
  let json: unknown
  try {
    json = JSON.parse(text)
  } catch {
    return null
  }
  const parsed = record.safeParse(json)
  if (!parsed.success) return null
  const { headers, blocks, ...rest } = parsed.data
  return { ...rest, headers: Object.fromEntries(headers), blocks: new Map(blocks) }
}
