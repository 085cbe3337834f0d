/** Custom checks that do not load, do not end, or end the process: each is reported where the settings name it, and the others run. */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, expect, test, vi } from 'vitest'
import type { JsonDiagnostic } from '../../../../compiler/core/diagnostics/json.ts'
import { runChecks, withoutSecrets } from '../../../../compiler/tools/custom-checks/run.ts'
import { moduleWith, writeSite } from '../../../support/custom-checks.ts'
import { builtProduct, product, write } from '../../../support/product.ts'

// Each test waits for processes, some of which run until a limit of seconds.
vi.setConfig({ testTimeout: 120_000 })

const ingot = product()
afterAll(() => ingot.clean())

const SETTINGS = '.platformos-check.yml'
const A = 'app/views/pages/a.liquid'
const B = 'app/views/pages/b.liquid'
const C = 'app/views/pages/c.liquid'
const PAGES = { [A]: '---\nslug: a\n---\na', [B]: '---\nslug: b\n---\nb', [C]: '---\nslug: c\n---\nc' }

/** A check that reports every file, to see which files were visited. */
const GOOD = moduleWith(
  'Good',
  `async onCodePathEnd() { context.report({ message: 'seen', startIndex: 0, endIndex: 0 }) }`,
)
/** The functions of a check that does something in the file B only. */
const inB = (body: string): string =>
  `async onCodePathEnd(file) { if (context.toRelativePath(file.uri) === '${B}') { ${body} } else context.report({ message: 'fine', startIndex: 0, endIndex: 0 }) }`

interface Found {
  /** Diagnostics about the checks themselves, with their places in the settings. */
  readonly failures: readonly string[]
  /** The files in which each check has reported something. */
  readonly seen: Readonly<Record<string, readonly string[]>>
  readonly code: number | null
  readonly err: string
}

async function check(
  settings: string,
  files: Readonly<Record<string, string>>,
  ...args: readonly string[]
): Promise<Found> {
  const folder = writeSite(ingot.folder(), { ...PAGES, [SETTINGS]: settings, ...files })
  const { out, err, code } = await ingot.run(['check', folder, '--format', 'json', ...args])
  const all = JSON.parse(out) as readonly JsonDiagnostic[]
  const seen: Record<string, string[]> = {}
  for (const each of all) if (each.code === 'custom-check') (seen[each.check] ??= []).push(each.file)
  const failures = all
    .filter((each) => each.code === 'custom-check-failed')
    .map(({ line, column, message, hint }) => {
      const text = `${line}:${column} ${message}${hint === null ? '' : ` ${hint}`}`
      return text.replaceAll(folder, 'SITE')
    })
  return { failures, seen, code, err }
}

test('modules that do not load are reported, and the others run', async () => {
  const { failures, seen, code } = await check(
    `require:
  - ./none.js
  - platformos-check-none
  - ./broken.js
  - ./throws.mjs
  - ./empty.js
  - ./text.js
  - ./odd.js
  - ./good.js
Good: {}
Odd: {}
`,
    {
      'broken.js': 'exports.checks = [\n',
      'throws.mjs': '\nthrow new TypeError("no luck")\n',
      'empty.js': 'exports.other = []',
      'text.js': 'exports.checks = "all"',
      'odd.js': `exports.checks = [null, { meta: {} }, { meta: { code: 'Odd' } }]`,
      'good.js': GOOD,
    },
  )
  expect(failures).toEqual([
    '2:5 The module `./none.js` with custom checks is not there. Check the path: it is relative to the folder of this file.',
    '3:5 The module `platformos-check-none` with custom checks is not there. Install it: `npm install --save-dev platformos-check-none`.',
    expect.stringMatching(
      /^4:5 The module `\.\/broken\.js` with custom checks cannot be loaded: SyntaxError: .* \(SITE\/broken\.js:\d+\)$/,
    ),
    '5:5 The module `./throws.mjs` with custom checks cannot be loaded: TypeError: no luck (SITE/throws.mjs:2:7)',
    '6:5 The module `./empty.js` must export the list `checks`, but it exports no such name. Write `export const checks = [ … ]`, or `exports.checks = [ … ]` in CommonJS.',
    '7:5 The module `./text.js` must export the list `checks`, but this is string. Write `export const checks = [ … ]`, or `exports.checks = [ … ]` in CommonJS.',
    '8:5 Check 1 of the module `./odd.js` is null, not a check. A check has `meta` with `code` and `type`, and a function `create`.',
    '8:5 Check 2 of the module `./odd.js` has no text `meta.code`. A check has `meta` with `code` and `type`, and a function `create`.',
    '8:5 Check 3 of the module `./odd.js` has no function `create`. A check has `meta` with `code` and `type`, and a function `create`.',
  ])
  expect(seen).toEqual({ Good: [A, B, C] })
  expect(code).toBe(1)
})

