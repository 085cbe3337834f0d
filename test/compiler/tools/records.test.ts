/** What a process derives about a site is used by the next one, and never changes what that one finds. */
import { spawnSync } from 'node:child_process'
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { compile, diagnose } from '../../../compiler/compile.ts'
import type { Diagnostic } from '../../../compiler/core/diagnostics/diagnostic.ts'
import { KeptTrees } from '../../../compiler/core/model/kept-trees.ts'
import { StoredMemory } from '../../../compiler/core/model/stored-memory.ts'
import { runSteps } from '../../../compiler/core/model/steps.ts'
import { discover } from '../../../compiler/core/source/discover.ts'
import { filesFromTexts } from '../../../compiler/core/source/from-texts.ts'
import type { Module } from '../../../compiler/core/model/module.ts'
import type { SourceFile } from '../../../compiler/core/source/file.ts'
import { FindingsCache } from '../../../compiler/tools/cache/findings-cache.ts'
import { Packer } from '../../../compiler/tools/cache/packer.ts'
import { RecordFile } from '../../../compiler/tools/cache/records.ts'
import { SiteSession } from '../../../compiler/tools/service/session.ts'
import { Random } from '../../support/fuzz/random.ts'

const OPTIONS = { dialect: 'platform', syntax: 'lax', openEntries: false } as const
const KEY = '0'.repeat(32)
const SECRET = Buffer.alloc(32, 1)
const SITE = new URL('../../../fixtures/sites/tool-library', import.meta.url).pathname

let root: string
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'ingot-records-'))
})
afterEach(() => rmSync(root, { recursive: true, force: true }))

const folder = () => join(root, '.ingot/cache')
const recordFile = () => join(folder(), `records-${KEY}.bin`)

interface Run {
  readonly diagnostics: readonly Diagnostic[]
  readonly newValues: number
}

/** Checks a site as a new process does. */
function check(files: readonly SourceFile[], key = KEY): Run {
  const records = new RecordFile(root, key, SECRET)
  const memory = new StoredMemory(1, new KeptTrees(), records)
  const diagnostics = diagnose(files, OPTIONS, memory)
  runSteps(records.writeSteps(memory, 0))
  return { diagnostics, newValues: memory.newValues }
}

const siteFiles = async () => (await discover(SITE)).files

function edited(files: readonly SourceFile[], path: string, edit: (text: string) => string): readonly SourceFile[] {
  return files.map((file) => (file.path === path ? { ...file, text: edit(file.text) } : file))
}

/** Builds a site as a new process does: the modules, and the diagnostics. */
function build(files: readonly SourceFile[]): Built {
  const records = new RecordFile(root, KEY, SECRET)
  const memory = new StoredMemory(1, new KeptTrees(), records)
  const { modules, diagnostics } = compile(files, { ...OPTIONS, keepGoing: true }, memory)
  runSteps(records.writeSteps(memory, 0))
  return { modules, diagnostics, newValues: memory.newValues }
}

interface Built extends Run {
  readonly modules: readonly Module[]
}

