/**
 * Writes the log of a process to its standard output. The server continues when the log cannot be written: lines are lost,
 * which is reported once on standard error, and later lines are written as soon as there is room. (Pino's own destination
 * throws an error instead, and never stops trying when the process ends.)
 */
import { write, writeSync } from 'node:fs'
import { errorCodeOf } from '../error-code.ts'

/** Number of buffered characters that triggers a write, and milliseconds after which fewer characters are written. */
const WRITE_SIZE = 4_096
const MAX_WRITE_DELAY = 1_000
/** Maximum number of characters that are buffered while the reader of the log is too slow. Later lines are lost. */
const MAX_BUFFERED_CHARACTERS = 16 * 1024 * 1024
/** Milliseconds after which a full pipe is tried again, and for which this is repeated when the process ends. */
const RETRY_INTERVAL = 100
const FINAL_RETRY_TIME = 2_000

export class LogOutput {
  readonly #file: number
  readonly #report: (sentence: string) => void
  #bufferedText = ''
  #isWriting = false
  /** Bytes that wait until the full pipe is tried again. */
  #waiting: Buffer = Buffer.alloc(0)
  #lost = 0
  #isClosed = false
  /** Timer that writes the buffered lines; undefined until there is a line. */
  #timer: NodeJS.Timeout | undefined

  /**
   * @param file file descriptor of the output
   * @param report reports that lines are lost, or that they are written again
   */
  constructor(file = 1, report: (sentence: string) => void = reportToOperator) {
    this.#file = file
    this.#report = report
  }

  write(line: string): void {
    this.#timer ??= this.#begin()
    if (this.#bufferedText.length + line.length > MAX_BUFFERED_CHARACTERS)
      this.#lose(1, 'the program that reads it is too slow')
    else this.#bufferedText += line
    if (this.#bufferedText.length >= WRITE_SIZE) this.#flush()
  }

  #begin(): NodeJS.Timeout {
    process.on('exit', () => this.#flushAtEnd())
    return setInterval(() => this.#flush(), MAX_WRITE_DELAY).unref()
  }

  #flush(): void {
    if (this.#isWriting || this.#bufferedText === '') return
    const bytes = Buffer.from(this.#bufferedText)
    this.#bufferedText = ''
    if (this.#isClosed) return
    this.#isWriting = true
    this.#write(bytes)
  }

  #write(bytes: Buffer): void {
    write(this.#file, bytes, (error, written) => {
      const isBusy = isTransient(error)
      if (error !== null && !isBusy) this.#fail(error, bytes)
      else if (isBusy) this.#writeLater(bytes)
      else if (written < bytes.length) return this.#write(bytes.subarray(written))
      else this.#succeed()
      if (isBusy) return
      this.#isWriting = false
      if (this.#bufferedText.length >= WRITE_SIZE) this.#flush()
    })
  }

  #writeLater(bytes: Buffer): void {
    this.#waiting = bytes
    setTimeout(() => {
      this.#waiting = Buffer.alloc(0)
      this.#write(bytes)
    }, RETRY_INTERVAL)
  }

  #fail(error: Error, bytes: Buffer): void {
    // The reader of the log has closed the pipe.
    if (errorCodeOf(error) === 'EPIPE') this.#isClosed = true
    else this.#lose(linesIn(bytes), errorCodeOf(error) === 'ENOSPC' ? 'the disk is full' : error.message)
  }

  #lose(lines: number, reason: string): void {
    if (this.#lost === 0)
      this.#report(`The log cannot be written (${reason}). Its lines are lost until it can be written again.`)
    this.#lost += lines
  }

  #succeed(): void {
    if (this.#lost === 0) return
    this.#report(`The log can be written again. ${this.#lost} lines were lost.`)
    this.#lost = 0
  }

  /** Writes the buffered lines when the process ends, without waiting for long. */
  #flushAtEnd(): void {
    let bytes: Buffer = Buffer.concat([this.#waiting, Buffer.from(this.#bufferedText)])
    this.#bufferedText = ''
    const until = performance.now() + FINAL_RETRY_TIME
    while (bytes.length > 0 && !this.#isClosed && performance.now() < until) {
      try {
        bytes = bytes.subarray(writeSync(this.#file, bytes))
      } catch (error) {
        if (!isTransient(error)) return
        Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, RETRY_INTERVAL / 10)
      }
    }
  }
}

/** Returns whether the pipe is only full, so that writing may succeed later. */
function isTransient(error: unknown): boolean {
  const code = errorCodeOf(error)
  return code === 'EAGAIN' || code === 'EBUSY'
}

function linesIn(bytes: Buffer): number {
  let lines = 0
  for (const byte of bytes) if (byte === 0x0a) lines++
  return lines
}

function reportToOperator(sentence: string): void {
  try {
    writeSync(2, `${sentence}\n`)
  } catch {
    // The report cannot be written either, for example because standard error goes to the same full disk.
  }
}