test('settings that extend what is not there are reported', async () => {
  const { failures, seen } = await check(
    `extends: [platformos-check:nothing, ./none.yml, platformos-check-none/recommended.yml, ./self.yml, ./broken.yml, platformos-check-none]
require: ./good.js
`,
    { 'good.js': GOOD, 'self.yml': 'extends: ./self.yml\nGood: {}\n', 'broken.yml': 'Good: [' },
  )
  expect(failures).toEqual([
    '1:37 The settings `./none.yml` cannot be read: there is no such file.',
    '1:49 The settings `platformos-check-none/recommended.yml` cannot be read: there is no such file.',
    '1:88 The settings `./self.yml` cannot be read: it extends itself.',
    '1:100 The settings `./broken.yml` cannot be read: it is not valid YAML.',
    '1:114 The settings `platformos-check-none` cannot be read: the name of a file must end with `.yml`.',
  ])
  expect(seen).toEqual({ Good: [A, B, C] })
})

test('without the parser, the command that installs it is told once, and checks of other files run', async () => {
  const folder = ingot.folder({
    ...PAGES,
    'app/translations/en.yml': 'en: {}\n',
    [SETTINGS]: 'require: ./two.js\nTemplates: {}\nMore: {}\nTexts: {}\n',
    'two.js': `exports.checks = [['Templates', 'LiquidHtml'], ['More', 'LiquidHtml'], ['Texts', 'YAML']].map(([code, type]) => ({
      meta: { code, type, severity: 2, schema: {} },
      create: (context) => ({ async onCodePathEnd() { context.report({ message: 'seen', startIndex: 0, endIndex: 0 }) } }),
    }))`,
  })
  const { out } = await ingot.run(['check', folder, '--format', 'json'])
  const all = JSON.parse(out) as readonly JsonDiagnostic[]
  expect(all.map(({ code, check, file, hint }) => [code, check, file, hint])).toEqual([
    [
      'custom-check-failed',
      'CustomCheckFailed',
      SETTINGS,
      'Install it: `npm install --save-dev @platformos/liquid-html-parser`.',
    ],
    ['custom-check', 'Texts', 'app/translations/en.yml', null],
  ])
})

test('an endless loop is ended at the limit, and what was found before is kept', async () => {
  const begin = performance.now()
  const { failures, seen } = await check(
    'require: [./good.js, ./loops.js]\nGood: {}\nLoops: {}\n',
    { 'good.js': GOOD, 'loops.js': moduleWith('Loops', inB('for (;;);')) },
    '--custom-check-seconds',
    '12',
  )
  expect(failures).toEqual([
    `3:1 The check \`Loops\` did not end in \`${B}\` within the 12 seconds for all custom checks. The checks after it did not run. If it is only slow, \`--custom-check-seconds N\` sets the limit.`,
  ])
  expect(seen).toEqual({ Good: [A, B], Loops: [A] })
  expect(performance.now() - begin).toBeGreaterThan(12_000)
})

