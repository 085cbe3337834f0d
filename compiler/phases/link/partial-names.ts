/** Computes the names of partials: all spellings of a file's name, and the file that each name refers to. */
import { normalizeName, indexByNormalizedName } from '../../../runtime/page/partial-names.ts'
import { duplicateUnit } from '../../core/diagnostics/codes/site/duplicate-unit.ts'
import type { Report } from '../../core/diagnostics/diagnostic.ts'
import type { Unit } from '../../core/model/unit.ts'
import type { SourceFile } from '../../core/source/file.ts'
import { folderRank, partialName } from '../../core/source/kinds.ts'

/** A name that a file can be called by. */
interface NameClaim {
  readonly name: string
  readonly unit: Unit
  /** If two files of one folder claim a name, the smaller number wins. */
  readonly spelling: number
}

/**
 * Returns partials by name, for the files of `views/partials`, `lib` and `views/layouts` in `units`. Exact names precede alternative
 * spellings.
 */
export function partialNames(units: readonly Unit[], report: Pick<Report, 'add'>): Map<string, Unit> {
  const claims = units.flatMap((unit) => {
    const fileSpellings = spellings(unit.file)
    return fileSpellings.map(({ name, spelling }): NameClaim => ({ name, unit, spelling }))
  })
  const best = new Map<string, NameClaim>()
  for (const claim of claims) {
    const known = best.get(claim.name)
    if (known === undefined || precedes(claim, known)) best.set(claim.name, claim)
  }
  for (const claim of claims) {
    const winner = best.get(claim.name)
    if (winner !== undefined && hidesPlain(winner, claim))
      report.add(
        duplicateUnit(
          { file: claim.unit.file.path, start: 0, end: 0 },
          'partial',
          claim.name,
          { file: winner.unit.file.path, start: 0, end: 0 },
          partialName(claim.unit.file),
        ),
      )
  }
  const names = new Map<string, Unit>()
  for (const { name, unit } of best.values()) if (name === partialName(unit.file)) names.set(name, unit)
  for (const { name, unit } of best.values()) if (!names.has(name)) names.set(name, unit)
  return names
}

const UNDERSCORED = 4

/**
 * Returns the spellings of a file: `card.liquid` is `card`; `card.html.liquid` is `card.html` and `card`; `_card.liquid` is `_card` and
 * `card`. Other extensions have only the full name.
 */
function spellings(file: SourceFile): readonly Omit<NameClaim, 'unit'>[] {
  const fullName = partialName(file)
  if (!file.path.endsWith('.liquid')) {
    // In a folder that is not a site, the name with its extension also works.
    const fullNames = [{ name: fullName, spelling: 0 }]
    return isStray(file) && file.path !== fullName ? [...fullNames, { name: file.path, spelling: 0 }] : fullNames
  }
  const snippet = snippetName(file)
  const allSpellings =
    file.format === null
      ? [{ name: fullName, spelling: 1 }, ...(snippet === null ? [] : [{ name: snippet, spelling: 2 }])]
      : [
          { name: fullName, spelling: file.format === 'html' ? 2 : 3 },
          { name: `${fullName}.${file.format}`, spelling: 1 },
        ]
  return [
    ...allSpellings,
    ...allSpellings.flatMap((each) => {
      const plain = withoutUnderscore(each.name)
      return plain === null ? [] : [{ name: plain, spelling: each.spelling + UNDERSCORED }]
    }),
  ]
}

/** Returns `card` for `snippets/card.liquid` in a folder that is not a site, as in themes. Null for any other file. */
function snippetName(file: SourceFile): string | null {
  return isStray(file) && /^snippets\/./.test(file.name) ? file.name.slice('snippets/'.length) : null
}

/** Returns true if the file is in a folder that is not a site. */
function isStray({ path, name }: SourceFile): boolean {
  return path === name || path.startsWith(`${name}.`)
}

/** Returns `cards/_user` as `cards/user`; null for a name without an underscore. */
export function withoutUnderscore(name: string): string | null {
  const base = name.lastIndexOf('/') + 1
  return name[base] === '_' && name.length > base + 1 ? name.slice(0, base) + name.slice(base + 1) : null
}

/** Compares two claims by folder, then override before module, then spelling. */
function precedes(a: NameClaim, b: NameClaim): boolean {
  const [left, right] = [precedence(a), precedence(b)]
  const index = left.findIndex((each, at) => each !== right[at])
  return index >= 0 && (left[index] ?? 0) < (right[index] ?? 0)
}

function precedence({ unit, spelling }: NameClaim): readonly number[] {
  const { file } = unit
  const folder = file.kind === 'layout' ? 2 : folderRank(file)
  return [folder, file.override ? 0 : 1, file.visibility === 'private' ? 1 : 0, spelling]
}

/** Returns true if a file with an underscore cannot be called without it, because a file with the plain name is in the same folder. */
function hidesPlain(winner: NameClaim, claim: NameClaim): boolean {
  if (
    claim.spelling < UNDERSCORED ||
    isStray(claim.unit.file) ||
    winner.spelling === 0 ||
    winner.spelling >= UNDERSCORED
  )
    return false
  return precedence(winner).slice(0, 3).join() === precedence(claim).slice(0, 3).join()
}

/** Base Liquid's partials, which can be called by any spelling of their names. */
export class FoldedTable extends Map<string, Unit> {
  readonly #folded: ReadonlyMap<string, Unit>

  constructor(units: ReadonlyMap<string, Unit>) {
    super(units)
    this.#folded = indexByNormalizedName(units)
  }

  override get(name: string): Unit | undefined {
    return super.get(name) ?? this.#folded.get(normalizeName(name))
  }
}
