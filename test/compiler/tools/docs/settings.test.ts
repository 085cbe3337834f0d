/** The reference of settings describes every key that the compiler reads, and the compiler reports nothing for its examples. */
import { beforeAll, describe, expect, it } from 'vitest'
import { compile } from '../../../../compiler/compile.ts'
import { Report } from '../../../../compiler/core/diagnostics/diagnostic.ts'
import type { Entry } from '../../../../compiler/tools/docs/entry.ts'
import { referenceFiles } from '../../../../compiler/tools/docs/reference.ts'
import { settingEntries } from '../../../../compiler/tools/docs/settings.ts'
import { validationEntries } from '../../../../compiler/tools/docs/validations.ts'
import { RULE_NAMES } from '../../../../compiler/core/model/form-rules.ts'
import { KINDS } from '../../../../compiler/language/settings/index.ts'
import { PROPERTY_TYPES, propertyItemKeys } from '../../../../compiler/language/settings/properties.ts'
import { Entries, type SettingKeys } from '../../../../compiler/language/settings/setting.ts'
import { keyDocs } from '../../../../compiler/language/settings/key-docs.ts'
import type { FileKind, SourceFile } from '../../../../compiler/core/source/file.ts'
import { classify, locationOf } from '../../../../compiler/core/source/kinds.ts'

const KIND_NAMES = Object.keys(KINDS) as FileKind[]

/** The kinds whose settings have declared keys. */
const declared = KIND_NAMES.flatMap((name) => {
  const reader = KINDS[name]
  return 'kind' in reader ? [{ name, ...(reader.kind as unknown as Declared) }] : []
})

interface Declared {
  readonly noun: string
  readonly keys: SettingKeys
  read(from: Entries<SettingKeys>, file: SourceFile): unknown
}

const entries: readonly Entry[] = [...settingEntries(), ...validationEntries()]

const examplesOf = (entry: Entry) => entry.blocks.flatMap((block) => (block.kind === 'example' ? [block] : []))
const rowsOf = (entry: Entry | undefined) =>
  (entry?.blocks ?? []).flatMap((block) => (block.kind === 'rows' ? block.rows : []))
const entryOf = (path: string) => entries.find((each) => each.path === path)

function sourceOf(path: string, text: string): SourceFile {
  const kind = classify(path)
  if (kind === null || 'reason' in kind) throw new Error(`${path} is no file of a site`)
  return { path, text, ...kind }
}

function saidOf(files: Readonly<Record<string, string>>): readonly string[] {
  const sources = Object.entries(files).map(([path, text]) => sourceOf(path, text))
  const options = { dialect: 'platform', syntax: 'lax', keepGoing: false, openEntries: false } as const
  return compile(sources, options).diagnostics.map(({ code, message, hint }) => `${code}: ${message} ${hint ?? ''}`)
}

describe('an example', () => {
  it.each(entries.map((entry) => [entry.path, entry] as const))('of %s is compiled without a word', (_, entry) => {
    const [example, ...more] = examplesOf(entry)
    expect(more).toEqual([])
    const files = Object.fromEntries(example?.files.map(({ path, text }) => [path ?? '', `${text}\n`]) ?? [])
    expect(Object.keys(files)).not.toEqual([])
    expect(saidOf(files)).toEqual([])
  })

  it.each(declared.map(({ name }) => name))('of settings has a file of its kind, %s, with keys in it', (name) => {
    const entry = entryOf(`settings/${name}.html`)
    const shown = examplesOf(entry!).flatMap(({ files }) => files)
    const own = shown.filter(({ path, text }) => sourceOf(path ?? '', text).kind === name)
    const keys = rowsOf(entry).map((row) => row.name)
    const used = keys.filter((key) => own.some(({ text }) => new RegExp(`^${key}:`, 'm').test(text)))
    expect(used).not.toEqual([])
  })
})

