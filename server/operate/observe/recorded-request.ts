/** A recorded request or job as it is stored: one line of JSON. */
import * as z from 'zod'
import type {
  RecordedCall,
  RecordedFragment,
  RecordedJob,
  RecordedLog,
  RecordedMessage,
  RecordedPlace,
  RequestKind,
  TemplateCalls,
} from '../../core/contracts/recording.ts'

const REQUEST_KINDS = ['page', 'xhr', 'rest', 'graphql', 'form', 'job'] as const satisfies readonly RequestKind[]

/** A request before this one, whose answer redirected here. */
export interface RedirectedRequest {
  readonly id: string
  readonly method: string
  readonly path: string
  readonly status: number
}

/** A statement as it is stored. */
interface StoredStatement {
  /** Index in `sql`. */
  readonly sql: number
  readonly values: readonly unknown[]
  readonly rows: number | null
  readonly ms: number
  readonly waited: number
  readonly replica: boolean
  readonly transaction: boolean
  readonly error: string | null
}

export interface StoredQuery {
  readonly name: string
  readonly place: RecordedPlace | null
  readonly at: number
  readonly ms: number
  readonly rows: number | null
  readonly document: string | null
  readonly variables: unknown
  readonly error: string | null
  readonly statements: readonly StoredStatement[]
}

/** What a list of requests shows. It comes first in a line, so that it can be read without the rest. */
const summary = z.object({
  id: z.string(),
  at: z.string(),
  kind: z.enum(REQUEST_KINDS),
  method: z.string(),
  path: z.string(),
  status: z.number().nullable(),
  milliseconds: z.number(),
  database: z.number(),
  statements: z.number(),
  bytes: z.number().nullable(),
  template: z.string().nullable(),
  format: z.string().nullable(),
  error: z.string().nullable(),
  user: z.object({ id: z.string(), email: z.string().nullable() }).nullable(),
  job: z.object({ id: z.string(), name: z.string(), attempt: z.number(), outcome: z.string() }).nullable(),
  redirectTo: z.string().nullable(),
  /** Whether an open page requested itself again. Records of older versions do not have it. */
  isUpdate: z.boolean().default(false),
  /** Ids of the jobs that it queued. */
  queued: z.array(z.string()),
  /** Number of messages that their templates kept from being sent. */
  unsent: z.number().default(0),
})
export type RequestSummary = z.infer<typeof summary>

export interface RequestDetail {
  readonly host: string
  readonly templates: readonly TemplateCalls[]
  readonly queries: readonly StoredQuery[]
  /** Texts of statements. Each is stored once. */
  readonly sql: readonly string[]
  readonly cache: readonly RecordedFragment[]
  readonly messages: readonly RecordedMessage[]
  readonly jobs: readonly RecordedJob[]
  readonly logs: readonly RecordedLog[]
  readonly outgoing: readonly RecordedCall[]
  readonly params: unknown
  readonly session: unknown
  readonly requestHeaders: unknown
  readonly responseHeaders: unknown
  /** The first request of the chain comes first. */
  readonly redirects: readonly RedirectedRequest[]
  /** Numbers of entries that were left out because there were too many, by the name of their list. */
  readonly omitted: Readonly<Record<string, number>>
}

export interface RecordedRequest {
  readonly summary: RequestSummary
  readonly detail: RequestDetail
}

// Only this program writes the file, so the detail is checked roughly.
const line = z.object({
  summary,
  detail: z.looseObject({
    templates: z.array(z.unknown()),
    queries: z.array(z.looseObject({ name: z.string(), statements: z.array(z.unknown()) })),
    sql: z.array(z.string()),
  }),
})

/** Returns the summary and the detail of a line; null when the line is not a complete record. */
export function parseRecord(text: string): RecordedRequest | null {
  try {
    const parsed = line.safeParse(JSON.parse(text))
    // The parts that the schema leaves open were written by this program, from values of these types.
    return parsed.success ? (parsed.data as unknown as RecordedRequest) : null
  } catch {
    return null
  }
}
