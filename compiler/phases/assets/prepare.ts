/** Prepares a site's assets for serving: named by content digest in a build, and read from the site's folder in development. */
import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import type { AssetEncoding, ServedAsset, ServedAssets } from '../../core/model/asset.ts'
import { assetsByName } from '../../core/source/asset-names.ts'
import type { AssetFile } from '../../core/source/discover.ts'
import type { SourceFile } from '../../core/source/file.ts'
import { type AssetReference, assetsNamedIn } from '../../core/source/stylesheet.ts'
import { compressText, isText } from './compress.ts'
import { digestOf, stampOfDigest, stampStylesheets } from './stamps.ts'

/** The bytes of an asset, or the path of its file. */
export type AssetContent = Uint8Array | string

export interface PreparedAssets {
  readonly served: ServedAssets
  /** The files of the build's assets folder, by name. */
  readonly files: ReadonlyMap<string, AssetContent>
}

/** The files and assets found in a folder. */
interface FoundAssets {
  readonly files: readonly SourceFile[]
  readonly assets: readonly AssetFile[]
}

/** Maximum size in bytes of a file that is held in memory and compressed. */
const MAX_IN_MEMORY = 16 * 1024 * 1024
/** Maximum number of files read at the same time. */
const MAX_CONCURRENT = 8

/** Returns the file name of an asset in the given encoding. */
function encodedName(digest: string, encoding: AssetEncoding): string {
  return `${digest}.${encoding === 'gzip' ? 'gz' : encoding}`
}

interface ReadAsset {
  readonly name: string
  readonly content: AssetContent
  readonly digest: string
  readonly size: number
  /** Null if the asset is not a stylesheet. */
  readonly references: readonly AssetReference[] | null
  /** The text of a stylesheet that references other assets; empty for other assets. */
  readonly text: string
}

/**
 * Prepares the assets of a build.
 * @param root folder of the site
 * @throws File-system error that names the path
 */
export async function prepareAssets(root: string, { files, assets }: FoundAssets): Promise<PreparedAssets> {
  const sizes = new Map(assets.map(({ path, size }) => [path, size]))
  const assetFiles = [...assetsByName(files)]
  const assetContents = await mapInBatches(assetFiles, ([name, file]) =>
    readAsset(root, name, file, sizes.get(file.path) ?? 0),
  )
  const readByName = new Map(assetContents.map((each) => [each.name, each]))
  const stylesheets = assetContents.filter(({ references }) => references !== null && references.length > 0)
  const stampedSheets = stampStylesheets({
    graph: new Map(stylesheets.map(({ name, references }) => [name, new Set(references?.map((each) => each.name))])),
    stamps: new Map(
      assetContents
        .filter((each) => !stylesheets.includes(each))
        .map((each) => [each.name, stampOfDigest(each.digest)]),
    ),
    withReferences: (name, stampOf) => {
      const sheet = readByName.get(name)
      if (sheet === undefined) throw new Error(`'${name}' is not an asset of the site`)
      return Buffer.from(stampReferences(sheet, stampOf))
    },
  })
  const served = new Map<string, ServedAsset>()
  const contents = new Map<string, AssetContent>()
  await mapInBatches(assetContents, async (asset) => {
    const stamped = stampedSheets.get(asset.name)
    const content = stamped?.bytes ?? asset.content
    const digest = stamped === undefined ? asset.digest : digestOf(stamped.bytes)
    const size = stamped?.bytes.length ?? asset.size
    const variants = typeof content === 'string' || !isText(asset.name) ? [] : await compressText(content)
    served.set(asset.name, {
      stamp: stamped?.stamp ?? stampOfDigest(digest),
      digest,
      size,
      encodings: variants.map(({ encoding }) => encoding),
    })
    contents.set(digest, content)
    for (const { encoding, bytes } of variants) contents.set(encodedName(digest, encoding), bytes)
  })
  return {
    served: restoreOrder(assetFiles, served),
    files: new Map([...contents].sort(([a], [b]) => (a < b ? -1 : 1))),
  }
}

async function readAsset(root: string, name: string, file: SourceFile, size: number): Promise<ReadAsset> {
  const path = join(root, file.path)
  const isSheet = name.endsWith('.css')
  // If a text has template values, the file on disk holds the text before substitution.
  if (file.writtenText === undefined && (size > MAX_IN_MEMORY || !(isSheet || isText(name)))) {
    const digestAndSize = await digestOfFile(path)
    return { name, content: path, ...digestAndSize, references: null, text: '' }
  }
  const content = file.writtenText === undefined ? await readFile(path) : Buffer.from(file.text)
  const references = isSheet ? assetsNamedIn(file.text, name) : null
  return { name, content, digest: digestOf(content), size: content.length, references, text: file.text }
}

