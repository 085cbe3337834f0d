/** The language server as an editor starts it: a process of the product, on standard input and output. */
import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { createProtocolConnection, StreamMessageReader, StreamMessageWriter } from 'vscode-languageserver/node'
import { builtProduct, waitForExit } from '../../../support/product.ts'
import { clientOver } from './client.ts'
import { folderOf } from './site.ts'

const PAGE = 'app/views/pages/index.liquid'

test('a process answers from its bundle, HTML too, and ends when it is told to', async () => {
  const bin = join(builtProduct(), 'server/bin.mjs')
  const child = spawn(process.execPath, [bin, 'lsp'], { stdio: ['pipe', 'pipe', 'inherit'] })
  onTestFinished(() => void child.kill('SIGKILL'))
  const code = waitForExit(child)
  const connection = createProtocolConnection(
    new StreamMessageReader(child.stdout),
    new StreamMessageWriter(child.stdin),
  )
  const client = await clientOver(folderOf({ [PAGE]: '---\nslug: /\n---\n<di\n' }), connection)
  client.open(PAGE, '---\nslug: /\n---\n<di\n{{ 1 | upcas }}\n')
  expect(await client.diagnostics(PAGE, (found) => found.length > 0)).toMatchObject([{ code: 'unknown-filter' }])
  const position = { line: 3, character: 3 }
  const asked = { textDocument: { uri: client.uri(PAGE) }, position }
  const found: { items: { label: string }[] } | { label: string }[] = await connection.sendRequest(
    'textDocument/completion',
    asked,
  )
  const items = Array.isArray(found) ? found : found.items
  expect(items.map(({ label }) => label)).toContain('div')
  await connection.sendRequest('shutdown')
  await connection.sendNotification('exit')
  expect(await code).toBe(0)
})
