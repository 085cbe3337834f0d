/**
 * Checks raw documents of search indexes and turns them into staged ones. A document is identified by its index and id.
 */
import * as z from 'zod'
import { momentText } from '../../../runtime/data/query/rows/comparison-values.ts'
import { plainJson } from '../../../runtime/data/values/json-text.ts'
import type { CheckedDocument, RowError, RawDocument } from './rows.ts'

/** Maximum size of index name and id together, which are indexed by the database. */
const MAX_KEY = 2_000

function storable(refused: z.core.$ZodErrorMap | string): z.ZodType<string> {
  return z
    .string({ error: refused })
    .min(1, 'it is empty')
    .refine((text) => !text.includes('\0') && text.isWellFormed(), 'it cannot be stored')
}

/** A schema whose value is created by `make`, or rejected with a reason. */
function transformed<From>(
  from: z.ZodType<From>,
  make: (value: From) => string | null,
  reason: string,
): z.ZodType<string> {
  return from.transform((value, context) => {
    const result = make(value)
    if (result === null) context.addIssue(reason)
    return result ?? ''
  })
}

const indexName = storable('it is no text')

const time = transformed(z.string('it is no time'), momentText, 'it is no time').nullish()

const row = z.strictObject(
  {
    id: z.preprocess(
      (id) => (Number.isSafeInteger(id) ? String(id) : id),
      storable(({ input }) => (input === undefined ? 'it is missing' : 'it is a text or a whole number')),
    ),
    created_at: time,
    updated_at: time,
    document: transformed(
      z.record(z.string(), z.unknown(), {
        error: ({ input }) => (input === undefined ? 'it is missing' : 'it is an object'),
      }),
      plainJson,
      'it holds NUL, which cannot be stored',
    ),
  },
  { error: (issue) => (issue.code === 'invalid_type' ? 'a row is an object' : undefined) },
)

/** The staged document, or its errors. */
export function checkDocument({ location, value }: RawDocument): CheckedDocument {
  const refused = (...faults: readonly Omit<RowError, 'location'>[]): CheckedDocument => ({
    kind: 'faults',
    faults: faults.map((fault) => ({ location, ...fault })),
  })
  const search_index = location.table ?? ''
  if (!indexName.safeParse(search_index).success)
    return refused({ property: null, reason: 'its index has a name that cannot be stored' })
  try {
    const checked = row.safeParse(value)
    if (!checked.success) return refused(...checked.error.issues.flatMap(faultsOf))
    const { id, document, created_at = null, updated_at = null } = checked.data
    if (Buffer.byteLength(search_index) + Buffer.byteLength(id) > MAX_KEY)
      return refused({ property: 'id', reason: 'it is too long' })
    return { kind: 'document', location, search_index, id, created_at, updated_at, document }
  } catch (error) {
    if (error instanceof RangeError) return refused({ property: 'document', reason: 'it is nested too deeply' })
    throw error
  }
}

function faultsOf(issue: z.core.$ZodIssue): readonly Omit<RowError, 'location'>[] {
  if (issue.code === 'unrecognized_keys')
    return issue.keys.map((name) => ({ property: name, reason: 'a document has no such column' }))
  return [{ property: issue.path.length === 0 ? null : String(issue.path[0]), reason: issue.message }]
}
