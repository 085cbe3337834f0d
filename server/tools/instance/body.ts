/** Reads the body of a request: fields and files of a form, or JSON, which is stored as a file until it is read. */
import { readFile } from 'node:fs/promises'
import { isSentFile, type Request, type SentFile } from '../../web/http/message.ts'
import { WHOLE_BODY_FIELD } from '../../web/http/stored-body.ts'
import { Refusal } from './replies.ts'

/** Maximum size in bytes of JSON that is held in memory. */
const MAX_JSON_BYTES = 64 * 1024 * 1024

export interface SentBody {
  /** Returns the last text with a name; null when there is none. */
  field(name: string): string | null
  /** Returns the last file with a name; null when there is none. */
  file(name: string): SentFile | null
  /** A body that is not a form; null when there is none. */
  readonly wholeFile: SentFile | null
  /** Parses the body as JSON; undefined when there is none. @throws Refusal when it is invalid */
  json(): Promise<unknown>
}

/** Reads the body. @throws Refusal when it could not be received */
export function readSentBody({ parts, unreadable }: Request): SentBody {
  if (unreadable) throw new Refusal(unreadable.status, unreadable.message)
  const all = parts ?? []
  const value = (name: string) => all.findLast((part) => part.name === name)?.value
  const file = (name: string): SentFile | null => {
    const sent = value(name)
    return isSentFile(sent) ? sent : null
  }
  const wholeFile = file(WHOLE_BODY_FIELD)
  return {
    field(name) {
      const sent = value(name)
      return typeof sent === 'string' ? sent : null
    },
    file,
    wholeFile,
    async json() {
      if (wholeFile === null || wholeFile.size === 0) return undefined
      if (wholeFile.size > MAX_JSON_BYTES) throw new Refusal(413, `the JSON is larger than ${MAX_JSON_BYTES} bytes`)
      try {
        const value: unknown = JSON.parse(
          new TextDecoder('utf-8', { fatal: true }).decode(await readFile(wholeFile.path)),
        )
        return value
      } catch (error) {
        if (error instanceof SyntaxError || error instanceof TypeError) throw new Refusal(400, 'the body is not JSON')
        throw error
      }
    },
  }
}
