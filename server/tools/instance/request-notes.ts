/**
 * Stores the answered requests for the page that lists them: the latest ones, without delaying any request. Requests to the instance's API are
 * left out.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Sql } from 'postgres'
import { headerOf } from '../../web/http/message.ts'
import type { AnsweredRequest } from '../../web/http/request-log.ts'
import { isInstancePath } from './resources.ts'

/** Milliseconds between two writes. */
const WRITE_INTERVAL = 1_000
/** Maximum number of requests per write; further ones are dropped. */
const MAX_BATCH = 1_000
/** Maximum number of stored requests. */
const MAX_ROWS = 200_000
/** Days for which requests are stored. */
const RETENTION_DAYS = 3
/** Milliseconds between two removals of old requests. */
const CLEANUP_INTERVAL = 60_000
/** Maximum number of rows that one removal deletes. */
const DELETE_BATCH = 50_000
/** Maximum length of a text in characters. */
const MAX_TEXT_LENGTH = 1_000
/** Milliseconds that `close` waits for the last write. */
const CLOSE_TIMEOUT = 1_000

interface Note {
  /** Milliseconds since 1970. */
  readonly at: number
  readonly method: string
  readonly protocol: string
  readonly host: string
  readonly path: string
  readonly status: number
  readonly seconds: number
  readonly bytes: number | null
  readonly ip: string
  readonly agent: string
}

export class RequestNotes {
  readonly #sql: Sql
  #notes: Note[] = []
  #writing: Promise<void> | null = null
  #tidied = performance.now()
  #closed = false

  constructor(sql: Sql) {
    this.#sql = sql
  }

  /** Adds a request. Never waits and never throws. */
  add({ request, status, seconds, bytes }: AnsweredRequest): void {
    const path = request.path
    if (this.#closed || this.#notes.length >= MAX_BATCH || isInstancePath(path)) return
    const { method, protocol, host, ip } = request
    // Everything else happens later, so that the request is not delayed.
    const agent = headerOf(request, 'user-agent')
    this.#notes.push({ at: Date.now(), method, protocol, host, path, status, seconds, bytes, ip, agent })
    this.#scheduleWrite()
  }

  /** Writes the remaining requests, if the database answers. */
  async close(): Promise<void> {
    this.#closed = true
    await Promise.race([this.#write(0), sleep(CLOSE_TIMEOUT, undefined, { ref: false })])
  }

  #scheduleWrite(): void {
    this.#writing ??= this.#write(WRITE_INTERVAL).finally(() => {
      this.#writing = null
      if (this.#notes.length > 0 && !this.#closed) this.#scheduleWrite()
    })
  }

  async #write(gather: number): Promise<void> {
    await sleep(gather, undefined, { ref: false })
    const notes = this.#notes
    this.#notes = []
    if (notes.length === 0) return
    try {
      await this.#sql`
        insert into ingot.requests (at, method, origin, path, status, seconds, bytes, ip, agent)
        select to_timestamp(at / 1000), method, origin, path, status, seconds, bytes, ip, agent
        from jsonb_to_recordset(${JSON.stringify(notes.map(rowOf))}::text::jsonb) as note(at double precision, method text, origin text,
          path text, status integer, seconds double precision, bytes bigint, ip text, agent text)`
      await this.#tidy()
    } catch {
      // A failed write is not repeated, because the list may have gaps.
    }
  }

  async #tidy(): Promise<void> {
    if (performance.now() - this.#tidied < CLEANUP_INTERVAL) return
    this.#tidied = performance.now()
    await this.#sql`
      delete from ingot.requests where id in (select id from ingot.requests order by id limit ${DELETE_BATCH})
      and (id <= (select max(id) from ingot.requests) - ${MAX_ROWS} or at < now() - ${RETENTION_DAYS} * interval '1 day')`
  }
}

function rowOf({ at, method, protocol, host, path, status, seconds, bytes, ip, agent }: Note): object {
  return {
    ...{ at, status, seconds, bytes },
    method: storable(method),
    origin: storable(`${protocol}://${host}`),
    path: storable(path),
    ip: storable(ip),
    agent: storable(agent),
  }
}

/** Returns a text in a form that PostgreSQL can store. */
function storable(text: string): string {
  const some = text.length > MAX_TEXT_LENGTH ? text.slice(0, MAX_TEXT_LENGTH) : text
  return /[\0\ud800-\udfff]/.test(some) ? some.replaceAll('\0', '\ufffd').toWellFormed() : some
}