test('a promise that is never settled, a module that loops, and a file that is too large are ended too', async () => {
  const [waits, loads, hog] = await Promise.all([
    check('require: [./waits.js, ./good.js]\nWaits: {}\nGood: {}\n', {
      'good.js': GOOD,
      'waits.js': moduleWith('Waits', inB('await new Promise(() => {})')),
    }),
    check(
      'require: [./loads.js, ./good.js]\nGood: {}\n',
      { 'good.js': GOOD, 'loads.js': 'for (;;);' },
      '--custom-check-seconds',
      '5',
    ),
    check(
      'require: [./hog.js, ./good.js]\nHog: {}\nGood: {}\n',
      {
        'good.js': GOOD,
        'hog.js': moduleWith('Hog', inB('const kept = []; for (;;) kept.push(new Array(100_000).fill({}))')),
      },
      '--custom-check-seconds',
      '60',
    ),
  ])
  expect(waits.failures).toEqual([
    `2:1 The check \`Waits\` ended the process of the custom checks in \`${B}\`: it called \`process.exit\`, or waits for something that never happens. The other checks have run.`,
  ])
  expect(waits.seen).toEqual({ Waits: [A], Good: [A, B, C] })
  expect(loads.failures).toEqual([
    '1:11 The module `./loads.js` did not end within the 5 seconds for all custom checks. The checks after it did not run. If it is only slow, `--custom-check-seconds N` sets the limit.',
  ])
  expect(hog.failures).toEqual([
    `2:1 The check \`Hog\` ended the process of the custom checks in \`${B}\`: it used more than 512 MB of memory. The other checks have run.`,
  ])
  expect(hog.seen).toEqual({ Hog: [A], Good: [A, B, C] })
  expect(hog.err).not.toContain('GCs')
})

test('a failed check is reported with chosen files too, and `--fix` waits for an endless one only once', async () => {
  const settings = 'require: [./fixes.js, ./loops.js]\nFixes: {}\nLoops: {}\n'
  const fixes = moduleWith(
    'Fixes',
    `async HtmlVoidElement({ position: { start, end } }) { context.report({ message: 'x', startIndex: start, endIndex: end, fix: (f) => f.remove(start, end) }) }`,
  )
  const folder = writeSite(ingot.folder(), {
    ...PAGES,
    [A]: '---\nslug: a\n---\na<br>b<hr>c<br>',
    [SETTINGS]: settings,
    'fixes.js': fixes,
    'loops.js': moduleWith('Loops', inB('for (;;);')),
  })
  const begin = performance.now()
  const fixed = await ingot.run(['check', folder, '--fix', '--format', 'json', '--custom-check-seconds', '12'])
  expect(performance.now() - begin).toBeLessThan(24_000)
  expect(readFileSync(join(folder, A), 'utf8')).toBe('---\nslug: a\n---\nabc')
  expect((JSON.parse(fixed.out) as readonly JsonDiagnostic[]).map(({ code, file }) => [code, file])).toEqual([
    ['custom-check-failed', SETTINGS],
  ])
  const chosen = await ingot.run(['check', join(folder, B), '--custom-check-seconds', '12'])
  expect(chosen.out).toContain('The check `Loops` did not end')
  expect(chosen.code).toBe(1)
})

test('a process that a check has started does not keep the command waiting', async () => {
  const { seen } = await check('require: ./starts.js\nStarts: {}\n', {
    'starts.js': moduleWith(
      'Starts',
      `async onCodePathEnd() { require('node:child_process').spawn('sleep', ['20'], { stdio: 'inherit' }).unref(); context.report({ message: 'x', startIndex: 0, endIndex: 0 }) }`,
    ),
  })
  expect(seen).toEqual({ Starts: [A, B, C] })
}, 15_000)

