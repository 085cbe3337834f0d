/**
 * The format of a packed build: a tar archive of the manifest and all files, each named by its digest. No path in the archive is therefore
 * a path on disk, and identical files are stored once. The caller compresses the archive.
 */

/** Block size of a tar archive in bytes. The archive ends with two empty blocks. */
export const BLOCK = 512
/** The folder of the files in the archive. */
const FILES = 'files'

/** A file of a build, as it is stored in the archive. */
interface PackedFile {
  /** The SHA-256 digest of the content in hexadecimal digits. */
  readonly digest: string
  /** The size of the content in bytes. */
  readonly size: number
}

/** Returns the digest in the name of a file; null for other names. */
export function parseDigestName(name: string): string | null {
  return new RegExp(`^${FILES}/([\\da-f]{64})$`).exec(name)?.[1] ?? null
}

/**
 * Yields the bytes of an archive.
 * @param manifest name and content of the manifest
 * @param read returns the content of a file
 */
export async function* packArchive<File extends PackedFile>(
  manifest: { readonly name: string; readonly bytes: Uint8Array },
  files: readonly File[],
  read: (file: File) => AsyncIterable<Uint8Array>,
): AsyncGenerator<Uint8Array> {
  yield createHeader(manifest.name, manifest.bytes.length)
  yield manifest.bytes
  yield padding(manifest.bytes.length)
  for (const file of uniqueFiles(files)) {
    yield createHeader(`${FILES}/${file.digest}`, file.size)
    yield* read(file)
    yield padding(file.size)
  }
  yield new Uint8Array(2 * BLOCK)
}

/** Returns one file for each digest, sorted by digest. */
function uniqueFiles<File extends PackedFile>(files: readonly File[]): readonly File[] {
  return [...new Map(files.map((file) => [file.digest, file])).values()].sort((a, b) => (a.digest < b.digest ? -1 : 1))
}

/** Returns the header of a file (POSIX ustar). It has no owner and no time. */
function createHeader(name: string, size: number): Uint8Array {
  const block = new Uint8Array(BLOCK)
  const write = (text: string, at: number): void => block.set(new TextEncoder().encode(text), at)
  write(name, 0)
  write('0000644\0', 100)
  write('0000000\0', 108)
  write('0000000\0', 116)
  write(`${size.toString(8).padStart(11, '0')}\0`, 124)
  write('00000000000\0', 136)
  // The checksum is computed with spaces in the field of the checksum.
  write('        ', 148)
  write('0', 156)
  write('ustar\x0000', 257)
  const sum = block.reduce((total, byte) => total + byte, 0)
  write(`${sum.toString(8).padStart(6, '0')}\0 `, 148)
  return block
}

/** Returns the zero bytes that fill the last block of a file. */
function padding(size: number): Uint8Array {
  return new Uint8Array((BLOCK - (size % BLOCK)) % BLOCK)
}
