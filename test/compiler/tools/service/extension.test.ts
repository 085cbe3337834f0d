/**
 * The packed VS Code extension, and its language server as a process: the contents of the archive, and the effects of killing the server.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { build as bundle } from 'esbuild'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import {
  createProtocolConnection,
  type CompletionItem,
  type Diagnostic,
  StreamMessageReader,
  StreamMessageWriter,
  type TextDocumentEdit,
  type WorkspaceEdit,
} from 'vscode-languageserver/node'
import { openPromise } from 'yauzl'
import { packExtension } from '../../../../compiler/tools/package/extension.mjs'
import { writeZip } from '../../../../server/web/files/zip.ts'
import { root } from '../../../house/sources.ts'
import { type Client, clientOver } from './client.ts'
import { folderOf } from './site.ts'

const PAGE = 'app/views/pages/index.liquid'
const SITE = {
  [PAGE]: "{% render 'card', title: 'x' %}\n",
  'app/views/partials/card.liquid': '{% doc %}\n  @param {string} title\n{% enddoc %}\n<b>{{ title }}</b>\n',
}

let folder = ''
let archive = new Map<string, Buffer>()

beforeAll(async () => {
  // Outside of the project, so that missing packages are not found there.
  folder = mkdtempSync(join(tmpdir(), 'ingot-extension-'))
  const to = join(folder, 'ingot.vsix')
  await packExtension({ root, to, bundle, writeZip })
  archive = await unpacked(to)
})

afterAll(() => rmSync(folder, { recursive: true, force: true }))

async function unpacked(path: string): Promise<Map<string, Buffer>> {
  const files = new Map<string, Buffer>()
  const zip = await openPromise(path)
  for await (const entry of zip.eachEntry()) {
    const chunks: Buffer[] = []
    for await (const chunk of await zip.openReadStreamPromise(entry)) chunks.push(chunk as Buffer)
    files.set(entry.fileName, Buffer.concat(chunks))
  }
  return files
}

test('the archive holds what the editor asks for', () => {
  const texts = new Map([...archive].map(([name, bytes]) => [name, bytes.toString('utf8')]))
  const manifest = JSON.parse(texts.get('extension/package.json') ?? '') as {
    main: string
    icon: string
    contributes: {
      languages: readonly { configuration: string }[]
      grammars: readonly { path: string }[]
      commands: readonly { command: string }[]
      snippets: readonly { path: string }[]
      walkthroughs: readonly { steps: readonly { media: { markdown?: string; image?: string } }[] }[]
    }
  }
  const { languages, grammars, commands, snippets, walkthroughs } = manifest.contributes
  const steps = walkthroughs.flatMap(({ steps }) => steps.map(({ media }) => media.markdown ?? media.image ?? ''))
  expect(steps.length).toBeGreaterThan(3)
  const pictures = [...(texts.get('extension/README.md') ?? '').matchAll(/!\[[^\]]+\]\(([^)]+)\)/g)].map(
    ([, path]) => path ?? '',
  )
  expect(pictures.length).toBeGreaterThan(0)
  const named = [
    manifest.main,
    manifest.icon,
    ...pictures,
    ...steps,
    ...snippets.map(({ path }) => path),
    ...languages.map(({ configuration }) => configuration),
    ...grammars.map(({ path }) => path),
  ]
  for (const path of named) expect([...texts.keys()]).toContain(`extension/${path.replace('./', '')}`)
  for (const { path } of grammars) JSON.parse(texts.get(`extension/${path.replace('./', '')}`) ?? '')
  JSON.parse(texts.get('extension/language-configuration.json') ?? '')
  expect(texts.get('extension.vsixmanifest')).toMatch(
    /<Identity [^>]*Id="ingot-liquid" Version="0\.1\.0" Publisher="ingot"/,
  )
  expect(texts.get('extension.vsixmanifest')).toContain(`<Icon>extension/${manifest.icon}</Icon>`)
  // The marketplace shows the icon at 128 by 128 pixels.
  const icon = archive.get(`extension/${manifest.icon}`)
  expect([icon?.readUInt32BE(16), icon?.readUInt32BE(20)]).toEqual([128, 128])
  for (const name of texts.keys()) {
    const ending = name.split('.').at(-1) ?? ''
    if (name !== '[Content_Types].xml') expect(texts.get('[Content_Types].xml')).toContain(`Extension=".${ending}"`)
  }
  const client = texts.get('extension/extension.cjs') ?? ''
  for (const { command } of [...commands, { command: 'ingot.showPlaces' }]) expect(client).toContain(command)
  const asked = [...client.matchAll(/\brequire\("([^"]+)"\)/g)].map((found) => (found[1] ?? '').replace(/^node:/, ''))
  const outside = asked.filter(
    (name) =>
      !/^(?:assert|buffer|child_process|console|crypto|events|fs|fs\/promises|net|os|path|process|readline|stream|string_decoder|timers|tty|url|util)$/.test(
        name,
      ),
  )
  expect([...new Set(outside)]).toEqual(['vscode'])
})

test('a folder that nobody trusts chooses no program', () => {
  const { capabilities, contributes } = JSON.parse(archive.get('extension/package.json')?.toString('utf8') ?? '') as {
    capabilities: { untrustedWorkspaces: { supported: string; restrictedConfigurations: readonly string[] } }
    contributes: { configuration: { properties: Readonly<Record<string, unknown>> } }
  }
  const settings = Object.keys(contributes.configuration.properties)
  expect(capabilities.untrustedWorkspaces).toMatchObject({ supported: 'limited', restrictedConfigurations: settings })
})

test('names are completed in front matter and in quotes, which its grammars take for texts', () => {
  const { contributes } = JSON.parse(archive.get('extension/package.json')?.toString('utf8') ?? '') as {
    contributes: { configurationDefaults: Readonly<Record<string, Readonly<Record<string, unknown>>>> }
  }
  expect(contributes.configurationDefaults['[liquid]']).toMatchObject({ 'editor.quickSuggestions': { strings: 'on' } })
})

interface Started {
  readonly client: Client
  readonly child: ChildProcess
}

/** Starts the packed server as a separate process. */
async function started(site: string, server: string): Promise<Started> {
  const child = spawn(process.execPath, [server], { cwd: folder, stdio: ['pipe', 'pipe', 'inherit'] })
  onTestFinished(() => void child.kill('SIGKILL'))
  const connection = createProtocolConnection(
    new StreamMessageReader(child.stdout),
    new StreamMessageWriter(child.stdin),
  )
  const ended = once(child, 'exit').then(([code]) => Promise.reject(new Error(`the server ended with ${code}`)))
  return { child, client: await Promise.race([clientOver(site, connection), ended]) }
}

