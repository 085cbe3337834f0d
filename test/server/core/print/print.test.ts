/** Tests the process that prints: its limits, its queue, and its end. */
import { execFileSync, spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { buildSync } from 'esbuild'
import { afterAll, describe, expect, it } from 'vitest'
import { findChromium, missingChromium } from '../../../../server/core/print/find-chromium.ts'
import { PrintFailure, type Resource } from '../../../../server/core/print/model.ts'
import { pdfText, readPdf } from '../../../support/pdf.ts'
import { builtProduct, root } from '../../../support/product.ts'
import { chromium, skipReason, testPrinter } from './printers.ts'

const printers: ReturnType<typeof testPrinter>[] = []
const tested = (...given: Parameters<typeof testPrinter>): ReturnType<typeof testPrinter> => {
  const made = testPrinter(...given)
  printers.push(made)
  return made
}
afterAll(() => {
  for (const { printer } of printers) printer.close()
})

/** Returns the command lines of the running programs whose command line contains a text. */
const running = (text: string): readonly string[] =>
  execFileSync('ps', ['-eo', 'pid,args'], { encoding: 'utf8', maxBuffer: 1e8 })
    .split('\n')
    .filter((line) => line.includes(text) && !/\bps -eo\b|<defunct>/.test(line))

/** Returns the process ids of the Chromiums below a printing process. */
function chromiumsOf(pid: number): readonly number[] {
  const rows = execFileSync('ps', ['-eo', 'pid,ppid'], { encoding: 'utf8' })
    .split('\n')
    .map((line) => line.trim().split(/\s+/).map(Number))
  const below = (parent: number): readonly number[] =>
    rows.flatMap(([id = 0, above]) => (above === parent ? [id, ...below(id)] : []))
  return below(pid)
}

function isAlive(pid: number): boolean {
  try {
    return !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'))
  } catch {
    return false
  }
}

/** Returns the process id of the printing process that has an unusual limit in its options. */
const printingProcess = (seconds: number): number | null => {
  const line = running('print-worker.mjs').find((each) => each.includes(`"time":${seconds * 1000},`))
  return line === undefined ? null : Number(line.trim().split(' ')[0])
}

async function until(what: string, isTrue: () => boolean): Promise<void> {
  const end = performance.now() + 120_000
  while (!isTrue()) {
    if (performance.now() > end) throw new Error(`never: ${what}`)
    await sleep(50)
  }
}

const slow = (ms: number) => async (): Promise<Resource> => {
  await sleep(ms)
  return { status: 200, headers: { 'content-type': 'text/css' }, body: Buffer.from('') }
}
const SLOW = '<link rel=stylesheet href="/slow.css"><p>slow</p>'

describe.skipIf(chromium === null)(`printing${skipReason}`, () => {
  it('prints A4 with backgrounds, or the size of @page', async () => {
    const { print } = tested()
    const size = async (css: string): Promise<readonly number[]> => {
      const pdf = await print(`<style>${css}</style><p>text</p>`)
      if (typeof pdf === 'string') throw new Error(pdf)
      return readPdf(pdf).flatMap(({ width, height }) => [Math.round(width), Math.round(height)])
    }
    expect(await size('')).toEqual([596, 842])
    expect(await size('@page { size: landscape }')).toEqual([842, 596])
    expect(await size('@page { size: 10cm 5cm; margin: 0 }')).toEqual([283, 142])
  })

  it('waits for what scripts load and draw', async () => {
    const { print } = tested()
    const pdf = await print(
      `<p id=out>waiting</p><script>
      fetch('/data').then((response) => response.json()).then(({ text }) => { out.textContent = text })
    </script>`,
      async () => {
        await sleep(300)
        return { status: 200, headers: { 'content-type': 'application/json' }, body: Buffer.from('{"text":"loaded"}') }
      },
    )
    expect(typeof pdf === 'string' ? pdf : pdfText(pdf).trim()).toBe('loaded')
  })

  it('loads many resources, a few at once', async () => {
    const { print } = tested()
    let open = 0
    let most = 0
    const pdf = await print(
      `<p id=out></p><script>
        Promise.all(Array.from({ length: 60 }, (_, i) => fetch('/' + i).then(() => 1, () => 0)))
          .then((all) => { out.textContent = 'loaded ' + all.filter(Boolean).length })
      </script>`,
      async () => {
        most = Math.max(most, ++open)
        await sleep(5)
        open--
        return { status: 200, headers: { 'content-type': 'text/plain' }, body: Buffer.from('x') }
      },
    )
    expect(typeof pdf === 'string' ? pdf : pdfText(pdf).trim()).toBe('loaded 60')
    expect(most).toBe(8)
  })

  it('keeps nothing for the next document', async () => {
    const { print } = tested()
    const keep = `<p id=out></p><script>
      out.textContent = 'seen:' + (localStorage.a ?? 'nothing') + document.cookie
      localStorage.a = 'local'; document.cookie = 'b=cookie'
    </script>`
    for (const _ of [1, 2]) {
      const pdf = await print(keep)
      expect(typeof pdf === 'string' ? pdf : pdfText(pdf).trim()).toBe('seen:nothing')
    }
  })

  it('refuses HTML that is too large', async () => {
    expect(await tested().print('x'.repeat(10_000_001))).toBe('size')
  })

  it('a document that fails affects no document beside it', async () => {
    const { print } = tested({ atOnce: 2, seconds: 60, memory: 300 })
    const [good, ...bad] = await Promise.all([
      print(SLOW, slow(2_000)),
      print('<script>const a = []; for (;;) a.push(new Uint8Array(1e7).fill(1))</script>'),
      print('<script>const a = []; for (;;) a.push(new Uint8Array(1e7).fill(1))</script>'),
    ])
    expect(typeof good === 'string' ? good : pdfText(good).trim()).toBe('slow')
    expect(bad).toEqual(['memory', 'memory'])
  })

  it('refuses documents when too many wait, and prints those that do', async () => {
    const { print } = tested({ atOnce: 1 })
    await print('warm')
    const results = await Promise.all(Array.from({ length: 12 }, () => print(SLOW, slow(100))))
    expect(results.filter((result) => result === 'busy')).toHaveLength(3)
    expect(results.filter((result) => typeof result !== 'string')).toHaveLength(9)
  })

  it('a document counts its time in the queue', async () => {
    const { printer, print } = tested({ atOnce: 1 })
    await print('warm')
    const first = print(SLOW, slow(1_500))
    await sleep(100)
    const late = printer.print({ html: 'late', url: 'http://site.test/', time: 500 }, async () => null)
    await expect(late).rejects.toThrow(PrintFailure)
    expect(typeof (await first)).not.toBe('string')
  })

  it('all processes of a server share one printing process, which ends with the last of them', async () => {
    const seconds = 121
    const program = join(tmpdir(), `ingot-print-${randomUUID()}.mjs`)
    buildSync({
      stdin: {
        resolveDir: root,
        contents: `import { createPrinter } from './server/core/print/client.ts'
          const settings = { chromium: null, seconds: ${seconds}, memory: 512, atOnce: 1, hosts: [], sandbox: true }
          const printer = createPrinter({ program: ${JSON.stringify(join(builtProduct(), 'dist', 'print-worker.mjs'))}, dataFolder: '${randomUUID()}', settings })
          const pdf = await printer.print({ html: '<p>x', url: 'http://site.test/', time: 120000 }, async () => null)
          console.log('printed', pdf.length)
          setInterval(() => undefined, 1000)`,
      },
      outfile: program,
      bundle: true,
      format: 'esm',
      platform: 'node',
      banner: { js: "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url)" },
      logLevel: 'error',
    })
    const children = [1, 2, 3].map(() => spawn(process.execPath, [program], { stdio: ['ignore', 'pipe', 'inherit'] }))
    await Promise.all(
      children.map(
        (child) =>
          new Promise<void>((done) =>
            child.stdout?.once('data', (text) => String(text).startsWith('printed') && done()),
          ),
      ),
    )
    await until(
      'there is one',
      () => running('print-worker.mjs').filter((line) => line.includes(`"time":${seconds * 1000},`)).length === 1,
    )
    const pid = printingProcess(seconds) ?? 0
    const all = chromiumsOf(pid)
    expect(all.length).toBeGreaterThan(2)
    for (const child of children) child.kill('SIGKILL')
    rmSync(program)
    await until('it has ended', () => printingProcess(seconds) === null)
    await until('no Chromium is left', () => !all.some(isAlive))
  })

  it('Chromium ends when the printing process is killed, also during an endless script, and the next document starts others', async () => {
    // More than all waits below may take together: the document must not run out of time.
    const seconds = 602
    const { print } = tested({ seconds })
    const endless = print('<script>for (;;);</script>')
    await until('it prints', () => chromiumsOf(printingProcess(seconds) ?? 0).length > 3)
    await sleep(500)
    const pid = printingProcess(seconds) ?? 0
    const all = chromiumsOf(pid)
    process.kill(pid, 'SIGKILL')
    await until('no Chromium is left', () => !all.some(isAlive))
    // The document was tried once more.
    await until('another process prints', () => {
      const next = printingProcess(seconds)
      return next !== null && next !== pid && chromiumsOf(next).length > 3
    })
    await sleep(500)
    process.kill(printingProcess(seconds) ?? 0, 'SIGKILL')
    expect(await endless).toBe('broken')
    expect(typeof (await print('next'))).not.toBe('string')
  })

  it('a Chromium that was killed is started again', async () => {
    const seconds = 123
    const { print } = tested({ seconds })
    await print('first')
    const [browser = 0] = chromiumsOf(printingProcess(seconds) ?? 0)
    process.kill(browser, 'SIGKILL')
    await sleep(200)
    expect(typeof (await print('second'))).not.toBe('string')
    const during = print(SLOW, slow(5_000))
    await sleep(500)
    const [other = 0] = chromiumsOf(printingProcess(seconds) ?? 0)
    process.kill(other, 'SIGKILL')
    expect(await during).toBe('broken')
    expect(typeof (await print('third'))).not.toBe('string')
  })

  it('the printing process ends when it is not used', async () => {
    const seconds = 124
    const { print } = tested({ seconds }, 1_000)
    await print('first')
    await until('it has ended', () => printingProcess(seconds) === null)
    expect(typeof (await print('second'))).not.toBe('string')
  })

  it('runs without rights, without secrets and in the sandbox', async () => {
    const seconds = 125
    process.env['INGOT_SECRET_OF_TEST'] = 'TOPSECRET'
    const { print } = tested({ seconds })
    await print('first')
    delete process.env['INGOT_SECRET_OF_TEST']
    const pid = printingProcess(seconds) ?? 0
    for (const each of [pid, ...chromiumsOf(pid)]) {
      // A renderer of the first document may have just ended.
      const read = (file: string): string | null => {
        try {
          return readFileSync(`/proc/${each}/${file}`, 'utf8')
        } catch {
          return null
        }
      }
      expect(read('environ') ?? '').not.toContain('TOPSECRET')
      const status = read('status')
      if (status === null) continue
      const owner = Number(/^Uid:\s+(\d+)/m.exec(status)?.[1])
      if (each !== pid && process.getuid?.() === 0) expect(owner).not.toBe(0)
    }
    expect(running('--no-sandbox').filter((line) => line.includes('ingot-print-'))).toEqual([])
  })
})

describe('Chromium', () => {
  it('is named by a setting, and must be a program', async () => {
    expect(findChromium('/nowhere')).toBeNull()
    expect(findChromium(tmpdir())).toBeNull()
    expect(findChromium(process.execPath)).toBe(process.execPath)
    expect(missingChromium('/nowhere')).toMatch(/INGOT_CHROMIUM names '\/nowhere'.*install Chromium/)
    expect(missingChromium(null)).toMatch(/^install Chromium .* INGOT_CHROMIUM/)
  })

  it('a missing or wrong program is a failure that says what to do', async () => {
    expect(await tested({ chromium: '/nowhere' }).print('x')).toBe('unavailable')
    const { printer } = tested({ chromium: process.execPath })
    const failed = printer.print({ html: 'x', url: 'http://site.test/', time: 30_000 }, async () => null)
    await expect(failed).rejects.toThrow(/Chromium cannot be started .*INGOT_CHROMIUM/s)
  })
})
