/** The assets of a site as they are served: from a build by the digests of their bytes, while it is worked on from the site's folder. */
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
import { compressed, isText } from './compress.ts'
import { digestOf, stampOfDigest, stampStylesheets } from './stamps.ts'

/** The bytes of an asset, or the path of the file that holds them. */
export type AssetContent = Uint8Array | string

export interface PreparedAssets {
  readonly served: ServedAssets
  /** The files of a build's folder of assets by their names. */
  readonly files: ReadonlyMap<string, AssetContent>
}

/** What is read of a folder. */
export interface FoundAssets {
  readonly files: readonly SourceFile[]
  readonly assets: readonly AssetFile[]
}

/** Bytes of the largest file that is held in memory, and compressed. */
const LARGEST_HELD = 16 * 1024 * 1024
/** Files read at once. */
const AT_ONCE = 8

/** Name of the file in which a build holds an asset in a coding. */
export function encodedName(digest: string, encoding: AssetEncoding): string {
  return `${digest}.${encoding === 'gzip' ? 'gz' : encoding}`
}

interface ReadAsset {
  readonly name: string
  readonly content: AssetContent
  readonly digest: string
  readonly size: number
  /** Null for what is no stylesheet. */
  readonly references: readonly AssetReference[] | null
  /** Of a stylesheet that names others. */
  readonly text: string
}

/**
 * The assets as a build holds them.
 * @param root folder of the site
 * @throws Error of the file system, with its path
 */
export async function prepareAssets(root: string, { files, assets }: FoundAssets): Promise<PreparedAssets> {
  const sizes = new Map(assets.map(({ path, size }) => [path, size]))
  const named = [...assetsByName(files)]
  const read = await inBatches(named, ([name, file]) => readAsset(root, name, file, sizes.get(file.path) ?? 0))
  const known = new Map(read.map((each) => [each.name, each]))
  const sheets = read.filter(({ references }) => references !== null && references.length > 0)
  const written = stampStylesheets({
    graph: new Map(sheets.map(({ name, references }) => [name, new Set(references?.map((each) => each.name))])),
    stamps: new Map(
      read.filter((each) => !sheets.includes(each)).map((each) => [each.name, stampOfDigest(each.digest)]),
    ),
    written: (name, stampOf) => {
      const sheet = known.get(name)
      if (sheet === undefined) throw new Error(`'${name}' is no asset of the site`)
      return Buffer.from(withStamps(sheet, stampOf))
    },
  })
  const served = new Map<string, ServedAsset>()
  const contents = new Map<string, AssetContent>()
  await inBatches(read, async (asset) => {
    const sheet = written.get(asset.name)
    const content = sheet?.bytes ?? asset.content
    const digest = sheet === undefined ? asset.digest : digestOf(sheet.bytes)
    const size = sheet?.bytes.length ?? asset.size
    const codings = typeof content === 'string' || !isText(asset.name) ? [] : await compressed(content)
    served.set(asset.name, {
      stamp: sheet?.stamp ?? stampOfDigest(digest),
      digest,
      size,
      encodings: codings.map(({ encoding }) => encoding),
    })
    contents.set(digest, content)
    for (const { encoding, bytes } of codings) contents.set(encodedName(digest, encoding), bytes)
  })
  return { served: inOrder(named, served), files: new Map([...contents].sort(([a], [b]) => (a < b ? -1 : 1))) }
}

async function readAsset(root: string, name: string, file: SourceFile, size: number): Promise<ReadAsset> {
  const path = join(root, file.path)
  const isSheet = name.endsWith('.css')
  // Of a text with template values the file holds what was written before them.
  if (file.written === undefined && (size > LARGEST_HELD || !(isSheet || isText(name)))) {
    const digested = await digestOfFile(path)
    return { name, content: path, ...digested, references: null, text: '' }
  }
  const content = file.written === undefined ? await readFile(path) : Buffer.from(file.text)
  const references = isSheet ? assetsNamedIn(file.text, name) : null
  return { name, content, digest: digestOf(content), size: content.length, references, text: file.text }
}

