/** Finds and checks the paths of the files that mutations change, which come from clients. */
import { isOfSite, pathProblem } from '../paths.ts'
import { appFolder, type Tree } from '../site.ts'

/** Where the files of a type are. */
export interface Place {
  readonly noun: string
  readonly folders: readonly string[]
  readonly extension: string
  /** A file outside of the folders, in the folder of the application. */
  readonly single?: string
}

/** A path in a folder of its type. */
export interface PlacedFile {
  readonly path: string
  /** The path below the folder, without the extension. */
  readonly stem: string
  /** The name that calls use: the path below the folder, without the format and the extension. */
  readonly name: string
  /** The format in the name; null without one. */
  readonly format: string | null
}

/** Thrown for a path that is refused. */
export class PathFault extends Error {
  override readonly name = 'PathFault'
}

const ROOT = /^(?:(?:app|marketplace_builder)\/)?(?:modules\/([^/]+)\/(?:public|private)\/)?(.+)$/
const FORMAT = /^(.*[^/.])\.(html|json|xml|rss|csv|pdf|css|text|js|txt|svg|ics)$/

/**
 * Returns the file of a path as a client writes it: below the root of the site, or below the folder of the application.
 * @param isNew whether the file needs the extension of its type
 * @throws PathFault
 */
export function placeFile(sent: string, place: Place, tree: Tree, isNew: boolean): PlacedFile {
  const path = isOfSite(sent) ? sent : `${appFolder(tree)}/${sent}`
  const problem = pathProblem(sent) ?? pathProblem(path)
  if (problem !== null) throw new PathFault(`${problem[0]?.toUpperCase()}${problem.slice(1)}.`)
  const { noun, extension, single } = place
  const [, module, rest = ''] = ROOT.exec(path) ?? []
  if (single !== undefined && rest === single && module === undefined)
    return { path, stem: rest, name: rest, format: null }
  const folder = place.folders.find((each) => rest.startsWith(`${each}/`))
  if (folder === undefined)
    throw new PathFault(`\`${sent}\` is not the path of a ${noun}: it must be in the folder \`${place.folders[0]}\`.`)
  const below = rest.slice(folder.length + 1)
  if (isNew && !below.endsWith(extension))
    throw new PathFault(`\`${sent}\` is not the path of a ${noun}: it must end with \`${extension}\`.`)
  if (
    isNew &&
    below
      .split('/')
      .slice(0, -1)
      .some((part) => extension !== '' && part.endsWith(extension))
  )
    throw new PathFault(
      `\`${sent}\` is not the path of a ${noun}: names of folders must not end with \`${extension}\`.`,
    )
  if (below.split('/').some((part) => part.startsWith('.')))
    throw new PathFault(`\`${sent}\` is not the path of a ${noun}: names must not begin with a dot.`)
  const stem = below.endsWith(extension) ? below.slice(0, below.length - extension.length) : below
  const [, plain = stem, format = null] = FORMAT.exec(stem) ?? []
  return { path, stem, name: module === undefined ? plain : `modules/${module}/${plain}`, format }
}
