/**
 * `POST /_ingot/fix`: applies the fix of an error that an open page shows. The request names a fix that the compiler has suggested last. A fix
 * is applied only to the texts that the compiler has read.
 */
import { createHash } from 'node:crypto'
import { readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import * as z from 'zod'
import type { Reply, Request } from '../../web/http/message.ts'
import type { ShownFix } from '../../web/site/shown-error.ts'
import { answerPost, fileOfSite, json, problem } from './page-posts.ts'
import type { DevTokens } from './tokens.ts'
import { Turns } from '../../core/turns.ts'

const FIX_PATH = '/_ingot/fix'
const BYTE_ORDER_MARK = '\ufeff'

const wanted = z.object({ fix: z.string().regex(/^[\da-f]{64}$/) })

export interface FixEndpoint {
  /** Answers requests for its path; returns null for all others. */
  answer(request: Request): Promise<Reply> | null
}

/**
 * Creates the endpoint.
 * @param root the site's folder
 * @param findFix returns a fix of the last build by its id; undefined if there is none
 */
export function createFixEndpoint(
  root: string,
  tokens: DevTokens,
  findFix: (id: string) => ShownFix | undefined,
): FixEndpoint {
  /** Fixes are applied one after another, so that each one sees the texts of the others. */
  const turns = new Turns()

  async function apply({ fix: id }: z.infer<typeof wanted>): Promise<Reply> {
    const fix = findFix(id)
    if (fix === undefined) return problem(409, 'The error has changed. Its page shows the new one.')
    const texts = new Map<string, string>()
    for (const [file, digest] of Object.entries(fix.digests)) {
      const path = await fileOfSite(root, file)
      if (path === null) return problem(404, `'${file}' is not a file of this site.`)
      const text = await readFile(path, 'utf8')
      const mark = text.startsWith(BYTE_ORDER_MARK) ? BYTE_ORDER_MARK : ''
      const bare = text.slice(mark.length)
      if (createHash('sha256').update(bare).digest('hex') !== digest)
        return problem(409, `'${file}' has changed since it was checked, so it was not edited.`)
      texts.set(
        path,
        mark +
          edited(
            bare,
            fix.edits.filter((edit) => edit.file === file),
          ),
      )
    }
    await writeAll(texts)
    return json(200, { fixed: Object.keys(fix.digests) })
  }

  return {
    answer(request) {
      if (request.path !== FIX_PATH) return null
      return answerPost(request, tokens, wanted, (body) => turns.run(() => apply(body)))
    },
  }
}

/** Returns the text with its edits, which do not overlap. New lines end like the others. */
function edited(text: string, edits: ShownFix['edits']): string {
  let result = ''
  let copiedTo = 0
  const isDos = text.includes('\r\n') && !/(?<!\r)\n/.test(text)
  for (const edit of edits.toSorted((a, b) => a.start - b.start || a.end - b.end)) {
    result += text.slice(copiedTo, edit.start) + (isDos ? edit.text.replace(/(?<!\r)\n/g, '\r\n') : edit.text)
    copiedTo = edit.end
  }
  return result + text.slice(copiedTo)
}

/** Writes the texts, by absolute path. No file is replaced before all of them are on the disk. */
async function writeAll(texts: ReadonlyMap<string, string>): Promise<void> {
  const draftOf = (path: string): string => `${path}.${process.pid}.tmp`
  try {
    for (const [path, text] of texts) await writeFile(draftOf(path), text, { mode: (await stat(path)).mode })
    for (const path of texts.keys()) await rename(draftOf(path), path)
  } finally {
    for (const path of texts.keys()) await rm(draftOf(path), { force: true })
  }
}