function codes(diagnostics: readonly Diagnostic[]): readonly unknown[] {
  return diagnostics.map(({ code, range }) => [code, range])
}

test('a server that is killed loses no edit: the next one is sent the unsaved texts, and says the same', async () => {
  mkdirSync(join(folder, 'server'), { recursive: true })
  const server = join(folder, 'server', 'server.mjs')
  writeFileSync(server, archive.get('extension/server/server.mjs') ?? '')
  const site = folderOf(SITE)
  const wrong = "{% render 'card', title: 'x' %}\r\n😀{{ 'a' | upcas }}{% render 'crad' %}\r\n"

  const first = await started(site, server)
  first.client.open(PAGE, SITE[PAGE])
  await first.client.diagnostics(PAGE, (found) => found.length === 0)
  first.client.change(PAGE, wrong)
  const hasBoth = (found: readonly Diagnostic[]): boolean => found.length === 2
  const before = codes(await first.client.diagnostics(PAGE, hasBoth))
  expect(before).toEqual([
    ['unknown-filter', { start: { line: 1, character: 11 }, end: { line: 1, character: 16 } }],
    ['missing-partial', expect.objectContaining({ start: { line: 1, character: 29 } })],
  ])
  const at = { textDocument: { uri: first.client.uri(PAGE) }, position: { line: 1, character: 15 } }
  const items = await first.client.connection.sendRequest<CompletionItem[]>('textDocument/completion', at)
  expect(items.map(({ label }) => label)).toContain('upcase')
  const edit = await first.client.connection.sendRequest<WorkspaceEdit>('textDocument/rename', {
    ...at,
    position: { line: 0, character: 13 },
    newName: 'menu_card',
  })
  expect(edit.documentChanges?.some((each) => 'kind' in each && each.kind === 'rename')).toBe(true)
  const own = edit.documentChanges?.find((each): each is TextDocumentEdit => 'edits' in each)
  expect(own?.edits).toEqual([
    { range: { start: { line: 0, character: 11 }, end: { line: 0, character: 15 } }, newText: 'menu_card' },
  ])

  // A request is pending when the server is killed.
  const open = first.client.connection.sendRequest('textDocument/codeLens', at).catch(() => 'gone')
  first.child.kill('SIGKILL')
  await once(first.child, 'exit')
  first.client.connection.dispose()
  void open

  const second = await started(site, server)
  second.client.open(PAGE, wrong)
  expect(codes(await second.client.diagnostics(PAGE, hasBoth))).toEqual(before)
  expect(readFileSync(join(site, PAGE), 'utf8')).toBe(SITE[PAGE])
  second.client.change(PAGE, wrong.replace('upcas', 'upcase').replace('crad', 'card'))
  const later = await second.client.diagnostics(PAGE, (found) => found.every(({ code }) => code === 'missing-argument'))
  expect(later.length).toBeLessThan(2)
  const gone = once(second.child, 'exit')
  await second.client.connection.sendRequest('shutdown')
  await second.client.connection.sendNotification('exit')
  expect(await gone).toEqual([0, null])
  second.client.connection.dispose()
})
