/**
 * Stores what the compiler has derived about a site in the site's folder, so that the next process only repeats the work that a change
 * affects. All records of a site are in one file, which is named by a digest of the compiler and its options. Each record is read on demand.
 * The file is signed, because a site from another person may contain one. A file without the right signature is not read.
 */
import { createHmac, type Hmac, timingSafeEqual } from 'node:crypto'
import { closeSync, openSync, readFileSync, renameSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { CACHE, createCacheFolder, pruneCache, removeIfPossible } from './cache-folder.ts'
import { Packer, type PackerTables, Unpacker } from './packer.ts'
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
/** All records are packed anew when the tables have this many times the texts of the last time: some are not used any more. */
const MAX_GROWTH = 2

/** The place of a record in the file. */
type Entry = readonly [start: number, end: number]

/** The end of the file, as JSON. */
interface Index extends PackerTables {
  /** The places of the records, by the path of the file. */
  readonly entries: readonly (readonly [path: string, ...Entry])[]
  /** The number of texts when all records were packed anew. */
  readonly initialTexts: number
}

const NO_INDEX: Index = { texts: [], shapes: [], entries: [], initialTexts: 0 }

/** Everything about one file of the site: traces by the name and key of their query. */
type FileRecord = ReadonlyMap<string, readonly Trace[]>
/** The same as it is stored. Names and keys repeat in other records, so that they are stored once. */
type StoredRecord = readonly (readonly [name: string, key: string, traces: readonly Trace[]])[]

const EMPTY: FileRecord = new Map()

export class RecordFile implements Records {
  readonly #root: string
  readonly #folder: string
  readonly #name: string
  /** Starts the signature of the file. It includes the name, so that it is not valid for another compiler. */
  readonly #beginSignature: () => Hmac
  #bytes: Buffer
  #index: Index
  #entries: ReadonlyMap<string, Entry>
  #unpacker: Unpacker
  readonly #records = new Map<string, FileRecord>()

  /**
   * @param root the folder of the site
   * @param key identifies the compiler and its options, as 32 hexadecimal digits
   * @param secret the key with which the file is signed
   */
  constructor(root: string, key: string, secret: Buffer) {
    this.#root = root
    this.#folder = join(root, CACHE)
    this.#name = `records-${key}.bin`
    this.#beginSignature = () => createHmac('sha256', secret).update(this.#name)
    this.#bytes = readIfPresent(join(this.#folder, this.#name))
    this.#index = readIndex(this.#bytes, this.#beginSignature())
    this.#entries = new Map(this.#index.entries.map(([path, start, end]) => [path, [start, end]]))
    this.#unpacker = new Unpacker(this.#index)
  }

  read(name: string, key: string): readonly Trace[] {
    return this.#recordOf(pathIn(key)).get(`${name} ${key}`) ?? []
  }

  #recordOf(path: string): FileRecord {
    return getOrMake(this.#records, path, () => {
      const bytes = this.#bytesOf(path)
      if (bytes === null) return EMPTY
      // A signed record was written by this version of the compiler.
      const record = this.#unpacker.unpack(bytes) as StoredRecord
      return new Map(record.map(([name, key, traces]) => [`${name} ${key}`, traces]))
    })
  }

  /** Returns the bytes of a record; null if there is none. */
  #bytesOf(path: string): Buffer | null {
    const entry = this.#entries.get(path)
    return entry === undefined ? null : this.#bytes.subarray(...entry)
  }

  /** Frees the memory of the records, for a process that continues with the values that it has read. */
  release(): void {
    this.#bytes = Buffer.alloc(0)
    this.#index = NO_INDEX
    this.#entries = new Map()
    this.#unpacker = new Unpacker(NO_INDEX)
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
        const { texts, initialTexts } = this.#index
        const isGrown = texts.length > MAX_GROWTH * initialTexts
        const packer = new Packer(isGrown ? NO_INDEX : this.#index)
        const entries: [string, number, number][] = []
        const signature = this.#beginSignature()
        let at = 0
        for (const [path, queries] of queriesByPath) {
          const isSame =
            !isGrown && queries.every(({ isNew }) => !isNew) && queries.length === this.#recordOf(path).size
          const bytes = (isSame ? this.#bytesOf(path) : null) ?? packer.pack(recordOf(queries))
          entries.push([path, at, at + bytes.length])
          signature.update(bytes)
          at += bytes.length
          if (at > MAX_BYTES) throw new Error('The records are too large.')
          writeSync(file, bytes)
          yield
        }
        const { tables } = packer
        const isWhole = isGrown || initialTexts === 0
        const index: Index = { ...tables, entries, initialTexts: isWhole ? tables.texts.length : initialTexts }
        const indexBytes = Buffer.from(JSON.stringify(index))
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

function recordOf(queries: readonly StoredQuery[]): StoredRecord {
  return queries.map(({ name, key, encode }) => [name, key, encode()])
}

/** Returns the path of a file at the start of a key; the whole key if it is not about a file. */
function pathIn(key: string): string {
  return key.replace(/[#: ].*/s, '')
}

/** Returns the index at the end of the file; empty if the signature of the file is wrong. */
function readIndex(bytes: Buffer, signature: Hmac): Index {
  const end = bytes.length - FOOTER_LENGTH
  if (end < 0) return NO_INDEX
  const signed = bytes.subarray(0, -SIGNATURE_LENGTH)
  if (!timingSafeEqual(signature.update(signed).digest(), bytes.subarray(-SIGNATURE_LENGTH))) return NO_INDEX
  // A signed file was written by this version of the compiler.
  return JSON.parse(bytes.toString('utf8', end - bytes.readUInt32LE(end), end)) as Index
}
