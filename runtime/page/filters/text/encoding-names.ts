/** Character encodings by the platform's names. */
import { ArgumentFault } from '../../fault.ts'
import { str } from '../../values/text.ts'

export const UTF8 = 'UTF-8'
export const BINARY = 'ASCII-8BIT'

/** Names that `encoding` returns, each followed by its aliases. */
const NAMES = `UTF-8 UTF8 CP65001|ASCII-8BIT BINARY|US-ASCII ASCII ANSI_X3.4-1968 646|UTF-16LE|UTF-16BE UCS-2BE|UTF-16|UTF-32LE UCS-4LE|
  UTF-32BE UCS-4BE|UTF-32|UTF-7 CP65000|ISO-8859-1 ISO8859-1 LATIN1|Shift_JIS|Windows-31J CP932 csWindows31J SJIS|EUC-JP eucJP|
  GBK CP936|GB2312 EUC-CN eucCN|GB18030|Big5 CP950|Big5-HKSCS CP951|EUC-KR eucKR|CP949|TIS-620|KOI8-R CP878|KOI8-U|
  macRoman|macCentEuro|macTurkish|macGreek|macIceland|macCroatian|macRomania|macCyrillic|macUkraine|macThai|
  Windows-874 CP874|${[2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 13, 14, 15, 16].map((part) => `ISO-8859-${part} ISO8859-${part}`).join('|')}|
  ${[0, 1, 2, 3, 4, 5, 6, 7, 8].map((page) => `Windows-125${page} CP125${page}`).join('|')}|
  ${[437, 737, 775, 850, 852, 855, 857, 860, 861, 862, 863, 864, 865, 866, 869].map((page) => `IBM${page} CP${page}`).join('|')}`

const ENCODINGS: ReadonlyMap<string, string> = new Map(
  NAMES.split('|').flatMap((line) => {
    const names = line.trim().split(/\s+/)
    const [canonical = ''] = names
    return names.map((name): [string, string] => [name.toUpperCase(), canonical])
  }),
)

/**
 * Returns the platform's name of an encoding.
 * @throws ArgumentFault for an unknown one
 */
export function findEncoding(value: unknown, filter: string): string {
  const encodingName = ENCODINGS.get(str(value).trim().toUpperCase())
  if (encodingName === undefined)
    throw new ArgumentFault(`${filter} filter - unknown encoding name - ${str(value).slice(0, 30)}`)
  return encodingName
}
