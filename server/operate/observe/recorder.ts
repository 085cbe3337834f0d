/** Records one request or job in memory. Nothing is copied, masked or written before the request has been answered. */
import type {
  OpenQuery,
  RecordedAnswer,
  RecordedCall,
  RecordedFragment,
  RecordedJob,
  RecordedLog,
  RecordedMessage,
  RecordedPlace,
  RecordedStatement,
  RecordedVisitor,
  Recording,
  TemplateCalls,
  TemplateKind,
  TemplateReporter,
} from '../../core/contracts/recording.ts'
import { TemplateTree } from './template-tree.ts'

/** Maximum number of entries of each list. Further entries are counted. */
export const MAX_ENTRIES = {
  queries: 500,
  statements: 1_000,
  cache: 500,
  messages: 100,
  jobs: 100,
  logs: 200,
  outgoing: 100,
} as const

/** Maximum number of characters of values that one recording holds until its end. */
const MAX_HELD = 2 * 1024 * 1024

export interface HeldQuery {
  readonly name: string
  readonly document: string | null
  readonly variables: unknown
  readonly at: number
  ms: number
  place: RecordedPlace | null
  rows: number | null
  error: string | null
  readonly statements: RecordedStatement[]
}

/** What a recording holds at its end, unmasked. */
export interface HeldRecording {
  readonly templates: readonly TemplateCalls[]
  readonly queries: readonly HeldQuery[]
  readonly cache: readonly RecordedFragment[]
  readonly messages: readonly RecordedMessage[]
  readonly jobs: readonly RecordedJob[]
  readonly logs: readonly RecordedLog[]
  readonly outgoing: readonly RecordedCall[]
  readonly visitor: RecordedVisitor | null
  readonly answer: RecordedAnswer
  /** Milliseconds of the whole request or job. */
  readonly ms: number
  /** Number of all statements, and their milliseconds. */
  readonly statements: number
  readonly database: number
  readonly omitted: Readonly<Record<string, number>>
}

export class RequestRecorder implements Recording {
  readonly #templates = new TemplateTree()
  readonly #started = performance.now()
  readonly #queries: HeldQuery[] = []
  readonly #cache: RecordedFragment[] = []
  readonly #messages: RecordedMessage[] = []
  readonly #jobs: RecordedJob[] = []
  readonly #logs: RecordedLog[] = []
  readonly #outgoing: RecordedCall[] = []
  readonly #omitted: Record<string, number> = {}
  #readVisitor: (() => RecordedVisitor) | null = null
  readonly #openQueries: HeldQuery[] = []
  /** Statements outside of queries: of sessions, forms and the queue. */
  #own: HeldQuery | null = null
  #error: string | null = null
  #statementCount = 0
  #database = 0
  #held = 0
  #onEnd: ((held: HeldRecording) => void) | null

  /** @param onEnd called once, with the answer */
  constructor(onEnd: (held: HeldRecording) => void) {
    this.#onEnd = onEnd
  }

  get template(): string | null {
    return this.#templates.currentFile
  }

  get queries(): readonly HeldQuery[] {
    return this.#queries
  }

  templateBegan(kind: TemplateKind, file: string, by: TemplateReporter): object {
    return this.#templates.begin(kind, file, by)
  }

  templateEnded(begun: object, bytes: number | null): void {
    this.#templates.end(begun, bytes)
  }

  templateCaught(file: string): void {
    this.#templates.leaveCalledBy(file)
  }

  query({ name, document, variables }: Parameters<Recording['query']>[0]): OpenQuery {
    const started = performance.now()
    const at = started - this.#started
    const held: HeldQuery = {
      ...{ name, document, at, ms: 0, rows: null, place: null, error: null, statements: [] },
      variables: this.#hold(variables),
    }
    this.#add('queries', this.#queries, held)
    this.#openQueries.push(held)
    return {
      end: ({ place, rows, error }) => {
        const index = this.#openQueries.lastIndexOf(held)
        if (index >= 0) this.#openQueries.splice(index, 1)
        held.ms = performance.now() - started
        held.place = place
        held.rows = rows
        held.error = error
      },
    }
  }

  statement(statement: RecordedStatement): void {
    const open = this.#openQueries.at(-1)
    if (open !== undefined) return this.#addStatement(open, statement)
    if (this.#own === null) {
      this.#own = {
        ...{
          name: OWN_STATEMENTS,
          document: null,
          variables: null,
          place: null,
          rows: null,
          error: null,
          ms: 0,
          statements: [],
        },
        at: performance.now() - this.#started,
      }
      this.#queries.push(this.#own)
    }
    this.#own.ms += statement.ms
    this.#addStatement(this.#own, statement)
  }

  #addStatement(query: HeldQuery, statement: RecordedStatement): void {
    this.#statementCount++
    this.#database += statement.ms
    if (this.#statementCount > MAX_ENTRIES.statements) this.#omit('statements')
    else query.statements.push({ ...statement, values: statement.values.slice(0, MAX_VALUES).map(this.#hold) })
  }

  fragment(fragment: RecordedFragment): void {
    this.#add('cache', this.#cache, fragment)
  }

  message(message: RecordedMessage): void {
    this.#add('messages', this.#messages, message)
  }

  job(job: RecordedJob): void {
    this.#add('jobs', this.#jobs, job)
  }

  log(log: RecordedLog): void {
    this.#add('logs', this.#logs, { ...log, message: this.#hold(log.message) })
  }

  call(call: RecordedCall): void {
    this.#add('outgoing', this.#outgoing, call)
  }

  failed(error: string): void {
    this.#error ??= error
  }

  visitor(read: () => RecordedVisitor): void {
    this.#readVisitor = read
  }

  answer(answer: RecordedAnswer): void {
    const onEnd = this.#onEnd
    this.#onEnd = null
    onEnd?.({
      templates: this.#templates.finish(),
      queries: this.#queries,
      cache: this.#cache,
      messages: this.#messages,
      jobs: this.#jobs,
      logs: this.#logs,
      outgoing: this.#outgoing,
      visitor: this.#visitor(),
      answer: { ...answer, error: this.#error ?? answer.error },
      ms: performance.now() - this.#started,
      statements: this.#statementCount,
      database: this.#database,
      omitted: this.#omitted,
    })
  }

  #visitor(): RecordedVisitor | null {
    try {
      return this.#readVisitor?.() ?? null
    } catch {
      return null
    }
  }

  #add<T>(list: keyof typeof MAX_ENTRIES, entries: T[], entry: T): void {
    if (entries.length < MAX_ENTRIES[list]) entries.push(entry)
    else this.#omit(list)
  }

  #omit(list: string): void {
    this.#omitted[list] = (this.#omitted[list] ?? 0) + 1
  }

  /** Returns a value, or a note in its place when the recording holds too much. */
  readonly #hold = (value: unknown): unknown => {
    if (typeof value === 'string') {
      if (this.#held + value.length > MAX_HELD) return `… (${value.length} characters)`
      this.#held += value.length
    }
    return value
  }
}

/** Name of the statements that belong to no query. */
const OWN_STATEMENTS = '(own)'
/** Maximum number of parameters of a statement. */
const MAX_VALUES = 60