/** The text of a stylesheet whose URLs carry the stamps of what they name. */
function withStamps({ text, references }: ReadAsset, stampOf: (named: string) => string | null): string {
  let out = ''
  let from = 0
  for (const { name, at } of references ?? []) {
    const stamp = stampOf(name)
    if (stamp === null) continue
    out += text.slice(from, at.start) + stamped(text.slice(at.start, at.end), stamp)
    from = at.end
  }
  return out + text.slice(from)
}

/** Query and fragment stay what they are. */
function stamped(url: string, stamp: string): string {
  const hash = /(?<!\\)#/.exec(url)?.index ?? url.length
  const address = url.slice(0, hash)
  const before = address.replace(/([?&])updated=[^&]*&?/g, '$1').replace(/[?&]$/, '')
  return `${before}${before.includes('?') ? '&' : '?'}updated=${stamp}${url.slice(hash)}`
}

/** The digests of files that were read before and have not been written since. */
export interface LiveAssets {
  /** Texts that are made of the files, by name as in `PreparedAssets`, and all assets. */
  of(found: FoundAssets): Promise<PreparedAssets>
}

/**
 * The assets while a site is worked on: they are served from its folder, by stamps of their bytes.
 * @param root folder of the site
 */
export function liveAssets(root: string): LiveAssets {
  let digests = new Map<string, { readonly version: string; readonly digest: string }>()
  let last: { readonly inputs: readonly unknown[]; readonly made: PreparedAssets } | null = null
  return {
    async of({ files, assets }) {
      const inputs = [...files.filter(({ kind }) => kind === 'asset'), ...assets]
      // One value for the same assets: what a site has of them is not made anew for each template that is saved.
      if (
        last !== null &&
        last.inputs.length === inputs.length &&
        inputs.every((each, at) => each === last?.inputs[at])
      )
        return last.made
      const found = new Map(assets.map((asset) => [asset.path, asset]))
      const before = digests
      digests = new Map()
      const named = [...assetsByName(files)]
      const contents = new Map<string, AssetContent>()
      const served = new Map<string, ServedAsset>()
      await inBatches(named, async ([name, { path, text, written }]) => {
        if (written !== undefined) {
          const bytes = Buffer.from(text)
          const digest = digestOf(bytes)
          contents.set(digest, bytes)
          served.set(name, { stamp: stampOfDigest(digest), digest, size: bytes.length, encodings: [] })
          return
        }
        const { version, size } = found.get(path) ?? { version: '', size: 0 }
        const known = before.get(path)
        // A file that has gone since it was found is told of by the watcher.
        const digest =
          known?.version === version
            ? known.digest
            : await digestOfFile(join(root, path)).then(
                (read) => read.digest,
                () => '',
              )
        digests.set(path, { version, digest })
        served.set(name, { stamp: stampOfDigest(digest), digest: null, size, encodings: [] })
      })
      const made = { served: inOrder(named, served), files: contents }
      last = { inputs, made }
      return made
    },
  }
}

/** @throws Error of the file system, with its path */
async function digestOfFile(path: string): Promise<{ readonly digest: string; readonly size: number }> {
  const hash = createHash('sha256')
  const stream = createReadStream(path)
  await pipeline(stream, hash)
  return { digest: hash.digest('hex'), size: stream.bytesRead }
}

async function inBatches<T, R>(items: readonly T[], each: (item: T) => Promise<R>): Promise<readonly R[]> {
  const results: R[] = []
  for (let from = 0; from < items.length; from += AT_ONCE)
    results.push(...(await Promise.all(items.slice(from, from + AT_ONCE).map(each))))
  return results
}

/** What ends at different times is written down in one order. */
function inOrder(named: readonly (readonly [string, SourceFile])[], served: ServedAssets): ServedAssets {
  return new Map(
    named.flatMap(([name]) => {
      const asset = served.get(name)
      return asset === undefined ? [] : [[name, asset] as const]
    }),
  )
}
