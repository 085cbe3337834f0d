/**
 * `context` and `form` in emitted code: they are read by the types of their parts, even if templates assign other values to these names.
 */
import { describe, expect, it } from 'vitest'
import { type Compiled, compile } from '../../../../compiler/compile.ts'
import { printModule } from '../../../../compiler/phases/emit/emit.ts'
import { CONTEXT_FIELDS, CONTEXT_PARTS, type PartKind } from '../../../../compiler/language/types/context.ts'
import type { Type } from '../../../../compiler/core/model/type.ts'
import { members } from '../../../../compiler/language/types/relate.ts'
import { filesFromTexts } from '../../../../compiler/core/source/from-texts.ts'
import { LiquidFault } from '../../../../runtime/index.ts'
import { formParts } from '../../../../runtime/page/form-object.ts'
import { requireRequestContext } from '../../../../runtime/page/request-context.ts'
import { siteOf } from '../../../support/emitted-code.ts'
import { compiledWay, renderOutcome } from '../../../support/fuzz/render.ts'
import { TypeCheck } from '../../../support/type-check.ts'

const FORM = `---
name: note
resource: note
fields:
  properties:
    title:
      validation:
        presence: true
redirect_to: '/notes/{{ form.id }}'
---
{% form %}
{{ form.fields.properties.title.name }}|{{ form.properties.title }}|{{ form.errors.base }}|{{ form.fields.nothing.name }}
{% endform %}`

const TABLE = 'name: note\nproperties:\n  - name: title\n    type: string\n'

/** Compiles a site of these files as the command line does, not as the library does. */
function closed(pages: Readonly<Record<string, string>>): Compiled {
  const files = { 'app/schema/note.yml': TABLE, 'app/forms/note.liquid': FORM, ...pages }
  return compile(filesFromTexts(files, false), {
    dialect: 'platform',
    syntax: 'lax',
    keepGoing: true,
    openEntries: false,
  })
}

function textOf({ modules }: Compiled, file: string): string {
  return modules.flatMap((module) => (module.source === file ? [printModule(module).text] : [])).join('')
}

const PAGE = 'app/views/pages/index.liquid'

async function printed(template: string, file = PAGE): Promise<string> {
  const compiled = closed({ [file]: template })
  const { text, fault } = await renderOutcome(compiledWay(siteOf(compiled.modules), { raise: true }), file, [])
  if (fault !== null) throw new LiquidFault(fault)
  return (text ?? '').trim()
}

describe('context', () => {
  it('is read by the types of its parts', () => {
    const compiled = closed({
      [PAGE]:
        '{{ context.location.host }} {{ context.params.a.b }} {{ context.current_user.email | upcase }} {{ page.slug }}',
    })
    const text = textOf(compiled, PAGE)
    for (const read of ['context.location?.host', 'fields(context.params?.a).b', 'upcase(context.current_user?.email)'])
      expect(text).toContain(read)
    expect(text).not.toContain('fields(context.location)')
  })

  it.each([
    ['{% assign all = context %}{% assign all.location = 7 %}{{ context.location.host }}|', '|'],
    ["{% assign all = context %}{% assign all.params = 'abc' %}{{ context.params.a }}|{{ context.params.size }}", '|3'],
    ["{% assign all = context %}{% assign all.language = '<b>' %}{{ context.language }}", '&lt;b&gt;'],
    ['{% assign all = context %}{% assign all.session = nil %}{{ context.session.a.b }}|', '|'],
    [
      "{% assign all = context %}{% assign all.current_user = '[1, 2]' | parse_json %}{{ context.current_user.id }}|",
      '|',
    ],
  ])('%s prints what is there', async (template, expected) => {
    expect(await printed(template)).toBe(expected)
  })

  it('of another kind than the site was checked against is refused, with the part that is wrong', () => {
    expect(() => requireRequestContext({ location: { host: 7 } })).toThrow('context.location.host')
    expect(() => requireRequestContext({ params: 'a' })).toThrow('context.params')
    expect(requireRequestContext({ location: null, params: {}, more: 1 })).toEqual({
      location: null,
      params: {},
      more: 1,
    })
  })

  it('has the parts that the checker knows', () => {
    const fields = Object.entries(CONTEXT_FIELDS)
    expect(Object.keys(CONTEXT_PARTS).sort()).toEqual(fields.map(([name]) => name).sort())
    for (const [name, type] of fields)
      expect([name, mismatch(type, CONTEXT_PARTS[name as keyof typeof CONTEXT_PARTS])]).toEqual([name, null])
  })
})

/** Returns the first part for which the checker has another type. */
function mismatch(type: Type, kind: PartKind): string | null {
  const of = members(type).filter((each) => each.kind !== 'nil')
  if (typeof kind === 'string') {
    const kinds = { hash: ['hash', 'record'], text: ['string'], number: ['integer'], flag: ['boolean'] }[kind]
    return of.every((each) => kinds.includes(each.kind)) ? null : kind
  }
  const record = of[0]
  if (of.length !== 1 || record?.kind !== 'record') return 'no record'
  for (const [name, inner] of Object.entries(kind)) {
    const part = record.fields.get(name)
    const wrong = part === undefined ? 'missing' : mismatch(part, inner)
    if (wrong !== null) return `${name}: ${wrong}`
  }
  return null
}

describe('form', () => {
  const file = 'app/forms/note.liquid'

  it('is read by the fields of its configuration', async () => {
    const compiled = closed({})
    const text = textOf(compiled, file)
    expect(text).toContain("const noteFormFields = { attributes: [], properties: ['title'], nested: {} }")
    expect(text).toContain('form.fields?.properties?.title?.name')
    expect(text).toContain('form.errors?.base')
    // A missing field of the form is read like a value of an unknown type.
    expect(text).toContain('fields(fields(form.fields).nothing).name')
    const check = new TypeCheck()
    await check.add('note', compiled)
    expect(await check.errors()).toEqual([])
    check.close()
  })

  it('prints what is there, also where a template put something else', async () => {
    const form = FORM.replace(
      '{% form %}',
      "{% form %}{% assign all = form.fields %}{% assign all.properties = '<i>' %}",
    )
    const compiled = closed({ [file]: form, [PAGE]: "{% include_form 'note' %}" })
    const site = siteOf(compiled.modules)
    const { text } = await renderOutcome(compiledWay(site, { raise: true }), PAGE, [])
    expect(text?.replaceAll(/\s+/g, ' ')).toContain('|||')
  })

  it('of another configuration is refused', () => {
    const names = { attributes: [], properties: ['title'], nested: {} }
    expect(() => formParts(names, { fields: { properties: {} } })).toThrow('no form')
    expect(() => formParts(names, null)).toThrow('no form')
  })
})
