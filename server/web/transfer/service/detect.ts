/** Distinguishes the service's JSON format from Ingot's own format by the keys of a file. */
import { items, JsonText, members } from '../json-text.ts'
import { DataError } from '../rows.ts'
import { isServicePart } from './items.ts'

/**
 * Returns whether a file has the service's format. Both formats have `users`, so the file is read up to the first key
 * that only one of them has.
 */
export async function isServiceJson(file: string, chunks: AsyncIterable<Uint8Array>): Promise<boolean> {
  const text = new JsonText(file, chunks)
  try {
    await text.expect('{', '')
    for await (const key of members(text)) {
      if (key !== 'users') return isServicePart(key)
      if (await text.skipIf('[')) for await (const _ of items(text, key)) await text.value()
      // Only the service's format has an object around the rows.
      else return (await text.peek()) === '{'
    }
  } catch (error) {
    // The reader of Ingot's own format reports the error.
    if (!(error instanceof DataError)) throw error
  }
  return false
}
