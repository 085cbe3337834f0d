/** `exports`: exports the data of the site, as JSON or as an archive of CSV files. */
import { contentType } from '../../../web/http/formats.ts'
import { isTrue } from '../../../web/transfer/service/items.ts'
import { json } from '../replies.ts'
import type { Resource } from '../resource.ts'
import { sentDigest } from '../sent-keys.ts'
import { begun, requireTransfer, transferState } from '../transfers/replies.ts'
import { addTransfer } from '../transfers/rows.ts'

export const startExport: Resource = {
  method: 'POST',
  path: 'app_builder/exports',
  scopes: ['read'],
  async answer({ sql }, { body, query, request: { protocol, host } }) {
    const csv = isTrue(query.get('csv_export'))
    const rawIds = isTrue(body.field('export_internal'))
    return begun(await addTransfer(sql, { kind: 'export', csv, rawIds, at: `${protocol}://${host}` }))
  },
}

export const showExport: Resource = {
  method: 'GET',
  path: 'app_builder/exports/:id',
  scopes: ['read'],
  async answer(parts, ask) {
    const row = await requireTransfer(parts, ask, 'export')
    const { key } = row.result
    if (key === null || row.request.kind !== 'export') return json(200, transferState(row))
    if (row.request.csv)
      return json(200, transferState(row, { zip_file_url: parts.addresses.address('see', ask.request, key) }))
    const digest = await sentDigest(parts.sql, key)
    if (digest === null) return json(200, { ...transferState(row), status: 'failed', error: EXPIRED_MESSAGE })
    const headers = { 'content-type': contentType('json'), 'cache-control': 'no-store' }
    return { status: 200, headers, body: await parts.blobs.body(parts.sql, digest) }
  },
}

const EXPIRED_MESSAGE = 'The file has expired: start another export.'
