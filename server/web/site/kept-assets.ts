/** Assets of releases that are kept, by which the pages of another release find what they name. */
import { readdir, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import * as z from 'zod'
import type { AssetEntry } from '../../../runtime/page/site.ts'

/** An asset in the folder of a release. */
export interface KeptAsset {
  /** Folder of the release. */
  readonly folder: string
  readonly entry: AssetEntry
}

const assetsSchema = z.object({
  assets: z.record(
    z.string(),
    z.object({
      file: z.string(),
      stamp: z.string(),
      digest: z.string().regex(/^[\da-f]{64}$/),
      size: z.number(),
      encodings: z.array(z.enum(['br', 'gzip'])),
    }),
  ),
})

type Assets = ReadonlyMap<string, KeptAsset>

/** What was read of each folder of releases, and when that folder was changed. */
export class KeptAssets {
  readonly #folder: string
  #read: { readonly changed: number; readonly assets: Promise<Assets> } | null = null

  /** @param folder of the releases */
  constructor(folder: string) {
    this.#folder = folder
  }

  /** The asset of a name and a stamp; null when no release that is kept has it. */
  async find(name: string, stamp: string): Promise<KeptAsset | null> {
    const changed = await stat(this.#folder).then(
      ({ mtimeMs }) => mtimeMs,
      () => 0,
    )
    if (this.#read?.changed !== changed) this.#read = { changed, assets: readAll(this.#folder) }
    return (await this.#read.assets).get(keyOf(name, stamp)) ?? null
  }
}

async function readAll(folder: string): Promise<Assets> {
  const found = new Map<string, KeptAsset>()
  const names = await readdir(folder).catch(() => [])
  for (const name of names.filter((each) => /^[\da-f]{64}\.json$/.test(each))) {
    const read = assetsSchema.safeParse(parsed(await readFile(join(folder, name), 'utf8').catch(() => '')))
    if (!read.success) continue
    for (const [asset, entry] of Object.entries(read.data.assets))
      found.set(keyOf(asset, entry.stamp), { folder: join(folder, name.slice(0, 64)), entry })
  }
  return found
}

function keyOf(name: string, stamp: string): string {
  return `${stamp} ${name}`
}

/** Null when the text is no JSON: the release is being removed. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
