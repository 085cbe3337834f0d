/** Rejected input of filters: the error is thrown, or reported while the tag continues with an empty text or false. */
import { describe, expect, it } from 'vitest'
import { createEngine } from '../../../../compiler/tools/engine.ts'

const render = (main: string, data: Record<string, unknown> = {}, errors: 'inline' | 'raise' = 'inline') =>
  createEngine({ files: { main }, errors, format: 'txt' }).render('main', data)

describe('without raising', () => {
  it.each([
    ["[{{ 'x' | array_add: 1 }}]", '[]'],
    ["{% assign a = 'x' | array_add: 1 %}[{{ a }}]", '[]'],
    ["[{{ 'x' | array_add: 1 | append: 'y' }}]", '[y]'],
    ["{{ 1 | start_with: 'a' }}", 'false'],
    ["{{ 'zzz' | is_date_before: 'now' }}", 'false'],
    ["{{ 'x' | array_any: 'y' }}", 'false'],
    ["{{ x | array_include: 'y' }}", 'false'],
    ["{{ 7 | end_with: 'y' }}", 'false'],
    ["{{ 'a' | matches: '(' }}", 'false'],
    ["{{ 'zzz' | is_date_in_past }}", 'false'],
    ["{% assign b = 7 | start_with: 'a' %}{% if b == false %}no{% endif %}", 'no'],
    ["{% for i in (1..2) %}{{ i }}{{ 'x' | array_sum }};{% endfor %}", '1;2;'],
    ["{% try %}{{ 'x' | array_add: 1 }}y{% catch e %}caught{% endtry %}", 'caught'],
    ["{% hash_assign h['k'] = 'x' | array_add: 1 %}{{ h.k }}", ''],
    ["{% return 'x' | array_add: 1 %}", ''],
  ])('%s', async (template, expected) => {
    expect(await render(template, { h: {} })).toBe(expected)
  })

  it('errors of base Liquid stand in the place of the tag', async () => {
    expect(await render("[{{ 1 | divided_by: 0 }}]{{ 'a' | concat: 'x' }}")).toBe(
      '[Liquid error (main:1): divided by 0]Liquid error (main:1): concat filter requires an array argument',
    )
  })

  it('waits for filters that suspend', async () => {
    const main = '[{{ "http://example.org" | download_file }}][{{ "x" | download_file: 99 }}]'
    expect(await render(main)).toBe('[][]')
  })

  it('ends at limits', async () => {
    await expect(render('{{ "x" | pad_left: 1000000000000 }}')).rejects.toThrow('a text grew beyond')
  })
})

describe('raising', () => {
  it('ends the render, unless it is caught', async () => {
    await expect(render("{{ 'x' | array_add: 1 }}", {}, 'raise')).rejects.toThrow('first argument must be an array')
    await expect(render("{{ 'a' | matches: p }}", { p: '(' }, 'raise')).rejects.toThrow('invalid regular expression')
    expect(
      await render("{% try %}{{ 'x' | array_add: 1 }}{% catch e %}{{ e.message }}{% endtry %}", {}, 'raise'),
    ).toMatch(/array_add filter - first argument must be an array/)
  })
})