/** Returns the diagnostics for this YAML in a file of a kind. */
function saidOfSettings(kind: FileKind, yaml: string): readonly string[] {
  const { paths, extension } = locationOf(kind)
  const first = paths[0] ?? ''
  const path = first.endsWith('.yml') ? first : `${first}/a${extension ?? '.liquid'}`
  return saidOf({ [path]: path.endsWith('.yml') ? yaml : `---\n${yaml}---\n` })
}

describe.each(declared.map((kind) => [kind.name, kind] as const))('the keys of %s', (name, { noun, keys, read }) => {
  const rows = rowsOf(entryOf(`settings/${name}.html`))

  it('are all there, each with a sentence and what it takes', () => {
    expect(rows.map((row) => row.name).toSorted()).toEqual(
      keyDocs(keys)
        .map((key) => key.name)
        .toSorted(),
    )
    expect(rows.map(({ id }) => id)).toEqual(rows.map((row) => row.name))
    for (const row of rows) {
      expect(row.description, row.name).toMatch(/^[A-Z`][^]*\.$/)
      expect(row.type, row.name).toMatch(/\S/)
      expect(row.type, row.name).not.toMatch(/Invalid|expected|received/)
    }
  })

  it('take the words and the defaults that they tell', () => {
    const walk = (all: SettingKeys): void => {
      for (const [key, { schema, takes, default: given, below }] of Object.entries(all)) {
        if (given !== undefined) expect(schema.safeParse(given), key).toMatchObject({ success: true, data: given })
        if (below !== undefined) walk(below)
        const words = keyDocs({ [key]: all[key]! })[0]?.takes ?? ''
        if (takes !== undefined || !/^(?:one of )?`/.test(words)) continue
        for (const [, word = ''] of words.matchAll(/`([^`]+)`/g))
          expect(schema.safeParse(word).success, word).toBe(true)
        expect(schema.safeParse('no such word').success, key).toBe(false)
      }
    }
    walk(keys)
  })

  it('take what a refusal of theirs says', () => {
    for (const [key, { takes, deprecated }] of Object.entries(keys)) {
      const type = rows.find((row) => row.name === key)?.type ?? ''
      if (takes !== undefined || deprecated !== undefined || type === 'anything') continue
      const wrong = ['[[1]]', '{ a: b }'].flatMap((value) => saidOfSettings(name, `${key}: ${value}\n`))
      const said = wrong.filter((each) => each.includes(`\`${key}`))
      const wanted = type.replace(/, with Liquid$/, '')
      expect(said.some((each) => each.includes(wanted)) ? wanted : said, key).toBe(wanted)
    }
  })

  it('are read, but for those that are said to be without effect', () => {
    const asked = new Set<string>()
    class Watched extends Entries<SettingKeys> {
      override has(key: string): boolean {
        asked.add(key)
        return super.has(key)
      }
      override value(key: string) {
        asked.add(key)
        return super.value(key)
      }
      override node(key: string) {
        asked.add(key)
        return super.node(key)
      }
    }
    const { paths, extension } = locationOf(name)
    const first = paths[0] ?? ''
    const file = sourceOf(first.endsWith('.yml') ? first : `${first}/a${extension ?? '.liquid'}`, '')
    read(new Watched({ noun, keys }, file, null, new Report()), file)
    const without = Object.keys(keys).filter((key) => keys[key]?.unread === true || keys[key]?.ignored === true)
    expect(Object.keys(keys).filter((key) => !asked.has(key) && !without.includes(key))).toEqual([])
  })
})

describe('the properties', () => {
  const rows = rowsOf(entryOf('settings/properties.html'))

  it('have rows for their keys and for their types, which tables take', () => {
    const types = Object.keys(PROPERTY_TYPES)
    expect(rows.map((row) => row.name)).toEqual([...keyDocs(propertyItemKeys).map(({ name }) => name), ...types])
    const listed = types.map((type, at) => `  - { name: p${at}, type: ${type} }\n`).join('')
    expect(saidOfSettings('table', `properties:\n${listed}`)).toEqual([])
    expect(saidOfSettings('table', 'properties:\n  - { name: a, type: txt }\n')[0]).toMatch(/^setting-refused: .*`txt`/)
  })
})