test('checks and modules that exit are left out, and the others continue where they were', async () => {
  const { failures, seen } = await check(
    'require: [./leaves.js, ./exits.js, ./dies.js, ./good.js]\nExits: {}\nDies: {}\nGood: {}\n',
    {
      'good.js': GOOD,
      'leaves.js': 'process.exit(3)',
      'exits.js': moduleWith('Exits', inB('process.exit(0)')),
      'dies.js': moduleWith('Dies', inB('process.kill(process.pid, "SIGKILL"); for (;;);')),
    },
  )
  expect(failures).toEqual([
    '1:11 The module `./leaves.js` ended the process of the custom checks: exit code 3. The other checks have run.',
    `2:1 The check \`Exits\` ended the process of the custom checks in \`${B}\`: it called \`process.exit\`, or waits for something that never happens. The other checks have run.`,
    `3:1 The check \`Dies\` ended the process of the custom checks in \`${B}\`: the signal SIGKILL. The other checks have run.`,
  ])
  expect(seen).toEqual({ Exits: [A], Dies: [A], Good: [A, B, C] })
})

test('an error in one file is one diagnostic for all files, and the check visits the others', async () => {
  const { failures, seen } = await check(
    'require: [./throws.js, ./late.js, ./wrong.js, ./good.js]\nThrows: {}\nLate: {}\nWrong: {}\nGood: {}\n',
    {
      'good.js': GOOD,
      'throws.js': moduleWith(
        'Throws',
        `async onCodePathEnd(file) {\n if (file.uri.endsWith('a.liquid')) return context.report({ message: 'x', startIndex: 0, endIndex: 0 })\n throw new Error('no luck') }`,
      ),
      'late.js': moduleWith(
        'Late',
        inB('Promise.reject(new Error("unawaited")); await new Promise((done) => setTimeout(done, 50))'),
      ),
      'wrong.js': moduleWith('Wrong', 'async onCodePathEnd() { context.report({ message: "x", startIndex: "1" }) }'),
    },
  )
  expect(failures).toEqual([
    `2:1 The check \`Throws\` failed in \`${B}\`, and in 1 other file: Error: no luck (SITE/throws.js:5:8)`,
    expect.stringMatching(
      /^3:1 The check `Late` failed in `app\/views\/pages\/b\.liquid`: Error: unawaited \(SITE\/late\.js:\d+:\d+\)$/,
    ),
    `4:1 The check \`Wrong\` failed in \`${A}\`, and in 2 other files: Error: \`report\` takes a number as \`startIndex\`, the offset in the source`,
  ])
  expect(seen).toEqual({ Throws: [A], Late: [A, C], Good: [A, B, C] })
})

test('a comment in the settings makes a failure a warning', async () => {
  const folder = writeSite(ingot.folder(), {
    ...PAGES,
    [SETTINGS]: 'require:\n  # platformos-check-disable custom-check-failed\n  - ./none.js\n',
  })
  const { out, code } = await ingot.run(['check', folder, '--format', 'json'])
  expect((JSON.parse(out) as readonly JsonDiagnostic[]).map((each) => [each.code, each.severity, each.line])).toEqual([
    ['custom-check-failed', 'warning', 3],
  ])
  expect(code).toBe(0)
})

test('what checks print does not spoil the report', async () => {
  const { seen, err } = await check('require: ./prints.js\nPrints: {}\n', {
    'prints.js': `console.log('{"loading":1}')\n${moduleWith('Prints', `async onCodePathEnd() { console.log('out'); console.error('err'); context.report({ message: 'x'.repeat(5000), startIndex: 0, endIndex: 0 }) }`)}`,
  })
  expect(seen).toEqual({ Prints: [A, B, C] })
  expect(err).toContain('{"loading":1}')
  expect(err.match(/out/g)).toHaveLength(3)
  expect(err.match(/err/g)).toHaveLength(3)
})

test('a check that reports without end is stopped', async () => {
  const { failures, seen } = await check('require: [./floods.js, ./good.js]\nFloods: {}\nGood: {}\n', {
    'good.js': GOOD,
    'floods.js': moduleWith(
      'Floods',
      'async onCodePathEnd() { for (;;) context.report({ message: "x", startIndex: 0, endIndex: 0 }) }',
    ),
  })
  expect(failures).toEqual([
    `2:1 The check \`Floods\` failed in \`${A}\`: Error: it has reported 10,000 findings, and is stopped`,
  ])
  expect(seen['Good']).toEqual([A, B, C])
})

