/**
 * `POST /_ingot/open`: opens a file of the site in the developer's editor. It answers only pages of this site on this machine that have a token,
 * and opens only files of the site. The pages call `openFile` of `live/requests.mjs`.
 */
import * as z from 'zod'
import type { Reply, Request } from '../../web/http/message.ts'
import { type EditorChoice, openInEditor } from './editor.ts'
import { answerPost, fileOfSite, json, PAGE_PURPOSE, problem, refusal } from './page-posts.ts'
import type { DevTokens } from './tokens.ts'

const OPEN_PATH = '/_ingot/open'

export interface FileOpener {
  /** Answers requests below its path; returns null for all others. */
  answer(request: Request): Promise<Reply> | null
}

/** `line` is 1-based. */
const place = z.object({
  file: z.string().min(1).max(1_000),
  line: z.number().int().min(1).max(10_000_000).default(1),
})

/** Creates the endpoint. @param root the site's folder */
export function createFileOpener(root: string, tokens: DevTokens, editor: EditorChoice): FileOpener {
  async function open({ file, line }: z.infer<typeof place>): Promise<Reply> {
    const path = await fileOfSite(root, file)
    if (path === null) return problem(404, `'${file}' is not a file of this site.`)
    const started = await openInEditor(editor, path, line)
    if (started !== null) return json(200, { opened: `${file}:${line}`, editor: started })
    const reason =
      editor.command === null
        ? 'No editor was found. Set INGOT_EDITOR to the command of your editor, such as INGOT_EDITOR=code, and start `ingot dev` again.'
        : `INGOT_EDITOR is '${editor.command}', which does not start. Set it to the command of your editor, such as INGOT_EDITOR=code.`
    return problem(409, reason)
  }

  return {
    answer(request) {
      const { path } = request
      if (path === OPEN_PATH) return answerPost(request, tokens, place, open)
      if (path !== `${OPEN_PATH}/token`) return null
      return Promise.resolve(refusal(request) ?? json(200, { token: tokens.issue(PAGE_PURPOSE) }))
    },
  }
}
