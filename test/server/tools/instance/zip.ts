/** Creates archives byte by byte, including invalid ones. */
import { crc32, deflateRawSync } from 'node:zlib'

/** A file of an archive. Omitted properties are as in a valid archive. */
export interface ZipFile {
  readonly name: string
  readonly text: string
  /** The mode of the file. A symbolic link has the mode 0o120777. */
  readonly mode?: number
  /** The size that the archive claims for the file. */
  readonly claims?: number
}

/** Returns an archive with these files. */
export function zipOf(files: readonly ZipFile[]): Buffer {
  const heads: Buffer[] = []
  const directory: Buffer[] = []
  let at = 0
  for (const { name, text, mode = 0o100644, claims } of files) {
    const bytes = Buffer.from(text)
    const packed = deflateRawSync(bytes)
    const written = Buffer.from(name)
    const fields = Buffer.alloc(26)
    fields.writeUInt16LE(20, 0)
    fields.writeUInt16LE(0x0800, 2)
    fields.writeUInt16LE(8, 4)
    fields.writeUInt32LE(crc32(bytes), 10)
    fields.writeUInt32LE(packed.length, 14)
    fields.writeUInt32LE(claims ?? bytes.length, 18)
    fields.writeUInt16LE(written.length, 22)
    const local = Buffer.concat([Buffer.from('PK\u0003\u0004'), fields, written, packed])
    const central = Buffer.alloc(46)
    central.write('PK\u0001\u0002')
    central.writeUInt16LE(0x0314, 4)
    fields.copy(central, 6)
    central.writeUInt32LE((mode << 16) >>> 0, 38)
    central.writeUInt32LE(at, 42)
    heads.push(local)
    directory.push(central, written)
    at += local.length
  }
  const list = Buffer.concat(directory)
  const end = Buffer.alloc(22)
  end.write('PK\u0005\u0006')
  end.writeUInt16LE(Math.min(files.length, 0xffff), 8)
  end.writeUInt16LE(Math.min(files.length, 0xffff), 10)
  end.writeUInt32LE(list.length, 12)
  end.writeUInt32LE(at, 16)
  return Buffer.concat([...heads, list, end])
}

/** Returns the archive of a site. */
export function siteZip(files: Readonly<Record<string, string>>): Buffer {
  return zipOf(Object.entries(files).map(([name, text]) => ({ name, text })))
}
