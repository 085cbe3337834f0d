/** `missing-layout`: a layout that a setting names but that does not exist. */
import { suggestPath } from '../../../../core/diagnostics/change.ts'
import { message } from '../../../../core/diagnostics/diagnostic.ts'
import { quote } from '../../../../core/diagnostics/words.ts'
import type { NamedReference } from '../../../../core/model/settings.ts'
import { ofFrame } from '../../site/site-rule.ts'
import { withAbsentModule } from '../../../../core/diagnostics/absent-modules.ts'

export const missingLayout = message(
  'missing-layout',
  'error',
  'ValidFrontmatter',
  (name: string, knownNames: Iterable<string>) => ({
    text: `There is no layout named ${quote(name)}.`,
    ...(suggestPath(name, knownNames) ?? {
      hint: `Create \`app/views/layouts/${name}.liquid\`, or write \`layout: ''\` for no layout.`,
    }),
  }),
  {
    wrong: `---
layout: aplication
---
x`,
    right: `---
layout: application
---
x`,
    both: { 'app/views/layouts/application.liquid': '{{ content_for_layout }}' },
  },
)

/** Reports names of layouts in pages and emails for which the site has no file. */
export const checkLayoutNames = ofFrame((site) => {
  const references = site.units.flatMap(({ settings }): readonly NamedReference[] => {
    if (settings.kind === 'email') return settings.layout === null ? [] : [settings.layout]
    if (settings.kind !== 'page') return []
    const { layout, layoutSpan } = settings
    return layout === null || layout === '' || layoutSpan === null ? [] : [{ name: layout, span: layoutSpan }]
  })
  return references.flatMap(({ name, span }) =>
    site.layouts.has(name)
      ? []
      : [withAbsentModule(site.modules, name, missingLayout(span, name, site.layouts.keys()))],
  )
})
