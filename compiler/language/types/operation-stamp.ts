/** Stamps of operations and of the tables that they use. */
import { derived } from '../../core/model/derived.ts'
import { digest } from '../../core/model/digest.ts'
import type { DataSchema, Operation } from '../../core/model/operation.ts'
import { spanKey } from '../../core/source/span.ts'
import { typeKey } from './type-key.ts'

/** Returns a stamp of the tables of a site. */
export const dataStamp: (data: DataSchema) => string = derived((data: DataSchema) => digest(JSON.stringify(data)))

const ownStamp = derived(({ document, span, result }: Operation) =>
  digest([document, spanKey(span), typeKey(result)].join('\n')),
)

/** Returns a stamp of an operation, which depends on its document, on its place and on the tables. */
export function operationStamp(operation: Operation, data: DataSchema): string {
  return ownStamp(operation) + dataStamp(data)
}
