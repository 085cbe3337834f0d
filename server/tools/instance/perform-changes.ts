/** Performs the changes of files that mutations ask for: as one deploy request, which is served when this resolves. */
import { type SiteChange, SiteChangeError } from '../../../runtime/data/query/change-model.ts'
import { formatErrorLines } from './deploys/lines.ts'
import { Refusal } from './replies.ts'
import type { InstanceContext } from './resource.ts'
import { awaitDeploy } from './wait.ts'

/**
 * Changes files of the site.
 * @returns the paths of the changed files of each change
 * @throws SiteChangeError for changes that are refused
 */
export async function performChanges(
  parts: InstanceContext,
  changes: readonly SiteChange[],
): Promise<readonly (readonly string[])[]> {
  for (const [at, { values, files }] of changes.entries())
    if (!isStorable([values, files]))
      throw new SiteChangeError('A value contains a NUL byte, or half of a Unicode character: remove it.', at)
  const { status, result } = await awaitDeploy(parts, {
    kind: 'change',
    changes: changes.map(({ files, ...change }) => ({ ...change, files: [...files] })),
    plan: null,
  }).catch((error: unknown) => {
    throw error instanceof Refusal ? new SiteChangeError(sentence(error.message), null) : error
  })
  const { changed, refused, errors } = result
  if (status === 'success') return changed
  const [first] = errors
  const faulty = first === undefined ? -1 : changed.findIndex((paths) => paths.includes(first.file))
  const place = first === undefined ? {} : { file: first.file, line: first.line }
  throw new SiteChangeError(formatErrorLines(result).join('\n'), refused ?? (faulty < 0 ? null : faulty), place)
}

function sentence(text: string): string {
  return `${text[0]?.toUpperCase() ?? ''}${text.slice(1)}.`
}

/** Returns whether the database can store all texts of a value. */
function isStorable(value: unknown): boolean {
  if (typeof value === 'string') return value.isWellFormed() && !value.includes('\0')
  if (typeof value !== 'object' || value === null) return true
  return Object.entries(value).every(([name, item]) => isStorable(name) && isStorable(item))
}
