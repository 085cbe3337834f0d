/** Files of requests (`…_test.yml`): one request after the other, with what is expected of its answer. */
import { LineCounter, isMap, isSeq, parseDocument } from 'yaml'
import * as z from 'zod'

const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS'] as const

const texts = z.union([z.string().transform((one) => [one]), z.array(z.string())])
const scalar = z.union([z.string(), z.number(), z.boolean()]).transform(String)

/** A selector alone is to be there; with a text it is to hold that, with a number it is to be there so often. */
const selectors = z.union([
  texts.transform((all) => all.map((selector) => [selector, null] as const)),
  z
    .record(z.string(), z.union([z.string(), z.number().int().nonnegative(), z.null()]))
    .transform((all) => Object.entries(all)),
])

const step = z
  .strictObject({
    ...(Object.fromEntries(METHODS.map((method) => [method, z.string().optional()])) as Record<
      (typeof METHODS)[number],
      z.ZodOptional<z.ZodString>
    >),
    /** The form of the last page that is sent: a selector. */
    submit: z.string().optional(),
    /** A link of the last page that is followed: a selector. */
    click: z.string().optional(),
    /** A partial that is called before what follows; what it returns is known by the name of `as`. */
    run: z.string().optional(),
    as: z.string().optional(),
    with: z.record(z.string(), z.unknown()).optional(),
    /** Fields of a form: of the one that is sent, or of the body. */
    fields: z.record(z.string(), scalar).optional(),
    json: z.unknown().optional(),
    headers: z.record(z.string(), scalar).optional(),
    /** Redirects are followed, as a browser does. */
    follow: z.boolean().default(false),
    status: z.number().int().optional(),
    text: texts.default([]),
    without: texts.default([]),
    selector: selectors.default([]),
    location: z.string().optional(),
    type: z.string().optional(),
  })
  .refine((given) => doings(given).length === 1, {
    message: 'is one request (GET, POST, …), `submit`, `click`, or `run`',
  })

type Given = z.infer<typeof step>

function doings(given: Record<string, unknown>): readonly string[] {
  return [...METHODS, 'submit', 'click', 'run'].filter((name) => given[name] !== undefined)
}

/** One request, or what is called between two of them. */
export interface RequestStep extends Omit<Given, (typeof METHODS)[number]> {
  /** Null for all others. */
  readonly request: { readonly method: string; readonly url: string } | null
  readonly line: number
}

/** A file that cannot be read: why, and where. */
export class UnreadableTest extends Error {
  constructor(
    message: string,
    readonly line: number,
  ) {
    super(message)
  }
}

/** The steps of a file. @throws UnreadableTest */
export function readRequests(text: string): readonly RequestStep[] {
  const lines = new LineCounter()
  const document = parseDocument(text, { lineCounter: lines })
  const [problem] = document.errors
  if (problem !== undefined)
    throw new UnreadableTest(problem.message.split('\n')[0] ?? '', lines.linePos(problem.pos[0]).line)
  if (!isSeq(document.contents)) throw new UnreadableTest('It is a list of requests: `- GET: /`', 1)
  return document.contents.items.map((item) => {
    const [start = 0] = isMap(item) ? (item.range ?? []) : []
    const { line } = lines.linePos(start)
    const read = step.safeParse(isMap(item) ? item.toJSON() : item)
    if (!read.success) throw new UnreadableTest(sentenceOf(read.error), line)
    const { GET, POST, PUT, PATCH, DELETE, HEAD, OPTIONS, ...rest } = read.data
    const urls = { GET, POST, PUT, PATCH, DELETE, HEAD, OPTIONS }
    const method = METHODS.find((each) => urls[each] !== undefined)
    const url = method === undefined ? undefined : urls[method]
    return { ...rest, request: method === undefined || url === undefined ? null : { method, url }, line }
  })
}

function sentenceOf({ issues: [issue] }: z.ZodError): string {
  if (issue === undefined) return 'It cannot be read.'
  const path = issue.path.join('.')
  return path === '' ? `A step ${issue.message}.` : `\`${path}\`: ${issue.message}.`
}
