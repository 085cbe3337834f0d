/** `unused-asset`: a file in `assets` that no template or stylesheet uses. */
import { type Diagnostic, message } from '../../../../core/diagnostics/diagnostic.ts'
import { quote } from '../../../../core/diagnostics/words.ts'
import type { CheckedSite } from '../../site/site-rule.ts'
import type { Unit } from '../../../../core/model/unit.ts'
import { cacheByVersion, tagTexts, wordsIn } from '../../site/written-texts.ts'
import { hasUnreadableTemplate } from '../../site/reach.ts'
import { wordCounter } from '../../../../core/model/word-counter.ts'

export const unusedAsset = message(
  'unused-asset',
  'info',
  'UnusedAsset',
  (name: string) => ({
    text: `No template or stylesheet uses the asset ${quote(name)}.`,
    hint: 'Remove the file, unless a script or another site uses it.',
  }),
  { wrong: 'x', right: "{{ 'old.js' | asset_url }}", both: { 'app/assets/old.js': 'x' } },
)

/** Counts the files that contain a file name. */
const namingFiles = wordCounter(({ file }: Unit) => wordsIn(file).files)

/** Assets that browsers and other clients request by themselves, and files that tools leave beside them. */
const CLIENT_REQUESTED =
  /(?:^|\/)(?:favicon|robots|manifest|site|browserconfig|apple-touch|\.|licen|readme)|\.(?:map|txt|md|webmanifest)$|\.[0-9a-f]{6,}\./i

/** Beginnings and endings of names that templates put together. */
const fileNameAffixes = cacheByVersion((counts) => ({
  prefixes: [...counts.keys()].map((text) => text.replace(/^\//, '')).filter((text) => /.[/_-]$/.test(text)),
  suffixes: [...counts.keys()].filter((text) => /^[\w-]*\.\w+$/.test(text) && text.startsWith('.')),
}))

/** Reports the assets of the site itself that no file names, neither whole nor by a part of a computed name. */
export function checkUnusedAssets({ site, siteTemplates }: CheckedSite): readonly Diagnostic[] {
  // A template that could not be parsed may name any asset.
  if (hasUnreadableTemplate(site)) return []
  const own = [...site.assets].filter(([name, path]) => path.startsWith('app/assets/') && !CLIENT_REQUESTED.test(name))
  if (own.length === 0) return []
  const { counts: files } = namingFiles(site.structureVersion, site.byFile)
  const { prefixes, suffixes } = fileNameAffixes(tagTexts(site.structureVersion, siteTemplates))
  return own.flatMap(([name, path]) => {
    const base = name.slice(name.lastIndexOf('/') + 1)
    if (files.has(base) || prefixes.some((text) => name.startsWith(text) || base.startsWith(text))) return []
    if (suffixes.some((text) => base.endsWith(text))) return []
    return [unusedAsset({ file: path, start: 0, end: 0 }, name)]
  })
}
