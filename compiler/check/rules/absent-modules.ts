/** Modules that are not installed: however many of their names are used, one message a module. */
import { absentModule } from '../../diagnostics/codes/calls/absent-module.ts'
import type { Diagnostic } from '../../diagnostics/diagnostic.ts'
import type { ModuleRequirements } from '../../source/manifests.ts'

const NONE: ModuleRequirements = new Map()

/**
 * Puts one message for each absent module in the place of all that is said of its names, where the first of them stands. It is an error
 * only where one of the uses is, in a file that a page runs (`run`, by file). `declared`: what manifests ask for.
 */
export function gatherAbsent(
  all: readonly Diagnostic[],
  run: (file: string) => boolean,
  declared: ModuleRequirements = NONE,
): readonly Diagnostic[] {
  const uses = new Map<string, Diagnostic[]>()
  for (const each of all) {
    if (each.absent === undefined) continue
    const known = uses.get(each.absent.module)
    if (known === undefined) uses.set(each.absent.module, [each])
    else known.push(each)
  }
  if (uses.size === 0) return all
  return all.flatMap((each) => {
    if (each.absent === undefined) return [each]
    const { module } = each.absent
    const own = uses.get(module) ?? []
    // What breaks a page is what the author looks for.
    const hard = own.filter(({ severity, span }) => severity === 'error' && run(span.file))
    const shown = hard[0] ?? own[0]
    if (each !== shown) return []
    const names = [...new Set([...hard, ...own].flatMap(({ absent: use }) => use?.name ?? []))]
    const told = absentModule(each.span, module, names, declared.get(module) ?? null)
    return [hard.length > 0 ? told : { ...told, severity: 'warning' as const }]
  })
}
