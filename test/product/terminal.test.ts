/** Tests commands on a real terminal and in pipes: progress, colors, keys, and the state in which they leave the terminal. */
import { readdirSync, rmSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { verifyPassword } from '../../server/web/accounts/passwords.ts'
import { generateSite } from '../bench/site.ts'
import { product } from '../support/product.ts'
import { KEYS, isTerminalRestored, onTerminal, visibleLines, terminalProgram } from '../support/pseudo-terminal.ts'
import { type TestDatabase, testDatabase } from '../support/database.ts'

const ingot = product()
const INGOT = `"${process.execPath}" "${ingot.bin}"`
const PAGE = 'app/views/pages/index.liquid'
const reason = terminalProgram === null ? ' (left out: no `script` of util-linux on the PATH)' : ''
/** Number of templates of a site whose check takes some seconds. */
const MANY = 300

afterAll(() => ingot.clean())

/** Returns the different states of the progress line that a command printed. */
const states = (output: string): readonly string[] => [
  ...new Set([...output.matchAll(/\u001b\[K([^\r\n\u001b]+)/g)].map(([, text]) => text as string)),
]

describe.skipIf(terminalProgram === null)(`on a terminal${reason}`, () => {
  describe('a command that takes seconds', () => {
    let large: string

    beforeAll(() => {
      large = ingot.folder(Object.fromEntries(generateSite(MANY).map(({ path, text }) => [path, text])))
    })
    // Removes the cached findings, because the next check would report them immediately.
    beforeEach(() => rmSync(join(large, '.ingot/cache'), { recursive: true, force: true }))

    test('says how far it is, and takes that away before its result', async () => {
      const terminal = onTerminal(`${INGOT} check ${large}`, large)
      const code = await terminal.end()
      const inPipe = await ingot.run(['check', large])
      expect(inPipe.err).toBe('')
      expect(code).toBe(inPipe.code)
      const told = states(terminal.output())
      expect(told.length).toBeGreaterThan(0)
      for (const state of told)
        expect(state).toMatch(
          /^(?:Reading [\d,]+ of [\d,]+ files …|(?:Checking|Following values through) [\d,]+ of [\d,]+ templates …|(?:Linking|Checking|Looking) [a-z ]+ … \d+ s)$/,
        )
      expect(told.join('\n')).toMatch(/^Checking [\d,]+ of 300 templates …$/m)
      // Except for colors, which pipes do not have, the remaining output is the same.
      const plain = visibleLines(terminal.output()).map((line) => line.replace(/\u001b\[\d*m/g, ''))
      expect(plain.at(-2)).toBe(inPipe.out.trimEnd().split('\n').at(-1))
      expect(plain.filter((line) => /(?:…|… \d+ s)$/.test(line))).toEqual([])
      expect(isTerminalRestored(terminal.output())).toBe(true)
    })

    test('that builds says so, too', async () => {
      const terminal = onTerminal(`${INGOT} build ${large} --keep-going >/dev/null 2>/dev/tty`, large)
      expect(await terminal.end()).toBe(0)
      const told = states(terminal.output()).join('\n')
      expect(told).toMatch(/^Checking \d+ of 300 templates …$/m)
      expect(told).toMatch(/^Compiling \d+ of 318 files …$/m)
      expect(told).toMatch(/^Writing \d+ templates … \d+ s$/m)
      expect(visibleLines(terminal.output()).join('\n')).not.toMatch(/Writing|Compiling/)
    })

    test('is silent where it is asked to be', async () => {
      const terminal = onTerminal(`${INGOT} check ${large} --quiet`, large)
      await terminal.end()
      expect(states(terminal.output())).toEqual([])
    })

    test('is interrupted by a key, and leaves the terminal as it was', async () => {
      const terminal = onTerminal(`${INGOT} check ${large}`, large)
      await terminal.waitForOutput(/Reading|Checking/)
      terminal.type(KEYS.interrupt)
      expect(await terminal.end()).toBe(130)
      expect(isTerminalRestored(terminal.output())).toBe(true)
      expect(terminal.output()).not.toContain('Internal error of Ingot')
    })
  })

  describe('findings', () => {
    let broken: string

    beforeAll(() => {
      broken = ingot.folder({ [PAGE]: Array.from({ length: 400 }, (_, n) => `{{ 'a' | upcas${n} }}`).join('\n') })
    })

    test('have colors there, none where they are not wanted, and none in a pipe', async () => {
      const colored = onTerminal(`${INGOT} check`, broken)
      expect(await colored.end()).toBe(1)
      expect(colored.output()).toContain('\u001b[')
      const plain = onTerminal(`${INGOT} check`, broken, { NO_COLOR: '1' })
      expect(await plain.end()).toBe(1)
      const piped = onTerminal(`${INGOT} check 2>&1 | cat`, broken)
      expect(await piped.end()).toBe(0)
      for (const { output } of [plain, piped]) expect(output().split('state of')[0]).not.toContain('\u001b')
      expect(visibleLines(plain.output())).toEqual(visibleLines(piped.output()))
    })

    test('end without a word when their reader has read enough', async () => {
      const terminal = onTerminal(`${INGOT} check --all 2>&1 | head -1`, broken)
      expect(await terminal.end()).toBe(0)
      const lines = visibleLines(terminal.output()).filter((line) => line !== '')
      expect(lines).toHaveLength(1)
      expect(lines[0]).toContain('unknown-filter')
    })
  })

  describe('a new site', () => {
    test('is chosen by its name, its number or Enter', async () => {
      const parent = ingot.folder()
      const named = onTerminal(`${INGOT} init one`, parent)
      await named.waitForOutput('Name or number (starter): ')
      named.type(`blgo${KEYS.enter}`)
      await named.waitForOutput('did you mean blog?')
      await named.waitForOutput('Name or number (starter): ')
      named.type(`3${KEYS.enter}`)
      expect(await named.end()).toBe(0)
      expect(readdirSync(join(parent, 'one/app/views/pages'))).toContain('api')
      const first = onTerminal(`${INGOT} init two`, parent)
      await first.waitForOutput('Name or number (starter): ')
      first.type(KEYS.enter)
      expect(await first.end()).toBe(0)
      expect(readdirSync(join(parent, 'two/app/views/pages'))).toContain('walks')
    })

    test('is not written when the question is interrupted', async () => {
      const parent = ingot.folder()
      const terminal = onTerminal(`${INGOT} init site`, parent)
      await terminal.waitForOutput('Name or number (starter): ')
      terminal.type(KEYS.interrupt)
      expect(await terminal.end()).toBe(2)
      expect(terminal.output()).toContain('Nothing was written.')
      expect(readdirSync(parent)).toEqual([])
      expect(isTerminalRestored(terminal.output())).toBe(true)
    })
  })

  describe('the console', () => {
    let site: string
    let database: TestDatabase

    beforeAll(async () => {
      site = ingot.folder({
        'app/schema/note.yml': 'name: note\nproperties:\n  - name: text\n    type: string\n',
        [PAGE]: 'Hello',
      })
      database = await testDatabase()
    })

    afterAll(() => database.close())

    const open = () => onTerminal(`${INGOT} console`, site, { DATABASE_URL: database.url })

    test('completes by the key for it, keeps names, and ends by its word', async () => {
      const terminal = open()
      await terminal.waitForOutput('ingot> ')
      terminal.type("{{ 'abc' | upca")
      terminal.type(KEYS.tab)
      await terminal.waitForOutput('upcase')
      terminal.type(` }}${KEYS.enter}`)
      await terminal.waitForOutput('ABC')
      await terminal.waitForOutput('ingot> ')
      terminal.type(`{% assign kept = 'held' %}${KEYS.enter}`)
      await terminal.waitForOutput('ingot> ')
      terminal.type(`{{ kept }}${KEYS.enter}`)
      await terminal.waitForOutput(/\nheld/)
      await terminal.waitForOutput('ingot> ')
      terminal.type(`.exit${KEYS.enter}`)
      expect(await terminal.end()).toBe(0)
      expect(isTerminalRestored(terminal.output())).toBe(true)
    })

    test('gives up a line by the key that interrupts, and ends by it where there is none', async () => {
      const terminal = open()
      await terminal.waitForOutput('ingot> ')
      terminal.type('{% if true %}')
      terminal.type(KEYS.enter)
      await terminal.waitForOutput('... ')
      terminal.type(KEYS.interrupt)
      await terminal.waitForOutput('ingot> ')
      terminal.type(KEYS.interrupt)
      expect(await terminal.end()).toBe(0)
      expect(isTerminalRestored(terminal.output())).toBe(true)
    })

    test('ends where its input does', async () => {
      const terminal = open()
      await terminal.waitForOutput('ingot> ')
      terminal.type(KEYS.end)
      expect(await terminal.end()).toBe(0)
      expect(isTerminalRestored(terminal.output())).toBe(true)
    })
  })

  describe('a question', () => {
    let server: Server
    let asked: string[]

    beforeAll(async () => {
      asked = []
      server = createServer((request, response) => {
        asked.push(`${request.method} ${request.url}`)
        response.setHeader('content-type', 'application/json')
        response.end(JSON.stringify({ id: 1, status: 'done' }))
      })
      await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
    })

    afterAll(() => server.close())

    const clean = () => {
      const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
      const env = { MPKIT_URL: url, MPKIT_TOKEN: 'token', MPKIT_EMAIL: 'a@example.com' }
      return onTerminal(`${INGOT} data clean`, ingot.folder(), env)
    }

    test('is asked before all data go, and another answer changes nothing', async () => {
      const terminal = clean()
      await terminal.waitForOutput(' to continue: ')
      terminal.type(`no${KEYS.enter}`)
      expect(await terminal.end()).toBe(1)
      expect(asked).toEqual([])
      expect(isTerminalRestored(terminal.output())).toBe(true)
    })

    test.each(['interrupt', 'end'] as const)('without an answer changes nothing either (%s)', async (key) => {
      const terminal = clean()
      await terminal.waitForOutput(' to continue: ')
      terminal.type(KEYS[key])
      expect(await terminal.end()).toBe(1)
      expect(asked).toEqual([])
      expect(isTerminalRestored(terminal.output())).toBe(true)
      expect(visibleLines(terminal.output()).at(-2)).toBe('Nothing was removed: it was not confirmed.')
    })
  })

  describe('a password', () => {
    let site: string
    let database: TestDatabase

    beforeAll(async () => {
      site = ingot.folder({ [PAGE]: 'Hello' })
      database = await testDatabase()
      expect(await ingot.run(['build', site])).toMatchObject({ code: 0 })
    })

    afterAll(() => database.close())

    /** Types a password and its repetition, and returns the end of the command. */
    async function create(first: string, repeated: string): Promise<{ code: number | null; output: string }> {
      const terminal = onTerminal(`${INGOT} user create ada@shop.example`, site, { DATABASE_URL: database.url })
      await terminal.waitForOutput('Password: ')
      terminal.type(first + KEYS.enter)
      if (!first.includes(KEYS.interrupt)) {
        await terminal.waitForOutput('Repeat the password: ')
        terminal.type(repeated + KEYS.enter)
      }
      return { code: await terminal.end(), output: terminal.output() }
    }

    test('is asked for twice, and not shown', async () => {
      for (const [first, repeated, sentence] of [
        ['one secret word', 'another word', 'The passwords differ. Nothing was changed.'],
        [KEYS.interrupt, '', 'No password was given. Nothing was changed.'],
      ] as const) {
        const refused = await create(first, repeated)
        expect(refused).toMatchObject({ code: 2, output: expect.stringContaining(sentence) })
        expect(refused.output).not.toContain('word\r')
        expect(isTerminalRestored(refused.output)).toBe(true)
      }
      expect(await database.sql`select from ingot.users`).toHaveLength(0)
      const created = await create('one secret word', 'one secret word')
      expect(created.code).toBe(0)
      expect(created.output).not.toContain('secret')
      expect(isTerminalRestored(created.output)).toBe(true)
      const [row] = await database.sql<{ hash: string }[]>`select encrypted_password as hash from ingot.users`
      expect(await verifyPassword(row?.hash ?? null, 'one secret word')).toBe(true)
    })
  })

  test('a server ends by the key that interrupts', async () => {
    const site = ingot.folder({ [PAGE]: 'Hello' })
    expect(await ingot.run(['build', site])).toMatchObject({ code: 0 })
    const database = await testDatabase()
    try {
      const terminal = onTerminal(`${INGOT} serve ${site}`, site, { DATABASE_URL: database.url })
      await terminal.waitForOutput(/http:\/\/127\.0\.0\.1:\d+/)
      terminal.type(KEYS.interrupt)
      expect(await terminal.end()).toBe(0)
      expect(isTerminalRestored(terminal.output())).toBe(true)
    } finally {
      await database.close()
    }
  })
})
