/** Tests the docstrings and names of emitted functions. */
import { expect, it } from 'vitest'
import { compileEarly } from '../../../../compiler/compile.ts'
import { printModule } from '../../../../compiler/phases/emit/emit.ts'
import { sourceFiles } from '../../../support/case-file.ts'

/** Returns the text of the module of each template. */
function emitted(files: Readonly<Record<string, string>>): ReadonlyMap<string, string> {
  const options = { dialect: 'platform', syntax: 'lax', keepGoing: true, openEntries: false } as const
  const { modules } = compileEarly(sourceFiles(files, 'platform'), options).compiledSite
  return new Map(modules.map((module) => [module.source ?? module.path, printModule(module).text]))
}

it('the docstring of a function is the doc block of its template', () => {
  const path = 'app/views/partials/card.liquid'
  const doc = `A card */ of a list.

  @param {string} title - its name
  @param {number} [price] - ${'in cents and without the tax '.repeat(6)}`
  const modules = emitted({
    [path]: `{% doc %}\n  ${doc}\n{% enddoc %}{{ title }}{{ price }}`,
    'app/views/pages/index.liquid': "{% render 'card', title: 'x' %}",
  })
  const lines = modules.get(path)?.split('\n') ?? []
  const start = lines.indexOf('/**')
  const end = lines.indexOf(' */')
  expect(lines.slice(start, start + 4)).toEqual([
    '/**',
    ' * A card *\\/ of a list.',
    ' *',
    ' * @param title - its name',
  ])
  expect(lines[end + 1]).toMatch(/^export function renderCard\(/)
  expect(lines.slice(start, end).join(' ').replaceAll(' * ', '')).toContain('without the tax in cents')
  expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(120)
})

it('the function of a template in a setting has the last word of the setting, and a number if others have it', () => {
  const form = `---
name: order
resource: order
fields:
  properties:
    town:
      validation:
        presence:
          message: "{{ 'a' }}"
    street:
      validation:
        presence:
          message: "{{ 'b' }}"
---
x`
  const names = [...emitted({ 'app/forms/order.liquid': form }).values()].flatMap((text) =>
    [...text.matchAll(/^export (?:async )?function (\w+)/gm)].map(([, name]) => name),
  )
  expect(names).toContain('renderOrderFormMessage')
  expect(names).toContain('renderOrderFormMessage2')
  expect(new Set(names).size).toBe(names.length)
})
