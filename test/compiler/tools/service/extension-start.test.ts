/** How the extension starts and restarts its language server. Mocks record the calls to the editor and its client. */
import { beforeEach, expect, test, vi } from 'vitest'

interface Made {
  readonly server: unknown
  state: 'starting' | 'running' | 'stopped' | 'failed'
  /** Completes the pending start. */
  readonly settle: (error?: Error) => void
}

const editor = vi.hoisted(() => ({
  chosen: '' as unknown,
  made: [] as Made[],
  run: new Map<string, () => Promise<void>>(),
  changed: (_: { affectsConfiguration(section: string): boolean }): void => undefined,
}))

vi.mock('vscode', () => ({
  commands: {
    registerCommand: (name: string, run: () => Promise<void>) => {
      editor.run.set(name, run)
      return { dispose: () => undefined }
    },
  },
  workspace: {
    getConfiguration: () => ({ get: () => editor.chosen }),
    onDidChangeConfiguration: (run: typeof editor.changed) => {
      editor.changed = run
      return { dispose: () => undefined }
    },
  },
}))

vi.mock('vscode-languageclient/node', () => ({
  TransportKind: { stdio: 0 },
  LanguageClient: class {
    readonly #made: Made
    readonly #started: Promise<void>

    constructor(_id: string, _name: string, server: unknown) {
      let settle: Made['settle'] = () => undefined
      this.#started = new Promise((done, failed) => {
        settle = (error) => {
          this.#made.state = error === undefined ? 'running' : 'failed'
          if (error === undefined) done()
          else failed(error)
        }
      })
      this.#made = { server, state: 'starting', settle: (error) => settle(error) }
      editor.made.push(this.#made)
    }

    start(): Promise<void> {
      return this.#started
    }

    // Like the real client, it cannot be stopped unless it runs.
    async stop(): Promise<void> {
      if (this.#made.state !== 'running') throw new Error(`it is ${this.#made.state}`)
      this.#made.state = 'stopped'
    }
  },
}))

const extension = await import('../../../../compiler/tools/service/vscode/extension.mjs')
const context = { subscriptions: [], asAbsolutePath: (path: string) => `/extension/${path}` }
const restart = () => editor.run.get('ingot.restart')?.()
/** Waits for the given number of clients and returns the last one. */
const made = (count: number) => vi.waitUntil(() => editor.made.length === count && editor.made.at(-1))

beforeEach(async () => {
  editor.made.at(-1)?.settle()
  await extension.deactivate()
  editor.made.length = 0
  editor.chosen = ''
})

test('a server that has not started is left, and the next one starts', async () => {
  editor.chosen = '/nowhere/ingot'
  const active = extension.activate(context)
  expect(await made(1)).toMatchObject({ server: { command: '/nowhere/ingot', args: ['lsp'] } })
  editor.made[0]?.settle(new Error('ENOENT'))
  await active
  editor.chosen = ''
  editor.changed({ affectsConfiguration: (section) => section === 'ingot.server' })
  expect(await made(2)).toMatchObject({ server: { module: '/extension/server/server.mjs' } })
  editor.made[1]?.settle(new Error('out of memory'))
  void restart()
  const last = await made(3)
  last?.settle()
  expect(editor.made.map(({ state }) => state)).toEqual(['failed', 'failed', 'running'])
})

test('whatever is asked for meanwhile, one server runs at the end, and none when the editor closes', async () => {
  const active = extension.activate(context)
  const again = [restart(), restart()]
  await made(1)
  editor.made[0]?.settle()
  await active
  for (const count of [2, 3]) {
    await made(count)
    editor.made.at(-1)?.settle()
  }
  await Promise.all(again)
  expect(editor.made.map(({ state }) => state)).toEqual(['stopped', 'stopped', 'running'])
  editor.changed({ affectsConfiguration: (section) => section === 'editor.tabSize' })
  await extension.deactivate()
  expect(editor.made.map(({ state }) => state)).toEqual(['stopped', 'stopped', 'stopped'])
})