describe('the fields of a form', () => {
  const rows = rowsOf(entryOf('settings/fields.html'))

  it('have their keys in one table each, the validations last', () => {
    const named = rows.map((row) => row.name)
    for (const name of ['properties', 'profiles', 'validation', 'property_options', 'virtual', 'readonly', 'default'])
      expect(named).toContain(name)
    const validations = validationEntries().map(({ name }) => name)
    expect(named.slice(-validations.length).toSorted()).toEqual(validations)
    expect(
      rows.filter(({ name, href }) => validations.includes(name) && href === `validations/${name}.html`),
    ).toHaveLength(validations.length)
  })
})

describe('the validations', () => {
  const formOf = (rule: string, options: string) =>
    saidOf({
      'app/forms/a.liquid': `---\nresource: a\nresource_owner: anyone\nfields:\n  properties:\n    b:\n      validation:\n        ${rule}: ${options}\n---\n`,
      'app/schema/a.yml': 'properties:\n  - name: b\n',
    })

  it('are one for each that a form may have, with an example', () => {
    const pages = validationEntries()
    const also = pages.flatMap((entry) => entry.also.filter(({ id }) => id === '').map(({ name }) => name))
    expect([...pages.map(({ name }) => name), ...also].toSorted()).toEqual(RULE_NAMES.toSorted())
    for (const entry of pages)
      expect(examplesOf(entry)[0]?.files[0]?.text).toMatch(new RegExp(`^ +${entry.name}: `, 'm'))
  })

  it.each(validationEntries().map((entry) => [entry.name, entry] as const))(
    '%s: each option is known, and takes what it says',
    (name, entry) => {
      const rows = rowsOf(entry)
      expect(rows.length).toBeGreaterThanOrEqual(5)
      for (const row of rows) {
        expect(row.description, row.name).toMatch(/^[A-Z`][^]*\.$/)
        const said = formOf(name, `{ ${row.name}: { a: b } }`).join(' ')
        expect(said.includes(row.type) ? row.type : said, row.name).toBe(row.type)
        expect(said).not.toContain('unknown-validation')
      }
      expect(formOf(name, '{ no_such_option: 1 }').join(' ')).toContain('unknown-validation-option')
    },
  )
})

describe('the pages', () => {
  let files: ReadonlyMap<string, string>

  beforeAll(async () => {
    files = await referenceFiles()
  })

  it('lead from forms to fields to validations, and back', () => {
    expect(files.get('settings/form.html')).toContain('<a href="../settings/fields.html">fields</a>')
    expect(files.get('settings/fields.html')).toContain('href="../validations/length.html"')
    expect(files.get('validations/length.html')).toContain('href="../settings/fields.html"')
    expect(files.get('settings/table.html')).toContain('<a href="../settings/properties.html">properties</a>')
  })

  it('are found by their keys in the index', () => {
    const index = files.get('index.html') ?? ''
    expect(index).toContain('<a href="settings/page.html#dynamic_cache.key"><b>page.dynamic_cache.key</b>')
    expect(index).toContain('<a href="settings/properties.html#type-upload"><b>properties.type: upload</b>')
    expect(index).toContain('<a href="validations/unique.html"><b>uniqueness</b>')
  })

  it('show what is taken as code', () => {
    expect(files.get('settings/config.html')).toMatch(
      /id="cookies_same_site"><td>[^]*?<td>one of <code>Lax<\/code>[^]*?Without it: <code>Lax<\/code>/,
    )
    expect(files.get('settings/page.html')).not.toContain('[object')
  })
})
