/** Reads rows of the service's JSON as rows of an import. */
import { QueryError } from '../../../../runtime/data/query/model.ts'
import type { ReadRow, RowLocation, RowStyle } from '../rows.ts'
import { readItems, type ServiceItem } from './items.ts'
import { isRow, type Row, turnRecord, turnUser, type TurnedRow, type ValueOptions } from './values.ts'

/** @throws DataError when the file cannot be read to its end */
export async function* readServiceJson(
  file: string,
  chunks: AsyncIterable<Uint8Array>,
  options: ValueOptions,
  /** Called where the file itself says whether its ids are ids of rows; it may say it behind them. */
  rawIds: (value: boolean) => void = () => undefined,
): AsyncGenerator<ReadRow> {
  const style: RowStyle = { properties: 'each', undeclared: 'refused', keysOf: options.keysOf }
  for await (const part of readItems(file, chunks)) {
    if (part.kind === 'broken') yield part
    else if (part.kind === 'raw ids') rawIds(part.value)
    else yield* rowOf(part, style, options)
  }
}

async function* rowOf(part: ServiceItem, style: RowStyle, options: ValueOptions): AsyncGenerator<ReadRow> {
  const { location, value } = part
  if (!isRow(value)) return yield { kind: 'broken', location, reason: 'a row is an object' }
  try {
    const turned = await turn(part, value, options)
    yield { kind: 'row', location, value: turned.value, style }
    yield* leftOut(location, turned)
  } catch (error) {
    if (!(error instanceof QueryError)) throw error
    yield { kind: 'broken', location, reason: error.message.replace(/\.$/, '') }
  }
}

async function turn({ location }: ServiceItem, value: Row, options: ValueOptions): Promise<TurnedRow> {
  return location.table === null ? turnUser(value, options) : turnRecord(value, location.table, options)
}

/** What a row has that there is no place for. */
export function* leftOut(location: RowLocation, { left }: TurnedRow): Generator<ReadRow> {
  for (const { property, reason } of left) yield { kind: 'left out', location, property, reason }
}
