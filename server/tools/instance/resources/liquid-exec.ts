/** `POST liquid_exec`: renders a sent template, with the permissions of a page of the site. */
import * as z from 'zod'
import { json, Refusal } from '../replies.ts'
import type { Resource } from '../resource.ts'

const MAX_CONTENT_LENGTH = 1_000_000
const sent = z.object({ content: z.string().max(MAX_CONTENT_LENGTH) })

export const liquidExec: Resource = {
  method: 'POST',
  path: 'app_builder/liquid_exec',
  scopes: ['exec'],
  async answer({ exec }, { body, request }) {
    const read = sent.safeParse(await body.json())
    if (!read.success)
      throw new Refusal(
        422,
        `the body must be JSON with a text \`content\` of at most ${MAX_CONTENT_LENGTH} characters`,
      )
    return json(200, await exec(read.data.content, request.host))
  },
}