/** Returns the text of a stylesheet with stamps added to its URLs. */
function stampReferences({ text, references }: ReadAsset, stampOf: (named: string) => string | null): string {
  let result = ''
  let copiedTo = 0
  for (const { name, at } of references ?? []) {
    const stamp = stampOf(name)
    if (stamp === null) continue
    result += text.slice(copiedTo, at.start) + stampUrl(text.slice(at.start, at.end), stamp)
    copiedTo = at.end
  }
  return result + text.slice(copiedTo)
}

/** Returns the URL with the stamp as its parameter `updated`. The other parameters and the fragment do not change. */
function stampUrl(url: string, stamp: string): string {
  const hash = /(?<!\\)#/.exec(url)?.index ?? url.length
  const address = url.slice(0, hash)
  const unstamped = address.replace(/([?&])updated=[^&]*&?/g, '$1').replace(/[?&]$/, '')
  return `${unstamped}${unstamped.includes('?') ? '&' : '?'}updated=${stamp}${url.slice(hash)}`
}

/** Caches the digests of files that have not changed since they were last read. */
export interface LiveAssets {
  /** Returns the assets and the texts made from them, by name as in `PreparedAssets`. */
  prepare(found: FoundAssets): Promise<PreparedAssets>
}

/**
 * Prepares the assets in development. They are served from the site's folder, with URL stamps computed from their bytes.
 * @param root folder of the site
 */
export function liveAssets(root: string): LiveAssets {
  let knownDigests = new Map<string, { readonly version: string; readonly digest: string }>()
  let last: { readonly inputs: readonly unknown[]; readonly assets: PreparedAssets } | null = null
  return {
    async prepare({ files, assets }) {
      const inputs = [...files.filter(({ kind }) => kind === 'asset'), ...assets]
      // Returns the same object for unchanged assets, so that saving a template does not recompute what depends on them.
      if (
        last !== null &&
        last.inputs.length === inputs.length &&
        inputs.every((each, at) => each === last?.inputs[at])
      )
        return last.assets
      const assetsByPath = new Map(assets.map((asset) => [asset.path, asset]))
      const oldDigests = knownDigests
      knownDigests = new Map()
      const named = [...assetsByName(files)]
      const contents = new Map<string, AssetContent>()
      const served = new Map<string, ServedAsset>()
      await mapInBatches(named, async ([name, { path, text, writtenText }]) => {
        if (writtenText !== undefined) {
          const bytes = Buffer.from(text)
          const digest = digestOf(bytes)
          contents.set(digest, bytes)
          served.set(name, { stamp: stampOfDigest(digest), digest, size: bytes.length, encodings: [] })
          return
        }
        const { version, size } = assetsByPath.get(path) ?? { version: '', size: 0 }
        const cached = oldDigests.get(path)
        // The watcher reports a file that was removed since it was found.
        const digest =
          cached?.version === version
            ? cached.digest
            : await digestOfFile(join(root, path)).then(
                (read) => read.digest,
                () => '',
              )
        knownDigests.set(path, { version, digest })
        served.set(name, { stamp: stampOfDigest(digest), digest: null, size, encodings: [] })
      })
      const prepared = { served: restoreOrder(named, served), files: contents }
      last = { inputs, assets: prepared }
      return prepared
    },
  }
}

/** @throws File-system error that names the path */
async function digestOfFile(path: string): Promise<{ readonly digest: string; readonly size: number }> {
  const hash = createHash('sha256')
  const stream = createReadStream(path)
  await pipeline(stream, hash)
  return { digest: hash.digest('hex'), size: stream.bytesRead }
}

async function mapInBatches<T, R>(items: readonly T[], transform: (item: T) => Promise<R>): Promise<readonly R[]> {
  const results: R[] = []
  for (let from = 0; from < items.length; from += MAX_CONCURRENT)
    results.push(...(await Promise.all(items.slice(from, from + MAX_CONCURRENT).map(transform))))
  return results
}

/** Restores the order of the files, because their digests are computed in any order. */
function restoreOrder(assetFiles: readonly (readonly [string, SourceFile])[], served: ServedAssets): ServedAssets {
  return new Map(
    assetFiles.flatMap(([name]) => {
      const asset = served.get(name)
      return asset === undefined ? [] : [[name, asset] as const]
    }),
  )
}