describe('records', () => {
  it('leave nothing to do for an unchanged site, and little for a changed one', async () => {
    const files = await siteFiles()
    const first = check(files)
    const second = check(files)
    expect(second).toEqual({ diagnostics: first.diagnostics, newValues: 0 })
    const page = files.find(({ kind }) => kind === 'page')?.path ?? ''
    const changed = edited(files, page, (text) => `${text}{{ 'x' | no_such_filter }}`)
    const third = check(changed)
    expect(third.diagnostics).toEqual(diagnose(changed, OPTIONS))
    expect(third.diagnostics.find(({ code }) => code === 'unknown-filter')?.span.file).toBe(page)
    expect(third.newValues).toBeLessThan(first.newValues / 20)
  })

  it('leave no template to emit for an unchanged site, and one for a changed page', async () => {
    const files = await siteFiles()
    const first = build(files)
    const second = build(files)
    expect(second).toEqual({ ...first, newValues: 0 })
    const page = files.find(({ kind }) => kind === 'page')?.path ?? ''
    const changed = edited(files, page, (text) => `${text}<p>{{ context.params.q }}</p>`)
    const third = build(changed)
    expect(third.modules).toEqual(compile(changed, { ...OPTIONS, keepGoing: true }).modules)
    expect(third.modules.filter((module, at) => JSON.stringify(module) !== JSON.stringify(first.modules[at]))).toEqual([
      expect.objectContaining({ source: page }),
      expect.objectContaining({ path: 'fingerprint.ts' }),
    ])
    expect(third.newValues).toBeLessThan(first.newValues / 20)
  })

  it('let a watched site continue where an earlier process ended', async () => {
    const start = async () => {
      const session = new SiteSession(SITE)
      const records = new RecordFile(root, KEY, SECRET)
      const memory = session.continueFrom(records)
      const site = await session.read()
      const { modules } = session.compile(site, new Map(), { keepGoing: true, checkedFiles: new Set() })
      const diagnostics = runSteps(session.diagnosisSteps(site))
      const { newValues } = memory
      runSteps(records.writeSteps(memory, 0))
      return { modules, diagnostics, newValues }
    }
    const first = await start()
    expect(first.newValues).toBeGreaterThan(200)
    expect(await start()).toEqual({ ...first, newValues: 0 })
  })

  it('of a partial are enough to emit it for other types of arguments', () => {
    const siteWith = (argument: string) =>
      filesFromTexts(
        {
          'app/views/pages/page.liquid': `{% render 'part', a: ${argument} %}`,
          'app/views/partials/part.liquid':
            '{% assign x = 1 %}{% assign y = 2 %}{% if a %}{% assign y = x %}{% endif %}{{ y }}{{ a }}',
        },
        false,
      )
    build(siteWith('1'))
    const changed = siteWith("'text'")
    expect(build(changed).modules).toEqual(compile(changed, { ...OPTIONS, keepGoing: true }).modules)
  })

  it('give what a fresh build gives after any edits, with a new process for each', async () => {
    const files = await siteFiles()
    const words = [...new Set(files.flatMap(({ text }) => text.match(/[a-z_]{4,}/g) ?? []))]
    const random = new Random(7)
    let current = files
    for (let round = 0; round < 30; round++) {
      const { path, text } = random.pick(current.filter((file) => /\.(?:liquid|graphql|yml)$/.test(file.path)))
      const spots = [...text.matchAll(/[A-Za-z_]{3,}/g)]
      const { index, 0: word } = spots.length === 0 ? { index: 0, 0: '' } : random.pick(spots)
      const written =
        random.below(4) === 0
          ? `\n${text}`
          : text.slice(0, index) + random.pick(words) + text.slice(index + word.length)
      current =
        random.below(8) === 0 ? current.filter((file) => file.path !== path) : edited(current, path, () => written)
      const { modules, diagnostics } = compile(current, { ...OPTIONS, keepGoing: true })
      expect(build(current), `${round}: ${path}`).toMatchObject({ modules, diagnostics })
    }
  })

  it('of another compiler or of other options are not read', async () => {
    const files = await siteFiles()
    const { newValues } = check(files)
    expect(check(files, '1'.repeat(32)).newValues).toBe(newValues)
    const nameOf = (compiler: string, options: Parameters<FindingsCache['records']>[0]) => {
      const before = new Set(readdirSync(folder()))
      const records = new FindingsCache(root, compiler, SECRET).records(options)
      const memory = new StoredMemory(1, new KeptTrees(), records)
      diagnose(files.slice(0, 3), options, memory)
      runSteps(records!.writeSteps(memory, 0))
      return readdirSync(folder()).filter((name) => !before.has(name))
    }
    expect(nameOf('one', OPTIONS)).toHaveLength(1)
    expect(nameOf('one', OPTIONS)).toHaveLength(0)
    expect(nameOf('two', OPTIONS)).toHaveLength(1)
    expect(nameOf('two', { ...OPTIONS, raise: true })).toHaveLength(1)
  })

  it('are not used by a compiler that runs from sources, or with globals of a host', () => {
    expect(new FindingsCache(root).records(OPTIONS)).toBeNull()
    expect(new FindingsCache(root, 'one', SECRET).records({ ...OPTIONS, globals: new Map() })).toBeNull()
  })

  it('count as absent where they are damaged', async () => {
    const files = (await siteFiles()).slice(0, 40)
    const expected = check(files).diagnostics
    const whole = readFileSync(recordFile())
    const damaged = [
      Buffer.alloc(0),
      Buffer.from('not a record file, but longer than its header'),
      whole.subarray(0, 7),
      whole.subarray(0, whole.length >> 1),
      whole.subarray(0, whole.length - 1),
      Buffer.concat([whole, Buffer.from('x')]),
      Buffer.concat([Buffer.from([255, 255, 255, 255]), whole.subarray(4)]),
    ]
    for (let at = 20; at < whole.length; at += Math.ceil(whole.length / 25)) {
      const copy = Buffer.from(whole)
      copy[at] = copy[at]! ^ 0x55
      damaged.push(copy)
    }
    for (const bytes of damaged) {
      writeFileSync(recordFile(), bytes)
      expect(check(files).diagnostics).toEqual(expected)
    }
  })

  it('that somebody else has written are not read', async () => {
    const files = (await siteFiles()).slice(0, 40)
    const { newValues } = check(files)
    const run = (secret: Buffer) => {
      const records = new RecordFile(root, KEY, secret)
      const memory = new StoredMemory(1, new KeptTrees(), records)
      diagnose(files, OPTIONS, memory)
      return memory.newValues
    }
    expect(run(SECRET)).toBe(0)
    expect(run(Buffer.alloc(32, 2))).toBe(newValues)
    // The file of another compiler, under a new name.
    renameSync(recordFile(), recordFile().replace(KEY, '1'.repeat(32)))
    expect(check(files, '1'.repeat(32)).newValues).toBe(newValues)
  })

  it('that cannot be written leave the result as it is', async () => {
    const files = (await siteFiles()).slice(0, 40)
    const expected = diagnose(files, OPTIONS)
    // The folder of the cache cannot be made.
    writeFileSync(join(root, '.ingot'), '')
    expect(check(files).diagnostics).toEqual(expected)
    rmSync(join(root, '.ingot'))
    // The disk is full.
    mkdirSync(folder(), { recursive: true })
    symlinkSync('/dev/full', `${recordFile()}.${process.pid}.tmp`)
    expect(check(files).diagnostics).toEqual(expected)
    expect(readdirSync(folder()).filter((name) => name.endsWith('.bin'))).toEqual([])
    // A draft of a process that was killed.
    writeFileSync(`${recordFile()}.1.tmp`, 'broken off')
    expect(check(files).diagnostics).toEqual(expected)
    expect(check(files)).toEqual({ diagnostics: expected, newValues: 0 })
  })

  it('of two processes at once are those of one of them', async () => {
    const files = (await siteFiles()).slice(0, 40)
    const script = `
      import { readFileSync, renameSync, writeFileSync } from 'node:fs'
      const [name, other] = process.argv.slice(1)
      const bytes = readFileSync(name)
      for (let at = 0; at < 300; at++) {
        writeFileSync(other, bytes)
        renameSync(other, name)
      }`
    const { diagnostics } = check(files)
    const writer = spawnSync(process.execPath, [
      '--input-type=module',
      '-e',
      script,
      recordFile(),
      `${recordFile()}.2.tmp`,
    ])
    expect(writer.status).toBe(0)
    expect(check(files)).toEqual({ diagnostics, newValues: 0 })
  })

  it('are kept for the newest four sets of options', async () => {
    const files = (await siteFiles()).slice(0, 5)
    for (const [at, digit] of ['a', 'b', 'c', 'd', 'f'].entries()) {
      check(files, digit.repeat(32))
      utimesSync(join(folder(), `records-${digit.repeat(32)}.bin`), at, at)
    }
    check(files, 'e'.repeat(32))
    const names = readdirSync(folder()).filter((name) => name.endsWith('.bin'))
    expect(names.toSorted()).toEqual(['c', 'd', 'e', 'f'].map((digit) => `records-${digit.repeat(32)}.bin`))
  })

  it('are written without what killed processes have left behind', async () => {
    const files = (await siteFiles()).slice(0, 5)
    mkdirSync(folder(), { recursive: true })
    const [old, recent] = ['old.tmp', 'recent.tmp'].map((name) => join(folder(), name))
    for (const path of [old!, recent!]) writeFileSync(path, 'broken off')
    utimesSync(old!, 1, 1)
    check(files)
    expect(readdirSync(folder()).filter((name) => name.endsWith('.tmp'))).toEqual(['recent.tmp'])
  })

  it('are packed again only for changed files, until most texts are of earlier versions', async () => {
    const files = await siteFiles()
    const packed = vi.spyOn(Packer.prototype, 'pack')
    const packedBy = (changed: readonly SourceFile[]): number => {
      packed.mockClear()
      check(changed)
      return packed.mock.calls.length
    }
    const whole = packedBy(files)
    const page = files.find(({ kind }) => kind === 'page')?.path ?? ''
    const { size } = statSync(recordFile())
    const counts: number[] = []
    for (let round = 0; round < 12; round++) {
      const words = Array.from({ length: 400 }, (_, at) => `{{ word_${round}_${at} }}`).join('')
      counts.push(packedBy(edited(files, page, (text) => text + words)))
    }
    packed.mockRestore()
    // The first change adds fewer texts than the whole site has.
    expect(counts[0]).toBeLessThan(whole / 5)
    expect(counts.filter((count) => count < whole / 5).length).toBeGreaterThan(6)
    expect(counts.filter((count) => count === whole).length).toBeGreaterThan(0)
    expect(statSync(recordFile()).size).toBeLessThan(3 * size)
  })

  it('are not written again for a few new values', async () => {
    const files = await siteFiles()
    check(files)
    const before = readFileSync(recordFile())
    const records = new RecordFile(root, KEY, SECRET)
    const memory = new StoredMemory(1, new KeptTrees(), records)
    diagnose(
      edited(files, files.find(({ kind }) => kind === 'page')?.path ?? '', (text) => `${text} `),
      OPTIONS,
      memory,
    )
    expect(memory.newValues).toBeGreaterThan(0)
    runSteps(records.writeSteps(memory))
    expect(readFileSync(recordFile()).equals(before)).toBe(true)
  })
})
