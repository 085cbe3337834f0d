/** Reduces a failing site: removes files, statements and enclosing blocks while the site still fails. */
import type { MadeSite } from './site.ts'
import type { Statement } from './template.ts'

/**
 * Returns the smallest failing site found. @param failing returns the first of the candidates that still fails, or null @param
 * rounds maximum number of calls
 */
export async function shrinkSite(
  site: MadeSite,
  failing: (candidates: readonly MadeSite[]) => Promise<MadeSite | null>,
  rounds: number,
): Promise<MadeSite> {
  let smallest = site
  for (let round = 0; round < rounds; round++) {
    const smaller = await failing(smallerSites(smallest))
    if (smaller === null) return smallest
    smallest = smaller
  }
  return smallest
}

/** Returns the sites with one file, statement or block removed, the smallest first. */
function smallerSites(site: MadeSite): readonly MadeSite[] {
  const { templates, plain } = site
  const without = templates.flatMap((file, at) =>
    file.path.startsWith('app/views/pages/') &&
    templates.filter(({ path }) => path.startsWith('app/views/pages/')).length === 1
      ? []
      : [{ ...site, templates: templates.toSpliced(at, 1) }],
  )
  const lighter = Object.keys(plain).map((path) => {
    const { [path]: _, ...rest } = plain
    return { ...site, plain: rest }
  })
  const shorter = templates.flatMap((file, at) =>
    [...smallerBodies(file.body)].map((body) => ({ ...site, templates: templates.with(at, { ...file, body }) })),
  )
  return [...without, ...lighter, ...shorter]
}

function* smallerBodies(body: readonly Statement[]): Generator<readonly Statement[]> {
  for (let length = body.length; length >= 1; length = Math.floor(length / 2)) {
    for (let at = 0; at + length <= body.length; at += length) yield body.toSpliced(at, length)
  }
  for (const [at, statement] of body.entries()) {
    if (statement.kind === 'attribute') {
      for (const inner of smallerBodies(statement.body)) yield body.with(at, { ...statement, body: inner })
    }
    if (statement.kind !== 'block') continue
    const { branches } = statement
    for (const branch of branches) yield body.toSpliced(at, 1, ...branch.body)
    for (const [index, branch] of branches.entries()) {
      if (index > 0) yield body.with(at, { ...statement, branches: branches.toSpliced(index, 1) })
      for (const inner of smallerBodies(branch.body))
        yield body.with(at, { ...statement, branches: branches.with(index, { ...branch, body: inner }) })
    }
  }
}
