/** `PUT` and `DELETE marketplace_releases/sync`: change one file of the site. The response comes when the change is served. */
import { storeFile } from '../deploys/blobs.ts'
import type { TreeFile } from '../deploys/archive.ts'
import type { Reply } from '../../../web/http/message.ts'
import { formatFinding, formatErrorLines } from '../deploys/lines.ts'
import { json, Refusal } from '../replies.ts'
import type { Ask, InstanceContext, Resource } from '../resource.ts'
import { awaitDeploy } from '../wait.ts'

/** Form field with the content of a file, as text or as a file. */
const CONTENT_FIELD = 'marketplace_builder_file_body'

const path = 'app_builder/marketplace_releases/sync'

export const writeFile: Resource = {
  method: 'PUT',
  path,
  scopes: ['deploy'],
  async answer(parts, { body }) {
    const name = requirePath(body)
    const sent = body.file(CONTENT_FIELD)
    const text = sent === null ? body.field(CONTENT_FIELD) : null
    if (sent === null && text === null) throw new Refusal(422, `the form has no \`${CONTENT_FIELD}\``)
    return applyChange(parts, name, await storeFile(parts.sql, sent?.path ?? Buffer.from(text ?? '')))
  },
}

export const removeFile: Resource = {
  method: 'DELETE',
  path,
  scopes: ['deploy'],
  answer: (parts, { body }) => applyChange(parts, requirePath(body), null),
}

function requirePath(body: Ask['body']): string {
  const name = body.field('path') ?? ''
  if (name === '') throw new Refusal(422, 'the form has no `path`')
  return name
}

async function applyChange(parts: InstanceContext, name: string, file: TreeFile | null): Promise<Reply> {
  const { status, result } = await awaitDeploy(parts, { kind: 'sync', path: name, file })
  const { errors } = result
  if (status === 'success')
    return json(200, { status: 'ok', ...(errors.length > 0 && { warning: errors.map(formatFinding).join('\n') }) })
  const isSchema =
    errors.some(({ file: each }) => isTableFile(each)) || (errors.length === 0 && isTableFile(`/${name}`))
  const lines = formatErrorLines(result)
  throw new Refusal(422, isSchema ? lines.map((line) => `Validation failed: ${line}`) : lines, errors[0]?.file ?? null)
}

function isTableFile(path: string): boolean {
  return /\/(?:schema|custom_model_types|model_schemas)\//.test(path)
}
