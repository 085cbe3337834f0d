/** Converts rows of the service's JSON format to rows of an import. */
import { QueryError } from '../../../../runtime/data/query/model.ts'
import type { ReadRow, RowLocation, RowStyle } from '../rows.ts'
import { readItems, type ServiceItem } from './items.ts'
import { isRow, type Row, convertRecord, convertUser, type ConvertedRow, type ValueOptions } from './values.ts'

/**
 * Reads the rows of a file.
 * @throws DataError when the file cannot be read to its end
 */
export async function* readServiceJson(
  file: string,
  chunks: AsyncIterable<Uint8Array>,
  options: ValueOptions,
  /** Called when the file declares whether its ids are ids of rows. This may be after the rows. */
  rawIds: (value: boolean) => void = () => undefined,
): AsyncGenerator<ReadRow> {
  const style: RowStyle = { properties: 'each', undeclared: 'refused', keysOf: options.keysOf }
  for await (const item of readItems(file, chunks)) {
    if (item.kind === 'broken') yield item
    else if (item.kind === 'raw ids') rawIds(item.value)
    else yield* convertItem(item, style, options)
  }
}

async function* convertItem(item: ServiceItem, style: RowStyle, options: ValueOptions): AsyncGenerator<ReadRow> {
  const { location, value } = item
  if (!isRow(value)) return yield { kind: 'broken', location, reason: 'a row must be an object' }
  try {
    const converted = await convertValue(item, value, options)
    yield { kind: 'row', location, value: converted.value, style }
    yield* reportLeftOut(location, converted)
  } catch (error) {
    if (!(error instanceof QueryError)) throw error
    yield { kind: 'broken', location, reason: error.message.replace(/\.$/, '') }
  }
}

async function convertValue({ location }: ServiceItem, value: Row, options: ValueOptions): Promise<ConvertedRow> {
  return location.table === null ? convertUser(value, options) : convertRecord(value, location.table, options)
}

/** Reports the parts of a row that are left out. */
export function* reportLeftOut(location: RowLocation, { leftOut }: ConvertedRow): Generator<ReadRow> {
  for (const { property, reason } of leftOut) yield { kind: 'left out', location, property, reason }
}
