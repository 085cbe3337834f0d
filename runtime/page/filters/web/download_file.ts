/** `download_file`: the content of a URL. */
import { ArgumentFault, UnavailableFault } from '../../fault.ts'
import { decodeBytes } from '../../values/bytes.ts'
import { isNumber, toNumber } from '../../values/number.ts'
import { str } from '../../values/text.ts'
import { integerArgument } from '../number-arguments.ts'
import type { Numeric, Render, Textual } from '../types.ts'

export const dialect = 'platform'

const MEGABYTE = 1_048_576
/** Maximum value of `max_size`, in megabytes. */
const MAX_MEGABYTES = 50

/**
 * The body of a remote file of at most `max_size` megabytes (by default 1, at most 50).
 * @throws ArgumentFault for a URL that cannot be fetched, a file that is too large, and an invalid size
 */
export async function download_file(r: Render, url: Textual, max_size: Numeric = 1): Promise<string> {
  const { fetch } = r.services
  if (fetch === null) throw new UnavailableFault("this server does not offer the filter 'download_file'")
  const megabytes = readSize(max_size ?? 1)
  if (!(megabytes > 0 && megabytes <= MAX_MEGABYTES))
    throw new ArgumentFault(`download_file filter - max_size must be above 0 and at most ${MAX_MEGABYTES}`)
  return decodeBytes(await fetch.download(str(url), Math.floor(megabytes * MEGABYTE)))
}

function readSize(value: unknown): number {
  return isNumber(value) ? toNumber(value) : integerArgument(value, 'download_file', 'max_size')
}
