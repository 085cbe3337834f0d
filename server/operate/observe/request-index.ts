/**
 * Finds recorded requests. Each process reads what was added to the files since its last look, and keeps a summary of each request in memory.
 * The rest of a record is read from its file when it is needed.
 */
import { type FileHandle, open } from 'node:fs/promises'
import { currentFile, olderFile } from './kept-requests.ts'
import { parseRecord, type RequestDetail, type RequestSummary } from './recorded-request.ts'

/** Maximum number of bytes that are read at once. */
const CHUNK = 1024 * 1024
/** Maximum length in bytes of a line. Longer ones are not read. */
const MAX_LINE = 16 * 1024 * 1024
const NEWLINE = 10

export interface IndexedRequest {
  readonly summary: RequestSummary
  /** Reads the rest of the record; null when the file was replaced meanwhile. */
  readonly detail: () => Promise<RequestDetail | null>
}

/** What was read of one file. */
interface ReadFile {
  /** The beginning of the file. It contains the id and the time of the first request, so it differs from that of every other file. */
  readonly head: string
  /** Number of bytes that were read, up to the end of a line. */
  offset: number
  readonly requests: IndexedRequest[]
}

export class RequestIndex {
  readonly #folder: string
  #files: readonly ReadFile[] = []
  #reading: Promise<readonly IndexedRequest[]> | null = null

  constructor(dataFolder: string) {
    this.#folder = dataFolder
  }

  /** Returns all recorded requests, the newest first. */
  list(): Promise<readonly IndexedRequest[]> {
    // Simultaneous callers share one look at the files.
    this.#reading ??= this.#read().finally(() => {
      this.#reading = null
    })
    return this.#reading
  }

  async find(id: string): Promise<IndexedRequest | null> {
    return (await this.list()).find(({ summary }) => summary.id === id) ?? null
  }

  async #read(): Promise<readonly IndexedRequest[]> {
    const files: ReadFile[] = []
    for (const path of [olderFile(this.#folder), currentFile(this.#folder)]) {
      const file = await this.#readFile(path)
      if (file !== null && !files.some(({ head }) => head === file.head)) files.push(file)
    }
    this.#files = files
    return files
      .flatMap(({ requests }) => requests)
      .toSorted((a, b) => (a.summary.at < b.summary.at ? 1 : a.summary.at > b.summary.at ? -1 : 0))
  }

  /** Reads the new lines of a file. A file is recognized after it was renamed. */
  async #readFile(path: string): Promise<ReadFile | null> {
    // The file does not exist before the first record.
    const handle = await open(path).catch(() => null)
    if (handle === null) return null
    try {
      const { size } = await handle.stat()
      const head = await readHead(handle)
      if (head === null) return null
      const known = this.#files.find((file) => file.head === head && file.offset <= size)
      const file = known ?? { head, offset: 0, requests: [] }
      await this.#readLines(handle, file, size)
      return file
    } catch {
      return null
    } finally {
      await handle.close()
    }
  }

  async #readLines(handle: FileHandle, file: ReadFile, size: number): Promise<void> {
    let rest = Buffer.alloc(0)
    let position = file.offset
    while (position < size) {
      const buffer = Buffer.alloc(Math.min(CHUNK, size - position))
      const { bytesRead } = await handle.read(buffer, 0, buffer.length, position)
      if (bytesRead === 0) break
      position += bytesRead
      rest = Buffer.concat([rest, buffer.subarray(0, bytesRead)])
      for (let end = rest.indexOf(NEWLINE); end >= 0; end = rest.indexOf(NEWLINE)) {
        this.#addLine(file, rest.subarray(0, end))
        rest = rest.subarray(end + 1)
        file.offset += end + 1
      }
      // The end of a line that is longer than anything that is written is not awaited.
      if (rest.length > MAX_LINE) {
        file.offset += rest.length
        rest = Buffer.alloc(0)
      }
    }
  }

  #addLine(file: ReadFile, line: Buffer): void {
    // A killed process may have written only a part of its last line.
    const record = parseRecord(line.toString('utf8'))
    if (record === null) return
    const { head, offset } = file
    const { length } = line
    file.requests.push({ summary: record.summary, detail: () => this.#readDetail(head, offset, length) })
  }

  async #readDetail(head: string, offset: number, length: number): Promise<RequestDetail | null> {
    for (const path of [currentFile(this.#folder), olderFile(this.#folder)]) {
      // The file may not exist, or was removed after it was read.
      const handle = await open(path).catch(() => null)
      if (handle === null) continue
      try {
        if ((await readHead(handle)) !== head) continue
        const buffer = Buffer.alloc(length)
        await handle.read(buffer, 0, length, offset)
        return parseRecord(buffer.toString('utf8'))?.detail ?? null
      } finally {
        await handle.close()
      }
    }
    return null
  }
}

/** Length in bytes of the beginning of a file that identifies it. */
const HEAD = 80

/** Returns the beginning of a file; null when it is not written yet. */
async function readHead(handle: FileHandle): Promise<string | null> {
  const buffer = Buffer.alloc(HEAD)
  const { bytesRead } = await handle.read(buffer, 0, HEAD, 0)
  return bytesRead < HEAD ? null : buffer.toString('latin1')
}
