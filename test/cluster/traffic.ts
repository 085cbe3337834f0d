/** Controls the program of the visitors. Collects their requests and results, and compares them with the contents of the database. */
import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { FromVisitors, Rows, ToVisitors, Visit } from './messages.ts'
import type { Host } from './network.ts'
import { until } from './programs.ts'

/** Writes that the server acknowledged and that were lost or repeated. */
export interface Loss {
  /** Keys of acknowledged records that do not exist, or whose file does not exist. */
  readonly rows: readonly string[]
  /** Keys of acknowledged jobs that have not run. */
  readonly jobs: readonly string[]
  /** Keys of jobs that have run several times. */
  readonly doubled: readonly string[]
}

export class Traffic {
  readonly #child: ChildProcess
  readonly #answers = new Map<number, (rows: Rows | null) => void>()
  readonly visits: Visit[] = []
  #asked = 0
  #ready: () => void = () => undefined
  #stopped: () => void = () => undefined

  private constructor(host: Host, program: string) {
    this.#child = spawn('ip', ['netns', 'exec', host.namespace, process.execPath, program], {
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
      detached: true,
    })
    this.#child.on('message', (message: FromVisitors) => this.#receive(message))
  }

  /** Starts the program of the visitors, which waits for the message to begin. */
  static async open(host: Host, program: string): Promise<Traffic> {
    const traffic = new Traffic(host, program)
    await new Promise<void>((done) => {
      traffic.#ready = done
    })
    return traffic
  }

  go(url: string, rate: number): void {
    this.#send({ type: 'go', url, rate })
  }

  /** Resolves when all responses have arrived. */
  stop(): Promise<void> {
    return new Promise((done) => {
      this.#stopped = done
      this.#send({ type: 'stop' })
    })
  }

  /** Returns the visits that were sent between two times. */
  between(from: number, to: number): readonly Visit[] {
    return this.visits.filter(({ at }) => at >= from && at < to)
  }

  /** Waits until all jobs have run, and compares the acknowledged writes with the contents of the database. */
  async loss(database: string, files: string, seconds: number): Promise<Loss> {
    let rows: Rows | null = null
    await until('an empty queue', seconds, async () => {
      rows = await this.#count(database)
      return rows?.waiting === 0
    }).catch(() => undefined)
    const found = rows as Rows | null
    if (found === null) throw new Error('nobody could count what the database holds')
    return lossOf(this.visits, found, files)
  }

  #count(database: string): Promise<Rows | null> {
    const id = ++this.#asked
    return new Promise((done) => {
      this.#answers.set(id, done)
      this.#send({ type: 'count', id, database })
    })
  }

  #send(message: ToVisitors): void {
    this.#child.send(message)
  }

  #receive(message: FromVisitors): void {
    if (message.type === 'ready') this.#ready()
    else if (message.type === 'stopped') this.#stopped()
    else if (message.type === 'visits') this.visits.push(...message.visits)
    else {
      this.#answers.get(message.id)?.(message.rows)
      this.#answers.delete(message.id)
    }
  }
}

function lossOf(visits: readonly Visit[], rows: Rows, files: string): Loss {
  const notes = new Map(rows.notes)
  const tasks = new Set(rows.tasks)
  const runs = new Map<string, number>()
  for (const key of rows.done) runs.set(key, (runs.get(key) ?? 0) + 1)
  const taken = visits.filter(({ key, problem }) => key !== null && problem === null)
  const keyed = taken.map(({ kind, key }) => ({ kind, key: key as string }))
  const isThere = ({ kind, key }: (typeof keyed)[number]): boolean => {
    if (kind === 'job') return tasks.has(key)
    return notes.has(key) && (kind !== 'upload' || hasFile(files, notes.get(key) ?? null, key))
  }
  return {
    rows: keyed.filter((each) => !isThere(each)).map(({ key }) => key),
    jobs: keyed.filter(({ kind, key }) => kind === 'job' && !runs.has(key)).map(({ key }) => key),
    doubled: [...runs].flatMap(([key, count]) => (count > 1 ? key : [])),
  }
}

function hasFile(files: string, path: string | null, key: string): boolean {
  if (path === null) return false
  const file = join(files, path)
  return existsSync(file) && readFileSync(file, 'utf8').includes(key)
}
