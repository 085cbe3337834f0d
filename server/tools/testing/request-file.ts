/** Parses files of requests (`…_test.yml`): a list of requests with the expected responses. */
import { LineCounter, isMap, isScalar, isSeq, parseDocument } from 'yaml'
import * as z from 'zod'
import { nearest } from '../../../runtime/data/query/suggest.ts'

const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS'] as const

const texts = z.union([z.string().transform((one) => [one]), z.array(z.string())])
const scalar = z.union([z.string(), z.number(), z.boolean()]).transform(String)

/**
 * Selectors. One without a value must match. With a text, a match must contain it; with a number, there must be exactly this number of
 * matches.
 */
const selectors = z.union([
  texts.transform((all) => all.map((selector) => [selector, null] as const)),
  z
    .record(z.string(), z.union([z.string(), z.number().int().nonnegative(), z.null()]))
    .transform((all) => Object.entries(all)),
])

const step = z
  .strictObject({
    GET: z.string().optional(),
    POST: z.string().optional(),
    PUT: z.string().optional(),
    PATCH: z.string().optional(),
    DELETE: z.string().optional(),
    HEAD: z.string().optional(),
    OPTIONS: z.string().optional(),
    /** Submits a form of the last page: a selector. */
    submit: z.string().optional(),
    /** Follows a link of the last page: a selector. */
    click: z.string().optional(),
    /** Calls a partial. Its result is available as the name in `as`. */
    run: z.string().optional(),
    as: z.string().optional(),
    /** Subscribes to a channel: the fields of the subscription. */
    subscribe: z.record(z.string(), z.unknown()).optional(),
    /** The code with which the site must refuse the subscription. */
    refused: z.string().optional(),
    /** Sends a message to the latest subscription. */
    send: z.record(z.string(), z.unknown()).optional(),
    /** The fields that the next message must have; `false` when there must be none. */
    receive: z.union([z.record(z.string(), z.unknown()), z.literal(false)]).optional(),
    /** Ends the latest subscription. */
    unsubscribe: z.literal(true).optional(),
    with: z.record(z.string(), z.unknown()).optional(),
    /** Fields of the submitted form, or of the body. */
    fields: z.record(z.string(), scalar).optional(),
    json: z.unknown().optional(),
    headers: z.record(z.string(), scalar).optional(),
    /** Whether to follow redirects, like a browser. */
    follow: z.boolean().default(false),
    /** The wanted status, or several of which one must match. */
    status: z.union([z.int().transform((one) => [one]), z.array(z.int()).nonempty()]).optional(),
    text: texts.default([]),
    without: texts.default([]),
    selector: selectors.default([]),
    location: z.string().optional(),
    type: z.string().optional(),
  })
  .refine((fields) => actionsOf(fields).length === 1, {
    message:
      'must have exactly one of: a request (GET, POST, …), `submit`, `click`, `run`, `subscribe`, `send`, `receive`, or `unsubscribe`',
  })

/** The keys of a step. @internal Exported for tests. */
export const STEP_KEYS: readonly string[] = Object.keys(step.shape)

type Given = z.infer<typeof step>

function actionsOf(fields: Record<string, unknown>): readonly string[] {
  const others = ['submit', 'click', 'run', 'subscribe', 'send', 'receive', 'unsubscribe']
  return [...METHODS, ...others].filter((name) => fields[name] !== undefined)
}

/** One request, or a partial that is called between requests. */
export interface RequestStep extends Omit<Given, (typeof METHODS)[number]> {
  /** Null for other actions. */
  readonly request: { readonly method: string; readonly url: string } | null
  readonly line: number
}

/** Thrown for an invalid file, with the line. */
export class InvalidTestFile extends Error {
  constructor(
    message: string,
    readonly line: number,
  ) {
    super(message)
  }
}

/** Parses the steps of a file. @throws InvalidTestFile */
export function readRequests(text: string): readonly RequestStep[] {
  const lines = new LineCounter()
  const document = parseDocument(text, { lineCounter: lines })
  const [problem] = document.errors
  if (problem !== undefined)
    throw new InvalidTestFile(problem.message.split('\n')[0] ?? '', lines.linePos(problem.pos[0]).line)
  if (!isSeq(document.contents)) throw new InvalidTestFile('A test file must be a list of requests: `- GET: /`', 1)
  return document.contents.items.map((item) => {
    const lineOf = (range: readonly number[] | null | undefined): number => lines.linePos(range?.[0] ?? 0).line
    if (!isMap(item))
      throw new InvalidTestFile('A step must be a map: `- GET: /`', isScalar(item) ? lineOf(item.range) : 1)
    const line = lineOf(item.range)
    const read = step.safeParse(item.toJSON())
    if (!read.success) {
      const { message, key } = describeIssue(read.error)
      const keys = item.items.flatMap((pair) => (isScalar(pair.key) && pair.key.value === key ? pair.key : []))
      throw new InvalidTestFile(message, keys[0] === undefined ? line : lineOf(keys[0].range))
    }
    const { GET, POST, PUT, PATCH, DELETE, HEAD, OPTIONS, ...rest } = read.data
    const urls = { GET, POST, PUT, PATCH, DELETE, HEAD, OPTIONS }
    const method = METHODS.find((each) => urls[each] !== undefined)
    const url = method === undefined ? undefined : urls[method]
    return { ...rest, request: method === undefined || url === undefined ? null : { method, url }, line }
  })
}

/** Returns a sentence about the first issue, and the key of the step that it is about; null when it is about the whole step. */
function describeIssue({ issues: [issue] }: z.ZodError): { readonly message: string; readonly key: string | null } {
  if (issue === undefined) return { message: 'It cannot be read.', key: null }
  const [key] = issue.path
  if (key !== undefined) return { message: `\`${issue.path.join('.')}\`: ${issue.message}.`, key: String(key) }
  if (issue.code !== 'unrecognized_keys') return { message: `A step ${issue.message}.`, key: null }
  const sentences = issue.keys.map((unknown) => {
    const suggestion = nearest(unknown, Object.keys(step.shape))
    return `A step has no key \`${unknown}\`${suggestion === null ? '.' : `: did you mean \`${suggestion}\`?`}`
  })
  return { message: sentences.join(' '), key: issue.keys[0] ?? null }
}
