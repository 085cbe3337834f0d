/** Tests that the checker finds nothing to say about the studio's own site. */
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { product, root } from '../../../support/product.ts'

test('the studio has no error, no warning and no remark', async () => {
  const { code, out } = await product().run(['check', join(root, 'server/tools/studio/site'), '--format', 'json'])
  expect([code, JSON.parse(out)]).toEqual([0, []])
})
