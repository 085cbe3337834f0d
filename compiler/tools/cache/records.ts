/**
 * Stores what the compiler has derived about a site in the site's folder, so that the next process only repeats the work that a change
 * affects. All records of a site are in one file, which is named by a digest of the compiler and its options. Each record is read on demand.
 * The file is signed, because a site from another person may contain one. A file without the right signature is not read.
 */
import { createHmac, type Hmac, timingSafeEqual } from 'node:crypto'
import { closeSync, openSync, readFileSync, renameSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { deserialize, serialize } from 'node:v8'
import { CACHE, createCacheFolder, pruneCache, removeIfPossible } from './cache-folder.ts'
import type { Trace } from '../../core/model/memo.ts'
import type { Records, StoredMemory, StoredQuery } from '../../core/model/stored-memory.ts'
import type { Steps } from '../../core/model/steps.ts'
import { getOrMake, groupBy } from '../../core/source/maps.ts'

/** Matches the names of record files. */
const RECORD_FILE_NAME = /^records-[0-9a-f]{32}\.bin$/
/** Number of record files to keep, newest first: those of checks, of builds and of `ingot dev`, and one of another version. */
const MAX_FILES = 4
/** Maximum size of a record file in bytes. A larger one is not written. */
const MAX_BYTES = 200_000_000
/** Number of new values from which the file is written. */
const MIN_NEW_VALUES = 200
const SIGNATURE_LENGTH = 32
/** The length of the last part of the file: the length of the index, which is before it, and the signature of everything else. */
const FOOTER_LENGTH = 4 + SIGNATURE_LENGTH

/** The place of a record in the file. */
type Entry = readonly [start: number, end: number]

/** Everything about one file of the site: traces by query and subject. */
type FileRecord = ReadonlyMap<string, readonly Trace[]>

const EMPTY: FileRecord = new Map()

export class RecordFile implements Records {
  readonly #root: string
  readonly #folder: string
  readonly #name: string
  /** Starts the signature of the file. It includes the name, so that it is not valid for another compiler. */
  readonly #beginSignature: () => Hmac
  #bytes: Buffer
  /** The places of the records, by the path of the file. */
  #index: ReadonlyMap<string, Entry>
  readonly #records = new Map<string, FileRecord>()

  /**
   * @param root the folder of the site
   * @param key identifies the compiler and its options, as 32 hexadecimal digits
   * @param secret the key with which the file is signed
   */
  constructor(root: string, key: string, secret: Buffer) {
    this.#root = root
    const folder = join(root, CACHE)
    this.#folder = folder
    const name = `records-${key}.bin`
    this.#name = name
    this.#beginSignature = () => createHmac('sha256', secret).update(name)
    this.#bytes = readIfPresent(join(folder, name))
    this.#index = readIndex(this.#bytes, this.#beginSignature())
  }

  read(name: string, key: string): readonly Trace[] {
    return this.#recordOf(pathIn(key)).get(`${name} ${key}`) ?? []
  }

  #recordOf(path: string): FileRecord {
    return getOrMake(this.#records, path, () => {
      const bytes = this.#bytesOf(path)
      // A signed record was written by this version of the compiler.
      return bytes === null ? EMPTY : (deserialize(bytes) as FileRecord)
    })
  }

  /** Returns the bytes of a record; null if there is none. */
  #bytesOf(path: string): Buffer | null {
    const entry = this.#index.get(path)
    return entry === undefined ? null : this.#bytes.subarray(...entry)
  }

  /** Frees the memory of the records, for a process that continues with the values that it has read. */
  release(): void {
    this.#bytes = Buffer.alloc(0)
    this.#index = new Map()
    this.#records.clear()
  }

  /**
   * Writes the values of a memory, if many are new. Few new ones are computed again faster than all are written. Write errors are ignored,
   * because the records are not needed.
   */
  *writeSteps(memory: StoredMemory, minNewValues = MIN_NEW_VALUES): Steps<void> {
    if (memory.newValues < minNewValues) return
    const queriesByPath = groupBy(memory.stored(), ({ key }) => pathIn(key))
    // Several processes may write at once. Each uses a separate temporary file.
    const draft = join(this.#folder, `${this.#name}.${process.pid}.tmp`)
    let isComplete = false
    try {
      createCacheFolder(this.#root)
      const file = openSync(draft, 'w')
      try {
        const index = new Map<string, Entry>()
        const signature = this.#beginSignature()
        let at = 0
        for (const [path, queries] of queriesByPath) {
          const isSame = queries.every(({ isNew }) => !isNew) && queries.length === this.#recordOf(path).size
          const bytes = (isSame ? this.#bytesOf(path) : null) ?? recordBytes(queries)
          index.set(path, [at, at + bytes.length])
          signature.update(bytes)
          at += bytes.length
          if (at > MAX_BYTES) throw new Error('The records are too large.')
          writeSync(file, bytes)
          yield
        }
        const indexBytes = serialize(index)
        const length = Buffer.alloc(4)
        length.writeUInt32LE(indexBytes.length)
        const end = Buffer.concat([indexBytes, length])
        writeSync(file, Buffer.concat([end, signature.update(end).digest()]))
      } finally {
        closeSync(file)
      }
      renameSync(draft, join(this.#folder, this.#name))
      isComplete = true
      pruneCache(this.#root, RECORD_FILE_NAME, MAX_FILES)
    } catch {
      // The folder may not be writable, or the disk may be full.
    } finally {
      // The steps may also have been aborted.
      if (!isComplete) removeIfPossible(draft)
    }
  }
}

function readIfPresent(path: string): Buffer {
  try {
    return readFileSync(path)
  } catch {
    return Buffer.alloc(0)
  }
}

function recordBytes(queries: readonly StoredQuery[]): Buffer {
  return serialize(new Map(queries.map(({ name, key, encode }) => [`${name} ${key}`, encode()])))
}

/** Returns the path of a file at the start of a key; the whole key if it is not about a file. */
function pathIn(key: string): string {
  return key.replace(/[#: ].*/s, '')
}

/** Returns the index at the end of the file; empty if the signature of the file is wrong. */
function readIndex(bytes: Buffer, signature: Hmac): ReadonlyMap<string, Entry> {
  const end = bytes.length - FOOTER_LENGTH
  if (end < 0) return new Map()
  const signed = bytes.subarray(0, -SIGNATURE_LENGTH)
  if (!timingSafeEqual(signature.update(signed).digest(), bytes.subarray(-SIGNATURE_LENGTH))) return new Map()
  return deserialize(bytes.subarray(end - bytes.readUInt32LE(end), end)) as ReadonlyMap<string, Entry>
}
