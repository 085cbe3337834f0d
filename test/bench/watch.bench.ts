/**
 * Measures saves while `ingot watch` runs, as `ingot dev` starts it, on a generated site of 1,000 templates. Measures the time from a saved
 * file to the line that names its module, and to the line with the diagnostics of the whole site.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as sleep } from 'node:timers/promises'
import { median } from './measure.ts'
import { bin } from './serving.ts'
import { generateSite } from './site.ts'
import { printTable } from './table.ts'

const TEMPLATES = 1_000
const SAVES = 200
/** Number of saves before the measurement, because a real session has run this code hundreds of times. */
const WARM_UP = 40
/**
 * Milliseconds between two saves. The watcher checks a saved file a second time after a delay, and would count an earlier second save as
 * part of the first.
 */
const PAUSE = 130

const root = mkdtempSync(join(tmpdir(), 'ingot-watch-'))
const files = generateSite(TEMPLATES)
for (const { path, text } of files) {
  mkdirSync(dirname(join(root, path)), { recursive: true })
  writeFileSync(join(root, path), text)
}
const started = performance.now()
const child = spawn(process.execPath, [bin, 'watch', root], { stdio: ['pipe', 'pipe', 'inherit'] })
try {
  await measured(child)
} finally {
  child.kill('SIGKILL')
  rmSync(root, { recursive: true, force: true })
}

async function measured({ stdout }: ChildProcess): Promise<void> {
  const waiting = new Map<string, (at: number) => void>()
  createInterface({ input: stdout! }).on('line', (line) => {
    const { type } = JSON.parse(line) as { type: string }
    waiting.get(type)?.(performance.now())
  })
  const comes = (type: 'built' | 'checked'): Promise<number> => new Promise((done) => waiting.set(type, done))
  const first = (await comes('built')) - started
  const whole = (await comes('checked')) - started
  await sleep(1_000)
  const templates = files.filter(({ path }) => path.endsWith('.liquid'))
  const built: number[] = []
  const builtNames: number[] = []
  const checked: number[] = []
  for (let n = 0; n < SAVES; n++) {
    const { path, text } = templates[(n * 61 + 7) % templates.length]!
    const isBuilt = comes('built')
    const isChecked = comes('checked')
    const begun = performance.now()
    const setsName = n % 4 === 3
    const more = setsName ? `{% assign more_${n} = ${n} %}{{ more_${n} }}` : `<b>${n}</b>`
    writeFileSync(join(root, path), `${text}${more}\n`)
    const tookBuild = (await isBuilt) - begun
    const tookCheck = (await isChecked) - begun
    if (n >= WARM_UP) {
      ;(setsName ? builtNames : built).push(tookBuild)
      checked.push(tookCheck)
    }
    await sleep(PAUSE)
  }
  const p99 = (times: readonly number[]) => times.toSorted((a, b) => a - b)[Math.floor(times.length * 0.99)]!
  const row = (what: string, times: readonly number[], bar: string) => [
    what,
    `${median(times).toFixed(0)} ms`,
    `${p99(times).toFixed(0)} ms`,
    bar,
  ]
  console.log(`a site of ${TEMPLATES} templates that is watched`)
  printTable(
    ['what', 'median', 'p99', 'bar'],
    [
      ['the first build', `${first.toFixed(0)} ms`, '', ''],
      ['the first check of the whole site', `${whole.toFixed(0)} ms`, '', ''],
      row(`a saved template to its module, of ${built.length}`, built, '10, 30 ms'),
      row(`the same where it has a variable more, of ${builtNames.length}`, builtNames, '10, 30 ms'),
      row('a saved template to the whole site checked', checked, ''),
    ],
  )
}
