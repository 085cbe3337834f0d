/** The assets of a site as they are served. */

/** A file of a site that is served unchanged. */
export interface ServedAsset {
  /** The version in the URLs of the asset. It changes whenever the bytes change. */
  readonly stamp: string
  /** The SHA-256 of the bytes in hexadecimal, which is the file name in the build. Null if the file of the site itself is served. */
  readonly digest: string | null
  /** The size in bytes. */
  readonly size: number
  /** The compressed versions in the build. */
  readonly encodings: readonly AssetEncoding[]
}

export type AssetEncoding = 'br' | 'gzip'

/** Served assets by the path in their URLs, below `/assets/`. */
export type ServedAssets = ReadonlyMap<string, ServedAsset>
