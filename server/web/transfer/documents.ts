/**
 * Checks raw documents of search indexes and converts them to staged documents. A document is identified by its index
 * and id.
 */
import * as z from 'zod'
import { momentText } from '../../../runtime/data/query/rows/comparison-values.ts'
import { plainJson } from '../../../runtime/data/values/json-text.ts'
import type { CheckedDocument, RowError, RawDocument } from './rows.ts'

/** Maximum size of index name and id together in bytes. Both are part of a database index. */
const MAX_KEY = 2_000

function storableText(error: z.core.$ZodErrorMap | string): z.ZodType<string> {
  return z
    .string({ error: error })
    .min(1, 'it is empty')
    .refine((text) => !text.includes('\0') && text.isWellFormed(), 'it cannot be stored')
}

/**
 * Creates a schema whose value is converted by `convert`. When `convert` returns null, the value is rejected with a
 * reason.
 */
function transformed<From>(
  schema: z.ZodType<From>,
  convert: (value: From) => string | null,
  reason: string,
): z.ZodType<string> {
  return schema.transform((value, context) => {
    const result = convert(value)
    if (result === null) context.addIssue(reason)
    return result ?? ''
  })
}

const indexName = storableText('it is not a text')

const time = transformed(z.string('it is not a time'), momentText, 'it is not a time').nullish()

const row = z.strictObject(
  {
    id: z.preprocess(
      (id) => (Number.isSafeInteger(id) ? String(id) : id),
      storableText(({ input }) => (input === undefined ? 'it is missing' : 'it must be a text or a whole number')),
    ),
    created_at: time,
    updated_at: time,
    document: transformed(
      z.record(z.string(), z.unknown(), {
        error: ({ input }) => (input === undefined ? 'it is missing' : 'it must be an object'),
      }),
      plainJson,
      'it contains NUL, which cannot be stored',
    ),
  },
  { error: (issue) => (issue.code === 'invalid_type' ? 'a row must be an object' : undefined) },
)

/** Checks a document. Returns the staged document or its errors. */
export function checkDocument({ location, value }: RawDocument): CheckedDocument {
  const reject = (...faults: readonly Omit<RowError, 'location'>[]): CheckedDocument => ({
    kind: 'faults',
    faults: faults.map((fault) => ({ location, ...fault })),
  })
  const search_index = location.table ?? ''
  if (!indexName.safeParse(search_index).success)
    return reject({ property: null, reason: 'the name of its index cannot be stored' })
  try {
    const checked = row.safeParse(value)
    if (!checked.success) return reject(...checked.error.issues.flatMap(toFaults))
    const { id, document, created_at = null, updated_at = null } = checked.data
    if (Buffer.byteLength(search_index) + Buffer.byteLength(id) > MAX_KEY)
      return reject({ property: 'id', reason: 'it is too long' })
    return { kind: 'document', location, search_index, id, created_at, updated_at, document }
  } catch (error) {
    if (error instanceof RangeError) return reject({ property: 'document', reason: 'it is nested too deeply' })
    throw error
  }
}

function toFaults(issue: z.core.$ZodIssue): readonly Omit<RowError, 'location'>[] {
  if (issue.code === 'unrecognized_keys')
    return issue.keys.map((name) => ({ property: name, reason: 'documents have no such column' }))
  return [{ property: issue.path.length === 0 ? null : String(issue.path[0]), reason: issue.message }]
}
