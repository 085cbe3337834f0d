/** Memory of an idle process: unused memory is returned, and cached code is valid for the flags of a process's start. */
import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { buildSync } from 'esbuild'
import { expect, test } from 'vitest'

const SCATTERED = `
  import { cachedDataVersionTag } from 'node:v8'
  import { HeapLimiter } from './heap-limiter.ts'
  const tag = cachedDataVersionTag()
  const heap = new HeapLimiter(20)
  // Every twentieth of many objects is needed, so that no page of the heap is empty.
  const kept = []
  for (let n = 0; n < 1_000_000; n++) {
    const each = { n, text: 'x' + n }
    if (n % 20 === 0) kept.push(each)
    if (n % 1000 === 0) globalThis.last = Array.from({ length: 20_000 }, (_, at) => ({ at }))
  }
  globalThis.last = null
  heap.noteRequest()
  const full = process.memoryUsage().heapTotal
  const plain = globalThis[Symbol.for('ingot.startFlags')]
  // On a busy machine a rest takes longer.
  const until = performance.now() + 60_000
  while (performance.now() < until && (performance.now() < 6_000 || process.memoryUsage().heapTotal > full * 0.8))
    await new Promise((resolve) => setTimeout(resolve, 200))
  const other = cachedDataVersionTag() !== tag
  const back = plain()
  const same = cachedDataVersionTag() === tag
  back()
  const again = cachedDataVersionTag() !== tag
  console.log(JSON.stringify({ full, rested: process.memoryUsage().heapTotal, kept: kept.length, other, same, again }))
`

test('memory is given back at rest, and the flags of the start can be had', () => {
  const { outputFiles } = buildSync({
    stdin: {
      contents: SCATTERED,
      resolveDir: fileURLToPath(new URL('../../../../compiler/tools/service', import.meta.url)),
    },
    bundle: true,
    platform: 'node',
    format: 'esm',
    write: false,
  })
  const argv = ['--input-type=module', '-e', outputFiles[0]!.text]
  const { stdout, stderr } = spawnSync(process.execPath, argv, { encoding: 'utf8' })
  expect(stderr).toBe('')
  const found = JSON.parse(stdout) as Record<string, number | boolean>
  expect(found).toMatchObject({ kept: 50_000, other: true, same: true, again: true })
  expect(found['rested']).toBeLessThan((found['full'] as number) * 0.8)
})
