/** The site that the examples of the guides and of the cookbook are files of. */
import { NEW_SITE } from './new-site.ts'
import type { Block, Entry } from '../../compiler/tools/docs/entry.ts'

type Example = Extract<Block, { kind: 'example' }>

/** Returns the examples of pages, each with the path of its page. */
export function examplesOf(entries: readonly Entry[]): readonly (readonly [page: string, Example])[] {
  return entries.flatMap(({ path, blocks }) =>
    blocks.flatMap((block): (readonly [string, Example])[] => (block.kind === 'example' ? [[path, block]] : [])),
  )
}

/** Returns the shown files of pages, each with the path of its page. */
export function shownFiles(entries: readonly Entry[]) {
  return examplesOf(entries).flatMap(([page, { files }]) => files.map(({ path, text }) => ({ page, path, text })))
}

/** Returns the files that pages show with different texts. */
export function filesShownTwice(entries: readonly Entry[]) {
  const texts = new Map<string, string>()
  return shownFiles(entries).filter(({ path, text }) => {
    const before = texts.get(path ?? '')
    texts.set(path ?? '', text)
    return before !== undefined && before !== text
  })
}

/** Returns the lists of requests of the pages, which `ingot test` reads. */
export function documentedRequests(entries: readonly Entry[]): Readonly<Record<string, string>> {
  return Object.fromEntries(
    shownFiles(entries).flatMap(({ path, text }) =>
      path?.endsWith('_test.yml') ? [[path, `${text}\n`] as const] : [],
    ),
  )
}

/** Returns the names of partials that the lists of requests run. */
export function documentedRuns(entries: readonly Entry[]): readonly string[] {
  const texts = Object.values(documentedRequests(entries))
  return texts.flatMap((text) => [...text.matchAll(/^- run: (\S+)$/gm)].map(([, name = '']) => name))
}

/** Returns the site of `ingot init` with the files of the pages. */
export function documentedSite(entries: readonly Entry[]): Readonly<Record<string, string>> {
  // Lists of requests are left out, because they are not sources: `ingot test` reads them.
  const own = shownFiles(entries).flatMap(({ path, text }) =>
    path?.startsWith('app/') && !path.endsWith('_test.yml') ? [[path, `${text}\n`] as const] : [],
  )
  const begun = Object.entries(NEW_SITE).filter(([path]) => path.startsWith('app/'))
  return Object.fromEntries([...begun, ...own])
}
