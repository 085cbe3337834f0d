/** Adds to each recipe the files that it uses and other pages show, so that a reader who copies one recipe finds the rest. */
import { newSite } from '../../templates/templates.ts'
import type { Block, Entry } from '../entry.ts'
import { list, paragraph } from '../page.ts'

/** References in the text of a file, and the file that each name means. A list of names is separated by commas. */
const REFERENCES: readonly (readonly [pattern: RegExp, file: (name: string) => string])[] = [
  [/\b(?:function|background)\s+\w+\s*=\s*'([^']+)'/g, (name) => `app/lib/${name}.liquid`],
  [/\bgraphql\s+\w+\s*=\s*'([^']+)'/g, (name) => `app/graphql/${name}.graphql`],
  [/\brender\s+'([^']+)'/g, (name) => `app/views/partials/${name}.liquid`],
  [/\binclude_form\s+'([^']+)'/g, (name) => `app/forms/${name}.liquid`],
  [/^authorization_policies: \[([^\]]+)\]/gm, (name) => `app/authorization_policies/${name}.liquid`],
  [/\bemail_send\(template: \{ name: "([^"]+)"/g, (name) => `app/emails/${name}.liquid`],
  [/\btable"?: (?:\{ value: )?"(\w+)"/g, (name) => `app/schema/${name}.yml`],
  [/^\s*(?:resource|belongs_to): (\w+)$/gm, (name) => `app/schema/${name}.yml`],
  // Properties of users are declared in one file.
  [/\b(user)s\([^]*?property/g, (name) => `app/${name}.yml`],
]

/** A file as a page shows it. `label` and `href` are of the page, or of the part of it. */
interface Shown {
  readonly text: string
  readonly label: string
  readonly href: string
}

/**
 * Returns the recipes, each with links to the pages that show the files it also uses.
 * @param guides other pages that show files of the same site
 */
export function withUses(recipes: readonly Entry[], guides: readonly Entry[]): readonly Entry[] {
  const shown = shownFiles([...guides, ...recipes])
  return recipes.map((recipe) => {
    const blocks = useBlocks(usedFiles(recipe, shown), shown)
    const last = recipe.blocks.findLastIndex(({ kind }) => kind === 'example')
    return { ...recipe, blocks: recipe.blocks.toSpliced(last + 1, 0, ...blocks) }
  })
}

/** Returns the paths of the files that a recipe uses and does not show. Files that `ingot init` writes are left out. */
function usedFiles(recipe: Entry, shown: ReadonlyMap<string, Shown>): readonly string[] {
  const own = new Map(filesOf(recipe.blocks))
  const begun = newSite()
  const used = new Set<string>()
  const waiting = [...own.values()]
  for (let file = waiting.pop(); file !== undefined; file = waiting.pop()) {
    for (const path of referencesOf(file)) {
      const other = shown.get(path)
      if (other === undefined || own.has(path) || used.has(path) || begun[path]?.trimEnd() === other.text) continue
      used.add(path)
      waiting.push(other.text)
    }
  }
  return [...used].toSorted()
}

function referencesOf(file: string): readonly string[] {
  return REFERENCES.flatMap(([pattern, fileOf]) =>
    [...file.matchAll(pattern)].flatMap(([, names = '']) => names.split(',').map((name) => fileOf(name.trim()))),
  )
}

function useBlocks(used: readonly string[], shown: ReadonlyMap<string, Shown>): readonly Block[] {
  if (used.length === 0) return []
  const byPage = new Map<string, readonly string[]>()
  for (const path of used) {
    const { label = '', href = '' } = shown.get(path) ?? {}
    const link = `[${label}](${href})`
    byPage.set(link, [...(byPage.get(link) ?? []), `\`${path}\``])
  }
  const items = [...byPage].map(([link, paths]) => `${paths.join(', ')}: ${link}`)
  return [paragraph('It also uses files that other pages show:'), list(...items)]
}

function filesOf(blocks: readonly Block[]): readonly (readonly [path: string, text: string])[] {
  return blocks.flatMap((block) =>
    block.kind !== 'example'
      ? []
      : block.files.flatMap(({ path, text: content }) => (path === null ? [] : [[path, content] as const])),
  )
}

function shownFiles(pages: readonly Entry[]): ReadonlyMap<string, Shown> {
  const shown = new Map<string, Shown>()
  for (const { name, path, blocks } of pages) {
    let place = { label: name, href: path }
    for (const block of blocks) {
      if (block.kind === 'title' && block.id !== undefined) place = { label: block.text, href: `${path}#${block.id}` }
      for (const [file, content] of filesOf([block])) if (!shown.has(file)) shown.set(file, { text: content, ...place })
    }
  }
  return shown
}
