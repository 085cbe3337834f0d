/** The assets of a site as they are served. */

/** A file of a site that is served as it is. */
export interface ServedAsset {
  /** What the URLs that name the asset carry: another one whenever its bytes are others. */
  readonly stamp: string
  /** SHA-256 of the bytes in hexadecimal digits: the name of the file in the build. Null where the site's own file is served. */
  readonly digest: string | null
  /** Bytes. */
  readonly size: number
  /** The codings in which the build holds the bytes as well. */
  readonly encodings: readonly AssetEncoding[]
}

export type AssetEncoding = 'br' | 'gzip'

/** By the path in their URLs below `/assets/`. */
export type ServedAssets = ReadonlyMap<string, ServedAsset>