test('a site that names no module runs nothing, even if a package of the name is there', async () => {
  const marker = join(ingot.folder(), 'marker')
  const folder = ingot.folder({
    ...PAGES,
    [SETTINGS]: 'UnusedAssign: { enabled: true }\nGood: {}\n',
    'package.json': '{"dependencies": {"other": "1.0.0"}}',
    'node_modules/platformos-check-unnamed/index.js': `require('node:fs').writeFileSync('${marker}', '')\n${GOOD}`,
  })
  expect(await ingot.run(['check', folder])).toMatchObject({ code: 0, err: '' })
  expect(existsSync(marker)).toBe(false)
  write(folder, { 'package.json': '{"devDependencies": {"platformos-check-unnamed": "1.0.0"}}' })
  expect((await ingot.run(['check', folder])).code).toBe(1)
  expect(existsSync(marker)).toBe(true)
})

test('checks that end in time are not late, even if the compiler is busy for longer than the limit', async () => {
  const folder = writeSite(ingot.folder(), { 'good.js': GOOD })
  const request = {
    root: folder,
    files: [{ path: A, type: 'LiquidHtml', fileType: 'Page', module: null, text: 'a' }],
    visited: [0],
    modules: [{ name: './good.js', folder }],
    settings: { Good: { enabled: true, severity: null, ignored: [], options: {} } },
  } as const
  const program = join(builtProduct(), 'dist/custom-checks.mjs')
  const running = runChecks(request, program, { seconds: 8, megabytes: 128 })
  const end = performance.now() + 9_000
  while (performance.now() < end);
  const { answers, endings } = await running
  expect(endings).toEqual([])
  expect(answers.map(({ kind }) => kind)).toEqual(['loaded', 'finding', 'done'])
})

test('the process ends itself if nobody is left to end it', async () => {
  const beats = join(ingot.folder(), 'beats')
  const folder = writeSite(ingot.folder(), {
    ...PAGES,
    [SETTINGS]: 'require: ./loops.js\nLoops: {}\n',
    'loops.js': moduleWith(
      'Loops',
      inB(`for (;;) {
        require('node:fs').writeFileSync(${JSON.stringify(beats)}, String(performance.now()))
        Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 50)
      }`),
    ),
  })
  const isBeating = async (): Promise<boolean> => {
    const before = readFileSync(beats, 'utf8')
    await sleep(1_000)
    return readFileSync(beats, 'utf8') !== before
  }
  const child = ingot.begin(['check', folder, '--custom-check-seconds', '10'])
  await vi.waitFor(() => expect(existsSync(beats)).toBe(true), { timeout: 30_000 })
  child.kill('SIGKILL')
  expect(await isBeating()).toBe(true)
  await vi.waitFor(async () => expect(await isBeating()).toBe(false), { timeout: 30_000 })
})

test('a wrong limit is refused', async () => {
  const folder = ingot.folder({ ...PAGES, [SETTINGS]: 'require: ./a.js\n' })
  for (const seconds of ['0', 'x', '1.5', '999999'])
    expect(await ingot.run(['check', folder, '--custom-check-seconds', seconds])).toMatchObject({
      code: 2,
      err: expect.stringContaining('`--custom-check-seconds` takes a number of seconds from 1 to 86400'),
    })
})

test('the environment without secrets keeps what programs need', () => {
  const kept = { PATH: '/bin', LANG: 'C', CI: 'true', NODE_ENV: 'test', Path: 'C:' }
  const secrets = {
    INGOT_SECRET: 'x',
    DATABASE_URL: 'x',
    PGPASSWORD: 'x',
    npm_config__authToken: 'x',
    STRIPE_API_KEY: 'x',
  }
  expect(withoutSecrets({ ...kept, ...secrets })).toEqual(kept)
})
