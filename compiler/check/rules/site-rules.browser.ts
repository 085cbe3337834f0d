/** In a browser templates are pieces of pages, and no whole site: of what its files name of each other, only blocks of content are looked at. */
import type { Diagnostic } from '../../diagnostics/diagnostic.ts'
import { type BlockRules, checkBlocks } from './content-blocks.ts'

export function checkSite(rules: BlockRules & { readonly lacksModule: boolean }): readonly Diagnostic[] {
  return rules.lacksModule ? [] : checkBlocks(rules)
}

export function checkSiteMarkup(): readonly Diagnostic[] {
  return []
}
