import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { createEngine, folder } from '../../../../compiler/tools/engine.ts'
import { measureCost } from '../../../support/cost.ts'

const made: string[] = []
afterEach(() => {
  for (const path of made.splice(0)) rmSync(path, { recursive: true, force: true })
})

/** Creates a folder with these files. */
function folderWith(files: Readonly<Record<string, string>>): string {
  const root = mkdtempSync(join(tmpdir(), 'ingot-source-'))
  made.push(root)
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(join(root, path, '..'), { recursive: true })
    writeFileSync(join(root, path), text)
  }
  return root
}

for (const dialect of ['platform', 'liquid'] as const) {
  describe(`sources in ${dialect}`, () => {
    it('are a map', () => {
      const files = new Map([
        ['a', '1{% render "b" %}'],
        ['b', '2'],
      ])
      const engine = createEngine({ dialect, files })
      expect(engine.renderSync('a')).toBe('12')
      files.set('b', '{{ 3 }}')
      engine.invalidate('b')
      expect(engine.renderSync('a')).toBe('13')
      files.delete('b')
      files.set('c', 'c')
      engine.invalidate()
      expect(engine.renderSync('c')).toBe('c')
      expect(() => engine.renderSync('b')).toThrow('there is no unit `b` to render')
    })

    it('are a folder, of which nothing outside is a part', () => {
      const outside = folderWith({ 'secret.liquid': 'secret' })
      const root = folderWith({
        'page.liquid': 'p{% render "cards/user", n: 1 %}',
        'cards/user.liquid': '[{{ n }}]',
        'notes.txt': 'x',
      })
      symlinkSync(join(outside, 'secret.liquid'), join(root, 'link.liquid'))
      symlinkSync(outside, join(root, 'linked'))
      const engine = createEngine({ dialect, files: folder(root) })
      expect(engine.renderSync('page')).toBe('p[1]')
      for (const name of [
        'link',
        'linked/secret',
        '../secret',
        `../${outside.split('/').at(-1)}/secret`,
        'notes',
        '/etc/passwd',
      ]) {
        engine.invalidate(name)
        expect(() => engine.renderSync(name), name).toThrow('there is no unit')
      }
      writeFileSync(join(root, 'cards/user.liquid'), '<{{ n }}>')
      engine.invalidate('cards/user')
      expect(engine.renderSync('page')).toBe('p<1>')
      writeFileSync(join(root, 'new.liquid'), 'new')
      engine.invalidate('new')
      expect(engine.renderSync('new')).toBe('new')
    })

    it('are a function that is asked for what is needed, once', () => {
      const asked: string[] = []
      const texts: Record<string, string> = {
        a: '1{% render "b" %}',
        b: '2{% if x %}{% render "c" %}{% endif %}',
        c: '3',
      }
      const engine = createEngine({
        dialect,
        files: (name) => {
          asked.push(name)
          return texts[name]
        },
      })
      expect(asked).toEqual([])
      expect(engine.renderSync('a')).toBe('12')
      expect(engine.parseAndRenderSync('{% render "b", x: true %}')).toBe('23')
      expect(asked).toEqual(['a', 'b', 'c'])
      texts['c'] = '4'
      engine.invalidate('c')
      expect(engine.renderSync('b', { x: true })).toBe('24')
      expect(() => engine.renderSync('none')).toThrow('there is no unit `none`')
    })

    it('are a function that gives promises', async () => {
      const texts: Record<string, string> = { a: '1{% render "b" %}', b: '2' }
      const engine = createEngine({ dialect, files: async (name) => texts[name] ?? null })
      expect(() => engine.renderSync('a')).toThrow('returns a promise')
      expect(await engine.render('a')).toBe('12')
      expect(engine.renderSync('a')).toBe('12')
      const other = createEngine({ dialect, files: async (name) => texts[name] })
      await other.load('a')
      expect(other.renderSync('a')).toBe('12')
      const failing = createEngine({ dialect, files: () => Promise.reject(new Error('no connection')) })
      await expect(failing.render('a')).rejects.toThrow('no connection')
    })
  })
}

it('tells the places of errors also behind an edit', () => {
  const files = new Map([
    ['a', '{% render "b" %}'],
    ['b', 'x'],
  ])
  const engine = createEngine({ files })
  files.set('b', '\n{{ 1 | divided_by: 0 }}')
  engine.invalidate('b')
  expect(() => engine.renderSync('a')).toThrow(
    expect.objectContaining({
      message: 'divided by 0',
      file: 'b',
      line: 2,
      frames: [
        { file: 'b', line: 2 },
        { file: 'a', line: 1 },
      ],
    }),
  )
  files.set('b', '{{ 1 | nope }}')
  engine.invalidate('b')
  expect(engine.diagnostics.map(({ code, file }) => `${code} ${file}`)).toEqual(['unknown-filter b'])
})

it('compiles one file of hundreds again where one was edited', () => {
  const COUNT = 200
  const files = new Map(
    Array.from({ length: COUNT }, (_, at): [string, string] => [
      `file_${at}`,
      `{% for i in items %}{{ i.name | upcase }}{% endfor %}{% render 'file_${(at + 1) % COUNT === 0 ? 1 : at + 1}_part' %}`,
    ]),
  )
  for (let at = 1; at <= COUNT; at++) files.set(`file_${at}_part`, `part ${at} {{ x }}`)
  const engine = createEngine({ files })
  expect(engine.renderSync('file_7', { items: [{ name: 'a' }] })).toBe('Apart 8 ')
  const edit = (text: string): number => {
    files.set('file_8_part', text)
    const cost = measureCost()
    engine.invalidate('file_8_part')
    expect(engine.renderSync('file_7', { items: [] })).toBe(text)
    return cost()
  }
  const first = edit('edited')
  const [one, two, three] = [edit('edited 2'), edit('edited 3'), edit('edited 4')]
  console.log(
    `edits of one file of ${2 * COUNT}: ${[first, one, two, three].map((ms) => `${ms.toFixed(0)} ms`).join(', ')}`,
  )
  expect(engine.recompiled).toBe(1)
})
