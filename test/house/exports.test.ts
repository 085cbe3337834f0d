/** Every export is used in another file of the product. An export whose docstring has `@internal` may be used only in tests. */
import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { root } from './sources.ts'

interface Issue {
  readonly file: string
  readonly exports?: readonly { readonly name: string }[]
  readonly types?: readonly { readonly name: string }[]
  readonly files?: readonly unknown[]
  readonly duplicates?: readonly unknown[]
}

test('every export and every file is used', async () => {
  const knip = join(root, 'node_modules/knip/bin/knip.js')
  const options = ['--production', '--no-exit-code', '--config', 'test/house/knip.json', '--reporter', 'json']
  const { stdout } = await promisify(execFile)(
    process.execPath,
    [knip, ...options, '--include', 'exports,types,files,duplicates'],
    { cwd: root, maxBuffer: 10_000_000 },
  )
  const { issues }: { readonly issues: readonly Issue[] } = JSON.parse(stdout)
  const unused = issues.flatMap(({ file, exports = [], types = [], files = [], duplicates = [] }) => [
    ...[...exports, ...types].map(({ name }) => `${file}: ${name}`),
    ...(files.length > 0 ? [`${file}: the whole file`] : []),
    ...(duplicates.length > 0 ? [`${file}: exports one thing by two names`] : []),
  ])
  expect(unused).toEqual([])
})
