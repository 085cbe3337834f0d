/** Tells the service's JSON from Ingot's own, by the parts that a file has. */
import { items, JsonText, members } from '../json-text.ts'
import { DataError } from '../rows.ts'
import { isServicePart } from './items.ts'

/**
 * Whether a file is of the service. Both forms have `users`, so that the file is read up to the first part that only one of
 * them has.
 */
export async function isServiceJson(file: string, chunks: AsyncIterable<Uint8Array>): Promise<boolean> {
  const text = new JsonText(file, chunks)
  try {
    await text.expect('{', '')
    for await (const key of members(text)) {
      if (key !== 'users') return isServicePart(key)
      if (await text.skip('[')) for await (const _ of items(text, key)) await text.value()
      // Only the service puts the rows into an object.
      else return (await text.peek()) === '{'
    }
  } catch (error) {
    // The reader of Ingot's own form says what is wrong.
    if (!(error instanceof DataError)) throw error
  }
  return false
}
