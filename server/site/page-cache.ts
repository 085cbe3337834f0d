/** `dynamic_cache`: what a page printed, kept beside cached fragments and so shared by all servers of a database. */
import * as z from 'zod'
import type { CachePort } from '../../runtime/page/services.ts'

/** What a page printed, with what its layout and its answer need of it. */
export interface RenderedBody {
  readonly text: string
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly blocks: ReadonlyMap<string, string>
}

const record = z.object({
  text: z.string(),
  status: z.number(),
  headers: z.array(z.tuple([z.string(), z.string()])),
  blocks: z.array(z.tuple([z.string(), z.string()])),
})

/**
 * The body kept under a key, else what `make` gives.
 * @param seconds null keeps it until the site changes
 * @param make renders it; `keep` is false for one that is its visitor's only
 */
export async function keptBody(
  cache: CachePort,
  key: string,
  seconds: number | null,
  make: () => Promise<{ readonly body: RenderedBody; readonly keep: boolean }>,
): Promise<RenderedBody> {
  const own: RenderedBody[] = []
  const text = await cache.fragment(`page ${key}`, seconds, async () => {
    const { body, keep } = await make()
    own.push(body)
    return { text: keep ? written(body) : '', keep }
  })
  // Another server, or another program, may have written what is no page of ours.
  return own[0] ?? read(text) ?? (await make()).body
}

function written({ text, status, headers, blocks }: RenderedBody): string {
  return JSON.stringify({ text, status, headers: Object.entries(headers), blocks: [...blocks] })
}

/** What was kept; null, so that it is made anew, for what cannot be read. */
function read(text: string): RenderedBody | null {
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
