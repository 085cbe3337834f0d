/** Finds assets of kept releases, for pages of another release. */
import { readdir, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import * as z from 'zod'
import type { AssetEntry } from '../../../runtime/page/site.ts'

/** An asset in the folder of a release. */
interface KeptAsset {
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

/** The assets of all releases in a folder. They are read again when the folder changes. */
export class KeptAssets {
  readonly #folder: string
  #read: { readonly changed: number; readonly assets: Promise<Assets> } | null = null

  /** @param folder folder of the releases */
  constructor(folder: string) {
    this.#folder = folder
  }

  /** Returns the asset with a name and a stamp; null when no kept release has it. */
  async find(name: string, stamp: string): Promise<KeptAsset | null> {
    const changed = await stat(this.#folder).then(
      ({ mtimeMs }) => mtimeMs,
      () => 0,
    )
    if (this.#read?.changed !== changed) this.#read = { changed, assets: readAll(this.#folder) }
    return (await this.#read.assets).get(assetKey(name, stamp)) ?? null
  }
}

async function readAll(folder: string): Promise<Assets> {
  const assets = new Map<string, KeptAsset>()
  const names = await readdir(folder).catch(() => [])
  for (const name of names.filter((each) => /^[\da-f]{64}\.json$/.test(each))) {
    const manifest = assetsSchema.safeParse(parseJson(await readFile(join(folder, name), 'utf8').catch(() => '')))
    if (!manifest.success) continue
    for (const [asset, entry] of Object.entries(manifest.data.assets))
      assets.set(assetKey(asset, entry.stamp), { folder: join(folder, name.slice(0, 64)), entry })
  }
  return assets
}

function assetKey(name: string, stamp: string): string {
  return `${stamp} ${name}`
}

/** Parses JSON; null when it is invalid, because the release is being removed. */
function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
