/**
 * Keeps the requests that were answered, for the screen that shows them: the latest, of which none keeps a visitor waiting. What the API
 * of the instance is asked is its operator's own, and left out.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Sql } from 'postgres'
import { headerOf } from '../../web/http/message.ts'
import type { AnsweredRequest } from '../../web/http/request-log.ts'
import { isInstancePath } from './resources.ts'

/** Milliseconds for which requests are gathered, and requests of that time that are kept. */
const GATHER = 1_000
const MOST_TOGETHER = 1_000
/** Requests that are kept, days for which they are, and milliseconds between two removals of the others. */
const MOST_KEPT = 200_000
const KEPT_DAYS = 3
const TIDY_EVERY = 60_000
/** Rows that one removal takes. */
const TAKEN = 50_000
/** Characters of the longest text. */
const LONGEST = 1_000
/** Milliseconds that the end waits for the last ones. */
const FAREWELL = 1_000

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

  /** Never waits, never throws. */
  add({ request, status, seconds, bytes }: AnsweredRequest): void {
    const path = request.path
    if (this.#closed || this.#notes.length >= MOST_TOGETHER || isInstancePath(path)) return
    const { method, protocol, host, ip } = request
    // The rest is for when nobody waits.
    const agent = headerOf(request, 'user-agent')
    this.#notes.push({ at: Date.now(), method, protocol, host, path, status, seconds, bytes, ip, agent })
    this.#begin()
  }

  /** Writes what is left, where the database is there. */
  async close(): Promise<void> {
    this.#closed = true
    await Promise.race([this.#write(0), sleep(FAREWELL, undefined, { ref: false })])
  }

  #begin(): void {
    this.#writing ??= this.#write(GATHER).finally(() => {
      this.#writing = null
      if (this.#notes.length > 0 && !this.#closed) this.#begin()
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
      // A record that may have gaps: while the database is away nobody can read it either.
    }
  }

  async #tidy(): Promise<void> {
    if (performance.now() - this.#tidied < TIDY_EVERY) return
    this.#tidied = performance.now()
    await this.#sql`
      delete from ingot.requests where id in (select id from ingot.requests order by id limit ${TAKEN})
      and (id <= (select max(id) from ingot.requests) - ${MOST_KEPT} or at < now() - ${KEPT_DAYS} * interval '1 day')`
  }
}

function rowOf({ at, method, protocol, host, path, status, seconds, bytes, ip, agent }: Note): object {
  return {
    ...{ at, status, seconds, bytes },
    method: kept(method),
    origin: kept(`${protocol}://${host}`),
    path: kept(path),
    ip: kept(ip),
    agent: kept(agent),
  }
}

/** What the database can keep of a text. */
function kept(text: string): string {
  const some = text.length > LONGEST ? text.slice(0, LONGEST) : text
  return /[\0\ud800-\udfff]/.test(some) ? some.replaceAll('\0', '\ufffd').toWellFormed() : some
}
