/** Theme folders in base Liquid: snippets are found by name, and a missing file is reported once. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { diagnose } from '../../../../compiler/compile.ts'
import { createEngine } from '../../../../compiler/tools/engine.ts'
import { optionsFor } from '../../../../compiler/tools/site-options.ts'
import { discoverTemplates } from '../../../../compiler/core/source/discover.ts'

function said(files: Readonly<Record<string, string>>): readonly string[] {
  return createEngine({ dialect: 'liquid', files }).diagnostics.map(
    ({ code, file, message }) => `${code} ${file} ${message}`,
  )
}

describe('a snippet', () => {
  const files = {
    'snippets/card.liquid': '<{{ x }}>',
    'snippets/deep/row.liquid': '-',
    'sections/main.liquid':
      "{% render 'card', x: 1 %}{% assign x = 2 %}{% include 'card' %}{% assign n = 'deep/row' %}{% include n %}",
  }

  it('is found by its name, also by a computed one', () => {
    expect(createEngine({ dialect: 'liquid', files }).renderSync('sections/main.liquid')).toBe('<1><2>-')
  })

  it('gives way to a file that has the name itself', () => {
    const engine = createEngine({ dialect: 'liquid', files: { ...files, 'card.liquid': 'own' } })
    expect(engine.renderSync('sections/main.liquid')).toBe('ownown-')
  })

  it('is found in a folder', () => {
    const folder = mkdtempSync(join(tmpdir(), 'ingot-theme-'))
    try {
      for (const [path, text] of Object.entries({ ...files, 'layout/theme.liquid': "{% render 'absent' %}" })) {
        mkdirSync(dirname(join(folder, path)), { recursive: true })
        writeFileSync(join(folder, path), text)
      }
      const found = discoverTemplates(folder)
      const diagnostics = diagnose(found.files, optionsFor('liquid', found))
      expect(diagnostics.map(({ code, span }) => [code, span.file])).toEqual([
        ['missing-partial', 'layout/theme.liquid'],
      ])
    } finally {
      rmSync(folder, { recursive: true })
    }
  })

  it('is none in the folder of a site', () => {
    const site = {
      'app/views/partials/snippets/card.liquid': 'x',
      'app/views/pages/index.liquid': "{% render 'card' %}",
    }
    const codes = createEngine({ files: site }).diagnostics.map(({ code }) => code)
    expect(codes).toContain('missing-partial')
  })
})

describe('an unknown tag without an end', () => {
  it('takes nothing with it', () => {
    const text = [
      "{% if a %}{% content_for 'blocks' %}{% else %}b{% endif %}",
      "{% for c in d %}{% section 'x' %}{% else %}{% endfor %}",
      "{% case e %}{% when 1 %}{% content_for 'block', id: 'f' %}{% endcase %}",
    ].join('\n')
    expect(said({ 'sections/main.liquid': text }).map((each) => each.replace(/ Unknown tag /, ' '))).toEqual([
      "unknown-tag sections/main.liquid 'content_for'",
      "unknown-tag sections/main.liquid 'section'",
      "unknown-tag sections/main.liquid 'content_for'",
    ])
  })

  it('with an end is read with its body', () => {
    expect(
      said({ 'a.liquid': "{% content_for 'x' %}{% if a %}{% endif %}{% endcontent_for %}{% if b %}{% endif %}" }),
    ).toHaveLength(1)
  })
})

describe('a property in a `doc`', () => {
  const page = (doc: string, call: string) =>
    said({
      'snippets/pic.liquid': `{% doc %}\n${doc}\n{% enddoc %}{{ settings.width }}{{ settings.height }}`,
      'sections/main.liquid': call,
    })

  it('is one of its parameter, which may be left out where all of them may', () => {
    const doc = '  @param {string} [settings.width] - in pixels\n  @param {string} [settings.height]'
    expect(page(doc, "{% render 'pic' %}{% assign s = a %}{% render 'pic', settings: s %}")).toEqual([])
  })

  it('that is required needs its parameter', () => {
    const doc = '  @param {string} [settings.width]\n  @param {string} settings.height'
    expect(page(doc, "{% render 'pic' %}")).toEqual([expect.stringMatching(/^missing-argument .*`settings`/)])
  })

  it('adds nothing to a parameter that has a line of its own', () => {
    const doc = '  @param {object} [settings]\n  @param {string} settings.width'
    expect(page(doc, "{% render 'pic' %}")).toEqual([])
  })
})
