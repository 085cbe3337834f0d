/** `data_clean`: removes all data of the site, and on request the site itself. */
import * as z from 'zod'
import { isTrue } from '../../../web/transfer/service/items.ts'
import { json, Refusal } from '../replies.ts'
import type { Resource } from '../resource.ts'
import { begun, requireTransfer, transferState } from '../transfers/replies.ts'
import { addTransfer } from '../transfers/rows.ts'

/** Text with which clients confirm the removal. */
const CONFIRMATION = 'CLEAN DATA'

const sent = z.object({ confirmation: z.literal(CONFIRMATION), include_schema: z.unknown().optional() })

export const startClean: Resource = {
  method: 'POST',
  path: 'app_builder/data_clean',
  scopes: ['admin'],
  async answer({ sql }, { body }) {
    const read = sent.safeParse(await body.json())
    if (!read.success)
      throw new Refusal(422, `nothing is removed: send JSON with the \`confirmation\` '${CONFIRMATION}'`)
    return begun(await addTransfer(sql, { kind: 'clean', site: isTrue(read.data.include_schema) }))
  },
}

export const showClean: Resource = {
  method: 'GET',
  path: 'app_builder/data_clean/:id',
  scopes: ['admin'],
  async answer(parts, ask) {
    const row = await requireTransfer(parts, ask, 'clean')
    return json(200, transferState(row, { status: { name: row.status } }))
  },
}
