/**
 * Answers conditional and range requests for a file with a known ETag (RFC 9110, 13 and 14). The file's time is not used,
 * because copies on several servers were written at different times.
 */
import type { OutgoingHttpHeaders } from 'node:http'
import { headerOf, type Request } from './message.ts'

interface FileAnswer {
  readonly status: 200 | 206 | 304 | 412 | 416
  readonly headers: Readonly<Record<string, string>>
  /** Offsets of the first and last byte to send; null when nothing is sent. */
  readonly range: { readonly start: number; readonly end: number } | null
}

export interface StoredFile {
  /** A strong ETag with its quotes. */
  readonly etag: string
  /** Bytes. */
  readonly size: number
  /** Whether the bytes have a content coding. Ranges are served for plain bytes only. */
  readonly isEncoded: boolean
}

/** Returns the answer to a `GET` or `HEAD` request. The caller does not send the body for `HEAD`. */
export function answerStored(request: Pick<Request, 'headers'>, { etag, size, isEncoded }: StoredFile): FileAnswer {
  const baseHeaders = { etag, ...(isEncoded ? {} : { 'accept-ranges': 'bytes' }) }
  const ifMatch = headerOf(request, 'if-match')
  if (ifMatch !== '' && !listHas(ifMatch, etag, true)) return { status: 412, headers: baseHeaders, range: null }
  if (listHas(headerOf(request, 'if-none-match'), etag, false))
    return { status: 304, headers: baseHeaders, range: null }
  const fullAnswer: FileAnswer = {
    status: 200,
    headers: { ...baseHeaders, 'content-length': String(size) },
    range: size === 0 ? null : { start: 0, end: size - 1 },
  }
  const range = headerOf(request, 'range')
  const ifRange = headerOf(request, 'if-range')
  if (range === '' || isEncoded || (ifRange !== '' && ifRange.trim() !== etag)) return fullAnswer
  const part = parseRange(range, size)
  if (part === null) return fullAnswer
  if (part === 'beyond')
    return {
      status: 416,
      headers: { ...baseHeaders, 'content-range': `bytes */${size}`, 'content-length': '0' },
      range: null,
    }
  const { start, end } = part
  const length = String(end - start + 1)
  return {
    status: 206,
    headers: { ...baseHeaders, 'content-range': `bytes ${start}-${end}/${size}`, 'content-length': length },
    range: part,
  }
}

/** Parses a `Range` header. Returns null for several ranges and invalid ranges; then the whole file is sent. */
function parseRange(range: string, size: number): { readonly start: number; readonly end: number } | 'beyond' | null {
  const [, first = '', last = ''] = /^\s*bytes\s*=\s*(\d*)\s*-\s*(\d*)\s*$/i.exec(range) ?? []
  if (first === '' && last === '') return null
  if (first === '') {
    const length = Math.min(Number(last), size)
    return length === 0 ? 'beyond' : { start: size - length, end: size - 1 }
  }
  const start = Number(first)
  if (last !== '' && Number(last) < start) return null
  if (start >= size) return 'beyond'
  return { start, end: last === '' ? size - 1 : Math.min(Number(last), size - 1) }
}

/** Returns whether a list of ETags contains this one. A weak ETag does not match in a strong comparison. */
function listHas(list: string, etag: string, strong: boolean): boolean {
  return list.split(',').some((item) => {
    const mark = item.trim()
    return mark === '*' || mark === etag || (!strong && mark === `W/${etag}`)
  })
}

/** Returns the headers without those that describe the content. */
export function withoutContent(headers: OutgoingHttpHeaders): OutgoingHttpHeaders {
  const { 'content-type': _type, 'content-encoding': _coding, ...rest } = headers
  return rest
}
