/** The body of a request as a resource reads it: fields and files of a form, or JSON, which is stored as a file until it is asked for. */
import { readFile } from 'node:fs/promises'
import { isSentFile, type Request, type SentFile } from '../../web/http/message.ts'
import { WHOLE } from '../../web/http/stored-body.ts'
import { Refusal } from './replies.ts'

/** Bytes of the largest JSON that is held in memory. */
const LARGEST_JSON = 64 * 1024 * 1024

export interface SentBody {
  /** The last text of a name; null without one. */
  field(name: string): string | null
  /** The last file of a name; null without one. */
  file(name: string): SentFile | null
  /** A body that is no form; null where there is none. */
  readonly whole: SentFile | null
  /** The body as JSON; undefined where there is none. @throws Refusal where it cannot be read */
  json(): Promise<unknown>
}

/** @throws Refusal where it could not be received */
export function readSentBody({ parts, unreadable }: Request): SentBody {
  if (unreadable) throw new Refusal(unreadable.status, unreadable.message)
  const all = parts ?? []
  const value = (name: string) => all.findLast((part) => part.name === name)?.value
  const file = (name: string): SentFile | null => {
    const found = value(name)
    return isSentFile(found) ? found : null
  }
  const whole = file(WHOLE)
  return {
    field(name) {
      const found = value(name)
      return typeof found === 'string' ? found : null
    },
    file,
    whole,
    async json() {
      if (whole === null || whole.size === 0) return undefined
      if (whole.size > LARGEST_JSON) throw new Refusal(413, `the JSON is larger than ${LARGEST_JSON} bytes`)
      try {
        return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(await readFile(whole.path))) as unknown
      } catch (error) {
        if (error instanceof SyntaxError || error instanceof TypeError) throw new Refusal(400, 'the body is not JSON')
        throw error
      }
    },
  }
}
