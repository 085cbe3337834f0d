/**
 * The form of a packed build: a tar archive of the manifest, then every file under the digest of its bytes, so that no path of the
 * archive is one of the disk, and files that are the same are there once. Compressing it is left to whoever writes it.
 */

/** An archive is written in blocks of so many bytes, and ends with two empty ones. */
export const BLOCK = 512
/** Folder of the files. */
const FILES = 'files'

/** A file of a build. */
interface PackedFile {
  /** SHA-256 in hexadecimal digits. */
  readonly digest: string
  /** Bytes. */
  readonly size: number
}

/** The digest in the name of a file; null for another name. */
export function digestNamed(name: string): string | null {
  return new RegExp(`^${FILES}/([\\da-f]{64})$`).exec(name)?.[1] ?? null
}

/**
 * The bytes of an archive.
 * @param manifest its name and its text
 * @param read gives the bytes of a file
 */
export async function* packed<File extends PackedFile>(
  manifest: { readonly name: string; readonly bytes: Uint8Array },
  files: readonly File[],
  read: (file: File) => AsyncIterable<Uint8Array>,
): AsyncGenerator<Uint8Array> {
  yield header(manifest.name, manifest.bytes.length)
  yield manifest.bytes
  yield filling(manifest.bytes.length)
  for (const file of once(files)) {
    yield header(`${FILES}/${file.digest}`, file.size)
    yield* read(file)
    yield filling(file.size)
  }
  yield new Uint8Array(2 * BLOCK)
}

/** Each of the bytes once, in the order of the digests. */
function once<File extends PackedFile>(files: readonly File[]): readonly File[] {
  return [...new Map(files.map((file) => [file.digest, file])).values()].sort((a, b) => (a.digest < b.digest ? -1 : 1))
}

/** The header of a file that belongs to nobody and was written at no time (POSIX ustar). */
function header(name: string, size: number): Uint8Array {
  const block = new Uint8Array(BLOCK)
  const write = (text: string, at: number): void => block.set(new TextEncoder().encode(text), at)
  write(name, 0)
  write('0000644\0', 100)
  write('0000000\0', 108)
  write('0000000\0', 116)
  write(`${size.toString(8).padStart(11, '0')}\0`, 124)
  write('00000000000\0', 136)
  // The sum is taken with spaces in its own place.
  write('        ', 148)
  write('0', 156)
  write('ustar\x0000', 257)
  const sum = block.reduce((all, byte) => all + byte, 0)
  write(`${sum.toString(8).padStart(6, '0')}\0 `, 148)
  return block
}

/** A file takes whole blocks. */
function filling(size: number): Uint8Array {
  return new Uint8Array((BLOCK - (size % BLOCK)) % BLOCK)
}
